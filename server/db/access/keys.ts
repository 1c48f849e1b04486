import { and, desc, eq, gt, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import { DAY_MS } from '../../../shared/web/moment.ts'
import type { Db } from '../connect.ts'
import { api_keys } from './tables.ts'

export type KeyRow = typeof api_keys.$inferSelect

/** A key as it may be shown: without the hash. */
export type ApiKey = Omit<KeyRow, 'secret_sha256'>

// Unspecified: the holder of a key may have 50 other keys at a time that they made with it. Revoked
// ones count for a day, so that making and revoking keys in turns does not fill the table.
export const MOST_OWN_KEYS = 50

/**
 * Who a key belongs to, by the id of the key that an operator made. All limits are counted by it:
 * keys that were made with a key wait, count and are bounded together with it.
 */
export const tenantOf = ({
  id,
  made_by,
}: Pick<ApiKey, 'id'> & Partial<Pick<ApiKey, 'made_by'>>): string => made_by ?? id

/** Unspecified: the most keys in a list; those that are not revoked come first. */
const MOST_LISTED = 200

/** How exact the last use of a key is, in milliseconds. */
const TOUCH_MS = 60_000

export async function insertKey(db: Db, row: KeyRow): Promise<void> {
  await db.insert(api_keys).values(row)
}

/**
 * Inserts only into an empty table, and returns whether it did. Of replicas that try at the same
 * time one succeeds, thanks to a lock that ends with the transaction.
 */
export async function insertFirstKey(db: Db, row: KeyRow): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('api_keys'))`)
    if ((await tx.$count(api_keys)) > 0) return false
    await tx.insert(api_keys).values(row)
    return true
  })
}

/** The key with this id, valid or not; null without one. */
export async function findKey(db: Db, id: string): Promise<KeyRow | null> {
  const [row] = await db.select().from(api_keys).where(eq(api_keys.id, id))
  return row ?? null
}

/**
 * The keys with these ids, as far as they exist, by id. A prepared statement, as every request of a
 * busy route runs it.
 */
export async function findKeys(db: Db, ids: readonly string[]): Promise<Map<string, KeyRow>> {
  const rows = await db.$client<RawKeyRow[]>`select * from api_keys where id = any(${[...ids]})`
  return new Map(rows.map((row) => [row.id, fromRaw(row)]))
}

/** The driver leaves times as text. */
interface RawKeyRow extends Omit<KeyRow, `${string}_at`> {
  created_at: string
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
}

const fromRaw = (row: RawKeyRow): KeyRow => ({
  ...row,
  created_at: new Date(row.created_at),
  expires_at: timeOf(row.expires_at),
  revoked_at: timeOf(row.revoked_at),
  last_used_at: timeOf(row.last_used_at),
})

const timeOf = (text: string | null): Date | null => (text === null ? null : new Date(text))

/** Newest first. */
export async function listKeys(db: Db): Promise<ApiKey[]> {
  const rows = await db.select().from(api_keys).orderBy(desc(api_keys.created_at))
  return rows.map(withoutSecret)
}

/** The keys that were made with this one: first those that are not revoked, newest first. */
export async function listOwnKeys(db: Db, id: string): Promise<ApiKey[]> {
  const rows = await db
    .select()
    .from(api_keys)
    .where(eq(api_keys.made_by, id))
    .orderBy(isNotNull(api_keys.revoked_at), desc(api_keys.created_at))
    .limit(MOST_LISTED)
  return rows.map(withoutSecret)
}

/**
 * Stores a key that was made with another, unless that one is revoked by now or has as many as it
 * may.
 */
export async function insertOwnKey(
  db: Db,
  row: KeyRow & { made_by: string },
): Promise<'made' | 'revoked' | 'too_many'> {
  return db.transaction(async (tx) => {
    // Two forms that are sent together must not make one too many, and a key that is revoked
    // meanwhile waits for this one, which it takes along.
    const [parent] = await tx
      .select({ revoked_at: api_keys.revoked_at })
      .from(api_keys)
      .where(eq(api_keys.id, row.made_by))
      .for('update')
    if (parent?.revoked_at !== null) return 'revoked'
    const yesterday = new Date(row.created_at.getTime() - DAY_MS)
    const counted = and(
      eq(api_keys.made_by, row.made_by),
      or(isNull(api_keys.revoked_at), gt(api_keys.created_at, yesterday)),
    )
    if ((await tx.$count(api_keys, counted)) >= MOST_OWN_KEYS) return 'too_many'
    await tx.insert(api_keys).values(row)
    return 'made'
  })
}

/** A key without the hash of its secret, for everything that leaves the process. */
export const withoutSecret = ({ secret_sha256: _, ...key }: KeyRow): ApiKey => key

/**
 * Ends a key from `now` on, and those that were made with it. A key that was revoked before keeps
 * its date. Null if the key does not exist.
 */
export async function revokeKey(db: Db, id: string, now: Date): Promise<ApiKey | null> {
  await db.transaction(async (tx) => {
    // The key first: this waits for one that is being made with it, which the second statement
    // sees.
    for (const column of [api_keys.id, api_keys.made_by]) {
      await tx
        .update(api_keys)
        .set({ revoked_at: now })
        .where(and(eq(column, id), isNull(api_keys.revoked_at)))
    }
  })
  const row = await findKey(db, id)
  return row && withoutSecret(row)
}

/** Without comparing times: the clock of the replica that revoked it may be ahead of ours. */
export const isValid = (
  key: Pick<ApiKey, 'revoked_at' | 'expires_at'> | null,
  now: Date,
): boolean =>
  key !== null && key.revoked_at === null && (key.expires_at === null || key.expires_at > now)

/** Uses before this time are old enough to be recorded again. */
const staleAt = (now: Date) => new Date(now.getTime() - TOUCH_MS)

/** Whether the last recorded use is so recent that a use now need not be recorded. */
export const isUseRecorded = ({ last_used_at }: ApiKey, now: Date): boolean =>
  last_used_at !== null && last_used_at > staleAt(now)

/**
 * Records that a key was used, and for what, to the minute: a busy key must not cost a write per
 * request.
 */
export async function touchKey(
  db: Db,
  key: ApiKey,
  { now, use }: { now: Date; use: string },
): Promise<void> {
  if (isUseRecorded(key, now)) return
  await db
    .update(api_keys)
    .set({ last_used_at: now, last_used_for: use })
    .where(
      and(
        eq(api_keys.id, key.id),
        or(isNull(api_keys.last_used_at), lt(api_keys.last_used_at, staleAt(now))),
      ),
    )
}
