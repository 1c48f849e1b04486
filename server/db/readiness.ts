import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Db } from './connect.ts'
import { isDatabaseUnavailable, isDiskFull } from './failures.ts'

/** Whether changes can be written, or why not. */
export type Readiness = 'ready' | 'silent' | 'unwritable'

const DATABASE_MS = 2000

/** Asks in bounded time. One question for all who ask meanwhile: anyone may, as often as they like. */
export function createReadiness(db: Db): () => Promise<Readiness> {
  let asking: Promise<Readiness> | null = null
  return () => {
    asking ??= askDatabase(db).finally(() => {
      asking = null
    })
    return Promise.race([asking, sleep(DATABASE_MS, 'silent' as const, { ref: false })])
  }
}

/** What an orchestrator is told. */
export const UNREADY = {
  silent: 'The database does not respond. Try again in a few seconds.',
  unwritable:
    'The database takes no changes: it is read-only, or its disk is full. Nothing is recorded until that is fixed.',
}

/**
 * A snapshot is exported to see whether changes can be written: Postgres writes it to a small file
 * beside its data and removes it with the transaction, so that no row, log or table grows by this.
 */
async function askDatabase(db: Db): Promise<Readiness> {
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
