import { randomBytes } from 'node:crypto'
import { afterAll, inject } from 'vitest'
import { rulesOf } from '../../shared/audit/checks/index.ts'
import type { PageSeen } from '../../shared/audit/evidence.ts'
import { type AuditResult, NO_LINKS, toResult } from '../../shared/audit/result/result.ts'
import { pass } from '../../shared/audit/rule.ts'
import type { CheckName } from '../../shared/audit/vocabulary.ts'
import type { Fetched } from '../../shared/web/http/fetched.ts'
import { createKey, type NewKey } from '../access/make-key.ts'
import { createSiteAccesses } from '../access/site-access.ts'
import { createApp } from '../app.ts'
import { createCallers } from '../attribution/agents/callers.ts'
import { createBeaconDays } from '../attribution/beacon/days.ts'
import { createIngest } from '../attribution/ingest/ingest.ts'
import { prepareSnippet } from '../attribution/snippet/asset.ts'
import type { DomainAudit } from '../audit/audit-domain.ts'
import { createFetcher, fetchOnce } from '../audit/probe/fetch/fetch.ts'
import { createAuditRuns } from '../audit/runs/runs.ts'
import { validateDocument } from '../audit/validate-manifest.ts'
import { createWalks, type WalksDeps } from '../audit/walk/jobs.ts'
import { pretendStore } from '../audit/walk/testing/pretend-store.ts'
import { collectCollectorCode } from '../build/collector-code.ts'
import { collectRecipeCode } from '../build/recipe-code.ts'
import { SCOPES } from '../db/access/scopes.ts'
import { connect, type Database } from '../db/connect.ts'
import { noRetentionYet } from '../db/retention/retention.ts'
import { TEST_SEALER } from '../db/sealing/testing/test-sealer.ts'
import { ask as askDatabase, dropDatabase, named } from '../db/testing/citus.ts'
import { readWatchFigures } from '../db/watch/figures.ts'
import { createLogSums } from '../http/log-sums.ts'
import { createServiceMetrics } from '../ops/metrics.ts'
import { NO_CHECKS, NO_LOAD } from '../ops/testing/no-load.ts'
import { ASSETS_WITHOUT_CONTENT, prepareAssets } from '../pages/assets.ts'
import type { PageDeps } from '../pages/site.tsx'
import { NO_DOWNLOADS } from '../pages/tools/orders/testing/no-downloads.ts'
import { createLog } from '../process/log.ts'
import { serviceKeys } from '../signatures/service-keys.ts'
import { createChannels } from '../watch/channels/channels.ts'

const opened: Database[] = []
/** On a cluster, where databases are dropped before the end of the run: see `dropDatabase`. */
const spread: string[] = []
const DROPPED_WITHIN_MS = 300_000
afterAll(async () => {
  await Promise.all(opened.map(({ close }) => close()))
  for (const name of spread) {
    await Promise.all(inject('nodeUrls').map((url) => dropDatabase(url, name)))
  }
}, DROPPED_WITHIN_MS)

/**
 * An empty database for the caller. It is dropped when the run ends, with its template, or before.
 */
export async function testDatabase(templateUrl = inject('templateUrl')): Promise<Database> {
  const template = new URL(templateUrl)
  const own = new URL(template)
  own.pathname += `_${randomBytes(6).toString('hex')}`
  const [from = '', to = ''] = [template, own].map(({ pathname }) => pathname.slice(1))
  const nodes = nodesOf(templateUrl)
  if (nodes.length > 1) spread.push(to)
  for (const url of nodes) {
    // A template that is being copied must have no connection, so this runs in another database.
    // Files are copied as they are: half the work of a copy through the log.
    await askDatabase(named(url, 'postgres'), (sql) =>
      sql.unsafe(`create database ${to} template ${from} strategy file_copy`),
    )
  }
  return connectAgain(own.href)
}

/** Where a template is: on a cluster the service's is on each node. The store's never is. */
const nodesOf = (templateUrl: string): string[] =>
  templateUrl === inject('templateUrl') && inject('nodeUrls').length > 0
    ? inject('nodeUrls')
    : [templateUrl]

/** A database without tables, by its URL. It is dropped like those of `testDatabase`. */
export async function emptyDatabase(): Promise<string> {
  const own = new URL(inject('templateUrl'))
  own.pathname += `_${randomBytes(6).toString('hex')}`
  await askDatabase(named(own.href, 'postgres'), (sql) =>
    sql.unsafe(`create database ${own.pathname.slice(1)} template template1`),
  )
  return own.href
}

/** Connections to a database of `testDatabase`, as if of another process. */
export async function connectAgain(url: string): Promise<Database> {
  const database = await connect({ databaseUrl: url, dataDir: '', migrations: null })
  opened.push(database)
  return database
}

/** A whole result without a gap, as the engine makes it. */
export const cleanResult = (domain: string, checks: readonly CheckName[], at: Date): AuditResult =>
  toResult(
    domain,
    checks,
    rulesOf(checks).map((rule) => ({ rule, verdict: pass() })),
    at,
    NO_LINKS,
  )

/** An audit that read no product, and kept no answers. */
export const auditWith = (result: AuditResult): DomainAudit => ({ result, titles: [], answers: {} })

/** Named like the real ones, and empty. */
const TEST_ASSETS = prepareAssets(ASSETS_WITHOUT_CONTENT)

const NO_PAGE: PageSeen = {
  fetched: { kind: 'not_asked', reason: 'tests stay off the network' },
  page: null,
}

/** For what tests do not request. */
const OFFLINE = createFetcher({ userAgent: 'Test/1', resolve: async () => [] })

const offline = (url: string) => fetchOnce(OFFLINE, { url, maxBytes: 1 })

type AppOverrides = Partial<PageDeps> & {
  /** The target of walks; by default a store that answers immediately. */
  store?: Pick<WalksDeps, 'walk' | 'cancelLeftOpen' | 'longestMs'>
  /** What key directories answer; none answers by default. */
  readKeys?: (url: string) => Promise<Fetched>
  /** Shared with another app, like between replicas. */
  database?: Database
}

interface Asking extends Pick<RequestInit, 'method' | 'signal'> {
  /** Null for none; by default the app's own. */
  key?: string | null
  /** POST by default. */
  body?: unknown
  headers?: Record<string, string>
}

/** Sent as it is: text, or its bytes in an encoding. */
export const isText = (body: unknown): body is string | ArrayBuffer =>
  typeof body === 'string' || body instanceof ArrayBuffer

/** The app on its own database, with an engine that answers immediately and counts its calls. */
export async function testApp({ store = pretendStore(), ...given }: AppOverrides = {}) {
  const { database = await testDatabase(), readKeys = offline, ...overrides } = given
  const { db, sql, url, load, schema } = database
  const lines: string[] = []
  const audited: { domain: string; checks: CheckName[]; agents?: boolean }[] = []
  const now = overrides.now ?? (() => new Date())
  const log = createLog({ write: (line) => lines.push(line) })
  const ingest = overrides.ingest ?? createIngest({ sql, now, log })
  const beaconDays = overrides.beaconDays ?? createBeaconDays({ sql, now, log })
  const sums = overrides.sums ?? createLogSums(log)
  const baseUrl = overrides.baseUrl ?? 'https://aisle.example'
  const siteAccess = createSiteAccesses({ db, now, sealer: TEST_SEALER })
  const walks = overrides.walks ?? createWalks({ db, now, log, baseUrl, siteAccess, ...store })
  const channels =
    overrides.channels ?? createChannels({ db, now, log, baseUrl, fetcher: OFFLINE, mailer: null })
  const metrics = createServiceMetrics({
    ingest,
    sums,
    engine: () => NO_LOAD,
    walks: walks.load,
    pool: load,
    reachedNodes: database.reachedNodes,
    looks: () => NO_CHECKS,
    readSchema: schema.read,
    readWatches: () => readWatchFigures(db, now()),
    retention: noRetentionYet(),
  })
  const app = createApp({
    db,
    schemaFault: schema.fault,
    ingest,
    callers: createCallers({ db, now, read: readKeys, names: null }),
    beaconDays,
    sums,
    retentionMonths: 13,
    sessionsPerSecond: 300,
    completeFrom: '2000-01',
    now,
    log,
    walks,
    runs: createAuditRuns({ db, now, log }),
    channels,
    siteAccess,
    signingKeys: serviceKeys(TEST_SEALER),
    baseUrl,
    loggedRequests: { share: 1 },
    isShuttingDown: () => false,
    countAnswer: metrics.countAnswer,
    metrics,
    metricsToken: undefined,
    audit: async (request) => {
      audited.push(request)
      return auditWith(cleanResult(request.domain, request.checks, now()))
    },
    validateManifest: async () => validateDocument({}),
    snippet: await prepareSnippet('/* attribution.js */'),
    trustedProxies: [],
    readPage: async () => NO_PAGE,
    readEvidence: async () => ({}),
    checkFeed: async () => ({ problem: 'Nothing is fetched here.' }),
    localShops: null,
    hereOf: () => null,
    assets: TEST_ASSETS,
    decisions: [],
    recipeFiles: {
      code: collectRecipeCode(),
      collectors: collectCollectorCode(),
      downloads: NO_DOWNLOADS,
    },
    extension: [],
    help: { text: null, email: null },
    ...overrides,
  })
  const createTestKey = (change: Partial<NewKey> = {}) =>
    createKey(
      db,
      { name: 'test', scopes: [...SCOPES], domains: ['*'], expires_at: null, ...change },
      now(),
    )
  const { key } = await createTestKey()
  /**
   * Sends a request to the app with its key, or another; a body that is not text is sent as JSON.
   */
  const ask = (path: string, { key: bearer = key, body, headers, ...init }: Asking = {}) =>
    app.request(path, {
      ...(body !== undefined && {
        method: 'POST',
        body: isText(body) ? body : JSON.stringify(body),
      }),
      ...init,
      headers: {
        ...(bearer !== null && { Authorization: `Bearer ${bearer}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
    })
  const post = (body: unknown, asking: Omit<Asking, 'body'> = {}) =>
    ask('/api/audit', { body, ...asking })
  return {
    app,
    db,
    sql,
    url,
    log,
    ingest,
    beaconDays,
    sums,
    walks,
    channels,
    siteAccess,
    database,
    key,
    createTestKey,
    ask,
    post,
    lines,
    audited,
  }
}
