import type { Hono } from 'hono'
import type { Db } from '../../db/connect.ts'
import { createReadiness } from '../../db/connection/readiness.ts'
import { ucpRefusal } from '../http/refusals.ts'
import { type Env, send } from '../http/routing.ts'
import { json } from '../http/store-request.ts'

interface HealthDeps {
  db: Db
  schemaFault: () => Promise<string | null>
  isShuttingDown: () => boolean
}

/**
 * `GET /livez`: the process answers. `GET /readyz`: it can do its work, and is not shutting down.
 * The orchestrator does not use a shop's host name, so these come before the host check.
 */
export function routeHealth(app: Hono<Env>, { db, schemaFault, isShuttingDown }: HealthDeps): void {
  const findReason = createReadiness(db, schemaFault)
  const ok = () => send(json({ status: 'ok' }, PRIVATE))
  app.get('/livez', ok)
  app.get('/readyz', async () => {
    if (isShuttingDown()) return unready('The store is shutting down. Use another replica.')
    const reason = await findReason()
    return reason === null ? ok() : unready(reason)
  })
}

const PRIVATE = { headers: { 'cache-control': 'no-store' } }

function unready(message: string): Response {
  const { headers, ...reply } = ucpRefusal(503, { code: 'not_ready', message, retryable: true })
  return send({ ...reply, headers: { ...headers, ...PRIVATE.headers, 'retry-after': '5' } })
}
