import type { Db } from '../../db/connect.ts'
import type { KeyRing } from '../../signatures/keys.ts'
import type { ProtocolSource } from '../db/statuses.ts'
import type { RefundEvent } from '../orders/report-refunds.ts'
import type { Enqueue } from '../orders/states.ts'
import type { Acceptance } from '../psp/acceptance.ts'
import type { Psp } from '../psp/psp.ts'
import type { ProductView } from '../shop/product-views.ts'

/** Spec, Attribution event: those of a checkout, as the store sends them. */
export interface CheckoutEvent {
  event: 'ai_checkout_initiated' | 'ai_checkout_completed' | 'ai_checkout_failed'
  domain: string
  session_id: string
  source: ProtocolSource
  ai_surface?: string
  properties: {
    value: number
    currency: string
    /** The agent's spelling, if it differs from the id. */
    ai_surface_sent?: string
    /** The reason for a failure. */
    reason?: 'payment_declined' | 'out_of_stock' | 'canceled'
    /** How long its completion took. */
    duration_ms?: number
  }
  timestamp: string
}

/** What the store reports to the hosted API. */
export type StoreEvent = CheckoutEvent | ProductView | RefundEvent

/** The stage of a completion: a test stops the process there. */
export type CompletionStep = 'locked' | 'reserved' | 'charged' | 'ordered' | 'committed'

export interface StoreDeps {
  db: Db
  psp: Psp
  now: () => Date
  enqueue: Enqueue
  /** What answers and webhooks are signed with. */
  signingKeys: KeyRing
  /** Returns immediately, and never throws. */
  report: (event: StoreEvent) => void
  /** How an agent can pay: for the payment handlers of the official dialects. */
  acceptance: Acceptance
  /** How long an agent waits for an answer before it has to ask again. Spec: 5 s at most. */
  answerMs: number
  /** Checkouts that one buyer may create, and in how many seconds. */
  quota: { requests: number; seconds: number }
  /** Checkouts that one platform of the official dialects may create, and in how many seconds. */
  platformQuota: { requests: number; seconds: number }
  /**
   * Called at the end of each complete or confirm with its duration and final HTTP status, even if
   * the agent was asked earlier to retry.
   */
  observeCompletion?: (seconds: number, status: number) => void
  /**
   * Gets the reason why a payment is in doubt or failed, for the log; the buyer gets fewer details.
   */
  onError?: (error: unknown) => void
  onStep?: (step: CompletionStep) => Promise<void> | void
}
