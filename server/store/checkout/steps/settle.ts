import type { ShippingOption } from '../../../../shared/protocols/spec/ucp.ts'
import { isRecord } from '../../../../shared/web/json/json.ts'
import type { ReviewCause } from '../../db/statuses.ts'
import type { CheckoutSession, Order, SessionItem, Tx } from '../../db/tables.ts'
import {
  boughtIn,
  changeOrder,
  insertOrder,
  type OrderPayment,
  orderOfPayment,
  orderOfSession,
  shippedBy,
  totalWith,
} from '../../orders/orders.ts'
import { noteReview } from '../../orders/reviews.ts'
import { nextOrder } from '../../orders/states.ts'
import { type ChargeResult, PAYMENT_USED } from '../../psp/psp.ts'
import { release, reserve } from '../../shop/inventory.ts'
import { type CheckoutAnswer, confirmationOf, refusalAnswer } from '../answers.ts'
import type { CheckoutEvent, StoreDeps } from '../deps.ts'
import { answerOpenKeys } from '../idempotency.ts'
import { type CheckoutRefusal, FAILED_LATER } from '../refusals.ts'
import {
  changeSession,
  completionScope,
  expiryFrom,
  isLost,
  lockSession,
  snapshotOf,
} from '../sessions.ts'
import { checkoutEvent } from './tell.ts'

/** The result of a charge: the answer to the waiting call, and what to report. */
interface Settled {
  answer: CheckoutAnswer
  events: CheckoutEvent[]
}

type Settling = Pick<StoreDeps, 'db' | 'psp' | 'now' | 'enqueue' | 'onStep'>

/** Identifies the attempt, so that a later one of the same session is not changed. */
type Try = Pick<CheckoutSession, 'id' | 'declines' | 'completing_since'>

/**
 * Finishes a charge: the order is stored, or the session is open again. `result` is null if the PSP
 * does not know the charge. The call, the sweeper and a webhook may all try: the first one wins,
 * and the others return its result.
 */
export async function settle(
  deps: Settling,
  charged: Try,
  result: ChargeResult | null,
): Promise<Settled> {
  const end = () => deps.db.transaction((tx) => settleLocked(tx, deps, charged, result))
  const settled = await end().catch((error: unknown) => {
    // Another session took the same payment at this moment: its order is visible now.
    if (!isPaymentTaken(error)) throw error
    return end()
  })
  await deps.onStep?.('committed')
  return settled
}

async function settleLocked(
  tx: Tx,
  deps: Settling,
  charged: Try,
  result: ChargeResult | null,
): Promise<Settled> {
  const session = await lockSession(tx, charged.id)
  if (session === undefined) throw new Error(`The session ${charged.id} no longer exists.`)
  const now = deps.now()
  const payable = result && (await unlessOver(tx, deps.psp.name, session, result))
  const recorded =
    payable === null || payable.status === 'declined'
      ? null
      : await recordPayment(tx, deps, session, { ...payable, psp: deps.psp.name }, now)
  const settled =
    recorded ?? (await reopen(tx, session, charged, payable && asDeclined(payable), now))
  await deps.onStep?.('ordered')
  return settled
}

/**
 * A payment that has paid for another session counts as declined for this one. So does a pending
 * one that has failed since: a late answer does not revive it.
 */
async function unlessOver(
  tx: Tx,
  psp: string,
  session: CheckoutSession,
  result: ChargeResult,
): Promise<ChargeResult> {
  if (result.status === 'declined') return result
  const { paymentId } = result
  const order = await orderOfPayment(tx, psp, paymentId)
  const isUsed = order !== undefined && order.session_id !== session.id
  const isFailed = order?.status === 'payment_failed' && result.status === 'pending'
  return isUsed || isFailed
    ? { status: 'declined', paymentId, message: isUsed ? PAYMENT_USED : FAILED_LATER.message }
    : result
}

type Declined = Extract<ChargeResult, { status: 'declined' }>

/** A payment that pays for nothing here has the effect of a decline. */
const asDeclined = (result: ChargeResult): Declined =>
  result.status === 'declined'
    ? result
    : { status: 'declined', paymentId: result.paymentId, message: OTHER_AMOUNT }

const OTHER_AMOUNT =
  'The payment was of another amount than the total, so nothing was ordered. The shop will check it.'

/** Whether the database refused a second order for one payment (Postgres: unique_violation). */
function isPaymentTaken(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return isRecord(cause) && cause.code === '23505' && cause.constraint_name === 'orders_payment'
}

/**
 * Releases the reserved stock, so that the buyer can try again until the session expires. A session
 * that gets this result after its end gets the time of a new one.
 */
async function reopen(
  tx: Tx,
  session: CheckoutSession,
  charged: Try,
  declined: Declined | null,
  now: Date,
): Promise<Settled> {
  const { protocol, declines } = session
  const answer = declined
    ? refusalAnswer(protocol, declinedRefusal(declined))
    : refusalAnswer(protocol, { ...NOTHING_CHARGED, retryAfter: 1 })
  if (session.status !== 'completing' || !isSameTry(session, charged)) {
    return { answer: (await placedAnswer(tx, session)) ?? answer, events: [] }
  }
  await release(tx, session.items)
  const { order } = await snapshotOf(tx, session, now)
  const reopened = await changeSession(tx, session, declined ? 'decline' : 'lose', {
    // A lost charge keeps its key: should it reach the PSP late, the next try finds it.
    ...(declined && { completing_since: null, declines: declines + 1 }),
    ...(isLost(session, now) && { expires_at: expiryFrom(protocol, now) }),
  })
  await answerOpenKeys(tx, completionScope(session), declined ? answer : null)
  const since = session.completing_since
  const event = () =>
    checkoutEvent('ai_checkout_failed', session, now, { reason: 'payment_declined', since })
  const snapshot = { session: reopened, order }
  return { answer: { ...answer, snapshot }, events: declined ? [event()] : [] }
}

/** If another call, the sweeper or a webhook has settled the try: the current result. */
async function placedAnswer(tx: Tx, session: CheckoutSession): Promise<CheckoutAnswer | null> {
  const order = session.status === 'completed' ? await orderOfSession(tx, session.id) : undefined
  return order ? confirmationOf(session.protocol, order) : null
}

/**
 * Undoes a try that the PSP refused: the session is as before. `openSince`: the start of an earlier
 * try that is still open; null: none is.
 */
export async function undoTry(
  { db }: Pick<StoreDeps, 'db'>,
  charged: Try & Pick<CheckoutSession, 'protocol'>,
  openSince: Date | null,
): Promise<CheckoutAnswer> {
  const refused = refusalAnswer(charged.protocol, openSince === null ? CANNOT_PAY : CANNOT_TELL)
  return db.transaction(async (tx) => {
    const session = await lockSession(tx, charged.id)
    if (session === undefined) throw new Error(`The session ${charged.id} no longer exists.`)
    if (session.status !== 'completing' || !isSameTry(session, charged)) {
      return (await placedAnswer(tx, session)) ?? refused
    }
    await release(tx, session.items)
    await changeSession(tx, session, 'lose', { completing_since: openSince })
    await answerOpenKeys(tx, completionScope(session), null)
    return refused
  })
}

// Unspecified: while its PSP refuses the shop's key, the shop asks the caller to wait a minute.
const CANNOT_PAY = {
  code: 'payment_unknown',
  message: 'This shop cannot take payments right now. Nothing was charged. Please try again later.',
  retryAfter: 60,
} as const

const CANNOT_TELL = {
  ...CANNOT_PAY,
  message:
    'This shop cannot take payments right now. Please try again later: you will be charged at most once.',
} as const

const declinedRefusal = ({ message, needsAuthentication }: Declined): CheckoutRefusal => ({
  code: 'declined',
  message,
  ...(needsAuthentication && { needsAuthentication }),
})

/** A lost try does not count as a decline: its time distinguishes it from the next. */
const isSameTry = (one: Try, other: Try): boolean =>
  one.declines === other.declines &&
  one.completing_since?.getTime() === other.completing_since?.getTime()

const NOTHING_CHARGED = {
  code: 'payment_unknown',
  message: 'The payment did not go through. Please try again: you will be charged at most once.',
} as const

/**
 * Stores the effect of a payment: the session's order, or its changes. Null for an amount that
 * nothing here costs: it pays for nothing, and a person must check it. Unspecified: a payment of
 * less, of more, or of another currency makes no order.
 */
export async function recordPayment(
  tx: Tx,
  deps: Pick<StoreDeps, 'enqueue'>,
  session: CheckoutSession,
  payment: OrderPayment,
  now: Date,
): Promise<Settled | null> {
  const { protocol } = session
  const review = (cause: ReviewCause) => noteReview(tx, cause, session.id, payment, now)
  const before = await orderOfSession(tx, session.id)
  if (before && standsWith(before, payment)) {
    // One order was paid twice: a person must check it.
    const isSecond = before.payment_id !== payment.paymentId
    if (isSecond) await review('second_payment')
    const order =
      isSecond && !before.disputed
        ? await changeOrder(tx, before, { disputed: true, updated_at: now })
        : before
    const answer = { ...confirmationOf(protocol, order), snapshot: { session, order } }
    return { answer, events: [] }
  }
  const { shipping, fits } = shippingPaid(session, before, payment)
  if (!fits && payment.amount !== null) {
    await review('amount')
    if (before) await changeOrder(tx, before, { disputed: true, updated_at: now })
    return null
  }
  const own = before?.payment_id === payment.paymentId ? before : undefined
  const stock_taken =
    before?.status === 'awaiting_payment'
      ? before.stock_taken
      : (await reserveFor(tx, session, own?.items ?? null)).length === 0
  // Paid, but cancelled and sold to others in between: a person must check that as well.
  const causes: ReviewCause[] = [
    ...(stock_taken ? [] : ['stock' as const]),
    ...(fits ? [] : ['delivery' as const]),
    ...(session.status === 'canceled' ? ['canceled' as const] : []),
  ]
  for (const cause of causes) await review(cause)
  const disputed = causes.length > 0
  const isPaid = payment.status === 'succeeded'
  const order = before
    ? await changeOrder(tx, before, {
        status: isPaid ? 'confirmed' : 'awaiting_payment',
        paid_at: isPaid ? now : null,
        psp: payment.psp,
        payment_id: payment.paymentId,
        challenge_url: isPaid ? null : (payment.challengeUrl ?? null),
        // After a failure the session may have changed: another payment is for its current state.
        ...(own === undefined && boughtIn(session)),
        ...(shipping !== before.shipping && shippedBy(session, shipping, now)),
        disputed: before.disputed || disputed,
        stock_taken,
        updated_at: now,
      })
    : await insertOrder(tx, session, payment, { shipping, now, disputed, stock_taken })
  const paid =
    session.status === 'completed'
      ? session
      : await changeSession(tx, session, 'pay', {
          completing_since: null,
          confirmed_option_id: shipping.id,
        })
  if (isPaid) await deps.enqueue(tx, 'order.confirmed', order, now)
  const answer = confirmationOf(protocol, order)
  await answerOpenKeys(tx, completionScope(session), answer)
  return {
    answer: { ...answer, snapshot: { session: paid, order } },
    events: isPaid
      ? [
          checkoutEvent('ai_checkout_completed', session, now, {
            value: order.total,
            since: session.completing_since,
          }),
        ]
      : [],
  }
}

/**
 * Takes the paid items out of stock, unless the current try has done so. Returns those with too
 * little stock. `items`: those of the order whose own payment came late; null: the session's.
 */
async function reserveFor(
  tx: Tx,
  { status, items: current }: CheckoutSession,
  items: readonly SessionItem[] | null,
): Promise<string[]> {
  if (status !== 'completing') return reserve(tx, items ?? current)
  if (items === null) return []
  await release(tx, current)
  return reserve(tx, items)
}

/**
 * The shipping that a payment is for: that of the waiting order, even if the session has changed.
 * Otherwise the charged amount decides, because a lost try may have had another option. `fits` is
 * false if no option has that amount, or the address of the confirmed one has changed.
 */
function shippingPaid(
  session: CheckoutSession,
  before: Order | undefined,
  { paymentId, amount }: OrderPayment,
): { shipping: ShippingOption; fits: boolean } {
  const { id, currency, shipping_options, confirmed_option_id } = session
  const own = before?.payment_id === paymentId ? before : undefined
  const confirmed = shipping_options.find((option) => option.id === confirmed_option_id)
  const likely = own?.shipping ?? confirmed ?? shipping_options[0]
  if (likely === undefined) throw new Error(`The session ${id} was charged without shipping.`)
  if (amount === null) return { shipping: likely, fits: (own ?? confirmed) !== undefined }
  const isPaid = (total: number) => amount.currency === currency && amount.amount === total
  if (own && isPaid(own.total)) return { shipping: own.shipping, fits: true }
  const paid = [...(confirmed ? [confirmed] : []), ...shipping_options].find((option) =>
    isPaid(totalWith(session, option)),
  )
  return { shipping: paid ?? likely, fits: paid !== undefined }
}

/**
 * Whether the order does not need this payment: it is paid, or waits for one already. A payment
 * that succeeds still pays for an order that waits for another, which may fail.
 */
const standsWith = (order: Order, { status }: OrderPayment): boolean =>
  nextOrder(order.status, status === 'succeeded' ? 'payment_succeeded' : 'retry_pending') === null
