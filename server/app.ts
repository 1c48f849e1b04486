import { OpenAPIHono } from '@hono/zod-openapi'
import { methodNotAllowed } from 'hono/method-not-allowed'
import type { PageSeen } from '../shared/audit/evidence.ts'
import type { AuditResult } from '../shared/audit/result.ts'
import type { CheckName } from '../shared/audit/vocabulary.ts'
import type { ManifestValidation } from '../shared/manifest/validation.ts'
import type { Ingest } from './attribution/ingest/ingest.ts'
import type { SnippetAsset } from './attribution/snippet/asset.ts'
import type { OperatorHelp } from './config.ts'
import type { Db } from './db/connect.ts'
import type { ApiKey } from './db/keys.ts'
import type { TrustedProxies } from './http/client-address.ts'
import {
  answerError,
  answerMethodNotAllowed,
  answerNotFound,
  refuseInvalid,
} from './http/errors.ts'
import { frameRequest } from './http/request.ts'
import type { Log } from './log.ts'
import type { PageAssets } from './pages/assets.ts'
import { answerNotFoundPage, pageRoutes } from './pages/page-routes.tsx'
import { auditRoutes } from './routes/audit.ts'
import { healthRoutes } from './routes/health.ts'
import { manifestRoutes } from './routes/manifest.ts'
import { serveOpenApi } from './routes/openapi.ts'
import { propertyRoutes } from './routes/properties.ts'
import { reportRoutes } from './routes/report.ts'
import { reportEventRoutes } from './routes/report-event.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { snippetRoutes } from './routes/snippet.ts'

export interface Deps {
  db: Db
  /** Audits a domain over the network. A store's faults are its result; it rejects only for ours. */
  audit: (request: { domain: string; checks: CheckName[] }) => Promise<AuditResult>
  /** Fetches a published manifest and judges it; whatever comes back is the answer. */
  validateManifest: (url: string) => Promise<ManifestValidation>
  /** Reads one page of a store, as an audit does. */
  readPage: (url: string) => Promise<PageSeen>
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
  /** The style, scripts and icon of the pages. */
  assets: PageAssets
  /** How a key is had from this operator. */
  help: OperatorHelp
  isShuttingDown: () => boolean
}

export interface ServerEnv {
  Variables: {
    requestId: string
    /** Set behind `frameBusyRoute`. */
    headers: Record<string, string>
    /** Set behind `requireKey`. */
    key: ApiKey
  }
}

export type Api = ReturnType<typeof createApp>

export function createApp(deps: Deps) {
  const app = new OpenAPIHono<ServerEnv>({ defaultHook: refuseInvalid })
  app.onError(answerError(deps.log))
  app.notFound(answerNotFoundPage(deps, answerNotFound))
  const busy = app.route('/', reportEventRoutes(deps))
  app.use(frameRequest(deps))
  app.use(methodNotAllowed({ app, onMethodNotAllowed: answerMethodNotAllowed }))

  const routes = busy
    .route('/', healthRoutes(deps))
    .route('/', auditRoutes(deps))
    .route('/', manifestRoutes(deps))
    .route('/', snippetRoutes(deps))
    .route('/', sessionRoutes(deps))
    .route('/', propertyRoutes(deps))
    .route('/', reportRoutes(deps))
  const document = serveOpenApi(app, deps.baseUrl)
  app.route('/', pageRoutes(deps, document))
  return routes
}
