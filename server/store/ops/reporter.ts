import { createAisle } from '../../../aisle-node/aisle.ts'
import type { AisleAnswer, AisleRequest, AisleResult } from '../../../aisle-node/index.d.ts'
import { createFetcher, type FetcherOptions, fetchOnce } from '../../audit/probe/fetch/fetch.ts'
import type { StoreEvent } from '../checkout/deps.ts'

/** Stands in for an `http:` address: the guard lets no other name lead into a private network. */
const INSIDE = 'aisle.invalid'

/** How much of an answer is read. */
const MAX_ANSWER_BYTES = 4096

interface ReporterOptions {
  /** AISLE_URL: the address of the hosted API. With `http:` it may be in a private network. */
  url: string
  /** AISLE_KEY, with the scope report:write. */
  key: string
  /** Counts the result of each event. */
  count: (result: AisleResult) => void
  /** Called with the reason if the API rejects an event: a person has to fix it. */
  onRefused: (message: string) => void
  /** Called with an event that could not be delivered. */
  onDropped?: (event: StoreEvent) => void
  fetcherOptions: FetcherOptions
  delays?: readonly number[]
  maxWaiting?: number
}

export interface Reporter {
  /** Returns immediately and never throws (spec, Hosted API, rule 1). */
  report(event: StoreEvent): void
  /** Tries each waiting event once more, for at most `graceMs`; the rest is dropped. */
  stop(graceMs: number): Promise<void>
}

/**
 * Reports checkouts, refunds and product views to the hosted API, as `aisle-node` does for any shop
 * in Node, but through the guard of all requests. Throws if `url` is not a valid URL.
 */
export function createReporter(options: ReporterOptions): Reporter {
  const { key, count, onRefused, onDropped, delays, maxWaiting, fetcherOptions } = options
  const base = readBase(options.url)
  const isInside = base.protocol === 'http:'
  const testHosts = fetcherOptions.testHosts ?? []
  const fetcher = createFetcher({
    ...fetcherOptions,
    testHosts: isInside ? [...testHosts, { pattern: INSIDE, origin: base.origin }] : testHosts,
  })
  const aisle = createAisle({
    url: isInside ? `https://${INSIDE}${base.pathname}` : base.href,
    key,
    retryDelays: delays,
    maxWaiting,
    // The fetcher has its own limits.
    timeoutMs: 2 ** 31 - 1,
    send: guardedBy(fetcher),
    onResult: ({ result, event, message }) => {
      count(result)
      // The event, unchanged.
      if (result === 'dropped') onDropped?.(event as StoreEvent)
      if (result === 'refused' && message !== null) onRefused(message)
    },
  })
  return {
    report(event) {
      // Its promise never rejects, and `onResult` gets the same result.
      void aisle.report(event)
    },
    async stop(graceMs) {
      await aisle.close(graceMs)
      await fetcher.close()
    },
  }
}

/** Posts one event in its own session. Throws without an answer. */
const guardedBy =
  (fetcher: ReturnType<typeof createFetcher>) =>
  async ({ url, headers, body }: AisleRequest): Promise<AisleAnswer> => {
    const answer = await fetchOnce(fetcher, {
      method: 'POST',
      url,
      headers,
      jsonText: body,
      maxBytes: MAX_ANSWER_BYTES,
    })
    if (answer.kind !== 'answer') throw new Error(answer.kind)
    const { status, headers: received } = answer
    return { status, retryAfter: received['retry-after'], body: answer.body }
  }

function readBase(text: string): URL {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash) return url
  throw new Error(
    'AISLE_URL is not a valid URL such as https://aisle.example. Correct it or unset it.',
  )
}
