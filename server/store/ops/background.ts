import { createFetcher } from '../../audit/probe/fetch/fetch.ts'
import type { TestHosts } from '../../audit/probe/fetch/test-hosts.ts'
import { WEBHOOK_LIMITS } from '../../audit/probe/fetch/webhook.ts'
import { runOutbox } from '../../jobs/outbox.ts'
import { addProcessMetrics } from '../../metrics/process.ts'
import type { StoreDeps } from '../checkout/deps.ts'
import { webhookHeadersAt } from '../faults/hosts.ts'
import { orderOutbox } from '../outbox/outbox.ts'
import { STORE_AGENT } from '../shop/settings.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { runRefunder } from './refunder.ts'
import { runRepeats } from './report-again.ts'
import { createReporter } from './reporter.ts'
import { runSweeper } from './sweeper.ts'

/** Time for the report queue when the store stops. */
const GRACE_MS = 1000

interface BackgroundConfig {
  /** AISLE_URL and AISLE_KEY; undefined: nothing is reported. */
  reporting: { url: string; key: string } | undefined
  testHosts: TestHosts
  /** Names of faults that every host has. */
  faults: readonly string[]
}

interface Background {
  /**
   * The dependencies of the store's routes: checkouts with metrics and reports, refunds and product
   * views with reports.
   */
  deps: StoreDeps
  metrics: Metrics
  stop: () => Promise<void>
}

/**
 * Starts the background work of a store: the sweeper, refunds, webhook deliveries and reports.
 * Throws if AISLE_URL is not a valid URL.
 */
export function startBackground(
  { reporting, testHosts, faults }: BackgroundConfig,
  deps: StoreDeps,
  onError: (error: unknown) => void,
): Background {
  const { db, now } = deps
  const fetcherOptions = { userAgent: STORE_AGENT, testHosts }
  const metrics = createMetrics({ db, now })
  addProcessMetrics(metrics.registry)
  const reporter =
    reporting &&
    createReporter({
      ...reporting,
      fetcherOptions,
      count: metrics.countReport,
      onRefused: (message) => onError(new Error(message)),
      onDropped: (event) => repeats?.noteDropped(event),
    })
  const fetcher = createFetcher({ ...fetcherOptions, limits: WEBHOOK_LIMITS })
  const { observeCompletion } = metrics
  const watched = { ...deps, observeCompletion, report: reporter?.report ?? deps.report, onError }
  const repeats = reporter && runRepeats(watched, onError)
  const outbox = orderOutbox({
    ...{ db, now, fetcher, headersAt: webhookHeadersAt(faults) },
    signingKeys: deps.signingKeys,
  })
  // What goes on after a request or comes back on time: each is a line here.
  const jobs: { stop: () => Promise<void> }[] = [
    runSweeper(watched, onError),
    runRefunder(watched, onError),
    runOutbox(outbox, onError),
    ...(repeats ? [repeats] : []),
  ]
  return {
    deps: watched,
    metrics,
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()))
      await reporter?.stop(GRACE_MS)
      await fetcher.close()
    },
  }
}
