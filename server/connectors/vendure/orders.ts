import type { Order } from '@vendure/core'
import type { ShopOrder } from '../reporting/reports.ts'

/** What stands in an order's custom field `aisleVisit`. */
export const noteOfVisit = ({ customFields }: Pick<Order, 'customFields'>): unknown =>
  Object(customFields).aisleVisit

/** Payments that stand for money, or for a promise of it. */
const GOOD = ['Authorized', 'Settled', 'Cancelled']

/**
 * An order that was placed, with its payments and their refunds. Amounts of Vendure have the
 * shop's own number of decimals, in every currency. Null: it is still a cart.
 */
export function vendureOrder(order: Order, precision: number): ShopOrder | null {
  if (!order.orderPlacedAt) return null
  const inUnits = (amount: number) => (amount / 10 ** precision).toFixed(precision)
  const payments = order.payments ?? []
  const sum = (states: readonly string[]) =>
    payments
      .filter(({ state }) => states.includes(state))
      .reduce((total, { amount }) => total + amount, 0)
  // A cancelled order has no lines left, and so no total. Its payments are what it came to.
  const isCancelled = order.state === 'Cancelled'
  const total = (isCancelled && sum(GOOD)) || order.totalWithTax
  return {
    id: order.code,
    cart: order.code,
    visit: noteOfVisit(order),
    total: inUnits(total),
    paid: inUnits(sum(['Settled'])),
    currency: order.currencyCode,
    placed: new Date(order.orderPlacedAt),
    cancelled: isCancelled ? new Date(order.updatedAt) : null,
    refunds: payments
      .flatMap(({ refunds }) => refunds ?? [])
      .filter(({ state }) => state === 'Settled')
      .map((each) => ({
        id: String(each.id),
        total: inUnits(each.total),
        made: new Date(each.updatedAt),
      })),
  }
}
