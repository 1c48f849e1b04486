import type { Fetched } from '../../shared/web/http/fetched.ts'
import { retryAfterMs } from '../../shared/web/http/retry-after.ts'

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

/** Adds up to so much of a delay, so that what failed together does not come back together. */
export const JITTER = 0.1

/** The longest that a receiver may ask us to wait. */
export const MAX_RETRY_AFTER_MS = 24 * HOUR

/**
 * A receiver is given up when nothing reached it for so long. Where little is sent, one failed try
 * may be all that is known of that time: so what is not yet given up by itself has been tried for
 * three days.
 */
const DISABLE_AFTER_MS = 5 * 24 * HOUR
const TRIED_FOR_MS = 3 * 24 * HOUR

/**
 * Why a failure is unlike others. `gone`: the receiver does not want anything any more. `final`: it
 * would fail in the same way each time. `ours`: it failed before the receiver was asked, which says
 * nothing of it.
 */
type FailureCause = 'gone' | 'final' | 'ours'

/** What came of one try. */
export type Attempt =
  | { is: 'delivered'; status: number }
  /** It was not sent, which counts for nothing. */
  | { is: 'unsent' }
  | {
      is: 'failed'
      /** Null: there was no answer. */
      status: number | null
      error: string
      because?: FailureCause | undefined
      /** Milliseconds that the receiver asks us to wait. */
      waitMs?: number
    }

/** What follows from a try. `gone`: the receiver does not want any further messages (HTTP 410). */
export type DeliveryOutcome =
  | { is: 'delivered'; status: number }
  | { is: 'gone'; status: number | null; error: string }
  | { is: 'retry'; status: number | null; error: string; at: Date; because?: 'ours' }
  | { is: 'given_up'; status: number | null; error: string; because?: 'ours' }
  | { is: 'unsent' }

interface Try {
  /** Tries that failed before this one. */
  failed: number
  now: Date
  /** From 0 to 1. */
  random: () => number
  delays?: readonly number[]
}

/** Reads an answer: 2xx alone is success, and a redirect is a failure like any other. */
export function attemptOf(fetched: Fetched, now: Date): Attempt {
  if (fetched.kind === 'not_asked') return { is: 'unsent' }
  if (fetched.kind === 'no_answer') {
    return { is: 'failed', status: null, error: fetched.message }
  }
  const { status } = fetched
  if (status >= 200 && status < 300) return { is: 'delivered', status }
  return {
    is: 'failed',
    status,
    error: `HTTP ${status}`,
    because: status === 410 ? 'gone' : undefined,
    waitMs: retryAfter(fetched, now),
  }
}

/** Judges a try: whether there is another, and when. */
export function judgeAttempt(
  attempt: Attempt,
  { failed, now, random, delays = RETRY_DELAYS }: Try,
): DeliveryOutcome {
  if (attempt.is !== 'failed') return attempt
  const { status, error, because, waitMs = 0 } = attempt
  if (because === 'gone') return { is: 'gone', status, error }
  const failure = { status, error, ...(because === 'ours' && { because }) }
  const delay = because === 'final' ? undefined : delays[failed + 1]
  if (delay === undefined) return { is: 'given_up', ...failure }
  const own = Math.round(delay * (1 + JITTER * random()))
  return { is: 'retry', ...failure, at: new Date(now.getTime() + Math.max(own, waitMs)) }
}

/**
 * What follows for a receiver: since when nothing reaches it, and whether it is given up.
 * `waited_since`: when what was tried was first to be sent.
 */
export function judgeReceiver(
  failing_since: Date | null,
  outcome: Exclude<DeliveryOutcome, { is: 'unsent' }>,
  { now, waited_since }: { now: Date; waited_since: Date },
): { failing_since: Date | null; isOver: boolean } {
  if (outcome.is === 'delivered') return { failing_since: null, isOver: false }
  if (outcome.is !== 'gone' && outcome.because === 'ours') return { failing_since, isOver: false }
  const since = failing_since ?? now
  const isFor = (moment: Date, ms: number) => now.getTime() - moment.getTime() >= ms
  const wasTried = outcome.is === 'given_up' || isFor(waited_since, TRIED_FOR_MS)
  const isOver = outcome.is === 'gone' || (wasTried && isFor(since, DISABLE_AFTER_MS))
  return { failing_since: since, isOver }
}

/**
 * Milliseconds that a receiver under load asks for: seconds or an HTTP date, no longer than a day.
 */
export function retryAfter(
  { status, headers }: { status: number; headers: Record<string, string> },
  now: Date,
): number {
  if (status !== 429 && status !== 503) return 0
  return Math.min(retryAfterMs(headers, now) ?? 0, MAX_RETRY_AFTER_MS)
}
