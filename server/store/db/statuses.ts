// Unspecified: UCP sessions have the states of ACP's, and their cart does not show them.
/** Where a checkout session can be. */
export const SESSION_STATUSES = [
  'pending_confirmation',
  'completing',
  'completed',
  'expired',
] as const
export type SessionStatus = (typeof SESSION_STATUSES)[number]

/** Where an order can be; `disputed` is a flag beside it. */
export const ORDER_STATUSES = [
  'awaiting_payment',
  'confirmed',
  'processing',
  'shipped',
  'delivered',
  'canceled',
  'returned',
  'payment_failed',
] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]
