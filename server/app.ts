import { OpenAPIHono } from '@hono/zod-openapi'
import type { Hono } from 'hono'
import { methodNotAllowed } from 'hono/method-not-allowed'
import type { ServerEnv } from './http/env.ts'
import {
  answerError,
  answerMethodNotAllowed,
  answerNotFound,
  refuseInvalid,
} from './http/errors.ts'
import { frameRequest } from './http/request.ts'
import { answerNotFoundPage, pageRoutes } from './pages/page-routes.tsx'
import type { PageDeps } from './pages/site.tsx'
import { agentProfileRoutes } from './routes/agent-profile.ts'
import { auditRoutes } from './routes/audit/audit.ts'
import { storedAuditRoutes } from './routes/audit/audits.ts'
import { fetchRoutes } from './routes/fetches/fetches.ts'
import { fetchReportRoutes } from './routes/fetches/read-fetches.ts'
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
import { siteAccessRoutes } from './routes/site-access.ts'
import { snippetRoutes } from './routes/snippet.ts'
import { totalsRoutes } from './routes/totals.ts'
import { walkLinkRoutes } from './routes/walk/links.ts'
import { walkRoutes } from './routes/walk/walk.ts'
import { watchChannelRoutes } from './routes/watch/channels.ts'
import { watchRoutes } from './routes/watch/watches.ts'

/** The routes that the extension calls. The types of all routes are slow to check. */
export type ApiRoutes = Hono<
  ServerEnv,
  SchemaOf<typeof auditRoutes> &
    SchemaOf<typeof walkRoutes> &
    SchemaOf<typeof manifestRoutes> &
    SchemaOf<typeof propertyRoutes> &
    SchemaOf<typeof reportRoutes>
>

type SchemaOf<Routes extends (deps: PageDeps) => unknown> =
  ReturnType<Routes> extends OpenAPIHono<ServerEnv, infer S> ? S : never

export function createApp(deps: PageDeps) {
  const app = new OpenAPIHono<ServerEnv>({ defaultHook: refuseInvalid })
  // Not chained: hono would put the types of all routes together.
  const mount = (routes: OpenAPIHono<ServerEnv>) => app.route('/', routes)
  app.onError(answerError(deps.log))
  app.notFound(answerNotFoundPage(deps, answerNotFound))
  mount(reportEventRoutes(deps))
  mount(sessionRoutes(deps))
  app.use(frameRequest(deps))
  app.use(methodNotAllowed({ app, onMethodNotAllowed: answerMethodNotAllowed }))

  mount(healthRoutes(deps))
  mount(auditRoutes(deps))
  mount(storedAuditRoutes(deps))
  mount(walkLinkRoutes(deps))
  mount(walkRoutes(deps))
  mount(siteAccessRoutes(deps))
  mount(manifestRoutes(deps))
  mount(proposalRoutes(deps))
  mount(agentProfileRoutes(deps))
  mount(gapsJsonRoutes(deps))
  mount(schemaRoutes())
  mount(snippetRoutes(deps))
  mount(propertyRoutes(deps))
  mount(reportRoutes(deps))
  mount(totalsRoutes(deps))
  mount(fetchRoutes(deps))
  mount(fetchReportRoutes(deps))
  mount(watchRoutes(deps))
  mount(watchChannelRoutes(deps))
  const document = serveOpenApi(app, deps.baseUrl)
  mount(metricsRoutes(deps))
  mount(mcpRoutes(deps, app.fetch))
  mount(pageRoutes(deps, document))
  return app
}
