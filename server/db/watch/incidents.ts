import { and, desc, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import type { Incident, IncidentKind } from '../../../shared/watch/incident.ts'
import { storableValue } from '../../../shared/web/json/json.ts'
import type { Db, Transaction } from '../connect.ts'
import { askAmong, askEverywhere } from '../sharding/shards.ts'
import { incidents } from './tables.ts'

export type IncidentRow = typeof incidents.$inferSelect
type NewIncident = typeof incidents.$inferInsert

/** Identifies what an incident is about, within a domain. */
type IncidentSubject = Pick<IncidentRow, 'domain' | 'kind' | 'subject'>

const isAbout = ({ domain, kind, subject }: IncidentSubject) =>
  and(
    eq(incidents.domain, domain),
    eq(incidents.kind, kind),
    eq(incidents.subject, subject),
    isNull(incidents.closed_at),
  )

/**
 * Opens an incident; null if one with the same subject is open. Its texts may come from a store.
 */
export async function openIncident(
  tx: Db | Transaction,
  row: NewIncident,
): Promise<IncidentRow | null> {
  const [made] = await tx
    .insert(incidents)
    .values({ ...row, ...storableValue(textsOf(row)) })
    .onConflictDoNothing({
      target: [incidents.domain, incidents.kind, incidents.subject],
      where: sql`closed_at is null`,
    })
    .returning()
  return made ?? null
}

const textsOf = ({ label, detail, fix, changes, steps }: NewIncident) => ({
  label,
  detail,
  fix,
  changes,
  steps,
})

/** Closes the open incident about a subject; null if there is none. */
export async function closeIncident(
  tx: Db | Transaction,
  about: IncidentSubject,
  closed_at: Date,
): Promise<IncidentRow | null> {
  const [row] = await tx.update(incidents).set({ closed_at }).where(isAbout(about)).returning()
  return row ?? null
}

/** Closes those of a domain, or of one kind: they are no longer searched for. */
export async function closeIncidents(
  tx: Db | Transaction,
  { domain, kind }: Pick<IncidentRow, 'domain'> & { kind?: IncidentKind },
  closed_at: Date,
): Promise<void> {
  const ofKind = kind === undefined ? undefined : eq(incidents.kind, kind)
  await tx
    .update(incidents)
    .set({ closed_at })
    .where(and(eq(incidents.domain, domain), ofKind, isNull(incidents.closed_at)))
}

/** Updates when these were last seen. */
export async function keepIncidentsOpen(
  tx: Db | Transaction,
  { domain, kind }: Pick<IncidentRow, 'domain' | 'kind'>,
  subjects: readonly string[],
  last_seen_at: Date,
): Promise<void> {
  if (subjects.length === 0) return
  await tx
    .update(incidents)
    .set({ last_seen_at })
    .where(
      and(
        eq(incidents.domain, domain),
        eq(incidents.kind, kind),
        inArray(incidents.subject, [...subjects]),
        isNull(incidents.closed_at),
      ),
    )
}

interface IncidentChoice {
  only?: 'open' | 'closed'
  without?: IncidentKind
  limit?: number
}

/** The incidents of a domain, open ones first, then the newest, optionally without one kind. */
export async function listIncidents(
  db: Db | Transaction,
  domain: string,
  { only, without, limit = 100 }: IncidentChoice = {},
): Promise<IncidentRow[]> {
  const state =
    only === undefined
      ? undefined
      : only === 'open'
        ? isNull(incidents.closed_at)
        : sql`${incidents.closed_at} is not null`
  return db
    .select()
    .from(incidents)
    .where(and(eq(incidents.domain, domain), state, without && ne(incidents.kind, without)))
    .orderBy(sql`${incidents.closed_at} is not null`, desc(incidents.opened_at), incidents.id)
    .limit(limit)
}

/** One incident of a domain; null if there is none. */
export async function findIncident(
  db: Db,
  { domain, id }: Pick<IncidentRow, 'domain' | 'id'>,
): Promise<IncidentRow | null> {
  const [row] = await db
    .select()
    .from(incidents)
    .where(and(eq(incidents.domain, domain), eq(incidents.id, id)))
  return row ?? null
}

/** The open incidents of these domains, for a list of many: without their changes and steps. */
export type OpenIncident = Pick<
  Incident,
  'domain' | 'id' | 'kind' | 'subject' | 'severity' | 'label' | 'points' | 'known'
> & { opened_at: string }

/** The open incidents of these domains, with one query per node of a cluster. */
export const openIncidentsAmong = (db: Db, domains: readonly string[]): Promise<OpenIncident[]> =>
  askAmong<OpenIncident & { kind: IncidentKind }>(
    db.$client,
    domains,
    (asked) => sql`select kept.domain, kept.id, kept.kind, kept.subject, kept.severity, kept.label,
        kept.points, kept.is_known as known, kept.opened_at
      from ${asked} as asked(domain)
      join incidents kept on kept.domain = asked.domain and kept.closed_at is null`,
  )

/** The incidents opened last, over all domains, newest first. */
export async function newestIncidents(
  db: Db,
  { only, limit }: { only: 'open' | undefined; limit: number },
): Promise<IncidentRow[]> {
  const state = only === 'open' ? sql`where closed_at is null` : sql``
  const rows = await askEverywhere<Pick<IncidentRow, 'domain' | 'id'> & { at: number }>(
    db.$client,
    sql`select domain, id, extract(epoch from opened_at)::float8 as at from incidents ${state}
      order by opened_at desc, id limit ${limit}::int`,
  )
  const newest = rows.toSorted((a, b) => b.at - a.at).slice(0, limit)
  return db
    .select()
    .from(incidents)
    .where(
      and(
        inArray(incidents.domain, [...new Set(newest.map(({ domain }) => domain))]),
        inArray(
          incidents.id,
          newest.map(({ id }) => id),
        ),
      ),
    )
    .orderBy(desc(incidents.opened_at), incidents.id)
}

/** An incident in the form of the API. */
export const shownIncident = ({ is_known, is_told: _, ...row }: IncidentRow): Incident => ({
  ...row,
  known: is_known,
  well_at: row.well_at?.toISOString() ?? null,
  first_seen_at: row.first_seen_at.toISOString(),
  last_seen_at: row.last_seen_at.toISOString(),
  opened_at: row.opened_at.toISOString(),
  closed_at: row.closed_at?.toISOString() ?? null,
})
