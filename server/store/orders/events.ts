import type { Order, Tx } from '../db/tables.ts'

// Unspecified: fulfillment webhooks tell of `order.confirmed`, `order.shipped`, `order.delivered`,
// `order.canceled`, and of each refund once the PSP has made it: `order.refunded`.
/** What an endpoint can be told of (`webhook_endpoints.events`). */
export const ORDER_EVENTS = [
  'order.confirmed',
  'order.shipped',
  'order.delivered',
  'order.canceled',
  'order.refunded',
] as const
export type OrderEvent = (typeof ORDER_EVENTS)[number]

export const isOrderEvent = (change: OrderChange): change is OrderEvent =>
  ORDER_EVENTS.some((event) => event === change)

/** All that an order's platform is told of: more than merchants can ask for. */
export type OrderChange = OrderEvent | 'order.processing' | 'order.returned' | 'order.disputed'

/** Writes a change of an order to the outbox, in the transaction that brings it about. */
export type Enqueue = (tx: Tx, change: OrderChange, order: Order, now: Date) => Promise<void>
