import { createRoute, OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import { createReadiness } from '../db/connection/readiness.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../http/api-error.ts'
import type { ServerEnv } from '../http/env.ts'
import { jsonContent } from './openapi/component.ts'
import { errorResponses } from './openapi/error-responses.ts'

const Healthy = z.object({ status: z.literal('ok').describe('It is well') })
const content = jsonContent(Healthy, { status: 'ok' })

/**
 * `GET /livez`: the process answers. `GET /readyz`: it can do its work, and is not shutting down.
 */
export function healthRoutes({
  db,
  schemaFault,
  isShuttingDown,
}: Pick<Deps, 'db' | 'schemaFault' | 'isShuttingDown'>) {
  const livez = createRoute({
    method: 'get',
    path: '/livez',
    operationId: 'livez',
    tags: ['Health'],
    summary: 'Whether the process is alive',
    responses: { 200: { description: 'Alive', content }, ...errorResponses([405, 500]) },
  })
  const readyz = createRoute({
    method: 'get',
    path: '/readyz',
    operationId: 'readyz',
    tags: ['Health'],
    summary: 'Whether the service can take requests',
    responses: {
      200: { description: 'Ready', content },
      ...errorResponses([405, 500, 503], {
        503: 'The database does not respond, takes no changes or lacks a migration, or the service is starting or shutting down (`not_ready`).',
      }),
    },
  })

  const findReason = createReadiness(db, schemaFault)
  const app = new OpenAPIHono<ServerEnv>()
  app.openapi(livez, (c) => c.json({ status: 'ok' as const }, 200))
  app.openapi(readyz, async (c) => {
    if (isShuttingDown()) throw notReady('The service is shutting down. Use another replica.')
    const reason = await findReason()
    if (reason !== null) throw notReady(reason)
    return c.json({ status: 'ok' as const }, 200)
  })
  return app
}

export const notReady = (message: string) =>
  new ApiError(503, 'not_ready', message, { headers: { 'Retry-After': '5' } })
