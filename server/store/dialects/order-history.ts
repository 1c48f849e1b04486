import type { Order, OrderMoment } from '../db/tables.ts'
import type { JsonObject } from '../http/store-request.ts'

interface Adjustment extends JsonObject {
  occurred_at: string
}

// Unspecified: a cancellation and a return list the items; the refund that follows states the
// amount, which may be less. A dispute stays pending, because PSPs report only its beginning to the
// store; it does not stop a parcel.
/**
 * The order's events apart from the parcel, oldest first: returns, refunds and the like. `lines`
 * are those that a cancellation or a return takes back.
 */
export function adjustmentsOf(
  order: Order,
  lines: readonly JsonObject[],
  refunded: (amount: number) => JsonObject,
): Adjustment[] {
  const moments = order.history.flatMap((moment, index) => adjustment(moment, index, lines))
  const refunds = order.refunds.map(({ refund_id, amount, refunded_at }) => ({
    id: refund_id,
    type: 'refund',
    occurred_at: refunded_at,
    status: 'completed',
    ...refunded(amount),
  }))
  return [...moments, ...refunds].toSorted((one, other) =>
    one.occurred_at.localeCompare(other.occurred_at),
  )
}

function adjustment(
  { type, at }: OrderMoment,
  index: number,
  line_items: readonly JsonObject[],
): Adjustment[] {
  const what = { id: `adjustment_${index + 1}`, occurred_at: at }
  if (type === 'disputed') return [{ ...what, type: 'dispute', status: 'pending' }]
  if (type !== 'canceled' && type !== 'returned') return []
  const kind = type === 'canceled' ? 'cancellation' : 'return'
  return [{ ...what, type: kind, status: 'completed', line_items }]
}
