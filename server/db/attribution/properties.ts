import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../connect.ts'
import { askAmong } from '../sharding/shards.ts'
import { properties } from './tables.ts'

export type PropertyRow = typeof properties.$inferSelect

// Unspecified: a domain has at most 50 properties. More would be a program that creates one each
// time that it runs.
export const MOST_OF_DOMAIN = 50

/** Stores a property. False where its domain has as many as it may. */
export const insertProperty = (db: Db, row: PropertyRow): Promise<boolean> =>
  db.transaction(async (tx) => {
    // Of several that come at the same time, each counts those before it.
    await tx.execute(
      sql`select pg_advisory_xact_lock(hashtextextended(${`properties of ${row.domain}`}, 0))`,
    )
    const have = await tx.$count(properties, eq(properties.domain, row.domain))
    if (have >= MOST_OF_DOMAIN) return false
    await tx.insert(properties).values(row)
    return true
  })

/** The property with this id, if its domain is one of these; `*` among them is all. */
const isOwn = (id: string, domains: readonly string[]) =>
  and(eq(properties.id, id), isOfDomains(domains))

const isOfDomains = (domains: readonly string[]) =>
  domains.includes('*') ? undefined : inArray(properties.domain, [...domains])

/** Changes a property of these domains; null without one. */
export async function updateProperty(
  db: Db,
  id: string,
  domains: readonly string[],
  change: Partial<Pick<PropertyRow, 'origins' | 'currency' | 'time_zone' | 'lookback_days'>>,
): Promise<ListedProperty | null> {
  const changed = await db.update(properties).set(change).where(isOwn(id, domains)).returning()
  const [row] = await withLastEvent(db, changed)
  return row ?? null
}

/** Whether a property of these domains was there; it is not any more. Its events stay. */
export async function deleteProperty(
  db: Db,
  id: string,
  domains: readonly string[],
): Promise<boolean> {
  const gone = await db
    .delete(properties)
    .where(isOwn(id, domains))
    .returning({ id: properties.id })
  return gone.length > 0
}

/** The properties with these ids, as far as they exist, by id. */
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

/** The id of a domain's property, where it has just one; else null. */
export async function findOnlyProperty(db: Db, domain: string): Promise<string | null> {
  const [row, ...others] = await db
    .select({ id: properties.id })
    .from(properties)
    .where(eq(properties.domain, domain))
    .limit(2)
  return row === undefined || others.length > 0 ? null : row.id
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
    .where(isOfDomains(domains))
    .orderBy(desc(properties.created_at), properties.id)
  return withLastEvent(db, rows)
}

async function withLastEvent(db: Db, rows: readonly PropertyRow[]): Promise<ListedProperty[]> {
  const received = await lastReceived(db, [...new Set(rows.map(({ domain }) => domain))])
  return rows.map((row) => ({ ...row, last_event_at: received.get(row.domain) ?? null }))
}

/**
 * When each domain's newest event came: ids of version 7 sort by arrival, and the key holds them.
 */
export async function lastReceived(db: Db, domains: readonly string[]): Promise<Map<string, Date>> {
  const rows = await askAmong<{ domain: string; at: string }>(
    db.$client,
    domains,
    (asked) => sql`select asked.domain, newest.received_at as at from ${asked} as asked(domain)
      cross join lateral (
        select received_at from events kept where kept.domain = asked.domain order by id desc limit 1
      ) as newest`,
  )
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
    const reported = await askAmong<{ domain: string }>(
      db.$client,
      covered,
      (asked) => sql`select distinct domain from rollup_daily where domain in (select ${asked})`,
    )
    return [...new Set([...domains, ...reported.map(({ domain }) => domain)])].sort()
  }
  const rows = await db
    .selectDistinct({ domain: properties.domain })
    .from(properties)
    .orderBy(properties.domain)
  return rows.map(({ domain }) => domain)
}
