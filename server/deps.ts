import type { Ingest } from './attribution/ingest/ingest.ts'
import type { SnippetAsset } from './attribution/snippet/asset.ts'
import type { Engine } from './audit/engine.ts'
import type { OperatorHelp } from './config.ts'
import type { Db } from './db/connect.ts'
import type { TrustedProxies } from './http/client-address.ts'
import type { Log } from './log.ts'

/** What the service is made of: `serve.ts` builds it, the routes and pages take it as an argument. */
export interface Deps extends Omit<Engine, 'close'> {
  db: Db
  /** Where events go. */
  ingest: Ingest
  /** How many whole months of events are kept beside the current one. */
  retentionMonths: number
  /** The first month, such as `2026-11`, of which none was dropped before the service began. */
  wholeFrom: string
  now: () => Date
  log: Log
  /** Where the world reaches this service, without a slash at the end. */
  baseUrl: string
  /** attribution.js, ready to be served. */
  snippet: SnippetAsset
  /** Whose word on where a request comes from is believed. */
  trustedProxies: TrustedProxies
  /** How a key is had from this operator. */
  help: OperatorHelp
  isShuttingDown: () => boolean
}
