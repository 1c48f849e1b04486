import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { pino } from 'pino'
import { NO_ACCESS } from '../../../access/testing/no-access.ts'
import { createApp } from '../../../app.ts'
import { createFetcher } from '../../../audit/probe/fetch/fetch.ts'
import { createAuditRuns } from '../../../audit/runs/runs.ts'
import { createWalks } from '../../../audit/walk/jobs.ts'
import { createBatcher } from '../../../db/batching/batcher.ts'
import { connect } from '../../../db/connect.ts'
import { findSessions } from '../../../db/events/events.ts'
import { noRetentionYet } from '../../../db/retention/retention.ts'
import { TEST_SEALER } from '../../../db/sealing/testing/test-sealer.ts'
import { shardsOf } from '../../../db/sharding/shards.ts'
import { parseTrustProxy } from '../../../http/client-address.ts'
import { createLogSums } from '../../../http/log-sums.ts'
import { createServiceMetrics } from '../../../ops/metrics.ts'
import { NO_CHECKS, NO_LOAD, NO_WALKS, NO_WATCHES } from '../../../ops/testing/no-load.ts'
import { ASSETS_WITHOUT_CONTENT, prepareAssets } from '../../../pages/assets.ts'
import { NO_DOWNLOADS } from '../../../pages/tools/orders/testing/no-downloads.ts'
import { createLog } from '../../../process/log.ts'
import { serviceKeys } from '../../../signatures/service-keys.ts'
import { onLoopback } from '../../../testing/on-loopback.ts'
import { createChannels } from '../../../watch/channels/channels.ts'
import { createBeaconDays } from '../../beacon/days.ts'
import { prepareSnippet } from '../../snippet/asset.ts'
import { classifyEvents } from '../classify-events.ts'
import type { IncomingEvent, Recorded } from '../event.ts'
import { createIngest } from '../ingest.ts'
import { storeEvents } from '../store-events.ts'

// What ingest.bench.ts compares, built and in a process of its own as in production:
// `node testing.js <database url>` prints the port of each, and answers each message with the
// processor's time that it has used so far, in microseconds.

const { db, sql, load, reachedNodes, schema } = await connect({
  databaseUrl: process.argv[2],
  dataDir: '',
  migrations: null,
})
const now = () => new Date()
const log = createLog(pino.destination('/dev/null'))
const shards = shardsOf(sql)
const grouped = createIngest({ sql, now, log, shards })

const sums = createLogSums(log)
const metrics = createServiceMetrics({
  ingest: grouped,
  sums,
  engine: () => NO_LOAD,
  walks: () => NO_WALKS,
  pool: load,
  reachedNodes,
  looks: () => NO_CHECKS,
  readSchema: schema.read,
  readWatches: async () => NO_WATCHES,
  retention: noRetentionYet(),
})

const baseUrl = 'https://aisle.example'
const fetcher = createFetcher({ userAgent: 'Test/1', resolve: async () => [] })

const notHere = () => Promise.reject(new Error('not here'))
const walks = createWalks({
  db,
  now,
  log,
  baseUrl,
  siteAccess: NO_ACCESS,
  walk: notHere,
  cancelLeftOpen: notHere,
})

const appWith = async (record: (event: IncomingEvent) => Promise<Recorded>) =>
  createApp({
    db,
    siteAccess: NO_ACCESS,
    signingKeys: serviceKeys(TEST_SEALER),
    schemaFault: async () => null,
    ingest: { ...grouped, record },
    callers: { verify: notHere, verifierFor: notHere },
    beaconDays: createBeaconDays({ sql, now, log }),
    sums,
    walks,
    runs: createAuditRuns({ db, now, log }),
    channels: createChannels({ db, now, log, baseUrl, fetcher, mailer: null }),
    countAnswer: metrics.countAnswer,
    metrics,
    metricsToken: undefined,
    retentionMonths: 13,
    sessionsPerSecond: 100_000,
    completeFrom: '2000-01',
    now,
    log,
    baseUrl: 'https://aisle.example',
    snippet: await prepareSnippet(''),
    trustedProxies: parseTrustProxy('loopback'),
    loggedRequests: { share: 1 },
    isShuttingDown: () => false,
    audit: notHere,
    validateManifest: notHere,
    checkFeed: notHere,
    localShops: null,
    hereOf: () => null,
    readPage: notHere,
    readEvidence: notHere,
    assets: await prepareAssets(ASSETS_WITHOUT_CONTENT),
    decisions: [],
    recipeFiles: { code: {}, collectors: {}, downloads: NO_DOWNLOADS },
    extension: [],
    help: { text: null, email: null },
  })

const NEW = { replayed: false, conflict: false, surface: 'chatgpt', confidence: 0.85, notes: [] }

const sink = createBatcher<IncomingEvent, Recorded>({
  flush: async (batch) => batch.map(() => ({ ...NEW, event_id: randomUUID() })),
  splitsOn: () => false,
  maxBatch: 500,
  maxItems: 20_000,
  maxBytes: Number.POSITIVE_INFINITY,
  waitMs: 5_000,
})

const CONTESTANTS: Record<string, Pick<Hono, 'fetch'>> = {
  grouped: await appWith(grouped.record),
  /** The same work for each request by itself. */
  alone: await appWith(async (event) => {
    const at = shards.at([event.domain])
    const known = await findSessions(at, [event])
    const [recorded] = await storeEvents(at, [event], classifyEvents([event], known, now()).rows)
    if (!recorded) throw new Error('nothing recorded')
    return recorded
  }),
  /** A row in one table: no ledger, no session, no sums. */
  row: await appWith(async (event) => {
    const [row] = classifyEvents([event], [], now()).rows
    if (!row) throw new Error('nothing placed')
    await sql.unsafe(
      'insert into events select * from jsonb_populate_record(null::events, $1::jsonb)',
      [JSON.stringify({ ...row, opens_session: true })],
      { prepare: true },
    )
    return { ...NEW, event_id: row.id }
  }),
  /** All but what a flush does. */
  noop: await appWith((event) => sink.add(event)),
  bare: new Hono().post('/api/report', async (c) => c.json(await c.req.json())),
}

const ports = await Promise.all(
  Object.entries(CONTESTANTS).map(async ([name, app]) => [name, (await onLoopback(app)).port]),
)
process.on('message', () => process.send?.(process.cpuUsage()))
process.stdout.write(`${JSON.stringify(Object.fromEntries(ports))}\n`)
