import { createAdaptorServer, type ServerType } from '@hono/node-server'
import { ENGINE_VERSION } from '../shared/audit/result.ts'
import { createFirstKey } from './access/auth.ts'
import { createApp } from './app.ts'
import { createBeaconDays } from './attribution/beacon/days.ts'
import { createIngest } from './attribution/ingest/ingest.ts'
import { loadSnippet } from './attribution/snippet/asset.ts'
import { keepSnippet } from './attribution/snippet/pinned.ts'
import type { Engine } from './audit/engine.ts'
import type { Config } from './config.ts'
import type { Clock } from './db/clock.ts'
import { connect, MIGRATIONS } from './db/connect.ts'
import { firstCompleteMonth } from './db/events/partitions.ts'
import { makeMonths, noRetentionYet, runRetention } from './db/retention/retention.ts'
import { createSchemaReader } from './db/schema-version.ts'
import type { Deps } from './deps.ts'
import { createLogSums } from './http/log-sums.ts'
import { serveMetrics } from './metrics/port.ts'
import { addProcessMetrics } from './metrics/process.ts'
import { createServiceMetrics } from './ops/metrics.ts'
import { loadAssets } from './pages/assets.ts'
import { loadExtension } from './pages/extension/packed.ts'
import { loadDecisions } from './pages/info/decisions.ts'

const REQUEST_MS = 10_000
const HEADERS_MS = 5_000
const CHECK_MS = 2_000
const DRAIN_MS = 10_000

export interface Service {
  /** The port in use: chosen by the system if `config.port` is 0. */
  port: number
  /** The port of the metrics alone; null: there is none. */
  metricsPort: number | null
  /** The key that was created for an empty database; null otherwise. */
  firstKey: string | null
  /** Resolves when the service cannot go on, with what to do about it. */
  failed: Promise<string>
  /** Finishes running requests, for at most ten seconds, then closes everything. */
  stop: () => Promise<void>
}

/** Connects to the database and listens. The error says how to fix it. */
export async function serveApi(
  { host, port, baseUrl, databaseUrl, dataDir, trustedProxies, help, ...kept }: Config,
  deps: Omit<Engine, 'close'> & Pick<Deps, 'log'> & { clock: Clock },
): Promise<Service> {
  const assets = await loadAssets()
  const decisions = await loadDecisions()
  const extension = await loadExtension()
  const snippet = await loadSnippet()
  const { clock, log } = deps
  const database = await connect({ databaseUrl, dataDir, migrations: MIGRATIONS, clock })
  try {
    const { db, sql, now } = database
    const { retentionMonths, auditRetentionDays } = kept
    await makeMonths({ sql, now })
    await keepSnippet(db, snippet, now())
    const ingest = createIngest({ sql, now, log })
    const beaconDays = createBeaconDays({ sql, now, log })
    const sums = createLogSums(log)
    const retained = noRetentionYet()
    const metrics = createServiceMetrics({
      ingest,
      sums,
      engine: deps.load,
      pool: database.load,
      readSchema: createSchemaReader(sql, MIGRATIONS),
      retention: retained,
    })
    addProcessMetrics(metrics.registry)
    let stopping = false
    const app = createApp({
      ...deps,
      db,
      now,
      ingest,
      beaconDays,
      sums,
      retentionMonths,
      completeFrom: await firstCompleteMonth(sql, now(), retentionMonths),
      baseUrl,
      snippet,
      trustedProxies,
      assets,
      decisions,
      extension,
      help,
      isShuttingDown: () => stopping,
      countAnswer: metrics.countAnswer,
      metrics,
      metricsToken: kept.metrics.token,
    })
    const server = createAdaptorServer({
      fetch: app.fetch,
      serverOptions: {
        requestTimeout: REQUEST_MS,
        headersTimeout: HEADERS_MS,
        connectionsCheckingInterval: CHECK_MS,
      },
    })
    const metricsPort = await serveMetrics(kept.metrics, metrics)
    const bound = await listen(server, host, port)
    const first = await createFirstKey(db, now())
    // Only now: an old database may have much to delete.
    const retention = runRetention({
      sql,
      months: retentionMonths,
      auditDays: auditRetentionDays,
      engineVersion: ENGINE_VERSION,
      now,
      log,
      figures: retained,
    })
    return {
      port: bound,
      metricsPort: metricsPort.port,
      firstKey: first?.key ?? null,
      failed: database.gone,
      stop: async () => {
        stopping = true
        const swept = retention.stop()
        await drain(server)
        await swept
        await ingest.drain()
        await beaconDays.flush()
        sums.flush()
        log.info({ events: ingest.counts }, 'drained')
        await metricsPort.close()
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

function listen(server: ServerType, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why =
        cause.code === 'EADDRINUSE'
          ? `Port ${port} of ${host} is already in use. Stop the program that uses it, or set PORT to another.`
          : `Cannot listen on port ${port} of ${host} (${cause.message}). Check HOST and PORT.`
      reject(new Error(why, { cause }))
    })
    server.listen(port, host, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}

function drain(server: ServerType): Promise<void> {
  if (!('closeAllConnections' in server)) return Promise.resolve()
  const idle = setInterval(() => server.closeIdleConnections(), 50)
  const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  return new Promise((resolve) => {
    server.close(() => {
      clearInterval(idle)
      clearTimeout(late)
      resolve()
    })
  })
}
