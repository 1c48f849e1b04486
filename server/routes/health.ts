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
export function healthRoutes({ db, isShuttingDown }: Deps) {
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
        503: 'The database does not respond or takes no changes, or the service is shutting down (`not_ready`).',
      }),
    },
  })

  let asking: ReturnType<typeof askDatabase> | null = null
  return new OpenAPIHono<ServerEnv>()
    .openapi(livez, (c) => c.json({ status: 'ok' as const }, 200))
    .openapi(readyz, async (c) => {
      if (isShuttingDown()) throw notReady('The service is shutting down. Use another replica.')
      // One question for all who ask meanwhile: anyone may, as often as they like.
      asking ??= askDatabase(db).finally(() => {
        asking = null
      })
      const late = sleep(DATABASE_MS, 'silent' as const, { ref: false })
      const answer = await Promise.race([asking, late])
      if (answer !== 'ready') throw notReady(REASONS[answer])
      return c.json({ status: 'ok' as const }, 200)
    })
}

const REASONS = {
  silent: 'The database does not respond. Try again in a few seconds.',
  unwritable:
    'The database takes no changes: it is read-only, or its disk is full. Nothing is recorded until that is fixed.',
}

/**
 * Whether changes can be written. A snapshot is exported for that: Postgres writes it to a small file
 * beside its data and removes it with the transaction, so that no row, log or table grows by this.
 */
async function askDatabase(db: Db): Promise<'ready' | keyof typeof REASONS> {
  try {
    return await db.transaction(async (tx) => {
      const [row] = await tx.execute<{ readonly: boolean }>(
        sql`select current_setting('transaction_read_only')::boolean as readonly`,
      )
      if (row?.readonly !== false) return 'unwritable'
      await tx.execute(sql`select pg_export_snapshot()`)
      return 'ready'
    })
  } catch (error) {
    return isDatabaseUnavailable(error) && !isDiskFull(error) ? 'silent' : 'unwritable'
  }
}

const notReady = (message: string) =>
  new ApiError(503, 'not_ready', message, { headers: { 'Retry-After': '5' } })
