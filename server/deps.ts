import type { SiteAccesses } from './access/site-access.ts'
import type { Callers } from './attribution/agents/callers.ts'
import type { BeaconDays } from './attribution/beacon/days.ts'
import type { Ingest } from './attribution/ingest/ingest.ts'
import type { SnippetAsset } from './attribution/snippet/asset.ts'
import type { Engine } from './audit/engine.ts'
import type { AuditRuns } from './audit/runs/runs.ts'
import type { Walks } from './audit/walk/jobs.ts'
import type { OperatorHelp } from './config.ts'
import type { Db } from './db/connect.ts'
import type { TrustedProxies } from './http/client-address.ts'
import type { LogSums } from './http/log-sums.ts'
import type { LoggedRequests } from './http/request.ts'
import type { MetricsText } from './metrics/port.ts'
import type { CountAnswer } from './metrics/requests.ts'
import type { Log } from './process/log.ts'
import type { ServiceKeys } from './signatures/service-keys.ts'
import type { Channels } from './watch/channels/channels.ts'

/** The parts of the service: `serve.ts` builds it, the routes and pages get it as an argument. */
export interface Deps
  extends Pick<
    Engine,
    | 'audit'
    | 'validateManifest'
    | 'readPage'
    | 'readEvidence'
    | 'checkFeed'
    | 'localShops'
    | 'hereOf'
  > {
  db: Db
  /** Whole purchases, which go on after the request that started them. */
  walks: Walks
  /** Audits of pages, which go on in the same way. */
  runs: AuditRuns
  /** What owners give for their sites. */
  siteAccess: SiteAccesses
  /** The notification channels of watched domains. */
  channels: Channels
  /** What our requests to stores are signed with. */
  signingKeys: ServiceKeys
  /** Why this build does not work with the current tables; null: it works. */
  schemaFault: () => Promise<string | null>
  /** Stores attribution events. */
  ingest: Ingest
  /** Verifies whose agents call. */
  callers: Callers
  /** Counts what storefronts send. */
  beaconDays: BeaconDays
  /** How many whole months of events are kept in addition to the current one. */
  retentionMonths: number
  /** How many sessions of one property are stored per second. */
  sessionsPerSecond: number
  /** The first month, such as `2026-11`, whose events were all there when the service started. */
  completeFrom: string
  now: () => Date
  log: Log
  /** Log lines about input that anyone may send. */
  sums: LogSums
  /** Which requests have a line in the log. */
  loggedRequests: LoggedRequests
  /** The public URL of this service, without a trailing slash. */
  baseUrl: string
  /** attribution.js, ready to be served. */
  snippet: SnippetAsset
  /** The proxies whose X-Forwarded-For header is trusted. */
  trustedProxies: TrustedProxies
  /** How to get a key from this operator. */
  help: OperatorHelp
  isShuttingDown: () => boolean
  countAnswer: CountAnswer
  metrics: MetricsText
  /** The token of `/metrics`; undefined: the public port has none. */
  metricsToken: string | undefined
}
