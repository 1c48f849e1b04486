import { and, desc, eq, gt, isNull, or, sql } from 'drizzle-orm'
import type { Db } from '../connect.ts'
import { shares } from './tables.ts'

// Unspecified: a domain may have 100 active links to each page, and to each walk. All of them are
// listed.
export const MAX_SHARES = 100

type ShareRow = typeof shares.$inferSelect

/** A link as it may be listed: without the hash of its secret. */
export type Share = Omit<ShareRow, 'secret_sha256'>

/** Stores a link. False where what it opens has as many as it may. */
export const insertShare = (db: Db, row: ShareRow): Promise<boolean> =>
  db.transaction(async (tx) => {
    const { domain, view, walk_id } = row
    const place = `shares of ${JSON.stringify([domain, view, walk_id])}`
    // Of several that come at the same time, each counts those before it.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${place}, 0))`)
    if ((await tx.$count(shares, isOpen(row, row.created_at))) >= MAX_SHARES) return false
    await tx.insert(shares).values(row)
    return true
  })

/** The link with this id, open or not; null without one. */
export async function findShare(db: Db, id: string): Promise<ShareRow | null> {
  const [row] = await db.select().from(shares).where(eq(shares.id, id))
  return row ?? null
}

/** What links open: a page of a domain, or one walk. */
export interface Opened extends Pick<Share, 'domain' | 'view'> {
  walk_id?: string | null
}

const opens = ({ domain, view, walk_id = null }: Opened) =>
  and(
    eq(shares.domain, domain),
    eq(shares.view, view),
    walk_id === null ? isNull(shares.walk_id) : eq(shares.walk_id, walk_id),
  )

const isOpen = (shared: Opened, now: Date) =>
  and(
    opens(shared),
    isNull(shares.revoked_at),
    or(isNull(shares.expires_at), gt(shares.expires_at, now)),
  )

/** The links to a page of a domain that are open, newest first: also where they are too many. */
export async function listShares(db: Db, shared: Opened, now: Date): Promise<Share[]> {
  const rows = await db
    .select()
    .from(shares)
    .where(isOpen(shared, now))
    .orderBy(desc(shares.created_at))
  return rows.map(({ secret_sha256: _, ...share }) => share)
}

/** Ends a link, which may have ended before. False where the page has no such link. */
export async function revokeShare(
  db: Db,
  { id, ...shared }: Opened & Pick<Share, 'id'>,
  now: Date,
): Promise<boolean> {
  const rows = await db
    .update(shares)
    .set({ revoked_at: sql`coalesce(${shares.revoked_at}, ${now.toISOString()}::timestamptz)` })
    .where(and(eq(shares.id, id), opens(shared)))
    .returning({ id: shares.id })
  return rows.length > 0
}
