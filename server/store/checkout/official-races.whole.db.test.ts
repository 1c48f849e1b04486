import { eq, like } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import { OFFICIAL_ACP } from '../db/statuses.ts'
import { carts, idempotency_keys, orders, sessions } from '../db/tables.ts'
import { officialAcpAgent } from '../dialects/acp/testing/agent.ts'
import { READY, READY_AGAIN, ucpAgent } from '../dialects/ucp/testing/agent.ts'
import { fillKeys } from '../ops/testing/rows.ts'
import { NOON, stockOf, testStore, waitingForLocks } from '../testing/store.ts'
import { completeCheckout } from './checkout.ts'
import { MOST_KEPT } from './idempotency.ts'
import { applyPaymentEvent } from './payment-events.ts'
import { completionScope } from './sessions.ts'
import { cancelCheckout } from './steps/cancel.ts'

const HOUR = 3_600_000
let at = NOON.getTime()
const { send, deps, bank } = await testStore({}, { now: () => new Date(at) })
const { db } = deps
const stock = stockOf(deps, 'ao-1101')
beforeEach(async () => {
  at = NOON.getTime()
  await stock.setPieces(100)
})

const sessionOf = async (id: string) =>
  (await db.select().from(sessions).where(eq(sessions.id, id)))[0]
const ordersOf = (id: string) => db.select().from(orders).where(eq(orders.session_id, id))
const paidFor = (id: string) => bank.paid().filter(({ sessionId }) => sessionId === id)

const TENTS = (quantity: number) => [{ item: { id: 'ao-1101' }, quantity }]
const ucp = ucpAgent(send, 'rest')
const overMcp = ucpAgent(send, 'mcp')
const acp = officialAcpAgent(send)

/** The steps of both protocols; what each says is read from the tables. */
const AGENTS = {
  UCP: {
    open: () => ucp.open(),
    update: (id: string, quantity: number, key = ucp.newKey()) =>
      ucp.update(id, { line_items: TENTS(quantity), ...READY_AGAIN }, key),
    pay: (id: string, token = 'tok_visa') => ucp.pay(id, token),
    cancel: (id: string) => ucp.cancel(id),
  },
  ACP: {
    open: () => acp.ready(),
    // ACP's items have no quantity: who wants three names it three times.
    update: (id: string, quantity: number, key = acp.newKey()) => {
      const line_items = Array.from({ length: quantity }, () => ({ id: 'ao-1101' }))
      return acp.update(id, { line_items }, { 'idempotency-key': key })
    },
    pay: (id: string, token = 'tok_visa') => acp.pay(id, token),
    cancel: (id: string) => acp.cancel(id),
  },
}

interface Shown {
  status: number
  said: { status: string }
}

/** Runs calls on one row in this order: each waits for the lock behind those before it. */
async function inOrder<T>(
  table: typeof sessions | typeof carts,
  id: string,
  calls: (() => Promise<T>)[],
): Promise<T[]> {
  const running: Promise<T>[] = []
  await db.transaction(async (tx) => {
    await tx.select().from(table).where(eq(table.id, id)).for('update')
    for (const [index, call] of calls.entries()) {
      running.push(call())
      await eventually(() => waitingForLocks(db)).toBe(index + 1)
    }
  })
  return Promise.all(running)
}

/** The PSP tells what became of the session's payment. */
const told = async (type: 'succeeded' | 'payment_failed', id: string, paymentId?: string) =>
  applyPaymentEvent(deps, 'scripted', {
    id: ucp.newKey(),
    type: `payment_intent.${type}`,
    name: `payment_intent.${type}`,
    paymentId: paymentId ?? (await ordersOf(id))[0]?.payment_id ?? '',
    sessionId: id,
    amount: null,
  })

/** One order at most, of what was charged for, and the stock is right. */
async function expectBought(id: string, pieces: number): Promise<void> {
  const made = (await ordersOf(id)).filter(({ status }) => status === 'confirmed')
  const paid = paidFor(id)
  expect(made).toHaveLength(pieces === 0 ? 0 : 1)
  expect(made.map(({ total }) => total)).toEqual(paid.map(({ amount }) => amount.amount))
  expect(made.flatMap(({ items }) => items.map(({ quantity }) => quantity))).toEqual(
    pieces === 0 ? [] : [pieces],
  )
  for (const { subtotal, tax, shipping, total } of made) {
    expect(total).toBe(subtotal + tax + shipping.cost.amount)
  }
  expect(await stock.pieces()).toBe(100 - pieces)
}

describe.each(Object.entries(AGENTS))('official %s', (name, { open, update, pay, cancel }) => {
  const over = name === 'UCP' ? 409 : 405

  test('an update, then a payment: what it is now is paid', async () => {
    const id = await open()
    const [, paid] = await inOrder<Shown>(sessions, id, [() => update(id, 3), () => pay(id)])
    expect(paid?.said.status).toBe('completed')
    await expectBought(id, 3)
  })

  test('an update or a cancel while it is being paid: nothing changes any more', async () => {
    const id = await open()
    const paying = pay(id, 'tok_held')
    await eventually(() => bank.calls.at(-1)?.sessionId).toBe(id)
    await update(id, 3)
    await cancel(id)
    bank.releaseHeld()
    expect((await paying).said.status).toBe('completed')
    expect((await cancel(id)).status).toBe(over)
    expect((await update(id, 3)).status).toBe(409)
    await expectBought(id, 1)
  })

  test('canceled, then paid: nothing is charged', async () => {
    const id = await open()
    const [canceled, paid] = await inOrder<Shown>(sessions, id, [() => cancel(id), () => pay(id)])
    expect(canceled?.said.status).toBe('canceled')
    expect(paid?.status).toBe(409)
    expect((await sessionOf(id))?.status).toBe('canceled')
    await expectBought(id, 0)
  })

  test('a pending payment cannot be canceled or changed; then it succeeds', async () => {
    const id = await open()
    await pay(id, 'tok_pending')
    await cancel(id)
    await update(id, 3)
    expect((await sessionOf(id))?.status).toBe('completed')
    await told('succeeded', id)
    await expectBought(id, 1)
  })

  test('a pending payment that fails, another basket: the order is of what is paid then', async () => {
    const id = await open()
    await pay(id, 'tok_pending')
    await told('payment_failed', id)
    expect(await stock.pieces()).toBe(100)
    await update(id, 3)
    await pay(id)
    const [order] = await ordersOf(id)
    expect(order?.items.map(({ quantity }) => quantity)).toEqual([3])
    expect(order?.total).toBe(paidFor(id).at(-1)?.amount.amount)
    expect(order?.subtotal).toBe((await sessionOf(id))?.subtotal)
    expect(await stock.pieces()).toBe(97)
  })

  test('a pending payment that fails and then succeeds: the order is of what it was for', async () => {
    const id = await open()
    await pay(id, 'tok_pending')
    await told('payment_failed', id)
    await update(id, 3)
    await told('succeeded', id)
    await expectBought(id, 1)
  })

  test('and succeeds while another basket is being paid: the first order stands, two payments', async () => {
    const id = await open()
    await pay(id, 'tok_pending')
    await told('payment_failed', id)
    await update(id, 3)
    const paying = pay(id, 'tok_held')
    await eventually(() => bank.calls.at(-1)?.token).toBe('tok_held')
    expect(await stock.pieces()).toBe(97)
    await told('succeeded', id)
    expect(await stock.pieces()).toBe(99)
    bank.releaseHeld()
    expect((await paying).said.status).toBe('completed')
    const [order] = await ordersOf(id)
    expect(order).toMatchObject({ status: 'confirmed', disputed: true, items: [{ quantity: 1 }] })
    expect(await stock.pieces()).toBe(99)
  })

  test('money after a cancel: an order, for a person to look at', async () => {
    const id = await open()
    await pay(id, 'tok_pending')
    await told('payment_failed', id)
    expect((await cancel(id)).said.status).toBe('canceled')
    await told('succeeded', id)
    expect((await ordersOf(id))[0]).toMatchObject({ status: 'confirmed', disputed: true })
    await expectBought(id, 1)
  })

  test('a session whose last charge may still come is neither changed nor canceled', async () => {
    const id = await open()
    await pay(id, 'tok_unreachable')
    const before = await sessionOf(id)
    expect(before).toMatchObject({ status: 'pending_confirmation' })
    expect(before?.completing_since).not.toBeNull()
    await update(id, 3)
    await cancel(id)
    expect(await sessionOf(id)).toEqual(before)
    expect((await pay(id)).said.status).toBe('completed')
    await expectBought(id, 1)
  })

  test('a session whose time is over is not paid', async () => {
    const id = await open()
    at += 6 * HOUR
    expect((await pay(id)).status).toBe(409)
    expect((await update(id, 3)).status).toBe(409)
    await expectBought(id, 0)
  })

  test('a key of a day ago is new: the old answer does not come back', async () => {
    const id = await open()
    const key = ucp.newKey()
    const first = await update(id, 2, key)
    expect(first.status).toBe(200)
    expect((await update(id, 2, key)).status).toBe(200)
    at += 24 * HOUR
    expect((await update(id, 2, key)).status).toBe(409)
  })

  test('so many updates of one session are kept in a day: more are refused, and change nothing', async () => {
    const id = await open()
    const key = ucp.newKey()
    const first = await update(id, 2, key)
    const [kept] = await db
      .select()
      .from(idempotency_keys)
      .where(like(idempotency_keys.scope, `%update:${id}%`))
    const filled = Array.from({ length: MOST_KEPT - 1 }, (_, at) => ({ ...kept!, key: `${at}` }))
    await db.insert(idempotency_keys).values(filled)
    const refused = await update(id, 3)
    expect([refused.status, refused.said.code]).toEqual([429, 'rate_limited'])
    expect(Number(refused.headers.get('retry-after'))).toBe((24 * HOUR) / 1000)
    expect((await update(id, 2, key)).said).toEqual(first.said)
    expect((await sessionOf(id))?.items[0]?.quantity).toBe(2)
  })

  test('two updates at the same time, with room for one of them: the other is refused', async () => {
    const id = await open()
    await update(id, 2)
    const kept = await db
      .select()
      .from(idempotency_keys)
      .where(like(idempotency_keys.scope, `%update:${id}%`))
    await fillKeys(db, kept[0]!.scope, MOST_KEPT - 1 - kept.length, NOON)
    const answers = await inOrder<Shown>(sessions, id, [() => update(id, 3), () => update(id, 4)])
    expect(answers.map(({ status }) => status)).toEqual([200, 429])
    expect((await sessionOf(id))?.items[0]?.quantity).toBe(3)
  })

  test('one key for several operations: each has its own answer', async () => {
    const id = await open()
    const key = ucp.newKey()
    await update(id, 2, key)
    const other = await open()
    await update(other, 4, key)
    expect((await sessionOf(id))?.items[0]?.quantity).toBe(2)
    expect((await sessionOf(other))?.items[0]?.quantity).toBe(4)
  })
})

test('one key over REST and over MCP at the same time: one charge', async () => {
  const id = await ucp.open()
  const key = ucp.newKey()
  const answers = await inOrder(sessions, id, [
    () => ucp.pay(id, 'tok_visa', key),
    () => overMcp.pay(id, 'tok_visa', key),
  ])
  expect(answers[0]?.said.status).toBe('completed')
  // Each transport tells equal calls by bytes of its own.
  expect([answers[1]?.status, answers[1]?.said.code]).toEqual([409, 'idempotency_conflict'])
  await expectBought(id, 1)
})

test('two payments at once, and room for the key of one: what the other says is not kept', async () => {
  const id = await acp.ready()
  await fillKeys(db, completionScope({ protocol: OFFICIAL_ACP, id }), MOST_KEPT - 1, NOON)
  const payAs = (email: string) => acp.complete(id, { buyer: { email }, order_notes: email })
  const [paid, refused] = await inOrder(sessions, id, [
    () => payAs('ada@king.example'),
    () => payAs('eve@king.example'),
  ])
  expect(paid?.said.buyer).toEqual({ email: 'ada@king.example' })
  expect([refused?.status, refused?.said.code]).toEqual([429, 'rate_limited'])
  expect(Number(refused?.headers.get('retry-after'))).toBe((24 * HOUR) / 1000)
  expect((await acp.read(id)).body).not.toContain('eve')
  await expectBought(id, 1)
})

describe("a challenge of the bank on the shop's own page", () => {
  /** As a buyer pays there, whom the agent has sent. */
  async function challenged() {
    const id = await acp.ready()
    await completeCheckout(deps, {
      protocol: OFFICIAL_ACP,
      id,
      keyed: null,
      shippingOptionId: undefined,
      judge: () => ({
        payment: { type: 'card', token: 'tok_3ds', returnUrl: 'https://shop.example/' },
      }),
    })
    expect(await ordersOf(id)).toMatchObject([{ status: 'awaiting_payment' }])
    return id
  }

  test('does not keep the agent of ACP from canceling', async () => {
    const id = await challenged()
    expect((await acp.cancel(id)).said.status).toBe('canceled')
    expect(paidFor(id)).toEqual([])
    expect(await stock.pieces()).toBe(100)
  })

  test.each<[string, NonNullable<typeof deps.psp.abandon>]>([
    ['does not say', () => Promise.reject(new Error('Nobody is there.'))],
    ['does not answer', () => new Promise(() => {})],
  ])('stays open where the PSP %s that it is given up', async (_, abandon) => {
    const id = await challenged()
    const errors: unknown[] = []
    const answer = await cancelCheckout(
      { ...deps, psp: { ...deps.psp, abandon }, answerMs: 50, onError: (e) => errors.push(e) },
      { protocol: OFFICIAL_ACP, id, keyed: null },
    )
    expect(answer.body).toMatchObject({ refused: { code: 'session_closed' } })
    expect(errors).toHaveLength(1)
    expect(await ordersOf(id)).toMatchObject([{ status: 'awaiting_payment' }])
  })
})

describe('carts', () => {
  const cartOf = async (quantity = 1) =>
    (await ucp.createCart({ line_items: TENTS(quantity) })).said.id as string
  const left = async (id: string) =>
    (await ucp.getCart(id)).said.line_items?.map((line: { quantity: number }) => line.quantity)

  test('one cart taken to two checkouts at once: they are one', async () => {
    const id = await cartOf()
    const [one, other] = await inOrder(carts, id, [
      () => ucp.create({ cart_id: id, line_items: [], ...READY }),
      () => ucp.create({ cart_id: id, line_items: [], ...READY }),
    ])
    expect(other?.said.id).toBe(one?.said.id)
    expect((await ucp.create({ cart_id: id, line_items: [] })).said.id).toBe(one?.said.id)
    await ucp.cancel(one?.said.id)
    const next = await ucp.create({ cart_id: id, line_items: [], ...READY })
    expect(next.said.id).not.toBe(one?.said.id)
    expect((await ucp.create({ cart_id: id, line_items: [] })).said.id).toBe(next.said.id)
  })

  test('a change that is sent again does not undo the next one', async () => {
    const id = await cartOf()
    const key = ucp.newKey()
    await inOrder(carts, id, [
      () => ucp.updateCart(id, { line_items: TENTS(2) }, key),
      () => ucp.updateCart(id, { line_items: TENTS(3) }),
      () => ucp.updateCart(id, { line_items: TENTS(2) }, key),
    ])
    expect(await left(id)).toEqual([3])
  })

  test('two changes with one key at once: the second is refused', async () => {
    const id = await cartOf()
    const key = ucp.newKey()
    const [, second] = await inOrder(carts, id, [
      () => ucp.updateCart(id, { line_items: TENTS(2) }, key),
      () => ucp.updateCart(id, { line_items: TENTS(3) }, key),
    ])
    expect([second?.status, second?.said.code]).toEqual([409, 'idempotency_conflict'])
    expect(await left(id)).toEqual([2])
  })

  test('canceled twice with one key at once: the same bytes', async () => {
    const id = await cartOf()
    const key = ucp.newKey()
    const [one, other] = await inOrder(carts, id, [
      () => ucp.cancelCart(id, key),
      () => ucp.cancelCart(id, key),
    ])
    expect(one?.said.id).toBe(id)
    expect(other?.text).toBe(one?.text)
    expect((await ucp.cancelCart(id, key)).text).toBe(one?.text)
  })
})
