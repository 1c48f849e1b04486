import { createFetcher, fetchOnce } from '../audit/probe/fetch/fetch.ts'
import type { Database } from '../db/connect.ts'
import { serveMetrics } from '../metrics/port.ts'
import { createListener } from '../process/listener.ts'
import type { Stoppable } from '../process/until-signal.ts'
import { createDirectories, directoryRequest } from '../signatures/agents/directories.ts'
import { createStore } from './app.ts'
import {
  type CardEntry,
  noCardEntry,
  razorpayEntry,
  stripeCardEntry,
  testCardEntry,
} from './buyer/card-entry.ts'
import type { PspConfig, StoreConfig } from './config.ts'
import {
  createPlatformProfiles,
  PROFILE_FETCHER,
} from './dialects/ucp/negotiation/platform-profiles.ts'
import { openStore } from './open.ts'
import { startBackground } from './ops/background.ts'

interface ServedStore extends Stoppable {
  /** The actual port if `config.port` is 0. */
  port: number
  /** The port that only serves the metrics; null: there is none. */
  metricsPort: number | null
}

/**
 * Connects, listens, answers, and works in the background. Rejects with what to do about it. A test
 * may pass another clock by `timeAt`.
 */
export async function serveStore(
  config: StoreConfig,
  onError: (error: unknown, requestId?: string) => void,
  timeAt?: (now: Date) => Date,
): Promise<ServedStore> {
  const opened = await openStore(config, timeAt)
  const cleanups: ((announced?: boolean) => Promise<unknown>)[] = [opened.close]
  const stop = async (announced?: boolean) => {
    for (const clean of cleanups.splice(0).reverse()) await clean(announced)
  }
  try {
    // Answers and webhooks are signed: a store that cannot does not open.
    await opened.deps.signingKeys.current(opened.deps.db, opened.deps.now())
    const { acp, faults, official, snippetUrl, adminKey, hosts } = config
    const { deps, metrics, ...background } = startBackground(config, opened.deps, onError)
    cleanups.push(background.stop)
    const ownPort = await serveMetrics(config.metrics, metrics)
    cleanups.push(ownPort.close)
    const { host, stopTimes } = config
    const profileFetcher = createFetcher({ ...PROFILE_FETCHER, testHosts: config.testHosts })
    cleanups.push(profileFetcher.close)
    const listener = createListener(stopTimes)
    const store = createStore({
      deps,
      metrics,
      acp,
      trustsProfiles: config.trustsProfiles,
      faults,
      official,
      card: cardEntryOf(config.payments),
      trustedProxies: config.trustedProxies,
      platforms: createPlatformProfiles({ fetcher: profileFetcher }),
      directories: createDirectories({
        read: (url) => fetchOnce(profileFetcher, directoryRequest(url)),
      }),
      onError,
      schemaFault: opened.schema.fault,
      isShuttingDown: listener.isStopping,
      ...(config.metrics.token && { metricsToken: config.metrics.token }),
      ...(adminKey && { adminKey }),
      ...(hosts && { hosts }),
      ...(snippetUrl && { snippetUrl }),
    })
    const at = { host, port: config.port, setting: 'STORE_PORT' }
    const port = await listener.listen(store.fetch, at)
    cleanups.push(listener.stop)
    if (config.migrate) cleanups.push(finishSchema(opened.schema, onError))
    opened.sendPaymentsTo(`http://127.0.0.1:${port}/webhooks/psp`)
    const { graceMs } = stopTimes
    return { port, metricsPort: ownPort.port, failed: opened.failed, stop, graceMs }
  } catch (error) {
    await stop()
    throw error
  }
}

/** How the checkout page takes cards for this PSP. */
function cardEntryOf(payments: PspConfig): CardEntry {
  if (payments.psp === 'test') return testCardEntry
  if (payments.psp === 'stripe' && payments.publishableKey) {
    return stripeCardEntry(payments.publishableKey)
  }
  if (payments.psp === 'razorpay') return razorpayEntry(payments.keyId)
  return noCardEntry
}

/** Applies migrations that this build does not need, such as indexes. Returns its stop. */
function finishSchema(
  schema: Database['schema'],
  onError: (error: unknown) => void,
): () => Promise<void> {
  const leaving = new AbortController()
  const { signal } = leaving
  const finished = schema.migrate({ signal }).then(
    () => {},
    (error) => signal.aborted || onError(error),
  )
  return async () => {
    leaving.abort()
    await finished
  }
}
