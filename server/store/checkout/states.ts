import type { SessionStatus } from '../db/statuses.ts'

/** The events of a checkout session. */
export const SESSION_TRIGGERS = [
  'update',
  'short',
  'charge',
  'pay',
  'decline',
  'lose',
  'expire',
  'fail',
  'cancel',
] as const
export type SessionTrigger = (typeof SESSION_TRIGGERS)[number]

// Unspecified: after a decline or a shortage a session stays open, so that another token or a new
// delivery can still complete it; an expiry ends it.
const SESSIONS: Readonly<Record<SessionStatus, Partial<Record<SessionTrigger, SessionStatus>>>> = {
  pending_confirmation: {
    update: 'pending_confirmation',
    /** Out of stock: nothing was reserved. */
    short: 'pending_confirmation',
    /** Stock is reserved, and the PSP is being asked. */
    charge: 'completing',
    expire: 'expired',
    cancel: 'canceled',
    /** The PSP reports a payment late that we had written off. */
    pay: 'completed',
  },
  completing: {
    /** The PSP took the charge: there is an order, paid or awaiting the result. */
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
  /** Money came after all: the order stays, and a person must check it. */
  canceled: { pay: 'completed' },
}

/** The state after an event; null if this state does not allow it. */
export const nextSession = (from: SessionStatus, trigger: SessionTrigger): SessionStatus | null =>
  SESSIONS[from][trigger] ?? null
