import type { OrderStatus } from '../db/statuses.ts'

/** Whether it was paid: before that, only the store treats it as an order. */
export const isPlaced = (status: OrderStatus): boolean =>
  status !== 'awaiting_payment' && status !== 'payment_failed'

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
