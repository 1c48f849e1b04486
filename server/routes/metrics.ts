import { OpenAPIHono } from '@hono/zod-openapi'
import type { Deps } from '../deps.ts'
import { ApiError } from '../http/api-error.ts'
import type { ServerEnv } from '../http/env.ts'
import { carries } from '../metrics/bearer.ts'
import { answerMetrics } from '../metrics/port.ts'

/** `GET /metrics`, for callers with the operator's token. Without a token it does not exist. */
export const metricsRoutes = ({
  metrics,
  metricsToken,
}: Pick<Deps, 'metrics' | 'metricsToken'>) => {
  const app = new OpenAPIHono<ServerEnv>()
  app.get('/metrics', (c) => {
    if (metricsToken === undefined) return c.notFound()
    if (carries(metricsToken, c.req.header('Authorization') ?? null)) return answerMetrics(metrics)
    throw new ApiError(
      401,
      'invalid_token',
      'Send the operator\'s token in the header "Authorization: Bearer <METRICS_TOKEN>".',
      { headers: { 'WWW-Authenticate': 'Bearer realm="metrics"' } },
    )
  })
  return app
}
