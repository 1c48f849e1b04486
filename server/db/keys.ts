import { and, desc, eq, isNull, lt, or, sql } from 'drizzle-orm'
import type { Db } from './connect.ts'
import { api_keys } from './tables.ts'

export type KeyRow = typeof api_keys.$inferSelect
/** A key as it may be shown: without the hash. */
export type ApiKey = Omit<KeyRow, 'secret_sha256'>

const TOUCH_MS = 60_000

export async function insertKey(db: Db, row: KeyRow): Promise<void> {
  await db.insert(api_keys).values(row)
}

/** Inserts only into an empty table; of several replicas that try at once, one succeeds. */
export async function insertFirstKey(db: Db, row: KeyRow): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('api_keys'))`)
    if ((await tx.$count(api_keys)) > 0) return false
    await tx.insert(api_keys).values(row)
    return true
  })
}

export async function findKey(db: Db, id: string): Promise<KeyRow | null> {
  const [row] = await db.select().from(api_keys).where(eq(api_keys.id, id))
  return row ?? null
}

/** Those that exist, by id. */
export async function findKeys(db: Db, ids: readonly string[]): Promise<Map<string, KeyRow>> {
  const rows = await db
    .select()
    .from(api_keys)
    .where(sql`${api_keys.id} = any(${sql.param([...new Set(ids)])})`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Newest first. */
export async function listKeys(db: Db): Promise<ApiKey[]> {
  const rows = await db.select().from(api_keys).orderBy(desc(api_keys.created_at))
  return rows.map(withoutSecret)
}

export const withoutSecret = ({ secret_sha256: _, ...key }: KeyRow): ApiKey => key

/** A key that was revoked before keeps its date. Null when there is no such key. */
export async function revokeKey(db: Db, id: string, now: Date): Promise<ApiKey | null> {
  await db
    .update(api_keys)
    .set({ revoked_at: now })
    .where(and(eq(api_keys.id, id), isNull(api_keys.revoked_at)))
  const row = await findKey(db, id)
  return row && withoutSecret(row)
}

/** Notes that a key was used, to the minute: a key under load costs no write per request. */
export async function touchKey(db: Db, key: ApiKey, now: Date): Promise<void> {
  const stale = new Date(now.getTime() - TOUCH_MS)
  if (key.last_used_at && key.last_used_at > stale) return
  await db
    .update(api_keys)
    .set({ last_used_at: now })
    .where(
      and(
        eq(api_keys.id, key.id),
        or(isNull(api_keys.last_used_at), lt(api_keys.last_used_at, stale)),
      ),
    )
}
