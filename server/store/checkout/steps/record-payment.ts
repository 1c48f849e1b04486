import type { ShippingOption } from '../../../../shared/protocols/spec/ucp.ts'
import type { ReviewCause } from '../../db/statuses.ts'
import type { CheckoutSession, Order, SessionItem, Tx } from '../../db/tables.ts'
import {
  boughtIn,
  changeOrder,
  insertOrder,
  type OrderPayment,
  orderOfSession,
  shippedBy,
  totalWith,
} from '../../orders/orders.ts'
import { noteReview } from '../../orders/reviews.ts'
import { nextOrder } from '../../orders/states.ts'
import { release, reserve } from '../../shop/stock.ts'
import { type CheckoutAnswer, confirmationOf } from '../answers.ts'
import type { CheckoutEvent, StoreDeps } from '../deps.ts'
import { answerOpenKeys } from '../idempotency.ts'
import { changeSession, completionScope } from '../sessions.ts'
import { checkoutEvent } from './tell.ts'

/** The result of a charge: the answer to the waiting call, and what to report. */
export interface Settled {
  answer: CheckoutAnswer
  events: CheckoutEvent[]
}

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
