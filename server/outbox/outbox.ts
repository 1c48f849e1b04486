import type { FetchLimits } from '../audit/probe/fetch/session.ts'
import type { Attempt, DeliveryOutcome } from './schedule.ts'

/**
 * What is to be delivered, over tables of its own. A delivery belongs to who claimed it until its
 * lease is over, which is longer than an attempt takes: after a crash it is simply due again.
 */
export interface Outbox<Receiver extends { id: string }, Delivery> {
  now: () => Date
  /** From 0 to 1, for the jitter. */
  random?: (() => number) | undefined
  /** Up to `most` receivers that something is due for. */
  due: (now: Date, most: number) => Promise<Receiver[]>
  /** Leases what is due for one receiver, up to its limit of simultaneous deliveries. */
  claim: (receiver: Receiver, now: Date) => Promise<Delivery[]>
  /** Begins to send: one batch, well within its lease. */
  open: () => OpenBatch<Receiver, Delivery>
  /** Tries of it that failed. */
  failedOf: (delivery: Delivery) => number
  /** Milliseconds before each try; those of Standard Webhooks unless given. */
  delaysOf?: (receiver: Receiver) => readonly number[]
  /** Stores the outcome of a try. */
  note: (
    receiver: Receiver,
    delivery: Delivery,
    outcome: DeliveryOutcome,
    now: Date,
  ) => Promise<void>
}

interface OpenBatch<Receiver, Delivery> {
  send: (receiver: Receiver, delivery: Delivery) => Promise<Attempt>
  /** Ends what is under way. */
  close: () => Promise<void>
}

/** How long a delivery belongs to the process that claimed it. */
export const DELIVERY_LEASE_MS = 60_000

/** Standard Webhooks: "a timeout of 15-30s". One session is one batch, well within its lease. */
export const WEBHOOK_LIMITS: Partial<FetchLimits> = {
  headersMs: 15_000,
  totalMs: 20_000,
  auditMs: 25_000,
  perHost: 4,
}

/** Standard Webhooks: "payloads should be kept under 20kb". */
export const MAX_PAYLOAD_BYTES = 20_000
