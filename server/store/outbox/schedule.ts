import type { Fetched } from '../../../shared/web/fetched.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Milliseconds before each try, counted from the one before (Standard Webhooks, its schedule). */
export const RETRY_DELAYS: readonly number[] = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]

/**
 * Those of a platform: UCP's conformance tests want the second try within five seconds, and the outbox
 * looks once a second.
 */
export const PLATFORM_RETRY_DELAYS: readonly number[] = [0, 2 * SECOND, ...RETRY_DELAYS.slice(2)]

/** Adds up to so much of a delay, so that what failed together does not come back together. */
export const JITTER = 0.1

/** The longest that a receiver may ask us to wait. */
export const MAX_RETRY_AFTER_MS = 24 * HOUR

/** An endpoint is given up when nothing reached it for so long. */
export const DISABLE_AFTER_MS = 5 * 24 * HOUR

/** The result of an attempt. `gone`: the receiver does not want any further events (HTTP 410). */
export type DeliveryOutcome =
  | { is: 'delivered'; status: number }
  | { is: 'gone'; status: number; error: string }
  | { is: 'retry'; status: number | null; error: string; at: Date }
  | { is: 'given_up'; status: number | null; error: string }
  | { is: 'unsent' }

interface Try {
  /** Tries that failed before this one. */
  failed: number
  now: Date
  /** From 0 to 1. */
  random: () => number
  delays?: readonly number[]
}

/** Judges an answer: 2xx alone is success, and a redirect is a failure like any other. */
export function judgeDelivery(
  fetched: Fetched,
  { failed, now, random, delays = RETRY_DELAYS }: Try,
): DeliveryOutcome {
  if (fetched.kind === 'not_asked') return { is: 'unsent' }
  const status = fetched.kind === 'answer' ? fetched.status : null
  if (status !== null && status >= 200 && status < 300) return { is: 'delivered', status }
  const error = fetched.kind === 'answer' ? `HTTP ${fetched.status}` : fetched.message
  if (status === 410) return { is: 'gone', status, error }
  const delay = delays[failed + 1]
  if (delay === undefined) return { is: 'given_up', status, error }
  const own = Math.round(delay * (1 + JITTER * random()))
  const asked = fetched.kind === 'answer' ? retryAfter(fetched, now) : 0
  return { is: 'retry', status, error, at: new Date(now.getTime() + Math.max(own, asked)) }
}

/** Milliseconds that a receiver under load asks for: seconds or an HTTP date, no longer than a day. */
export function retryAfter(
  { status, headers }: { status: number; headers: Record<string, string> },
  now: Date,
): number {
  const text = headers['retry-after']?.trim()
  if ((status !== 429 && status !== 503) || !text) return 0
  const asked = /^\d+$/.test(text) ? Number(text) * SECOND : Date.parse(text) - now.getTime()
  return Number.isNaN(asked) ? 0 : Math.min(Math.max(asked, 0), MAX_RETRY_AFTER_MS)
}
