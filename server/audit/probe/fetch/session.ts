import { setTimeout as pause } from 'node:timers/promises'
import pLimit, { type LimitFunction } from 'p-limit'
import type { Answer, Fetched } from '../../../../shared/web/http/fetched.ts'
import type { Signer } from '../../../signatures/signer.ts'
import { answerFailure, Failure } from './failure.ts'
import type { FairClock } from './fair-clock.ts'
import { type Ask, follow } from './follow.ts'
import type { FetchRequest } from './request.ts'
import type { TestHosts } from './test-hosts.ts'

/** Times in milliseconds. */
export interface FetchLimits {
  dnsMs: number
  connectMs: number
  headersMs: number
  /** One request with its redirects, from when it is sent to its last byte. */
  totalMs: number
  /** One session. */
  auditMs: number
  redirects: number
  /** Requests per session; a redirect is part of its request. */
  perAudit: number
  parallel: number
  perHost: number
}

/**
 * A slow store gets its answers in, and one that never answers cannot hold an audit for longer than
 * its deadline. Two connections per host are less than a browser opens.
 */
export const DEFAULT_LIMITS: FetchLimits = {
  dnsMs: 2000,
  connectMs: 3000,
  headersMs: 5000,
  totalMs: 10_000,
  auditMs: 30_000,
  redirects: 5,
  perAudit: 31,
  parallel: 6,
  perHost: 2,
}

/** One audit's requests: a budget, one deadline, limits on requests in parallel and per host. */
export interface FetchSession extends Pick<FairClock, 'aside' | 'after' | 'waited'> {
  /** Never throws. A request beyond the budget or the deadline is not sent. */
  request(input: FetchRequest): Promise<Fetched>
  /** Requests asked for so far, out of `perAudit`. */
  readonly used: number
  /** The origin of our profile as an agent. */
  readonly agentBase: string
  /**
   * The origin under which its requests are signed; null where they are not, or an owner's
   * signature stands in place of ours.
   */
  signedAs(): string | null
  /** Signs no further request: a store that refuses what is signed is read without. */
  stopSigning(): void
  /** Ends what is under way and closes every connection. */
  close(): Promise<void>
}

// Unspecified: the answer `unreachable` takes at least 50 ms, so that the time does not reveal
// whether an address was refused, a name has no address, or a port of a nearby host is closed.
const UNREACHABLE_FLOOR_MS = 50

/** Whether a session signs what it sends. */
export interface SigningState {
  signer: Signer | null
  /** The owner of the store gave a signature, which is sent there instead. */
  isOwners: boolean
}

interface SessionOptions {
  limits: FetchLimits
  testHosts: TestHosts
  deadlineMs: number
  agentBase: string
  /** Milliseconds since any moment: how long an answer took is measured by it. */
  clock: () => number
  /** By which the limits are measured. */
  fair: FairClock
  askWith: (signal: AbortSignal) => Ask
  signing: SigningState
  /** Called for each request when it is sent; the result is called when it is over. */
  onSend?: ((url: string) => () => void) | undefined
  onClose: () => Promise<void>
}

/** The budget, the deadline and the queue of one audit. Every failure becomes evidence here. */
export function openSession(options: SessionOptions): FetchSession {
  const { limits, deadlineMs, fair } = options
  const deadline = fair.waited() + deadlineMs
  const parallel = pLimit(limits.parallel)
  const hosts = new Map<string, LimitFunction>()
  const live = new Set<AbortController>()
  let closed = false
  let used = 0

  // A queue for each host: a store with a slow third party must not wait for it, nor the reverse.
  const perHost = (url: string) => {
    const host = URL.parse(url)?.host ?? ''
    const limit = hosts.get(host) ?? pLimit(limits.perHost)
    hosts.set(host, limit)
    return limit
  }

  const send = async (input: FetchRequest): Promise<Fetched> => {
    const limitMs = Math.round(Math.min(limits.totalMs, deadline - fair.waited()))
    if (closed) return notAsked('the audit has ended')
    if (limitMs <= 0) return notAsked(`the audit's time of ${deadlineMs} ms was used up`)
    const controller = new AbortController()
    const late = new Failure('timeout', `no complete response within ${limitMs} ms; respond faster`)
    // One timer covers DNS, connection, redirects and body, which have limits of their own as well.
    const cancel = fair.after(limitMs, () => controller.abort(late))
    live.add(controller)
    const over = options.onSend?.(input.url)
    try {
      return await exchange(input, options, controller.signal)
    } finally {
      over?.()
      cancel()
      live.delete(controller)
    }
  }

  return {
    async request(input) {
      if (used >= limits.perAudit) {
        return notAsked(`the audit's budget of ${limits.perAudit} requests was used up`)
      }
      // Counted when it is asked for, so that waiting requests are part of the budget.
      used += 1
      // The host's queue comes first: a request that waits in it must not take a parallel slot.
      return perHost(input.url)(() => parallel(() => send(input)))
    },
    aside: fair.aside,
    after: fair.after,
    waited: fair.waited,
    agentBase: options.agentBase,
    signedAs: () => {
      const { signer, isOwners } = options.signing
      return isOwners ? null : (signer?.origin ?? null)
    },
    stopSigning() {
      options.signing.signer = null
    },
    get used() {
      return used
    },
    async close() {
      closed = true
      for (const controller of live) controller.abort(new Failure('timeout', 'the audit has ended'))
      await options.onClose()
    },
  }
}

/** Less is the clock's own inaccuracy; and no limit is so short that it could turn on it. */
const LEAST_LAG_MS = 50
const SLOW_MS = 1000

/** One request from its first redirect to the last byte. All that is thrown becomes evidence. */
async function exchange(
  input: FetchRequest,
  { limits, testHosts, askWith, clock }: SessionOptions,
  signal: AbortSignal,
): Promise<Fetched> {
  const { url, method = 'GET' } = input
  const started = clock()
  const began = performance.now()
  const elapsed = () => Math.round(clock() - started)
  const redirects: Answer['redirects'] = []
  try {
    const options = { ask: askWith(signal), testHosts, most: limits.redirects }
    const answer = await unlessAborted(signal, follow(input, redirects, options))
    const ms = elapsed()
    const lag = Math.round(performance.now() - began) - ms
    const isSlow = ms + lag >= SLOW_MS && lag >= LEAST_LAG_MS
    return { kind: 'answer', method, url, ...answer, redirects, ms, ...(isSlow && { lag_ms: lag }) }
  } catch (error) {
    const { why, message } = answerFailure(error)
    const least = why === 'unreachable' ? UNREACHABLE_FLOOR_MS : 0
    await pause(Math.max(0, least - elapsed()))
    const hop = redirects.at(-1)?.location.slice(0, 200)
    const text = hop === undefined ? message : `redirected to ${hop}: ${message}`
    return { kind: 'no_answer', method, url, why, message: text, ms: Math.max(least, elapsed()) }
  }
}

/** Rejects as soon as the signal aborts: undici ignores it while a request is still connecting. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}

function notAsked(reason: string): Fetched {
  return { kind: 'not_asked', reason }
}
