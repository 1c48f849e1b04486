import { sql } from 'drizzle-orm'
import type { IncidentKind } from '../../../shared/watch/incident.ts'
import type { Db } from '../connect.ts'
import { askEverywhere } from '../sharding/shards.ts'

/** Figures of all watches over all replicas, for the operator. Ages are in seconds. */
export interface WatchFigures {
  watches: { active: number; paused: number }
  /** Checks that are due and not taken by a replica, and the age of the oldest. */
  due: number
  queueAge: number
  /** How long the oldest digest has been due. */
  digestAge: number
  deliveries: {
    /** Due, and not being sent. */
    due: number
    dueAge: number
    /** Failed, and to be tried again. */
    failing: number
  }
  /** How many channels work, fail, and are off. */
  channels: { working: number; failing: number; off: number }
  /** Open ones. */
  incidents: Record<IncidentKind, number>
}

/** Reads them: five short statements, whose cost does not grow with the past. */
export async function readWatchFigures(db: Db, now: Date): Promise<WatchFigures> {
  const at = sql`${now.toISOString()}::timestamptz`
  const age = (moment: ReturnType<typeof sql>) =>
    sql`coalesce(greatest(extract(epoch from ${at} - min(${moment})), 0), 0)::float8`
  const [[watched], [sent], [channels], incidents] = await Promise.all([
    db.execute<Record<'active' | 'paused' | 'due' | 'queue_age' | 'digest_age', number>>(sql`
      select (count(*) filter (where paused_at is null))::int as active,
        count(paused_at)::int as paused,
        (count(*) filter (where ${isDue(at)}))::int as due,
        ${age(sql`case when ${isDue(at)} then next_at end`)} as queue_age,
        ${age(sql`case when paused_at is null and digest_at <= ${at} then digest_at end`)} as digest_age
      from watches`),
    db.execute<Record<'due' | 'due_age' | 'failing', number>>(sql`
      select (count(*) filter (where next_at <= ${at}))::int as due,
        ${age(sql`case when next_at <= ${at} then next_at end`)} as due_age,
        (count(*) filter (where attempts > 0))::int as failing
      from watch_deliveries
      where next_at is not null and (leased_until is null or leased_until < ${at})`),
    db.execute<Record<'working' | 'failing' | 'off', number>>(sql`
      select (count(*) filter (where disabled_at is null and failing_since is null))::int as working,
        (count(*) filter (where disabled_at is null and failing_since is not null))::int as failing,
        count(disabled_at)::int as off
      from watch_channels where confirmed_at is not null`),
    askEverywhere<{ kind: IncidentKind; open: number }>(
      db.$client,
      sql`select kind, count(*)::int as open from incidents where closed_at is null group by kind`,
    ),
  ])
  const openOf = (kind: IncidentKind) =>
    incidents.reduce((sum, row) => sum + (row.kind === kind ? row.open : 0), 0)
  return {
    watches: { active: watched?.active ?? 0, paused: watched?.paused ?? 0 },
    due: watched?.due ?? 0,
    queueAge: watched?.queue_age ?? 0,
    digestAge: watched?.digest_age ?? 0,
    deliveries: {
      due: sent?.due ?? 0,
      dueAge: sent?.due_age ?? 0,
      failing: sent?.failing ?? 0,
    },
    channels: {
      working: channels?.working ?? 0,
      failing: channels?.failing ?? 0,
      off: channels?.off ?? 0,
    },
    incidents: { gap: openOf('gap'), unseen: openOf('unseen'), signal: openOf('signal') },
  }
}

const isDue = (at: ReturnType<typeof sql>) =>
  sql`paused_at is null and next_at <= ${at} and (leased_until is null or leased_until < ${at})`
