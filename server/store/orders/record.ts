import type { Order, SessionItem } from '../db/tables.ts'
import { originOf } from '../http/origin.ts'

/** An item as both protocols name it. `variant_id` is null where the product has no options. */
export const wireItem = ({ product_id, variant_id, name, quantity, unit_price }: SessionItem) => ({
  product_id,
  variant_id,
  name,
  quantity,
  unit_price,
})

/** Where the buyer reads the receipt; the token in it is all that opens it. */
export const receiptUrl = ({ host, receipt_token }: Order): string =>
  `${originOf(host)}/receipts/${receipt_token}`

/** What went back to the buyer, in the currency's smallest unit. */
export const refundedOf = ({ refunds }: Pick<Order, 'refunds'>): number =>
  refunds.reduce((sum, { amount }) => sum + amount, 0)

// Unspecified: an order of which something was refunded has `refunded`, the sum, and `refunds`; its
// status stays, also where all was refunded. Only the merchant sees a refund's reason.
function refundFields(order: Order) {
  const { currency, refunds } = order
  if (refunds.length === 0) return {}
  return {
    refunded: { amount: refundedOf(order), currency },
    refunds: refunds.map(({ amount, ...refund }) => ({ ...refund, amount: { amount, currency } })),
  }
}

/**
 * The order as agents see it. Unspecified: an order shows its items, amounts and dates beside
 * identifier, status and tracking. No name, no address: the id alone opens it.
 */
export function orderRecord(order: Order) {
  const { currency, created_at, updated_at } = order
  return {
    order_id: order.id,
    status: order.status,
    confirmation_number: order.confirmation_number,
    items: order.items.map(wireItem),
    subtotal: { amount: order.subtotal, currency },
    shipping: order.shipping,
    tax: { amount: order.tax, currency },
    total: { amount: order.total, currency },
    estimated_delivery: order.estimated_delivery,
    tracking: order.tracking,
    ...refundFields(order),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}

/** The error of a 404 for an order. */
export const NO_ORDER = {
  code: 'order_not_found',
  message: 'We could not find this order. Please check your confirmation.',
  detail: 'No order has this id. The order_id is in the confirmation.',
} as const
