import { OpenAPIHono } from '@hono/zod-openapi'
import { methodNotAllowed } from 'hono/method-not-allowed'
import type { ServerEnv } from './http/env.ts'
import {
  answerError,
  answerMethodNotAllowed,
  answerNotFound,
  refuseInvalid,
} from './http/errors.ts'
import { frameRequest } from './http/request.ts'
import { RememberingRouter } from './http/router.ts'
import { answerNotFoundPage, pageRoutes } from './pages/page-routes.tsx'
import type { PageDeps } from './pages/site.tsx'
import { agentProfileRoutes } from './routes/agent-profile.ts'
import { auditRoutes } from './routes/audit/audit.ts'
import { storedAuditRoutes } from './routes/audit/audits.ts'
import { gapsJsonRoutes } from './routes/gaps-json.ts'
import { healthRoutes } from './routes/health.ts'
import { manifestRoutes } from './routes/manifest.ts'
import { mcpRoutes } from './routes/mcp.ts'
import { metricsRoutes } from './routes/metrics.ts'
import { serveOpenApi } from './routes/openapi/openapi.ts'
import { propertyRoutes } from './routes/properties.ts'
import { proposalRoutes } from './routes/proposals.ts'
import { reportRoutes } from './routes/report/report.ts'
import { reportEventRoutes } from './routes/report-event/report-event.ts'
import { schemaRoutes } from './routes/schemas.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { snippetRoutes } from './routes/snippet.ts'
import { totalsRoutes } from './routes/totals.ts'
import { walkLinkRoutes } from './routes/walk/links.ts'
import { walkRoutes } from './routes/walk/walk.ts'
import { watchChannelRoutes } from './routes/watch/channels.ts'
import { watchRoutes } from './routes/watch/watches.ts'

export type ApiRoutes = ReturnType<typeof createApp>

export function createApp(deps: PageDeps) {
  const app = new OpenAPIHono<ServerEnv>({
    defaultHook: refuseInvalid,
    router: new RememberingRouter(),
  })
  app.onError(answerError(deps.log))
  app.notFound(answerNotFoundPage(deps, answerNotFound))
  const busy = app.route('/', reportEventRoutes(deps)).route('/', sessionRoutes(deps))
  app.use(frameRequest(deps))
  app.use(methodNotAllowed({ app, onMethodNotAllowed: answerMethodNotAllowed }))

  const routes = busy
    .route('/', healthRoutes(deps))
    .route('/', auditRoutes(deps))
    .route('/', storedAuditRoutes(deps))
    .route('/', walkLinkRoutes(deps))
    .route('/', walkRoutes(deps))
    .route('/', manifestRoutes(deps))
    .route('/', proposalRoutes(deps))
    .route('/', agentProfileRoutes())
    .route('/', gapsJsonRoutes(deps))
    .route('/', schemaRoutes())
    .route('/', snippetRoutes(deps))
    .route('/', propertyRoutes(deps))
    .route('/', reportRoutes(deps))
    .route('/', totalsRoutes(deps))
    .route('/', watchRoutes(deps))
    .route('/', watchChannelRoutes(deps))
  const document = serveOpenApi(app, deps.baseUrl)
  app.route('/', metricsRoutes(deps))
  app.route('/', mcpRoutes(deps, app.fetch))
  app.route('/', pageRoutes(deps, document))
  return routes
}
