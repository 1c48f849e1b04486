import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Money } from '../../../shared/commerce/product.ts'
import { eventually } from '../../../shared/testing/wait.ts'
import {
  type CheckoutSession,
  orders,
  payment_reviews,
  psp_events,
  sessions,
  webhook_deliveries,
  webhook_endpoints,
} from '../db/tables.ts'
import { moveOrder } from '../orders/moves.ts'
import type { PspEvent } from '../psp/psp.ts'
import { acpAgent, NOON, stockOf, testStore } from '../testing/store.ts'
import { applyPaymentEvent } from './payment-events.ts'
import { settle } from './steps/settle.ts'

let at = NOON.getTime()
const { send, deps, bank, reported } = await testStore({}, { now: () => new Date(at) })
const { db } = deps
await db.insert(webhook_endpoints).values({
  id: 'listener',
  url: 'https://listener.example/',
  secret: 'whsec_bGlzdGVuZXI=',
  events: ['order.confirmed', 'order.shipped', 'order.delivered', 'order.canceled'],
  created_at: NOON,
})

const { newKey: next, open, pay } = acpAgent(send)
const { pieces, setPieces } = stockOf(deps, 'ao-1101')

const SUCCEEDED = 'payment_intent.succeeded'
const FAILED = 'payment_intent.payment_failed'
const DISPUTED = 'charge.dispute.created'

const paymentOf = (id: string) =>
  bank.charges.findLast(({ sessionId }) => sessionId === id)?.result.paymentId ?? null
const tell = (
  type: PspEvent['type'],
  paymentId: string | null,
  sessionId: string | null,
  id = next(),
  amount: Money | null = null,
) => applyPaymentEvent(deps, 'scripted', { id, type, name: type, paymentId, sessionId, amount })
/** Ends a try of which the PSP says that it is pending. */
const settleCharge = async (
  id: string,
  paymentId: string,
  attempt: Partial<CheckoutSession> = {},
) => {
  const session = await sessionOf(id)
  if (session === undefined) throw new Error(`There is no session ${id}.`)
  const amount = { amount: session.subtotal + session.tax, currency: session.currency }
  return settle(deps, { ...session, ...attempt }, { status: 'pending', paymentId, amount })
}
const orderOf = async (id: string) =>
  (await db.select().from(orders).where(eq(orders.session_id, id)))[0]
const sessionOf = async (id: string) =>
  (await db.select().from(sessions).where(eq(sessions.id, id)))[0]
const reviewsOf = async (id: string) =>
  (await db.select().from(payment_reviews).where(eq(payment_reviews.session_id, id))).map(
    ({ cause, payment_id, amount }) => ({ cause, payment_id, amount }),
  )
const told = async (orderId: string | undefined) =>
  (await db.select().from(webhook_deliveries))
    .filter(({ payload }) => payload.includes(orderId ?? '?'))
    .map(({ event }) => event)
    .sort()
const reports = (id: string) =>
  reported.filter(({ session_id }) => session_id === id).map(({ event }) => event)

test('succeeded confirms the order that waits, once', async () => {
  const before = await pieces()
  const id = await open()
  const key = next()
  const pending = await pay(id, 'tok_pending', key)
  expect(await told(pending.said.order_id)).toEqual([])
  const event = next()
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () => tell(SUCCEEDED, paymentOf(id), id, event)),
  )
  expect(outcomes.toSorted()).toEqual(['applied', ...Array(19).fill('duplicate')])
  const order = await orderOf(id)
  expect(order?.status).toBe('confirmed')
  expect(await told(order?.id)).toEqual(['order.confirmed'])
  expect(reports(id)).toEqual(['ai_checkout_initiated', 'ai_checkout_completed'])
  expect(await pieces()).toBe(before - 1)
  // The same call is told how the order stands by now.
  const said = { ...pending.said, status: 'confirmed' }
  expect(await pay(id, 'tok_pending', key)).toMatchObject({ status: 200, said })
  expect(await pay(id, 'tok_pending')).toMatchObject({ status: 200, said: { status: 'confirmed' } })
  // Another event of the same payment changes nothing.
  await tell(SUCCEEDED, paymentOf(id), id)
  expect(await told(order?.id)).toEqual(['order.confirmed'])
})

test('failed marks the order; another token pays it', async () => {
  const before = await pieces()
  const id = await open()
  const key = next()
  const first = await pay(id, 'tok_pending', key)
  expect((await pay(id, 'tok_pending', key)).body).toBe(first.body)
  expect(await tell(FAILED, paymentOf(id), id)).toBe('applied')
  expect((await orderOf(id))?.status).toBe('payment_failed')
  expect((await sessionOf(id))?.status).toBe('pending_confirmation')
  expect(await pieces()).toBe(before)
  const failed = await pay(id, 'tok_pending', key)
  expect([failed.status, failed.said.code]).toEqual([402, 'payment_declined'])
  const again = await pay(id, 'tok_visa')
  expect(again.status).toBe(200)
  expect(again.said).toEqual({ ...first.said, status: 'confirmed' })
  expect(await pieces()).toBe(before - 1)
  expect(reports(id)).toEqual([
    'ai_checkout_initiated',
    'ai_checkout_failed',
    'ai_checkout_completed',
  ])
})

test('what was given up is as final as a failure, and reported as canceled', async () => {
  const id = await open()
  await pay(id, 'tok_pending')
  expect(await tell('payment_intent.canceled', paymentOf(id), id)).toBe('applied')
  expect((await orderOf(id))?.status).toBe('payment_failed')
  expect(reported.filter(({ session_id }) => session_id === id)).toMatchObject([
    { event: 'ai_checkout_initiated' },
    { event: 'ai_checkout_failed', properties: { reason: 'canceled' } },
  ])
})

test('failed after the time of the session: it is open again, for as long as a new one', async () => {
  const id = await open()
  await pay(id, 'tok_pending')
  at += 60 * 60_000
  expect((await pay(id, 'tok_visa')).status).toBe(202)
  await tell(FAILED, paymentOf(id), id)
  expect((await sessionOf(id))?.expires_at.toISOString()).toBe('2026-06-01T13:15:00.000Z')
  at += 15 * 60_000 - 1
  expect((await pay(id, 'tok_visa')).said.status).toBe('confirmed')
  at = NOON.getTime()
})

test('failed, and told again while another token is being charged: the second try stands', async () => {
  const before = await pieces()
  const id = await open()
  await pay(id, 'tok_pending')
  const payment = paymentOf(id)
  await tell(FAILED, payment, id)
  const second = pay(id, 'tok_held')
  await eventually(async () => (await sessionOf(id))?.status).toBe('completing')
  expect(await tell(FAILED, payment, id)).toBe('ignored')
  expect((await sessionOf(id))?.status).toBe('completing')
  await eventually(() => bank.calls.at(-1)?.token).toBe('tok_held')
  bank.releaseHeld()
  expect(await second).toMatchObject({ status: 200, said: { status: 'confirmed' } })
  expect(await tell(FAILED, payment, id)).toBe('ignored')
  expect(await orderOf(id)).toMatchObject({ status: 'confirmed', disputed: false })
  expect(await pieces()).toBe(before - 1)
})

test('failed, and called pending after that: it stays failed, and can still be paid', async () => {
  const before = await pieces()
  const id = await open()
  await pay(id, 'tok_pending')
  const payment = paymentOf(id) ?? ''
  await tell(FAILED, payment, id)
  const late = await settleCharge(id, payment)
  expect(late).toMatchObject({ answer: { status: 402 }, events: [] })
  expect((await orderOf(id))?.status).toBe('payment_failed')
  expect((await sessionOf(id))?.status).toBe('pending_confirmation')
  expect(await pieces()).toBe(before)
  // Another token pays it, and so would the first one after all.
  const another = pay(id, 'tok_held')
  await eventually(async () => (await sessionOf(id))?.status).toBe('completing')
  await settleCharge(id, payment, { completing_since: null })
  expect((await sessionOf(id))?.status).toBe('completing')
  await eventually(() => bank.calls.at(-1)?.token).toBe('tok_held')
  bank.releaseHeld()
  expect(await another).toMatchObject({ status: 200, said: { status: 'confirmed' } })
  expect(await orderOf(id)).toMatchObject({ status: 'confirmed', disputed: false })
  expect(await pieces()).toBe(before - 1)
})

test('failed, and pending again by the try that is under way: the session is open again', async () => {
  const before = await pieces()
  const id = await open()
  await pay(id, 'tok_pending')
  const payment = paymentOf(id) ?? ''
  await tell(FAILED, payment, id)
  const again = pay(id, 'tok_held_declined')
  await eventually(async () => (await sessionOf(id))?.status).toBe('completing')
  await settleCharge(id, payment)
  expect((await sessionOf(id))?.status).toBe('pending_confirmation')
  expect(await pieces()).toBe(before)
  await eventually(() => bank.calls.at(-1)?.token).toBe('tok_held_declined')
  bank.releaseHeld()
  expect((await again).status).toBe(402)
})

test('failed after succeeded is ignored, succeeded after failed is not', async () => {
  const [one, other] = [await open(), await open()]
  await pay(one, 'tok_pending')
  await tell(SUCCEEDED, paymentOf(one), one)
  expect(await tell(FAILED, paymentOf(one), one)).toBe('ignored')
  expect((await orderOf(one))?.status).toBe('confirmed')

  await pay(other, 'tok_pending')
  await tell(FAILED, paymentOf(other), other)
  expect(await tell(SUCCEEDED, paymentOf(other), other)).toBe('applied')
  expect(await orderOf(other)).toMatchObject({ status: 'confirmed', disputed: false })
  expect((await sessionOf(other))?.status).toBe('completed')
})

test('a dispute raises the flag and moves nothing', async () => {
  const id = await open()
  await pay(id, 'tok_visa')
  expect(await tell(DISPUTED, paymentOf(id), null)).toBe('applied')
  expect(await orderOf(id)).toMatchObject({ status: 'confirmed', disputed: true })
  expect(await reviewsOf(id)).toMatchObject([{ cause: 'dispute', payment_id: paymentOf(id) }])
})

test('succeeded for a payment that our process did not live to hear of', async () => {
  const id = await open()
  await pay(id, 'tok_declined')
  await db
    .update(sessions)
    .set({ status: 'completing', completing_since: NOON })
    .where(eq(sessions.id, id))
  expect(await tell(SUCCEEDED, 'pay_unheard', id)).toBe('applied')
  expect(await orderOf(id)).toMatchObject({ status: 'confirmed', payment_id: 'pay_unheard' })
})

test('paid, given up and sold to others since: the order stands, and a person must look', async () => {
  const id = await open()
  await pay(id, 'tok_declined')
  await setPieces(0)
  await tell(SUCCEEDED, 'pay_late', id)
  expect(await orderOf(id)).toMatchObject({ status: 'confirmed', disputed: true })
  expect(await reviewsOf(id)).toEqual([{ cause: 'stock', payment_id: 'pay_late', amount: null }])
  await setPieces(100)
})

test('failed, sold to others, and paid after all: a person must look', async () => {
  const id = await open()
  await pay(id, 'tok_pending')
  const payment = paymentOf(id)
  await tell(FAILED, payment, id)
  await setPieces(0)
  await tell(SUCCEEDED, payment, id)
  const order = await orderOf(id)
  expect(order).toMatchObject({ status: 'confirmed', disputed: true, stock_taken: false })
  expect(await pieces()).toBe(0)
  // What it never had does not come back when it is canceled.
  expect(await moveOrder(deps, order?.id ?? '', 'canceled')).toHaveProperty('refund')
  expect(await pieces()).toBe(0)
  await setPieces(100)
})

test('pending without its pieces, and paid: nothing comes back from its cancellation', async () => {
  const id = await open()
  await pay(id, 'tok_declined')
  await setPieces(0)
  await settleCharge(id, 'pay_pending')
  await tell(SUCCEEDED, 'pay_pending', id)
  const order = await orderOf(id)
  expect(order).toMatchObject({ status: 'confirmed', stock_taken: false })
  await moveOrder(deps, order?.id ?? '', 'canceled')
  expect(await pieces()).toBe(0)
  await setPieces(100)
})

test('pending without its pieces, and failed: nothing comes back either; a second try takes its own', async () => {
  const id = await open()
  await pay(id, 'tok_pending')
  await setPieces(0)
  await tell(FAILED, paymentOf(id), id)
  await setPieces(0)
  // The PSP says late that another try is pending, of which the store did not hear.
  await settleCharge(id, 'pay_unheard_pending')
  expect(await orderOf(id)).toMatchObject({ status: 'awaiting_payment', stock_taken: false })
  await tell(FAILED, 'pay_unheard_pending', id)
  expect(await pieces()).toBe(0)
  await setPieces(1)
  await pay(id, 'tok_visa')
  const order = await orderOf(id)
  expect(order).toMatchObject({ status: 'confirmed', stock_taken: true })
  expect(await pieces()).toBe(0)
  await moveOrder(deps, order?.id ?? '', 'canceled')
  expect(await pieces()).toBe(1)
  await setPieces(100)
})

test('paid after all, while another token is being declined: the order is the answer', async () => {
  const id = await open()
  await pay(id, 'tok_pending')
  const payment = paymentOf(id)
  await tell(FAILED, payment, id)
  const declining = pay(id, 'tok_held_declined')
  while ((await sessionOf(id))?.status !== 'completing') await sleep(5)
  await tell(SUCCEEDED, payment, id)
  bank.releaseHeld()
  expect(await declining).toMatchObject({ status: 200, said: { status: 'confirmed' } })
  expect(await orderOf(id)).toMatchObject({ payment_id: payment, disputed: false })
})

test('a second payment for one order: a person must look', async () => {
  const id = await open()
  await pay(id, 'tok_visa')
  const amount = { amount: 31_212, currency: 'USD' }
  await tell(SUCCEEDED, 'pay_second', id, next(), amount)
  expect(await orderOf(id)).toMatchObject({ disputed: true, payment_id: paymentOf(id) })
  const [review] = await reviewsOf(id)
  expect(review).toEqual({ cause: 'second_payment', payment_id: 'pay_second', amount })
})

test.each([
  ['less', { amount: 1, currency: 'USD' }],
  ['more', { amount: 31_213, currency: 'USD' }],
  ['another currency', { amount: 31_212, currency: 'JPY' }],
])('a payment of %s than the total pays for nothing, and a person must look', async (_, amount) => {
  const id = await open()
  await pay(id, 'tok_declined')
  const before = await pieces()
  const payment = `pay_${next()}`
  expect(await tell(SUCCEEDED, payment, id, next(), amount)).toBe('applied')
  expect(await orderOf(id)).toBeUndefined()
  expect(await reviewsOf(id)).toEqual([{ cause: 'amount', payment_id: payment, amount }])
  expect(reports(id)).toEqual(['ai_checkout_initiated', 'ai_checkout_failed'])
  expect(await pieces()).toBe(before)
  // The session can be paid as before.
  const { said } = await pay(id, 'tok_visa')
  expect([said.status, await told(said.order_id)]).toEqual(['confirmed', ['order.confirmed']])
  expect(await orderOf(id)).toMatchObject({ disputed: false, payment_id: paymentOf(id) })
})

test('a pending payment that comes to less has failed, and a person must look', async () => {
  const before = await pieces()
  const id = await open()
  const { said } = await pay(id, 'tok_pending')
  const less = { amount: 1, currency: 'USD' }
  expect(await tell(SUCCEEDED, paymentOf(id), id, next(), less)).toBe('applied')
  expect(await orderOf(id)).toMatchObject({ status: 'payment_failed', disputed: true })
  expect(await told(said.order_id)).toEqual([])
  expect(reports(id)).toEqual(['ai_checkout_initiated', 'ai_checkout_failed'])
  expect(await pieces()).toBe(before)
  expect(await reviewsOf(id)).toMatchObject([{ cause: 'amount', amount: less }])
})

test('the first payment succeeds while the second is pending: it pays, whatever the second comes to', async () => {
  for (const second of [FAILED, SUCCEEDED] as const) {
    const id = await open()
    await pay(id, 'tok_pending')
    const first = paymentOf(id)
    await tell(FAILED, first, id)
    await pay(id, 'tok_pending')
    const later = paymentOf(id)
    expect(later).not.toBe(first)
    const left = await pieces()
    await tell(SUCCEEDED, first, id)
    expect(await orderOf(id)).toMatchObject({ status: 'confirmed', payment_id: first })
    await tell(second, later, id)
    const order = await orderOf(id)
    expect(order).toMatchObject({ status: 'confirmed', disputed: second === SUCCEEDED })
    expect(await told(order?.id)).toEqual(['order.confirmed'])
    expect(await reviewsOf(id)).toEqual(
      second === SUCCEEDED ? [{ cause: 'second_payment', payment_id: later, amount: null }] : [],
    )
    expect(await pieces()).toBe(left)
  }
})

test('a decline that the PSP tells of as well changes nothing', async () => {
  const id = await open()
  await pay(id, 'tok_declined')
  expect(await tell(FAILED, paymentOf(id), id)).toBe('ignored')
  expect(await sessionOf(id)).toMatchObject({ status: 'pending_confirmation', declines: 1 })
})

test.each<[string, PspEvent['type'], string | null, string | null]>([
  ['another kind', 'other', 'pay_1', null],
  ['no payment', SUCCEEDED, null, null],
  ['a payment of someone else', SUCCEEDED, 'pay_x', null],
  ['a session of someone else', SUCCEEDED, 'pay_x', 'checkout_x'],
  ['a dispute of someone else', DISPUTED, 'pay_x', null],
])('%s is acknowledged, and is a duplicate the next time', async (_, type, payment, session) => {
  const id = next()
  expect(await tell(type, payment, session, id)).toBe('ignored')
  expect(await tell(type, payment, session, id)).toBe('duplicate')
})

test('a session that was never charged is not paid by a word', async () => {
  const id = await open()
  expect(await tell(SUCCEEDED, 'pay_forged', id)).toBe('ignored')
  expect(await orderOf(id)).toBeUndefined()
})

test('an effect that fails is not remembered, so that the PSP delivers again', async () => {
  const id = await open()
  await pay(id, 'tok_pending')
  const broken = { ...deps, enqueue: () => Promise.reject(new Error('disk full')) }
  const event = {
    id: next(),
    type: SUCCEEDED,
    name: SUCCEEDED,
    sessionId: id,
    amount: null,
  } as const
  const delivery = { ...event, paymentId: paymentOf(id) }
  await expect(applyPaymentEvent(broken, 'scripted', delivery)).rejects.toThrow('disk full')
  expect((await orderOf(id))?.status).toBe('awaiting_payment')
  const kept = await db.select().from(psp_events).where(eq(psp_events.id, event.id))
  expect(kept).toEqual([])
  expect(await applyPaymentEvent(deps, 'scripted', delivery)).toBe('applied')
})

test('a merchant ships and delivers, and is told what cannot be', async () => {
  const id = await open()
  await pay(id, 'tok_visa')
  const order = (await orderOf(id))?.id ?? ''
  const tracking = { carrier: 'UPS', number: '1Z', url: 'https://ups.example/1Z' }
  expect(await moveOrder(deps, order, 'delivered')).toMatchObject({ refused: 'illegal_move' })
  expect(await moveOrder(deps, order, 'shipped', tracking)).toMatchObject({
    order: { status: 'shipped', tracking },
  })
  expect(await moveOrder(deps, order, 'canceled')).toEqual({
    refused: 'illegal_move',
    message: `The order ${order} is shipped and cannot become canceled.`,
  })
  expect(await moveOrder(deps, order, 'delivered')).toMatchObject({
    order: { status: 'delivered', tracking },
  })
  expect(await told(order)).toEqual(['order.confirmed', 'order.delivered', 'order.shipped'])
  expect(await moveOrder(deps, 'nope', 'shipped')).toMatchObject({ refused: 'not_found' })
})

test('what is canceled is back on the shelf, however often it is tried', async () => {
  const before = await pieces()
  const id = await open()
  await pay(id, 'tok_visa')
  const order = (await orderOf(id))?.id ?? ''
  const moves = await Promise.all(
    Array.from({ length: 5 }, () => moveOrder(deps, order, 'canceled')),
  )
  expect(moves.filter((move) => 'order' in move)).toHaveLength(1)
  expect(await pieces()).toBe(before)
  expect(await told(order)).toEqual(['order.canceled', 'order.confirmed'])
})
