import { setTimeout as sleep } from 'node:timers/promises'
import { createRoute, OpenAPIHono } from '@hono/zod-openapi'
import { sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Db } from '../db/connect.ts'
import { isDatabaseUnavailable, isDiskFull } from '../db/failures.ts'
import type { Deps } from '../deps.ts'
import type { ServerEnv } from '../http/env.ts'
import { ApiError } from '../http/errors.ts'
import { errorResponses } from './error-responses.ts'

const Healthy = z.object({ status: z.literal('ok') })
const content = { 'application/json': { schema: Healthy } }

const DATABASE_MS = 2000

/** `GET /livez`: the process answers. `GET /readyz`: it can do its work, and is not shutting down. */
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

  let asking: Promise<string | null> | null = null
  return new OpenAPIHono<ServerEnv>()
    .openapi(livez, (c) => c.json({ status: 'ok' as const }, 200))
    .openapi(readyz, async (c) => {
      if (isShuttingDown()) throw notReady('The service is shutting down. Use another replica.')
      // One question for all who ask meanwhile: anyone may, as often as they like.
      asking ??= findReason(db, schemaFault).finally(() => {
        asking = null
      })
      const late = sleep(DATABASE_MS, SILENT, { ref: false })
      const reason = await Promise.race([asking, late])
      if (reason !== null) throw notReady(reason)
      return c.json({ status: 'ok' as const }, 200)
    })
}

const SILENT = 'The database does not respond. Try again in a few seconds.'
const UNWRITABLE =
  'The database takes no changes: it is read-only, or its disk is full. Nothing is recorded until that is fixed.'

/**
 * Why nothing can be written, or null. A snapshot is exported for that: Postgres writes it to a small
 * file beside its data and removes it with the transaction, so that no row, log or table grows by this.
 */
async function findReason(db: Db, schemaFault: Deps['schemaFault']): Promise<string | null> {
  try {
    return (await schemaFault()) ?? (await findUnwritable(db))
  } catch (error) {
    return isDatabaseUnavailable(error) && !isDiskFull(error) ? SILENT : UNWRITABLE
  }
}

const findUnwritable = (db: Db): Promise<string | null> =>
  db.transaction(async (tx) => {
    const [row] = await tx.execute<{ readonly: boolean }>(
      sql`select current_setting('transaction_read_only')::boolean as readonly`,
    )
    if (row?.readonly !== false) return UNWRITABLE
    await tx.execute(sql`select pg_export_snapshot()`)
    return null
  })

export const notReady = (message: string) =>
  new ApiError(503, 'not_ready', message, { headers: { 'Retry-After': '5' } })
