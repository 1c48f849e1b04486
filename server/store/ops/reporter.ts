import { setTimeout as sleep } from 'node:timers/promises'
import type { Fetched } from '../../../shared/web/fetched.ts'
import { field } from '../../../shared/web/json.ts'
import { createFetcher, type FetcherOptions } from '../../audit/probe/fetch/fetch.ts'
import type { StoreEvent } from '../checkout/deps.ts'

/** Events that wait; beyond it the oldest view of a product is dropped, or else the oldest event. */
export const MAX_WAITING = 1000

/** Milliseconds between the tries of one event. */
const RETRY_DELAYS = [1000, 5000, 30_000, 120_000, 300_000, 600_000]

/** Stands in for an `http:` address: the guard lets no other name lead into a private network. */
const INSIDE = 'aisle.invalid'

/** `refused`: the API said no for good. `dropped`: too many waited, or the API was down too long. */
export type ReportResult = 'sent' | 'refused' | 'dropped'

export interface ReporterOptions {
  /** AISLE_URL: the address of the hosted API. By `http:` it may stand in a private network. */
  url: string
  /** AISLE_KEY, with the scope report:write. */
  key: string
  /** Counts what became of each event. */
  count: (result: ReportResult) => void
  /** Called with the reason when the API rejects an event: a person has to fix it. */
  onRefused: (message: string) => void
  fetcherOptions: FetcherOptions
  delays?: readonly number[]
  maxWaiting?: number
}

export interface Reporter {
  /** Returns immediately and never throws (spec, Hosted API, rule 1). */
  report(event: StoreEvent): void
  /** Tries what waits once more, for at most `graceMs`; the rest is dropped. */
  stop(graceMs: number): Promise<void>
}

/**
 * Reports checkouts, refunds and views of products to the hosted API in the background, one after the other. An API that is slow,
 * wrong or down costs at most the memory of 1000 events. Throws when `url` is not a valid URL.
 */
export function createReporter(options: ReporterOptions): Reporter {
  const { count, onRefused, delays = RETRY_DELAYS, maxWaiting = MAX_WAITING } = options
  const post = poster(options)
  const waiting: StoreEvent[] = []
  const stopping = new AbortController()
  const { signal } = stopping
  let working: Promise<void> | null = null

  const deliver = async (event: StoreEvent): Promise<ReportResult> => {
    // The same over all tries: an answer that was lost is not counted twice.
    const id = crypto.randomUUID()
    for (const delay of [...delays, null]) {
      const answer = await post.send(event, id)
      if (isSuccess(answer)) return 'sent'
      if (isFinal(answer)) {
        onRefused(whyRefused(answer))
        return 'refused'
      }
      if (delay === null || signal.aborted) break
      await sleep(delay, undefined, { signal }).catch(() => {})
    }
    return 'dropped'
  }
  const work = async () => {
    for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) {
      count(await deliver(event))
    }
    working = null
  }

  return {
    report(event) {
      if (signal.aborted) return count('dropped')
      if (waiting.push(event) > maxWaiting) {
        // Views are many, and no checkout may be lost for them.
        waiting.splice(Math.max(0, waiting.findIndex(isView)), 1)
        count('dropped')
      }
      working ??= work()
    },
    async stop(graceMs) {
      stopping.abort()
      await Promise.race([working, sleep(graceMs)])
      for (const _ of waiting.splice(0)) count('dropped')
      await post.close()
    },
  }
}

const isView = ({ event }: StoreEvent): boolean => event === 'ai_product_viewed'

/** Posts one event; an answer that does not come is an answer too. */
function poster({ url, key, fetcherOptions }: ReporterOptions) {
  const base = readBase(url)
  const isInside = base.protocol === 'http:'
  const testHosts = fetcherOptions.testHosts ?? []
  const fetcher = createFetcher({
    ...fetcherOptions,
    testHosts: isInside ? [...testHosts, { pattern: INSIDE, origin: base.origin }] : testHosts,
  })
  const origin = isInside ? `https://${INSIDE}` : base.origin
  const target = `${origin}${base.pathname.replace(/\/+$/, '')}/api/report`
  return {
    async send(event: StoreEvent, id: string): Promise<Fetched> {
      const session = fetcher.open()
      try {
        return await session.request({
          method: 'POST',
          url: target,
          headers: { authorization: `Bearer ${key}`, 'idempotency-key': id },
          json: event,
          maxBytes: 4096,
        })
      } finally {
        await session.close()
      }
    },
    close: () => fetcher.close(),
  }
}

function readBase(text: string): URL {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash) return url
  throw new Error(
    'AISLE_URL is not a valid URL such as https://aisle.example. Correct it or unset it.',
  )
}

const isSuccess = (answer: Fetched) =>
  answer.kind === 'answer' && answer.status >= 200 && answer.status < 300

/** Answers that a retry cannot change: every 3xx and 4xx except timeouts and rate limits. */
const isFinal = (answer: Fetched) =>
  answer.kind === 'answer' && answer.status < 500 && ![408, 425, 429].includes(answer.status)

function whyRefused(answer: Fetched): string {
  if (answer.kind !== 'answer') return ''
  const message = field(field(parseBody(answer.body), 'error'), 'message')
  const why = typeof message === 'string' ? ` (${message.slice(0, 300)})` : ''
  return `Aisle rejected an event with HTTP ${answer.status}${why}. Check AISLE_URL and AISLE_KEY.`
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
