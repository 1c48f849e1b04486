import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import { orders, payment_reviews, psp_events, sessions } from '../db/tables.ts'
import { sweep } from '../ops/sweeper.ts'
import type { ChargeResult, PspEvent, SoughtCharge } from '../psp/psp.ts'
import {
  acpAgent,
  FOR_CUSTOMERS,
  NOON,
  stockOf,
  testStore,
  waitingForLocks,
} from '../testing/store.ts'
import { AWAITED_MS } from './awaited-payments.ts'
import { settleLost } from './checkout.ts'
import { applyPaymentEvent } from './payment-events.ts'
import { LOST_MS } from './sessions.ts'

// What the PSP did and we did not hear, or heard at the wrong moment.

const MINUTE_MS = 60_000

async function begin() {
  let at = NOON.getTime()
  const made = await testStore({}, { now: () => new Date(at) })
  const { db } = made.deps
  return {
    ...made,
    ...acpAgent(made.send),
    db,
    /** Tests replace its methods. */
    psp: made.deps.psp,
    pass: (ms: number) => {
      at += ms
    },
    pieces: stockOf(made.deps, 'ao-1101').pieces,
    sessionOf: async (id: string) =>
      (await db.select().from(sessions).where(eq(sessions.id, id)))[0],
    orderOf: async (id: string) =>
      (await db.select().from(orders).where(eq(orders.session_id, id)))[0],
  }
}

/** A session that a crash left in the middle of its payment. */
async function lose({ open, pay, psp }: Awaited<ReturnType<typeof begin>>, token = 'tok_lost') {
  const { find } = psp
  psp.find = () => Promise.reject(new Error('down'))
  const id = await open()
  await pay(id, token)
  psp.find = find
  return id
}

test('a lost try is found however many minutes the next one comes after it', async () => {
  const shop = await begin()
  const { pay, pass, bank, psp, deps, orderOf } = shop
  const id = await shop.open()
  const { find } = psp
  // The PSP does not know of it yet: the session is open again.
  psp.find = async () => null
  expect((await pay(id, 'tok_lost')).status).toBe(503)
  psp.find = find
  pass(2 * MINUTE_MS)
  expect((await pay(id, 'tok_visa')).status).toBe(200)
  expect(bank.paid()).toMatchObject([{ token: 'tok_lost' }])
  expect((await orderOf(id))?.payment_id).toBe('pay_1')
  expect(await sweep(deps)).toEqual({ resolved: 0, unresolved: 0 })
})

test('a lost try was of another amount: the order is of what was charged', async () => {
  const shop = await begin()
  const { psp, complete, newKey, orderOf, reported } = shop
  const id = await shop.open()
  const { find } = psp
  psp.find = async () => null
  const payment_method = { type: 'card', token: 'tok_lost' }
  await complete(id, { payment_method, shipping_option_id: 'express' })
  psp.find = find
  const paid = await complete(id, { shipping_option_id: 'standard', idempotency_key: newKey() })
  const charged = shop.bank.paid()[0]?.amount
  expect([paid.status, paid.said.total]).toEqual([200, charged])
  expect(await orderOf(id)).toMatchObject({ shipping: { id: 'express' }, disputed: false })
  expect((await shop.sessionOf(id))?.confirmed_option_id).toBe('express')
  expect(reported.at(-1)?.properties).toMatchObject({ value: charged?.amount })
})

test.each([
  ['wrong amount', { amount: 1, currency: 'USD' }],
  ['wrong currency', { amount: 31812, currency: 'EUR' }],
])('a payment of a %s, which no delivery comes to, orders nothing', async (_, amount) => {
  const { psp, open, pay, pieces, db, orderOf, sessionOf } = await begin()
  const before = await pieces()
  psp.charge = async () => ({ status: 'succeeded', paymentId: 'pay_odd', amount })
  const id = await open()
  const refused = await pay(id, 'tok_visa')
  expect([refused.status, refused.said.code]).toEqual([402, 'payment_declined'])
  expect(refused.said.message).toMatch(FOR_CUSTOMERS)
  expect(await orderOf(id)).toBeUndefined()
  expect(await sessionOf(id)).toMatchObject({ status: 'pending_confirmation', declines: 1 })
  expect(await pieces()).toBe(before)
  const [review] = await db.select().from(payment_reviews)
  expect(review).toMatchObject({ cause: 'amount', session_id: id, payment_id: 'pay_odd', amount })
})

test('the second try of an order that failed is of another delivery', async () => {
  const { open, complete, newKey, bank, deps, orderOf } = await begin()
  const id = await open()
  const pending = { type: 'card', token: 'tok_pending' }
  const first = await complete(id, { payment_method: pending })
  const type = 'payment_intent.payment_failed'
  const event = { id: 'evt', type, name: type, paymentId: 'pay_1', sessionId: id } as const
  await applyPaymentEvent(deps, 'scripted', { ...event, amount: null })
  const express = { shipping_option_id: 'express', idempotency_key: newKey() }
  const again = await complete(id, express)
  expect(again.said.order_id).toBe(first.said.order_id)
  expect(again.said.total).toEqual(bank.charges[1]?.amount)
  expect(again.said.total).not.toEqual(first.said.total)
  expect(await orderOf(id)).toMatchObject({ shipping: { id: 'express' }, disputed: false })
})

test('the failure of a pending payment, told before we have its order', async () => {
  const { psp, open, pay, pass, bank, deps, pieces, orderOf, sessionOf } = await begin()
  const before = await pieces()
  const { charge } = psp
  const heard: string[] = []
  psp.charge = async (asked) => {
    const result = await charge(asked)
    const type = 'payment_intent.payment_failed'
    const { paymentId } = result
    const event: PspEvent = {
      ...{ id: 'evt_early', type, name: type, paymentId },
      ...{ sessionId: asked.sessionId, amount: asked.amount },
    }
    heard.push(await applyPaymentEvent(deps, 'scripted', event))
    return result
  }
  const id = await open()
  expect((await pay(id, 'tok_pending')).status).toBe(202)
  expect(heard).toEqual(['ignored'])
  const made = bank.charges[0]
  if (made) made.result = { status: 'declined', paymentId: 'pay_1', message: 'No.' }
  pass(AWAITED_MS - 1)
  expect(await sweep(deps)).toEqual({ resolved: 0, unresolved: 0 })
  expect((await orderOf(id))?.status).toBe('awaiting_payment')
  pass(1)
  expect(await sweep(deps)).toEqual({ resolved: 1, unresolved: 0 })
  expect((await orderOf(id))?.status).toBe('payment_failed')
  expect((await sessionOf(id))?.status).toBe('pending_confirmation')
  expect(await pieces()).toBe(before)
})

test.each([
  ['was declined', 'tok_lost_declined'],
  ['was never made', 'tok_unreachable'],
])(
  'a try that the sweeper finds late %s: the session has the time of a new one',
  async (_, token) => {
    const shop = await begin()
    const { pass, deps, sessionOf, pay, bank } = shop
    const id = await shop.open()
    const { charge, find } = shop.psp
    shop.psp.charge = async (asked) => {
      await charge(asked)
      throw new Error('The answer was lost.')
    }
    shop.psp.find = () => Promise.reject(new Error('down'))
    expect((await pay(id, token)).status).toBe(503)
    Object.assign(shop.psp, { charge, find })
    pass(16 * MINUTE_MS)
    expect(await sweep(deps)).toEqual({ resolved: 1, unresolved: 0 })
    expect(await sessionOf(id)).toMatchObject({
      status: 'pending_confirmation',
      expires_at: new Date(NOON.getTime() + 31 * MINUTE_MS),
    })
    pass(14 * MINUTE_MS)
    await sweep(deps)
    expect((await pay(id, 'tok_visa')).status).toBe(200)
    expect(bank.paid()).toHaveLength(1)
  },
)

test('a decline that is heard in time leaves the session its time', async () => {
  const { open, pay, pass, sessionOf } = await begin()
  const id = await open()
  pass(MINUTE_MS)
  await pay(id, 'tok_declined')
  expect((await sessionOf(id))?.expires_at).toEqual(new Date(NOON.getTime() + 15 * MINUTE_MS))
})

test('a webhook that never comes: the PSP is asked, every five minutes', async () => {
  const { psp, open, pay, pass, bank, deps, orderOf } = await begin()
  const id = await open()
  await pay(id, 'tok_pending')
  const { find } = psp
  const asked: (string | undefined)[] = []
  psp.find = (sought) => {
    asked.push(sought.paymentId)
    return find(sought)
  }
  pass(AWAITED_MS)
  await Promise.all([sweep(deps), sweep(deps), sweep(deps)])
  expect([asked, (await orderOf(id))?.status]).toEqual([['pay_1'], 'awaiting_payment'])
  const made = bank.charges[0]
  if (made) made.result = { status: 'succeeded', paymentId: 'pay_1', amount: made.amount }
  pass(AWAITED_MS)
  psp.find = async () => null
  expect(await sweep(deps)).toEqual({ resolved: 0, unresolved: 1 })
  psp.find = find
  pass(AWAITED_MS)
  await sweep(deps)
  expect(await orderOf(id)).toMatchObject({ status: 'confirmed', disputed: false })
})

const SAME = { status: 'succeeded', paymentId: 'pay_same' } as const

test('a payment that has paid for another session is declined', async () => {
  const { psp, open, pay, sessionOf, pieces, orderOf } = await begin()
  psp.charge = async ({ amount }): Promise<ChargeResult> => ({ ...SAME, amount })
  const [one, other] = [await open(), await open()]
  expect((await pay(one, 'tok_visa')).status).toBe(200)
  const before = await pieces()
  const refused = await pay(other, 'tok_visa')
  expect([refused.status, refused.said.code]).toEqual([402, 'payment_declined'])
  expect(refused.said.message).toContain('already used')
  expect(await sessionOf(other)).toMatchObject({ status: 'pending_confirmation', declines: 1 })
  expect(await orderOf(other)).toBeUndefined()
  expect(await pieces()).toBe(before)
})

test('two sessions take one payment at the same moment: one has it', async () => {
  const { psp, open, pay, deps, db } = await begin()
  psp.charge = async ({ amount }): Promise<ChargeResult> => ({ ...SAME, amount })
  const { enqueue } = deps
  // The first has written its order; it commits once the second waits to write the same payment.
  deps.enqueue = async (...told) => {
    await eventually(() => waitingForLocks(db)).toBe(1)
    await enqueue(...told)
  }
  const ids = [await open(), await open()]
  const answers = await Promise.all(ids.map((id) => pay(id, 'tok_visa')))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 402])
  expect(await db.$count(orders)).toBe(1)
})

test("a slow search does not end somebody else's later try", async () => {
  const shop = await begin()
  const { deps, pass, pay, sessionOf, pieces, bank } = shop
  const id = await lose(shop, 'tok_unreachable')
  pass(LOST_MS)
  const lost = await sessionOf(id)
  if (lost === undefined) throw new Error('no session')
  await sweep(deps)
  expect((await sessionOf(id))?.status).toBe('pending_confirmation')
  const second = pay(id, 'tok_held')
  await eventually(async () => (await sessionOf(id))?.status).toBe('completing')
  const left = await pieces()
  await settleLost(deps, lost)
  expect((await sessionOf(id))?.status).toBe('completing')
  expect(await pieces()).toBe(left)
  await eventually(() => bank.calls.at(-1)?.token).toBe('tok_held')
  bank.releaseHeld()
  expect((await second).status).toBe(200)
})

test('a search that takes too long is ended, and is for what the last try can have made', async () => {
  const shop = await begin()
  const { psp, deps, pass, sessionOf } = shop
  const id = await lose(shop)
  pass(LOST_MS)
  let sought: SoughtCharge | undefined
  psp.find = (asked) => {
    sought = asked
    return new Promise(() => {})
  }
  expect(await sweep(deps, 1)).toEqual({ resolved: 0, unresolved: 1 })
  expect(sought?.signal?.aborted).toBe(true)
  const session = await sessionOf(id)
  expect(sought?.since).toEqual(session?.created_at)
  expect(sought?.until).toEqual(new Date(NOON.getTime() + LOST_MS))
})

test('a PSP that hangs is asked for four at a time, and not for ever', async () => {
  const shop = await begin()
  const { psp, deps, pass } = shop
  for (let n = 0; n < 9; n += 1) await lose(shop)
  pass(LOST_MS)
  let asked = 0
  const { find } = psp
  psp.find = () => {
    asked += 1
    return new Promise(() => {})
  }
  const sweeping = sweep(deps, 200)
  await eventually(() => asked).toBeGreaterThan(0)
  const most = asked
  expect(await sweeping).toEqual({ resolved: 0, unresolved: 9 })
  expect([most, asked]).toEqual([4, 9])
  psp.find = find
  expect(await sweep(deps)).toEqual({ resolved: 9, unresolved: 0 })
})

test('why a payment stays unresolved is told also by a sweep that fails after it', async () => {
  const shop = await begin()
  const { psp, deps, db, pass } = shop
  await lose(shop)
  pass(LOST_MS)
  psp.find = () => Promise.reject(new Error('down'))
  const errors: unknown[] = []
  deps.onError = (error) => errors.push(error)
  await db.execute(sql`alter table ${psp_events} rename to away`)
  await expect(sweep(deps)).rejects.toThrow()
  expect(errors.map(String)).toEqual(['Error: down'])
})

test('more sessions than one sweep takes, and most of them fail: the others are not starved', async () => {
  const shop = await begin()
  const { psp, deps, pass, sessionOf, db } = shop
  const id = await lose(shop)
  const session = await sessionOf(id)
  if (session === undefined) throw new Error('no session')
  const older = new Date(NOON.getTime() - 1)
  const failing = Array.from({ length: 120 }, (_, n) => ({
    ...session,
    ...{ id: `failing_${n}`, completing_since: older },
  }))
  await db.insert(sessions).values(failing)
  const { find } = psp
  psp.find = (sought) =>
    sought.sessionId === id ? find(sought) : Promise.reject(new Error('down'))
  pass(LOST_MS)
  for (let sweeps = 0; sweeps < 60; sweeps += 1) {
    await sweep(deps)
    if ((await sessionOf(id))?.status === 'completed') break
  }
  expect((await sessionOf(id))?.status).toBe('completed')
})

test('what is old is forgotten: events of PSPs, and sessions that have no order', async () => {
  const { deps, db, open, pay, pass, sessionOf } = await begin()
  const [failed, left] = [await open(), await open()]
  await pay(failed, 'tok_pending')
  const type = 'payment_intent.payment_failed'
  const event = { id: 'evt_old', type, name: type, paymentId: 'pay_1', sessionId: failed } as const
  await applyPaymentEvent(deps, 'scripted', { ...event, amount: null })
  pass(29 * 24 * 60 * MINUTE_MS)
  await sweep(deps)
  expect(await db.$count(psp_events)).toBe(1)
  pass(2 * 24 * 60 * MINUTE_MS)
  await sweep(deps)
  expect(await db.$count(psp_events)).toBe(0)
  expect(await sessionOf(left)).toBeUndefined()
  expect((await sessionOf(failed))?.status).toBe('expired')
})
