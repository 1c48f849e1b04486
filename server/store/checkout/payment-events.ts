import { type CheckoutSession, type Order, psp_events, type Tx } from '../db/tables.ts'
import { changeOrder, type OrderPayment, orderOfPayment, orderOfSession } from '../orders/orders.ts'
import { noteReview } from '../orders/reviews.ts'
import { nextOrder, withMoment } from '../orders/states.ts'
import type { PspEvent } from '../psp/psp.ts'
import { release } from '../shop/inventory.ts'
import type { CheckoutEvent, StoreDeps } from './deps.ts'
import { changeSession, expiryFrom, lockSession } from './sessions.ts'
import { recordPayment } from './steps/settle.ts'
import { checkoutEvent, tell } from './steps/tell.ts'

type Applied = 'applied' | 'duplicate' | 'ignored'
type Applying = Pick<StoreDeps, 'db' | 'now' | 'enqueue' | 'report'>

/**
 * Spec, PSP webhook events. Each has its effect once, in any order and number of deliveries: the
 * event's id is stored in the transaction of its effect.
 */
export async function applyPaymentEvent(
  deps: Applying,
  psp: string,
  event: PspEvent,
): Promise<Applied> {
  const now = deps.now()
  const { applied, events } = await deps.db.transaction(async (tx) => {
    const [first] = await tx
      .insert(psp_events)
      .values({ psp, id: event.id, type: event.type, received_at: now })
      .onConflictDoNothing()
      .returning({ id: psp_events.id })
    if (first === undefined) return { applied: 'duplicate' as const, events: [] }
    const effect = await applyEffect(tx, deps, psp, event, now)
    return effect === null
      ? { applied: 'ignored' as const, events: [] }
      : { applied: 'applied' as const, events: effect }
  })
  tell(deps, events)
  return applied
}

/** What to report for an event; null if it changes nothing here. */
export async function applyEffect(
  tx: Tx,
  deps: Pick<StoreDeps, 'enqueue'>,
  psp: string,
  { type, paymentId, sessionId, amount }: Omit<PspEvent, 'id' | 'name'>,
  now: Date,
): Promise<CheckoutEvent[] | null> {
  if (type === 'other' || paymentId === null) return null
  const known = await orderOfPayment(tx, psp, paymentId)
  const id = known?.session_id ?? sessionId
  const session = id === null ? undefined : await lockSession(tx, id)
  if (session === undefined) return null
  if (type === 'payment_intent.succeeded') {
    // A session that was never charged here has no payment of ours.
    if (session.confirmed_option_id === null) return null
    const payment: OrderPayment = { psp, paymentId, status: 'succeeded', amount }
    const recorded = await recordPayment(tx, deps, session, payment, now)
    if (recorded !== null) return recorded.events
    // It pays for nothing: a session that waited for this payment waits no longer.
    const waiting = await orderPaidBy(tx, session, paymentId)
    return (waiting && (await fail(tx, session, waiting, 'payment_declined', now))) ?? []
  }
  const order = await orderPaidBy(tx, session, paymentId)
  if (order === undefined) return null
  if (type === 'charge.dispute.created') return flag(tx, deps, order, now)
  const reason = type === 'payment_intent.canceled' ? 'canceled' : 'payment_declined'
  return fail(tx, session, order, reason, now)
}

/**
 * The order that a payment paid for. The session is locked: before that, its order may still have
 * changed.
 */
async function orderPaidBy(
  tx: Tx,
  session: CheckoutSession,
  paymentId: string,
): Promise<Order | undefined> {
  const order = await orderOfSession(tx, session.id)
  return order?.payment_id === paymentId ? order : undefined
}

/** Spec: "flag the order for review". Its status stays. */
async function flag(
  tx: Tx,
  { enqueue }: Pick<StoreDeps, 'enqueue'>,
  order: Order,
  now: Date,
): Promise<[]> {
  const { psp, payment_id: paymentId, session_id } = order
  await noteReview(tx, 'dispute', session_id, { psp, paymentId, amount: null }, now)
  const history = withMoment(order, 'disputed', now)
  const flagged = await changeOrder(tx, order, { disputed: true, history, updated_at: now })
  await enqueue(tx, 'order.disputed', flagged, now)
  return []
}

/**
 * Spec: "mark the order failed; allow retry". A payment that has succeeded does not fail later.
 * Unspecified: after a failure that arrives late, a retry is allowed for as long as in a new
 * session, counted from the failure.
 */
async function fail(
  tx: Tx,
  session: CheckoutSession,
  order: Order,
  reason: 'payment_declined' | 'canceled',
  now: Date,
): Promise<CheckoutEvent[] | null> {
  const status = nextOrder(order.status, 'payment_failed')
  if (status === null) return null
  await changeOrder(tx, order, { status, updated_at: now })
  if (order.stock_taken) await release(tx, order.items)
  await changeSession(tx, session, 'fail', {
    declines: session.declines + 1,
    expires_at: expiryFrom(session.protocol, now),
  })
  return [checkoutEvent('ai_checkout_failed', session, now, { reason })]
}
