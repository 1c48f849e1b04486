import type { ShippingOption } from '../../../../shared/protocols/ucp.ts'
import { isRecord } from '../../../../shared/web/json.ts'
import type { CheckoutSession, Order, Tx } from '../../db/tables.ts'
import {
  changeOrder,
  insertOrder,
  type OrderPayment,
  orderOfPayment,
  orderOfSession,
  shippedBy,
  totalWith,
} from '../../orders/orders.ts'
import { nextOrder } from '../../orders/states.ts'
import type { ChargeResult } from '../../psp/psp.ts'
import { release, reserve } from '../../shop/stock.ts'
import { type CheckoutAnswer, confirmationOf, refusalAnswer } from '../answers.ts'
import { withDeadline } from '../deadline.ts'
import type { CheckoutEvent, StoreDeps } from '../deps.ts'
import { answerOpenKeys } from '../idempotency.ts'
import { changeSession, chargeKey, completionScope, lockSession } from '../sessions.ts'

type Settling = Pick<StoreDeps, 'db' | 'psp' | 'now' | 'enqueue' | 'report' | 'onStep'>

/** The try that was made: a later one of the same session is none of its business. */
type Try = Pick<CheckoutSession, 'id' | 'declines' | 'completing_since'>

/**
 * Brings a charge to its end: the order, or the session open again. `result` is null when the PSP
 * knows of no charge. Whoever comes second, be it the call, the sweeper or a webhook, finds what
 * the first has done and answers from it.
 */
export async function settle(
  deps: Settling,
  charged: Try,
  result: ChargeResult | null,
): Promise<CheckoutAnswer> {
  const end = () => deps.db.transaction((tx) => settleLocked(tx, deps, charged, result))
  const { answer, told } = await end().catch((error: unknown) => {
    // Another session took the same payment at this moment: now its order is there to be seen.
    if (!isPaymentTaken(error)) throw error
    return end()
  })
  await deps.onStep?.('committed')
  for (const event of told) deps.report(event)
  return answer
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
  const payable = result && (await unlessUsed(tx, deps.psp.name, session, result))
  const settled =
    payable === null || payable.status === 'declined'
      ? await reopen(tx, session, charged, payable, now)
      : await recordPayment(tx, deps, session, { ...payable, psp: deps.psp.name }, now)
  await deps.onStep?.('ordered')
  return settled
}

/** A payment that has paid for another session is as good as declined for this one. */
async function unlessUsed(
  tx: Tx,
  psp: string,
  session: CheckoutSession,
  result: ChargeResult,
): Promise<ChargeResult> {
  if (result.status === 'declined') return result
  const { paymentId } = result
  const order = await orderOfPayment(tx, psp, paymentId)
  return order === undefined || order.session_id === session.id
    ? result
    : {
        status: 'declined',
        paymentId,
        message: 'This payment was already used. Use another payment.',
      }
}

/** Whether the database refused a second order of one payment (Postgres: unique_violation). */
function isPaymentTaken(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return isRecord(cause) && cause.code === '23505' && cause.constraint_name === 'orders_payment'
}

/** How long the PSP may take to tell of a charge, in milliseconds. */
export const FIND_MS = 10_000

/** Asks the PSP what became of the session's last try; rejects while it cannot tell either. */
export function findTry(
  { psp }: Pick<StoreDeps, 'psp'>,
  session: CheckoutSession,
  findMs: number,
): Promise<ChargeResult | null> {
  // An earlier try that was lost has the same key: it can be as old as the session.
  const since = session.created_at
  const sought = { sessionId: session.id, idempotencyKey: chargeKey(session), since }
  return withDeadline(findMs, psp.find(sought), () => {
    throw new Error(`The PSP did not report the status of ${session.id} within ${findMs} ms.`)
  })
}

/** What became of a charge that nobody answered for; rejects while the PSP cannot tell either. */
export async function settleLost(
  deps: Settling,
  session: CheckoutSession,
  findMs = FIND_MS,
): Promise<CheckoutAnswer> {
  return settle(deps, session, await findTry(deps, session, findMs))
}

interface Settled {
  answer: CheckoutAnswer
  told: CheckoutEvent[]
}

/** Gives back what was reserved, so that the buyer can try again until the session expires. */
async function reopen(
  tx: Tx,
  session: CheckoutSession,
  charged: Try,
  declined: Extract<ChargeResult, { status: 'declined' }> | null,
  now: Date,
): Promise<Settled> {
  const { protocol, declines } = session
  const answer = declined
    ? refusalAnswer(protocol, { code: 'declined', message: declined.message })
    : refusalAnswer(protocol, { ...NOTHING_CHARGED, retryAfter: 1 })
  if (session.status !== 'completing' || !isSameTry(session, charged)) {
    const order = session.status === 'completed' ? await orderOfSession(tx, session.id) : undefined
    return { answer: order ? confirmationOf(protocol, order) : answer, told: [] }
  }
  await release(tx, session.items)
  await changeSession(tx, session, declined ? 'decline' : 'lose', {
    completing_since: null,
    // The same key is kept for a lost charge: should it reach the PSP late, the next finds it there.
    ...(declined && { declines: declines + 1 }),
  })
  await answerOpenKeys(tx, completionScope(session), declined ? answer : null)
  return { answer, told: declined ? [checkoutEvent('ai_checkout_failed', session, now)] : [] }
}

/** A lost try leaves the count of declines as it was: its time tells it from the next. */
const isSameTry = (one: Try, other: Try): boolean =>
  one.declines === other.declines &&
  one.completing_since?.getTime() === other.completing_since?.getTime()

const NOTHING_CHARGED = {
  code: 'payment_unknown',
  message: 'The payment did not go through. Please try again: you will be charged at most once.',
} as const

/** Writes what a payment brings about: the session's order, or what it changes of that. */
export async function recordPayment(
  tx: Tx,
  deps: Pick<StoreDeps, 'enqueue'>,
  session: CheckoutSession,
  payment: OrderPayment,
  now: Date,
): Promise<Settled & { order: Order }> {
  const { protocol } = session
  const before = await orderOfSession(tx, session.id)
  const standing = before && standsWith(before, payment)
  if (standing) {
    // Money came twice for one order: a person must look at it.
    const isSecond = before.payment_id !== payment.paymentId
    const order =
      isSecond && !before.disputed
        ? await changeOrder(tx, before, { disputed: true, updated_at: now })
        : before
    return { order, answer: confirmationOf(protocol, order), told: [] }
  }
  // Paid, but given up in between and sold to others since: a person must look at that as well.
  const short =
    session.status === 'completing' || before?.status === 'awaiting_payment'
      ? []
      : await reserve(tx, session.items)
  const { shipping, fits } = shippingPaid(session, before, payment)
  const disputed = short.length > 0 || !fits
  const isPaid = payment.status === 'succeeded'
  const order = before
    ? await changeOrder(tx, before, {
        status: isPaid ? 'confirmed' : 'awaiting_payment',
        psp: payment.psp,
        payment_id: payment.paymentId,
        ...(shipping.id !== before.shipping.id && shippedBy(session, shipping, now)),
        disputed: before.disputed || disputed,
        updated_at: now,
      })
    : await insertOrder(tx, session, payment, { shipping, now, disputed })
  const paid = { ...session, confirmed_option_id: shipping.id }
  if (session.status !== 'completed') {
    const { confirmed_option_id } = paid
    await changeSession(tx, session, 'pay', { completing_since: null, confirmed_option_id })
  }
  if (isPaid) await deps.enqueue(tx, 'order.confirmed', order, now)
  const answer = confirmationOf(protocol, order)
  await answerOpenKeys(tx, completionScope(session), answer)
  return { order, answer, told: isPaid ? [checkoutEvent('ai_checkout_completed', paid, now)] : [] }
}

/**
 * The shipping that a payment is for. A lost try may have been of another option than the last
 * one: what was charged decides. `fits` is false where no option comes to that amount.
 */
function shippingPaid(
  session: CheckoutSession,
  before: Order | undefined,
  { paymentId, amount }: OrderPayment,
): { shipping: ShippingOption; fits: boolean } {
  const { id, currency, shipping_options, confirmed_option_id } = session
  const likely = before?.payment_id === paymentId ? before.shipping.id : confirmed_option_id
  const first = shipping_options.find((option) => option.id === likely)
  if (first === undefined) throw new Error(`The session ${id} was charged without shipping.`)
  if (amount === null) return { shipping: first, fits: true }
  const paid = [first, ...shipping_options].find(
    (option) => amount.currency === currency && amount.amount === totalWith(session, option),
  )
  return { shipping: paid ?? first, fits: paid !== undefined }
}

/** Whether the order has no use for this payment: it is paid, or waits for the same one. */
function standsWith(order: Order, payment: OrderPayment): boolean {
  const event = payment.status === 'succeeded' ? 'payment_succeeded' : 'retry_pending'
  if (nextOrder(order.status, event) === null) return true
  return order.status === 'awaiting_payment' && order.payment_id !== payment.paymentId
}

/** The store's own event for the hosted API (spec, Attribution event). */
export function checkoutEvent(
  event: CheckoutEvent['event'],
  session: CheckoutSession,
  now: Date,
): CheckoutEvent {
  const { id, host, protocol, subtotal, tax, currency, attribution } = session
  const chosen = session.confirmed_option_id ?? session.shipping_option_id
  const shipping = session.shipping_options.find((option) => option.id === chosen)
  const surface = attribution?.ai_surface
  return {
    event,
    domain: host,
    session_id: id,
    source: protocol,
    ...(surface !== undefined && { ai_surface: surface }),
    properties: { value: subtotal + tax + (shipping?.cost.amount ?? 0), currency },
    timestamp: now.toISOString(),
  }
}
