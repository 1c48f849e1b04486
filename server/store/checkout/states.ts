import type { OrderStatus, SessionStatus } from '../db/statuses.ts'

/** What happens to a checkout session. */
export const SESSION_EVENTS = [
  'update',
  'short',
  'charge',
  'pay',
  'decline',
  'lose',
  'expire',
  'fail',
] as const
export type SessionEvent = (typeof SESSION_EVENTS)[number]

// Unspecified: a session's state after a decline, a shortage or an expiry. It stays open after the
// first two, so that another token or a new delivery can still complete it, and ends by the third.
const SESSIONS: Readonly<Record<SessionStatus, Partial<Record<SessionEvent, SessionStatus>>>> = {
  pending_confirmation: {
    update: 'pending_confirmation',
    /** Stock is gone: nothing was reserved. */
    short: 'pending_confirmation',
    /** Stock is reserved, and the PSP is being asked. */
    charge: 'completing',
    expire: 'expired',
    /** The PSP tells late of a payment that we had given up. */
    pay: 'completed',
  },
  completing: {
    /** The PSP took the charge: an order stands, paid or awaiting the result. */
    pay: 'completed',
    decline: 'pending_confirmation',
    /** The PSP knows of no charge. */
    lose: 'pending_confirmation',
  },
  completed: {
    /** Its order's payment failed after all: spec, "mark the order failed; allow retry". */
    fail: 'pending_confirmation',
  },
  expired: { pay: 'completed' },
}

/** What happens to an order: the PSP's three events, a second try, and the merchant's moves. */
export const ORDER_EVENTS = [
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
export type OrderEventName = (typeof ORDER_EVENTS)[number]

// Unspecified: the states beyond confirmed and failed. They are those that buyers ask about; goods
// can come back once they have left, and an order can be canceled until then.
const ORDERS: Readonly<Record<OrderStatus, Partial<Record<OrderEventName, OrderStatus>>>> = {
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

/** Where an event takes a session; null when it has no place in this state. */
export const nextSession = (from: SessionStatus, event: SessionEvent): SessionStatus | null =>
  SESSIONS[from][event] ?? null

/**
 * Where an event takes an order; null when it has no place in this state, as a payment's failure
 * that arrives after its success. A dispute moves nothing: it raises the flag.
 */
export const nextOrder = (from: OrderStatus, event: OrderEventName): OrderStatus | null =>
  ORDERS[from][event] ?? null
