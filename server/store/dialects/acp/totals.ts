import type { Order } from '../../db/tables.ts'
import { refundedOf } from '../../orders/record.ts'

interface AcpTotal {
  type: string
  display_text: string
  amount: number
}

const total = (type: string, display_text: string, amount: number): AcpTotal => ({
  type,
  display_text,
  amount,
})

/** The totals of goods alone, before shipping and tax. The store gives no discounts. */
export const goodsTotals = (amount: number): AcpTotal[] => [
  total('items_base_amount', 'Items', amount),
  total('subtotal', 'Subtotal', amount),
  total('total', 'Total', amount),
]

/** The whole payment: each `total` is the sum of the entries before it. */
export function allTotals(
  { subtotal, tax }: Pick<Order, 'subtotal' | 'tax'>,
  shipping: Order['shipping'] | undefined,
): AcpTotal[] {
  const cost = shipping?.cost.amount ?? 0
  return [
    total('items_base_amount', 'Items', subtotal),
    total('subtotal', 'Subtotal', subtotal),
    ...(shipping ? [total('fulfillment', shipping.name, cost)] : []),
    total('tax', 'Tax', tax),
    total('total', 'Total', subtotal + cost + tax),
  ]
}

/** The totals of an order: `total` stays the charge, and refunds have their own entry. */
export const orderTotals = (order: Order): AcpTotal[] => [
  ...allTotals(order, order.shipping),
  ...(order.refunds.length > 0 ? [total('amount_refunded', 'Refunded', refundedOf(order))] : []),
]
