import { OpenAPIHono } from '@hono/zod-openapi'
import { methodNotAllowed } from 'hono/method-not-allowed'
import type { AuditResult, CheckName } from '../shared/audit.ts'
import type { PageSeen } from '../shared/evidence.ts'
import type { ManifestValidation } from '../shared/manifest-validation.ts'
import type { TrustedProxies } from './client-address.ts'
import type { OperatorHelp } from './config.ts'
import type { Db } from './db/connect.ts'
import type { ApiKey } from './db/keys.ts'
import { answerError, answerMethodNotAllowed, answerNotFound, refuseInvalid } from './errors.ts'
import type { Ingest } from './ingest/ingest.ts'
import type { Log } from './log.ts'
import type { PageAssets } from './pages/assets.ts'
import { answerNotFoundPage, pageRoutes } from './pages/page-routes.tsx'
import { frameRequest } from './request.ts'
import { auditRoutes } from './routes/audit.ts'
import { healthRoutes } from './routes/health.ts'
import { manifestRoutes } from './routes/manifest.ts'
import { serveOpenApi } from './routes/openapi.ts'
import { propertyRoutes } from './routes/properties.ts'
import { reportRoutes } from './routes/report.ts'
import { reportEventRoutes } from './routes/report-event.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { snippetRoutes } from './routes/snippet.ts'
import type { SnippetAsset } from './snippet-asset.ts'

export interface Deps {
  db: Db
  /** Audits a domain over the network. Rejects only for errors of ours, never for the store's. */
  audit: (request: { domain: string; checks: CheckName[] }) => Promise<AuditResult>
  /** Fetches and validates a published manifest. A failed fetch is part of the result. */
  validateManifest: (url: string) => Promise<ManifestValidation>
  /** Reads one page of a store, as an audit does. */
  readPage: (url: string) => Promise<PageSeen>
  /** Stores attribution events. */
  ingest: Ingest
  /** How many whole months of events are kept in addition to the current one. */
  retentionMonths: number
  /** The first month, such as `2026-11`, whose events were all there when the service started. */
  wholeFrom: string
  now: () => Date
  log: Log
  /** The public URL of this service, without a trailing slash. */
  baseUrl: string
  /** attribution.js, ready to be served. */
  snippet: SnippetAsset
  /** The proxies whose X-Forwarded-For header is trusted. */
  trustedProxies: TrustedProxies
  /** The style, scripts and icon of the pages. */
  assets: PageAssets
  /** How to get a key from this operator. */
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
