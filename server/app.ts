import { OpenAPIHono } from '@hono/zod-openapi'
import { methodNotAllowed } from 'hono/method-not-allowed'
import type { AuditResult, CheckName } from '../shared/audit.ts'
import type { ManifestValidation } from '../shared/manifest-validation.ts'
import type { Db } from './db/connect.ts'
import type { ApiKey } from './db/keys.ts'
import { answerError, answerMethodNotAllowed, answerNotFound, refuseInvalid } from './errors.ts'
import type { Log } from './log.ts'
import { frameRequest } from './request.ts'
import { auditRoutes } from './routes/audit.ts'
import { healthRoutes } from './routes/health.ts'
import { manifestRoutes } from './routes/manifest.ts'
import { serveOpenApi } from './routes/openapi.ts'

export interface Deps {
  db: Db
  /** Audits a domain over the network. A store's faults are its result; it rejects only for ours. */
  audit: (request: { domain: string; checks: CheckName[] }) => Promise<AuditResult>
  /** Fetches a published manifest and judges it; whatever comes back is the answer. */
  validateManifest: (url: string) => Promise<ManifestValidation>
  now: () => Date
  log: Log
  /** Where the world reaches this service, without a slash at the end. */
  baseUrl: string
  isShuttingDown: () => boolean
}

export interface ServerEnv {
  Variables: {
    requestId: string
    /** Set behind `requireKey`. */
    key: ApiKey
  }
}

export type Api = ReturnType<typeof createApp>

export function createApp(deps: Deps) {
  const app = new OpenAPIHono<ServerEnv>({ defaultHook: refuseInvalid })
  app.onError(answerError(deps.log))
  app.notFound(answerNotFound)
  app.use(frameRequest(deps))
  app.use(methodNotAllowed({ app, onMethodNotAllowed: answerMethodNotAllowed }))

  const routes = app
    .route('/', healthRoutes(deps))
    .route('/', auditRoutes(deps))
    .route('/', manifestRoutes(deps))
  serveOpenApi(app, deps.baseUrl)
  return routes
}
