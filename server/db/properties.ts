import { desc, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from './connect.ts'
import { properties, rollup_daily } from './tables.ts'

export type PropertyRow = typeof properties.$inferSelect

export async function insertProperty(db: Db, row: PropertyRow): Promise<void> {
  await db.insert(properties).values(row)
}

/** Whether there is such a property; its currency is then this one, or null for none. */
export async function setCurrency(db: Db, id: string, currency: string | null): Promise<boolean> {
  const changed = await db
    .update(properties)
    .set({ currency })
    .where(eq(properties.id, id))
    .returning({ id: properties.id })
  return changed.length > 0
}

/** Those that exist, by id. */
export async function findProperties(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PropertyRow>> {
  const rows = await db
    .select()
    .from(properties)
    .where(inArray(properties.id, [...ids]))
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * A property with the time of its domain's newest event, from any sender; null before the first.
 */
export type ListedProperty = PropertyRow & { last_event_at: Date | null }

/** Newest first. `*` among the domains is all of them. */
export async function listProperties(
  db: Db,
  domains: readonly string[],
): Promise<ListedProperty[]> {
  const rows = await db
    .select()
    .from(properties)
    .where(domains.includes('*') ? undefined : inArray(properties.domain, [...domains]))
    .orderBy(desc(properties.created_at), properties.id)
  const received = await lastReceived(db, [...new Set(rows.map(({ domain }) => domain))])
  return rows.map((row) => ({ ...row, last_event_at: received.get(row.domain) ?? null }))
}

/**
 * When each domain's newest event came: ids of version 7 sort by arrival, and the key holds them.
 */
async function lastReceived(db: Db, domains: string[]): Promise<Map<string, Date>> {
  if (domains.length === 0) return new Map()
  const rows = await db.execute<{ domain: string; at: string }>(sql`
    select asked.domain, newest.received_at as at
    from unnest(array[${sql.join(
      domains.map((domain) => sql`${domain}`),
      sql`, `,
    )}]::text[]) as asked(domain)
    cross join lateral (
      select received_at from events where events.domain = asked.domain order by id desc limit 1
    ) as newest`)
  return new Map(rows.map(({ domain, at }) => [domain, new Date(at)]))
}

/**
 * The domains that a key's holder can choose from: the key's, and of those that these cover besides
 * the ones that anything was reported of; for `*` all with a property.
 */
export async function listDomains(
  db: Db,
  domains: readonly string[],
  covered: readonly string[],
): Promise<string[]> {
  if (!domains.includes('*')) {
    const reported = await db
      .selectDistinct({ domain: rollup_daily.domain })
      .from(rollup_daily)
      .where(inArray(rollup_daily.domain, [...covered]))
    return [...new Set([...domains, ...reported.map(({ domain }) => domain)])].sort()
  }
  const rows = await db
    .selectDistinct({ domain: properties.domain })
    .from(properties)
    .orderBy(properties.domain)
  return rows.map(({ domain }) => domain)
}
