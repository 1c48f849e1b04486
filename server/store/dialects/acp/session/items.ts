import type { CheckoutItem } from '../../../../../shared/protocols/spec/ucp.ts'
import type { Order, SessionItem } from '../../../db/tables.ts'
import { refundedOf } from '../../../orders/orders.ts'
import { type Inventory, itemOfId } from '../../../shop/inventory.ts'
import type { AcpFault } from '../answers.ts'
import type { AskedItem } from '../requests.ts'

/** The agents' id of an item: the variant's, or that of a product without variants. */
export const itemIdOf = ({ product_id, variant_id }: SessionItem): string =>
  variant_id ?? product_id

/** Each item has one line, so its id stays the same over updates. */
export const lineIdOf = (itemId: string): string => `li_${itemId}`

const idAsked = (line: AskedItem): string => ('item' in line ? line.item.id : line.id)

/** The requested ids, as the agent sent them. */
export const idsAsked = (asked: readonly AskedItem[]): string[] => asked.map(idAsked)

/** The requested items, each once; or the error of the first one that is not sold. */
export function readAcpItems(
  asked: readonly AskedItem[],
  inventory: Inventory,
): { items: CheckoutItem[] } | { fault: AcpFault } {
  const items = new Map<string, CheckoutItem>()
  for (const [at, line] of asked.entries()) {
    const id = idAsked(line)
    const found = inventory.findOffer(id)
    if (found?.offer === undefined) {
      const message =
        found === undefined
          ? 'The catalog has no such item. Read the catalog again.'
          : 'The product comes in several versions. Send the id of one of its variants.'
      const param = `$.line_items[${at}]${'item' in line ? '.item' : ''}.id`
      return { fault: { status: 400, code: 'invalid_item_id', message, param } }
    }
    const quantity = (items.get(id)?.quantity ?? 0) + (line.quantity ?? 1)
    items.set(id, itemOfId(inventory, id, quantity))
  }
  return { items: [...items.values()] }
}

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
