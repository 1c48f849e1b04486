import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm'
import type { Db, Transaction } from '../connect.ts'
import { passDigestsOn } from './digest-receivers.ts'
import { closeIncidents } from './incidents.ts'
import { status_pages, watch_answers, watch_channels, watch_deliveries, watches } from './tables.ts'

export type WatchRow = typeof watches.$inferSelect

/** Creates a watch; null if the domain has one. */
export async function insertWatch(
  db: Db,
  row: typeof watches.$inferInsert,
): Promise<WatchRow | null> {
  const [made] = await db.insert(watches).values(row).onConflictDoNothing().returning()
  return made ?? null
}

/** Null if the domain is not watched. */
export async function findWatch(db: Db | Transaction, domain: string): Promise<WatchRow | null> {
  const [row] = await db.select().from(watches).where(eq(watches.domain, domain))
  return row ?? null
}

/** The watches of these domains, by name, from the one after `after`; `*` selects all. */
export const listWatches = (
  db: Db,
  domains: readonly string[],
  { after = '', limit }: { after?: string | undefined; limit?: number } = {},
): Promise<WatchRow[]> => {
  const isOwn = domains.includes('*') ? undefined : inArray(watches.domain, [...domains])
  const rows = db
    .select()
    .from(watches)
    .where(and(isOwn, gt(watches.domain, after)))
    .orderBy(asc(watches.domain))
  return limit === undefined ? rows : rows.limit(limit)
}

/** Fields that are left out or undefined stay. */
type RowChange = { [K in keyof Omit<WatchRow, 'domain'>]?: WatchRow[K] | undefined }

/** Changes a watch; null if the domain is not watched. */
export async function updateWatch(
  db: Db | Transaction,
  domain: string,
  change: RowChange,
): Promise<WatchRow | null> {
  const [row] = await db.update(watches).set(change).where(eq(watches.domain, domain)).returning()
  return row ?? null
}

/**
 * Deletes a watch, with its channels, their waiting deliveries, and its public page. Its history
 * stays. False if the domain is not watched.
 */
export const deleteWatch = (db: Db, domain: string, now: Date): Promise<boolean> =>
  db.transaction(async (tx) => {
    const gone = await tx.delete(watches).where(eq(watches.domain, domain)).returning()
    if (gone.length === 0) return false
    const channels = await tx
      .delete(watch_channels)
      .where(eq(watch_channels.domain, domain))
      .returning()
    for (const channel of channels) await passDigestsOn(tx, channel)
    await tx.delete(watch_deliveries).where(eq(watch_deliveries.domain, domain))
    await tx.delete(watch_answers).where(eq(watch_answers.domain, domain))
    await tx.delete(status_pages).where(eq(status_pages.domain, domain))
    await closeIncidents(tx, { domain }, now)
    return true
  })

/** The lease of a check: only its holder may write the result. */
interface Lease {
  lease: string
  until: Date
}

/**
 * Takes up to `most` due watches, those first that would be late first, so that neither long nor
 * short periods starve. Only one per site, over all replicas, so replicas take turns.
 */
export const claimWatches = (
  db: Db,
  { most, now, lease, until }: Lease & { most: number; now: Date },
): Promise<WatchRow[]> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('aisle claims watches'))`)
    const at = now.toISOString()
    const rows = await tx.execute<{ domain: string }>(sql`
      select domain from (
        select domain, late_at, row_number() over (partition by site order by late_at, domain) as place
        from (
          select domain, site, late_at from watches due
          where paused_at is null and next_at <= ${at}::timestamptz
            and (leased_until is null or leased_until < ${at}::timestamptz)
            and not exists (
              select from watches busy where busy.site = due.site and busy.lease is not null
                and busy.leased_until >= ${at}::timestamptz and busy.domain <> due.domain
            )
          order by late_at limit ${most * 4}
        ) as first
      ) as ranked
      where place = 1 order by late_at, domain limit ${most}`)
    const domains = rows.map(({ domain }) => domain)
    if (domains.length === 0) return []
    return tx
      .update(watches)
      .set({ lease, leased_until: until })
      .where(inArray(watches.domain, domains))
      .returning()
  })

/**
 * Writes the result of a check to the watch as it is now, which others may have changed. False,
 * with nothing written, if the lease is no longer ours.
 */
export async function endLease(
  tx: Transaction,
  { domain, lease }: { domain: string; lease: string },
  changeOf: (current: WatchRow) => RowChange,
): Promise<boolean> {
  const [current] = await tx
    .select()
    .from(watches)
    .where(and(eq(watches.domain, domain), eq(watches.lease, lease)))
    .for('update')
  if (current === undefined) return false
  await updateWatch(tx, domain, { ...changeOf(current), lease: null, leased_until: null })
  return true
}

/** Extends the lease of a check. False if it is no longer ours. */
export async function extendLease(
  db: Db,
  { domain, lease }: { domain: string; lease: string },
  leased_until: Date,
): Promise<boolean> {
  const rows = await db
    .update(watches)
    .set({ leased_until })
    .where(and(eq(watches.domain, domain), eq(watches.lease, lease)))
    .returning({ domain: watches.domain })
  return rows.length > 0
}
