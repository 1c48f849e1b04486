import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Db } from '../connect.ts'
import { isDatabaseError, isDatabaseUnavailable, isDiskFull, isReadOnly } from './failures.ts'

const DATABASE_MS = 2000

/**
 * How a call is answered that failed because the database is away: 503, to be sent again after
 * these seconds. Null: it failed for another reason.
 */
export const databaseAway = (error: unknown): { retryAfter: number } | null =>
  isDatabaseError(error) && (isDatabaseUnavailable(error) || isReadOnly(error))
    ? { retryAfter: 5 }
    : null

/**
 * Asks why a program cannot do its work, in bounded time; null: it can. `schemaFault` tells what is
 * wrong with the tables. One question for all who ask meanwhile: anyone may, as often as they like.
 */
export function createReadiness(
  db: Db,
  schemaFault: () => Promise<string | null>,
): () => Promise<string | null> {
  let asking: Promise<string | null> | null = null
  return () => {
    asking ??= findReason(db, schemaFault).finally(() => {
      asking = null
    })
    return Promise.race([asking, sleep(DATABASE_MS, SILENT, { ref: false })])
  }
}

const SILENT = 'The database does not respond. Try again in a few seconds.'
const UNWRITABLE =
  'The database takes no changes: it is read-only, or its disk is full. Nothing is recorded until that is fixed.'

async function findReason(
  db: Db,
  schemaFault: () => Promise<string | null>,
): Promise<string | null> {
  try {
    return (await schemaFault()) ?? (await findUnwritable(db))
  } catch (error) {
    return isDatabaseUnavailable(error) && !isDiskFull(error) ? SILENT : UNWRITABLE
  }
}

/**
 * A snapshot is exported to see whether changes can be written: Postgres writes it to a small file
 * in its data folder and removes it with the transaction, so that no row, log or table grows by
 * this.
 */
const findUnwritable = (db: Db): Promise<string | null> =>
  db.transaction(async (tx) => {
    const [row] = await tx.execute<{ readonly: boolean }>(
      sql`select current_setting('transaction_read_only')::boolean as readonly`,
    )
    if (row?.readonly !== false) return UNWRITABLE
    await tx.execute(sql`select pg_export_snapshot()`)
    return null
  })
