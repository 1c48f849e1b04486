import { OpenAPIHono } from '@hono/zod-openapi'
import type { Deps } from '../deps.ts'
import type { ServerEnv } from '../http/env.ts'
import { answerError } from '../http/errors.ts'
import { frameRequest } from '../http/request.ts'
import { healthRoutes, notReady } from '../routes/health.ts'

const STARTING = 'The service is starting. Try again in a few seconds.'

type StartingDeps = Pick<
  Deps,
  | 'db'
  | 'schemaFault'
  | 'isShuttingDown'
  | 'log'
  | 'sums'
  | 'now'
  | 'baseUrl'
  | 'countAnswer'
  | 'loggedRequests'
>

/** Answers until the tables are ready: the service is alive, and not ready. */
export function createStartingApp(deps: StartingDeps) {
  const app = new OpenAPIHono<ServerEnv>()
  app.onError(answerError(deps.log))
  app.use(frameRequest(deps))
  const schemaFault = async () => (await deps.schemaFault()) ?? STARTING
  app.route('/', healthRoutes({ ...deps, schemaFault }))
  app.all('*', () => {
    throw notReady(STARTING)
  })
  return app
}
