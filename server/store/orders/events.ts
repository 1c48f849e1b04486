import type { Order, Tx } from '../db/tables.ts'

// Unspecified: the events of fulfillment webhooks are `order.confirmed`, `order.shipped`,
// `order.delivered`, `order.canceled`, and `order.refunded` for each refund once the PSP has made
// it.
/** The events that an endpoint can get (`webhook_endpoints.events`). */
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

/** The events that an order's platform gets: more than merchants can ask for. */
export type OrderChange = OrderEvent | 'order.processing' | 'order.returned' | 'order.disputed'

/** Writes a change of an order to the outbox, in the transaction of the change. */
export type Enqueue = (tx: Tx, change: OrderChange, order: Order, now: Date) => Promise<void>
