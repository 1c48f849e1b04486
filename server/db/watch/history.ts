import { and, eq, gte, isNull, or, sql } from 'drizzle-orm'
import type { DayChecks } from '../../../shared/watch/days.ts'
import type { Db } from '../connect.ts'
import { runParts, shardsOf } from '../sharding/shards.ts'
import type { IncidentRow } from './incidents.ts'
import { incidents } from './tables.ts'

/** The checks of each day since a moment; a check belongs to the day on which it ended, in UTC. */
export async function readDayChecks(db: Db, domain: string, from: Date): Promise<DayChecks[]> {
  const since = from.toISOString()
  const rows = await runParts<Record<'day' | 'seen' | 'unseen', string> & { score: number | null }>(
    shardsOf(db.$client).at([domain]),
    sql`select to_char(kept.ended_at at time zone 'UTC', 'YYYY-MM-DD') as day,
        count(*) filter (where kept.outcome = 'seen') as seen,
        count(*) filter (where kept.outcome = 'unseen') as unseen,
        (array_agg(kept.score order by kept.ended_at desc) filter (where kept.score is not null))[1]
          as score
      from watch_looks kept
      where kept.domain = ${domain} and kept.slot_at >= ${since}::timestamptz - interval '7 days'
        and kept.ended_at >= ${since}::timestamptz
      group by 1 order by 1`,
  )
  return rows.map(({ day, seen, unseen, score }) => ({
    day,
    seen: Number(seen),
    unseen: Number(unseen),
    score,
  }))
}

/** An incident in short: when something was wrong. */
export type IncidentSpan = Pick<
  IncidentRow,
  'id' | 'kind' | 'subject' | 'severity' | 'label' | 'is_known' | 'first_seen_at' | 'closed_at'
>

/** The incidents of a domain that were open at some time since a moment, the oldest first. */
export const listSpans = (db: Db, domain: string, from: Date): Promise<IncidentSpan[]> =>
  db
    .select({
      id: incidents.id,
      kind: incidents.kind,
      subject: incidents.subject,
      severity: incidents.severity,
      label: incidents.label,
      is_known: incidents.is_known,
      first_seen_at: incidents.first_seen_at,
      closed_at: incidents.closed_at,
    })
    .from(incidents)
    .where(
      and(
        eq(incidents.domain, domain),
        or(isNull(incidents.closed_at), gte(incidents.closed_at, from)),
      ),
    )
    .orderBy(incidents.first_seen_at)
    .limit(MOST_SPANS)

/** More than a page can show: a domain that flaps every hour for three months has some 1,000. */
const MOST_SPANS = 2000
