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

/** Writes an event of an order to the outbox, in the transaction that brings it about. */
export type Enqueue = (tx: Tx, event: OrderEvent, order: Order, now: Date) => Promise<void>
