import type { OrderStatus } from '../db/statuses.ts'
import type { Order, OrderMoment, Tx } from '../db/tables.ts'

/** The events of an order: the PSP's three, a second try, and the merchant's moves. */
export const ORDER_TRIGGERS = [
  'payment_succeeded',
  'payment_failed',
  'dispute',
  'retry_pending',
  'process',
  'ship',
  'deliver',
  'cancel',
  'return',
] as const
export type OrderTrigger = (typeof ORDER_TRIGGERS)[number]

// Unspecified: order states beyond confirmed and failed are those that buyers ask about: shipped,
// delivered, canceled, returned. Goods can come back once they have left, and an order can be
// canceled until then.
const ORDERS: Readonly<Record<OrderStatus, Partial<Record<OrderTrigger, OrderStatus>>>> = {
  awaiting_payment: {
    payment_succeeded: 'confirmed',
    payment_failed: 'payment_failed',
    dispute: 'awaiting_payment',
  },
  payment_failed: {
    payment_succeeded: 'confirmed',
    retry_pending: 'awaiting_payment',
    dispute: 'payment_failed',
  },
  confirmed: {
    process: 'processing',
    ship: 'shipped',
    cancel: 'canceled',
    dispute: 'confirmed',
  },
  processing: { ship: 'shipped', cancel: 'canceled', dispute: 'processing' },
  shipped: { deliver: 'delivered', return: 'returned', dispute: 'shipped' },
  delivered: { return: 'returned', dispute: 'delivered' },
  canceled: { dispute: 'canceled' },
  returned: { dispute: 'returned' },
}

/**
 * The state after an event; null if this state does not allow it, such as a payment's failure that
 * arrives after its success. A dispute does not change the state: it raises the flag.
 */
export const nextOrder = (from: OrderStatus, trigger: OrderTrigger): OrderStatus | null =>
  ORDERS[from][trigger] ?? null

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

/** The events that an order's platform gets: more than merchants can ask for. */
export type OrderChange = OrderEvent | 'order.processing' | 'order.returned' | 'order.disputed'

/** Writes a change of an order to the outbox, in the transaction of the change. */
export type Enqueue = (tx: Tx, change: OrderChange, order: Order, now: Date) => Promise<void>

/** The history with one more moment. A tracking number that is known by now is part of it. */
export function withMoment(
  { history, tracking }: Pick<Order, 'history' | 'tracking'>,
  type: OrderMoment['type'],
  now: Date,
): OrderMoment[] {
  return [...history, { type, at: now.toISOString(), ...(tracking && { tracking }) }]
}
