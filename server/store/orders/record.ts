import type { Order, SessionItem } from '../db/tables.ts'
import { originOf } from '../http/origin.ts'

/** An item as both protocols name it. `variant_id` is null for a product without options. */
export const wireItem = ({ product_id, variant_id, name, quantity, unit_price }: SessionItem) => ({
  product_id,
  variant_id,
  name,
  quantity,
  unit_price,
})

/** The buyer's receipt; it needs only the token in its address. */
export const receiptUrl = ({ host, receipt_token }: Order): string =>
  `${originOf(host)}/receipts/${receipt_token}`

/** The sum of all refunds, in the currency's smallest unit. */
export const refundedOf = ({ refunds }: Pick<Order, 'refunds'>): number =>
  refunds.reduce((sum, { amount }) => sum + amount, 0)

// Unspecified: an order with refunds has `refunded`, the sum, and `refunds`; its status stays, even
// if everything was refunded. Only the merchant sees a refund's reason.
function refundFields(order: Order) {
  const { currency, refunds } = order
  if (refunds.length === 0) return {}
  return {
    refunded: { amount: refundedOf(order), currency },
    refunds: refunds.map(({ amount, ...refund }) => ({ ...refund, amount: { amount, currency } })),
  }
}

/**
 * The order as agents see it. Unspecified: an order shows its items, amounts and dates as well as
 * identifier, status and tracking, but no name or address, because the id alone opens it.
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

/** The id of an item by its position, the same in a checkout of official UCP and in its order. */
export const lineId = (index: number): string => `li_${index + 1}`
