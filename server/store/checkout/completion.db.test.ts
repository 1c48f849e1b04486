import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { eventually, PATIENCE_MS } from '../../../shared/testing/wait.ts'
import { idempotency_keys, orders, sessions } from '../db/tables.ts'
import { sweep } from '../ops/sweeper.ts'
import { BUYERS, DIALECTS } from '../testing/buyers.ts'
import { acpAgent, NOON, stockOf, testStore, waitingForLocks } from '../testing/store.ts'
import { LOST_MS } from './sessions.ts'

let at = NOON.getTime()
const observed: { seconds: number; status: number }[] = []
const { send, deps, bank, reported } = await testStore(
  {},
  {
    now: () => new Date(at),
    observeCompletion: (seconds, status) => observed.push({ seconds, status }),
  },
)
const { db } = deps

const { newKey, open, create, pay } = acpAgent(send)
const { pieces } = stockOf(deps, 'ao-1101')
const sessionOf = async (id: string) =>
  (await db.select().from(sessions).where(eq(sessions.id, id)))[0]
const ordersOf = (id: string) => db.select().from(orders).where(eq(orders.session_id, id))
const paidFor = (id: string) => bank.paid().filter(({ sessionId }) => sessionId === id)

test('a PSP that answers too late: ask again, and there is one order', async () => {
  const id = await open()
  const key = newKey()
  deps.answerMs = 50
  const slow = await pay(id, 'tok_held', key)
  deps.answerMs = PATIENCE_MS
  expect([slow.status, slow.said.code, slow.headers.get('retry-after')]).toEqual([
    409,
    'idempotency_in_flight',
    '2',
  ])
  await eventually(() => bank.calls.at(-1)?.sessionId).toBe(id)
  expect((await sessionOf(id))?.status).toBe('completing')
  const again = pay(id, 'tok_held', key)
  bank.releaseHeld()
  expect((await again).status).toBe(200)
  expect(paidFor(id)).toHaveLength(1)
  expect(await ordersOf(id)).toHaveLength(1)
})

test('a call waits for an earlier one with its key as long as it may, and gives its answer', async () => {
  const id = await open()
  const key = newKey()
  const first = pay(id, 'tok_held', key)
  await eventually(() => bank.calls.at(-1)?.sessionId).toBe(id)
  let asked = 0
  deps.onStep = () => {
    asked += 1
  }
  const second = pay(id, 'tok_held', key)
  await eventually(() => asked).toBeGreaterThan(25)
  delete deps.onStep
  bank.releaseHeld()
  expect((await first).status).toBe(200)
  expect((await second).body).toBe((await first).body)
})

describe.each(DIALECTS)('%s', (dialect) => {
  test('a payment that could not begin yet is in progress, and goes through once it can', async () => {
    const buyer = BUYERS[dialect](send)
    const id = await buyer.open('ao-1101')
    const key = newKey()
    await db.transaction(async (tx) => {
      await tx.select().from(sessions).where(eq(sessions.id, id)).for('update')
      deps.answerMs = 50
      const early = await buyer.complete(id, key)
      deps.answerMs = PATIENCE_MS
      expect([early.reads, early.text]).toEqual(['in progress', expect.stringMatching(/in_flight/)])
    })
    expect((await buyer.complete(id, key)).reads).toBe('paid')
    expect(await ordersOf(id)).toHaveLength(1)
    expect(paidFor(id)).toHaveLength(1)
  })
})

test('a database that goes away after the charge: the call is answered once it is back', async () => {
  const id = await open()
  let cut = 0
  deps.onStep = async (step) => {
    if (step !== 'ordered' || cut > 0) return
    cut += 1
    await db.execute(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`)
  }
  const { status } = await pay(id, 'tok_visa')
  delete deps.onStep
  expect([status, cut]).toEqual([200, 1])
  expect(await ordersOf(id)).toHaveLength(1)
  expect(paidFor(id)).toHaveLength(1)
})

test('a completion is timed until the payment is settled, not until its caller is answered', async () => {
  const id = await open()
  const key = newKey()
  observed.splice(0)
  deps.answerMs = 50
  expect((await pay(id, 'tok_held', key)).status).toBe(409)
  // A call that finds the first one at work gives up, and does not count as a completion.
  deps.answerMs = 400
  expect((await pay(id, 'tok_held', key)).said.code).toBe('idempotency_in_flight')
  deps.answerMs = PATIENCE_MS
  expect(observed).toEqual([])
  bank.releaseHeld()
  await eventually(() => observed.length).toBe(1)
  expect(observed[0]?.status).toBe(200)
  // The second call alone waited that long.
  expect(observed[0]?.seconds).toBeGreaterThan(0.4)
})

test('what fails after its caller was answered is in the log', async () => {
  const id = await open()
  observed.splice(0)
  const errors: unknown[] = []
  deps.onError = (error) => errors.push(error)
  await db.transaction(async (tx) => {
    await tx.select().from(sessions).where(eq(sessions.id, id)).for('update')
    deps.answerMs = 50
    expect((await pay(id, 'tok_visa')).said.code).toBe('idempotency_in_flight')
    deps.answerMs = PATIENCE_MS
    await eventually(() => waitingForLocks(db)).toBe(1)
    expect(errors).toEqual([])
    await tx.execute(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)
    await eventually(() => errors.length).toBe(1)
  })
  expect(observed.map(({ status }) => status)).toEqual([503])
  delete deps.onError
  expect((await pay(id, 'tok_visa')).status).toBe(200)
})

test('one deadline for the whole call: a PSP that does not tell of a lost charge either', async () => {
  const id = await open()
  const { psp } = deps
  const { find } = psp
  let asked = 0
  let letGo = () => {}
  psp.find = async (sought) => {
    asked += 1
    await new Promise<void>((resolve) => {
      letGo = resolve
    })
    return find(sought)
  }
  deps.answerMs = 300
  const slow = await pay(id, 'tok_lost')
  deps.answerMs = PATIENCE_MS
  expect([slow.status, slow.said.code]).toEqual([409, 'idempotency_in_flight'])
  await eventually(() => asked).toBe(1)
  psp.find = find
  letGo()
  await eventually(async () => (await sessionOf(id))?.status).toBe('completed')
})

test('a lost charge is asked for once in a call', async () => {
  const id = await open()
  const { psp } = deps
  const { find } = psp
  let asked = 0
  psp.find = () => {
    asked += 1
    return Promise.reject(new Error('down'))
  }
  await pay(id, 'tok_lost')
  at += LOST_MS
  asked = 0
  const failed = await pay(id, 'tok_lost')
  psp.find = find
  expect([failed.status, failed.said.code, asked]).toEqual([503, 'payment_unknown', 1])
  expect((await pay(id, 'tok_lost')).status).toBe(200)
})

test('a call that fails counts as a 500', async () => {
  const id = await open()
  deps.onStep = () => {
    throw new Error('disk full')
  }
  observed.splice(0)
  await send('POST', `/acp/checkout/${id}/complete`, {
    payment_method: { type: 'card', token: 'tok_visa' },
    shipping_option_id: 'standard',
    idempotency_key: newKey(),
  }).catch(() => null)
  delete deps.onStep
  expect(observed).toEqual([{ seconds: expect.any(Number), status: 500 }])
})

test('a session that expires while its lock is waited for has expired', async () => {
  const id = await open()
  let late: ReturnType<typeof pay> | undefined
  await db.transaction(async (tx) => {
    await tx.select().from(sessions).where(eq(sessions.id, id)).for('update')
    late = pay(id, 'tok_visa')
    await eventually(() => waitingForLocks(db)).toBe(1)
    at += 15 * 60_000 + 1
  })
  expect((await late)?.status).toBe(410)
})

test('ten tries are declined, and no more are made', async () => {
  const id = await open()
  for (let tries = 0; tries < 10; tries += 1) {
    expect((await pay(id, 'tok_declined')).status).toBe(402)
  }
  const refused = await pay(id, 'tok_visa')
  expect([refused.status, refused.said.code]).toEqual([429, 'rate_limited'])
  expect(refused.said.message).toMatch(/^10 payments were declined for this order/)
  expect(refused.headers.get('retry-after')).toBe('900')
  expect(bank.calls.filter(({ sessionId }) => sessionId === id)).toHaveLength(10)
  expect((await sessionOf(id))?.status).toBe('pending_confirmation')
})

test('an answer that was lost: the PSP is asked what became of the charge', async () => {
  const id = await open()
  expect((await pay(id, 'tok_lost')).status).toBe(200)
  expect(paidFor(id)).toHaveLength(1)
})

test('a PSP that nobody reached: nothing is charged, and any token can be tried', async () => {
  const before = await pieces()
  const id = await open()
  const key = newKey()
  const failed = await pay(id, 'tok_unreachable', key)
  expect([failed.status, failed.said.code]).toEqual([503, 'payment_unknown'])
  expect((await sessionOf(id))?.status).toBe('pending_confirmation')
  expect(await pieces()).toBe(before)
  // A 5xx is not kept: the same key runs anew, and under the same key of the PSP.
  expect((await pay(id, 'tok_visa', key)).status).toBe(200)
  expect(bank.calls.filter(({ sessionId }) => sessionId === id)).toMatchObject([
    { idempotencyKey: id },
    { idempotencyKey: id },
  ])
})

test('a charge that reaches the PSP after we gave it up is the one that counts', async () => {
  const id = await open()
  await pay(id, 'tok_unreachable')
  // What the network held back arrives at the PSP now.
  const amount = { amount: 31_212, currency: 'USD' }
  const late = { amount, token: 'tok_late', type: 'card', idempotencyKey: id, sessionId: id }
  await deps.psp.charge(late)
  expect((await pay(id, 'tok_visa')).status).toBe(200)
  expect(paidFor(id)).toMatchObject([{ token: 'tok_late' }])
  expect(await ordersOf(id)).toHaveLength(1)
})

test('a PSP that cannot be asked either: the sweeper asks until it can', async () => {
  const id = await open()
  const { psp } = deps
  const find = psp.find
  psp.find = () => Promise.reject(new Error('down'))
  const failed = await pay(id, 'tok_lost')
  expect([failed.status, failed.said.code]).toEqual([503, 'payment_unknown'])
  at += LOST_MS
  expect(await sweep(deps)).toEqual({ resolved: 0, unresolved: 1 })
  expect((await sessionOf(id))?.status).toBe('completing')
  psp.find = find
  expect(await sweep(deps)).toEqual({ resolved: 1, unresolved: 0 })
  expect((await sessionOf(id))?.status).toBe('completed')
  expect(paidFor(id)).toHaveLength(1)
  expect(await ordersOf(id)).toHaveLength(1)
})

test('the last try was lost, after another was declined', async () => {
  const id = await open()
  await pay(id, 'tok_declined')
  expect((await pay(id, 'tok_lost')).status).toBe(200)
  expect(paidFor(id)).toMatchObject([{ idempotencyKey: `${id}.1`, token: 'tok_lost' }])
})

test('a payment whose result comes later: 202, and the order waits', async () => {
  const id = await open()
  const { status, said } = await pay(id, 'tok_pending')
  expect([status, said.status]).toEqual([202, 'awaiting_payment'])
  const events = reported.filter(({ session_id }) => session_id === id)
  expect(events.map(({ event }) => event)).toEqual(['ai_checkout_initiated'])
})

test('a decline is the same for the same key, and charges nothing more', async () => {
  const id = await open()
  const key = newKey()
  const first = await pay(id, 'tok_declined', key)
  const again = await pay(id, 'tok_declined', key)
  expect(first.status).toBe(402)
  expect(again.body).toBe(first.body)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(bank.calls.filter(({ sessionId }) => sessionId === id)).toHaveLength(1)
})

test('keys are of one session and one endpoint each', async () => {
  const key = newKey()
  const [one, other] = [await open(), await open()]
  expect((await pay(one, 'tok_visa', key)).status).toBe(200)
  expect((await pay(other, 'tok_visa', key)).status).toBe(200)
  expect((await pay(one, 'tok_other', key)).said.code).toBe('idempotency_conflict')
})

test('the key of the create cannot complete', async () => {
  const key = newKey()
  const created = await create({ idempotency_key: key })
  const id = JSON.parse(created.body).checkout_id
  const refused = await pay(id, 'tok_visa', key)
  expect([refused.status, refused.said.code]).toEqual([422, 'validation_error'])
  expect(refused.said.detail).toContain('must differ')
})

test('keys are forgotten after a day, and sessions end when their time is over', async () => {
  const id = await open()
  const key = newKey()
  await pay(id, 'tok_declined', key)
  at += 15 * 60_000 + 1
  await sweep(deps)
  expect((await sessionOf(id))?.status).toBe('expired')
  at += 24 * 60 * 60_000
  await sweep(deps)
  expect(await db.$count(idempotency_keys)).toBe(0)
  expect((await pay(id, 'tok_declined', key)).status).toBe(410)
  at += 30 * 24 * 60 * 60_000
  await sweep(deps)
  expect(await sessionOf(id)).toBeUndefined()
  expect(await db.$count(sessions, eq(sessions.status, 'completed'))).toBeGreaterThan(0)
})

test('no token and no card number is in the database', async () => {
  const id = await open()
  await pay(id, 'tok_very_secret')
  await pay(await open(), '4111-1111-1111-1111')
  const everything = await Promise.all(
    [sessions, orders, idempotency_keys].map((table) => db.select().from(table)),
  )
  const text = JSON.stringify(everything)
  expect(text).toContain(id)
  // Enough of the number that no hash holds it by chance.
  expect(text).not.toMatch(/tok_very_secret|4111-?1111-?1111/)
})
