import { type Answer, confirmationOf, refusalOf } from './answers.ts'
import { nextOrder } from './checkout-states.ts'
import { endWork } from './idempotency.ts'
import { changeOrder, insertOrder, orderOfSession, type Payment } from './orders.ts'
import type { ChargeResult } from './psp/psp.ts'
import { changeSession, chargeKey, completionScope, lockSession } from './sessions.ts'
import { release, reserve } from './stock.ts'
import type { CheckoutEvent, Order, Session, StoreDeps, Tx } from './store-deps.ts'

type Settling = Pick<StoreDeps, 'db' | 'psp' | 'now' | 'enqueue' | 'report' | 'onStep'>

/**
 * Brings a charge to its end: the order, or the session open again. `result` is null when the PSP
 * knows of no charge. Whoever comes second, be it the call, the sweeper or a webhook, finds what
 * the first has done and answers from it.
 */
export async function settle(
  deps: Settling,
  charged: Pick<Session, 'id' | 'declines' | 'protocol'>,
  result: ChargeResult | null,
): Promise<Answer> {
  const now = deps.now()
  const { answer, told } = await deps.db.transaction(async (tx) => {
    const session = await lockSession(tx, charged.id)
    if (session === undefined) throw new Error(`The session ${charged.id} is gone.`)
    const settled =
      result === null || result.status === 'declined'
        ? await reopen(tx, session, charged, result, now)
        : await take(tx, deps, session, { ...result, psp: deps.psp.name }, now)
    await deps.onStep?.('ordered')
    return settled
  })
  await deps.onStep?.('committed')
  for (const event of told) deps.report(event)
  return answer
}

/** What became of a charge that nobody answered for; rejects while the PSP cannot tell either. */
export async function settleLost(deps: Settling, session: Session): Promise<Answer> {
  const found = await deps.psp.find({
    sessionId: session.id,
    idempotencyKey: chargeKey(session),
    since: session.completing_since ?? session.created_at,
  })
  return settle(deps, session, found)
}

interface Settled {
  answer: Answer
  told: CheckoutEvent[]
}

/** Gives back what was reserved, so that the buyer can try again until the session expires. */
async function reopen(
  tx: Tx,
  session: Session,
  charged: Pick<Session, 'declines'>,
  declined: Extract<ChargeResult, { status: 'declined' }> | null,
  now: Date,
): Promise<Settled> {
  const { protocol, declines } = session
  const answer = declined
    ? refusalOf(protocol, { code: 'declined', message: declined.message })
    : refusalOf(protocol, { ...NOTHING_CHARGED, retryAfter: 1 })
  if (session.status !== 'completing' || declines !== charged.declines) {
    const order = session.status === 'completed' ? await orderOfSession(tx, session.id) : undefined
    return { answer: order ? confirmationOf(protocol, order) : answer, told: [] }
  }
  await release(tx, session.items)
  await changeSession(tx, session, declined ? 'decline' : 'lose', {
    completing_since: null,
    // The same key is kept for a lost charge: should it reach the PSP late, the next finds it there.
    ...(declined && { declines: declines + 1 }),
  })
  await endWork(tx, completionScope(session), declined ? answer : null)
  return { answer, told: declined ? [eventOf('ai_checkout_failed', session, now)] : [] }
}

const NOTHING_CHARGED = {
  code: 'payment_unknown',
  message:
    'The payment did not come through just now. Please try again: it is charged once at most.',
} as const

/** Writes what a payment brings about: the session's order, or what it changes of that. */
export async function take(
  tx: Tx,
  deps: Pick<StoreDeps, 'enqueue'>,
  session: Session,
  payment: Payment,
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
  const disputed = short.length > 0
  const isPaid = payment.status === 'succeeded'
  const order = before
    ? await changeOrder(tx, before, {
        status: isPaid ? 'confirmed' : 'awaiting_payment',
        psp: payment.psp,
        payment_id: payment.paymentId,
        disputed: before.disputed || disputed,
        updated_at: now,
      })
    : await insertOrder(tx, session, payment, { now, disputed })
  if (session.status !== 'completed') {
    await changeSession(tx, session, 'pay', { completing_since: null })
  }
  if (isPaid) await deps.enqueue(tx, 'order.confirmed', order, now)
  const answer = confirmationOf(protocol, order)
  await endWork(tx, completionScope(session), answer)
  return { order, answer, told: isPaid ? [eventOf('ai_checkout_completed', session, now)] : [] }
}

/** Whether the order has no use for this payment: it is paid, or waits for the same one. */
function standsWith(order: Order, payment: Payment): boolean {
  const event = payment.status === 'succeeded' ? 'payment_succeeded' : 'retry_pending'
  if (nextOrder(order.status, event) === null) return true
  return order.status === 'awaiting_payment' && order.payment_id !== payment.paymentId
}

/** The store's own event for the hosted API (spec, Attribution event). */
export function eventOf(event: CheckoutEvent['event'], session: Session, now: Date): CheckoutEvent {
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
