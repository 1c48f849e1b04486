import type { ShippingOption } from '../../../../shared/protocols/ucp.ts'
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

/** What a charge came to: the answer to the call that waits for it, and what is to be reported. */
export interface Settled {
  answer: CheckoutAnswer
  events: CheckoutEvent[]
}

/**
 * Writes what a payment brings about: the session's order, or what it changes of that. Null for one
 * of another amount than anything here comes to: it pays for nothing, and a person must look at it.
 */
// Unspecified: an order is not given for a payment of less, of more, or of another currency.
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
    // Money came twice for one order: a person must look at it.
    const isSecond = before.payment_id !== payment.paymentId
    if (isSecond) await review('second_payment')
    const order =
      isSecond && !before.disputed
        ? await changeOrder(tx, before, { disputed: true, updated_at: now })
        : before
    const answer = { ...confirmationOf(protocol, order), standing: { session, order } }
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
  // Paid, but given up in between and sold to others since: a person must look at that as well.
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
        // After a failure the session may have changed: another payment is for what it is now.
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
    answer: { ...answer, standing: { session: paid, order } },
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
 * Takes what was paid out of stock, unless the try under way has done so. Returns what there is too
 * little of. `items`: those of the order whose own payment came after all; null: the session's.
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
 * The shipping that a payment is for: that of the order that waited for it, whatever the session
 * says since. Else the charged amount decides: a lost attempt may have had another option than the
 * last one. `fits` is false when none has that amount, or an earlier address took the confirmed one
 * along.
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
 * Whether the order has no use for this payment: it is paid, or waits for one already. What
 * succeeds pays for an order that waits for another payment: that one may still fail.
 */
const standsWith = (order: Order, { status }: OrderPayment): boolean =>
  nextOrder(order.status, status === 'succeeded' ? 'payment_succeeded' : 'retry_pending') === null
