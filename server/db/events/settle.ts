import { sql } from 'drizzle-orm'
import type { CountedKind } from '../../../shared/attribution/classify/visit.ts'
import type { ReportedSource } from '../../../shared/attribution/events.ts'
import { type AtShard, runParts } from '../sharding/shards.ts'
import { shortKey } from './ids.ts'
import { packAiSurface, STORED_AI_SURFACE, STORED_PROPERTIES, STORED_VISIT } from './packed.ts'
import {
  addToRollup,
  DAILY,
  eachFigure,
  NAMED,
  nameSaid,
  OF_NAMED,
  sumEvents,
  sumNamed,
  sumSaid,
} from './rollup-changes.ts'
import { ADMIT_NAMES } from './rollup-names.ts'
import type { StoredEvent } from './tables.ts'

/** What a session decides of an event. */
export interface EventPlace {
  surface: string
  kind: CountedKind
  confidence: number
  landing: string | null
  opens_session: boolean
}

/** A stored event of a session. */
export interface SessionEvent extends EventPlace {
  domain: string
  visit_id: string
  id: string
  ts: Date
  event: StoredEvent
  source: ReportedSource
  session_id: string
  ai_surface: string | null
  /** Those that decide what an event counts as. */
  properties: {
    visit_id?: string
    checkout_id?: string | number
    order_id?: string | number
    ucp_agent?: string
    attribution?: Record<string, unknown>
    affiliate_attribution?: Record<string, unknown>
    agent_verified?: unknown
  }
  day: string
}

/** A session as it is stored, by its visit. */
export interface StoredSession {
  domain: string
  visit_id: string
  day: string
  surface: string
  kind: CountedKind
  source: ReportedSource
  confidence: number
  landing: string | null
  began: number | null
  named: number | null
}

interface Visit {
  domain: string
  visit_id: string
}

/** The events of sessions that came since a time, in one read of all that came since then. */
export async function findSessionEvents(
  at: AtShard,
  visits: readonly Visit[],
  since: Date,
): Promise<SessionEvent[]> {
  // An id begins with the milliseconds of its arrival (UUID of version 7).
  const first = `${since.getTime().toString(16).padStart(12, '0')}${'0'.repeat(20)}`
  const found = await at<Omit<SessionEvent, 'ts'> & { at: number }>(
    `
    select found.domain, ${STORED_VISIT} as visit_id, id, extract(epoch from ts)::float8 as at, event,
      source, session_id, surface, kind, confidence, landing, opens_session,
      ${STORED_AI_SURFACE} as ai_surface, ${STORED_PROPERTIES} as properties,
      coalesce(day, (ts at time zone 'UTC')::date)::text as day
    from jsonb_array_elements_text($2::jsonb) as asked(of_domain)
    -- By the index, as in lookUp.
    cross join lateral (
      select * from events kept
      where kept.domain = asked.of_domain and kept.id >= $3::text::uuid offset 0
    ) as found
    where found.domain || ' ' || ${STORED_VISIT} in (select jsonb_array_elements_text($1::jsonb))`,
    [
      JSON.stringify(visits.map(({ domain, visit_id }) => `${domain} ${visit_id}`)),
      JSON.stringify([...new Set(visits.map(({ domain }) => domain))]),
      first,
    ],
  )
  return found.map(({ at: seconds, ...row }) => ({
    ...row,
    ts: new Date(Math.round(seconds * 1000)),
  }))
}

/** An event before and after its session was judged anew. */
export interface EventChange {
  before: SessionEvent
  after: EventPlace
}

const FIELDS = sql`domain text, id uuid, was_surface text, was_kind text, was_opener boolean,
  was_landing text, surface text, kind text, confidence float8, landing text,
  opens_session boolean, ai_surface text`

/**
 * Stores what changes of sessions and their events, and moves it in the report's totals, in one
 * statement. False: another transaction has changed one of the events, and the rest is stored.
 */
export async function changeSessions(
  at: AtShard,
  sessions: readonly StoredSession[],
  changes: readonly EventChange[],
): Promise<boolean> {
  const given = changes.map(({ before, after }) => ({
    domain: before.domain,
    id: before.id,
    was_surface: before.surface,
    was_kind: before.kind,
    was_opener: before.opens_session,
    was_landing: before.landing,
    ...after,
    ai_surface: packAiSurface(before.ai_surface, after.surface) ?? null,
  }))
  const stored = sessions.map(({ visit_id, ...session }) => ({
    ...session,
    session_id: shortKey(visit_id),
  }))
  const moved = (figures: ReturnType<typeof sql>, key: ReturnType<typeof sql>) => sql`(
      select ${key}, ${eachFigure((figure) => sql`sum(${figure})::bigint as ${figure}`)}
      from (${figures}) as signed group by ${key}
    ) as moved`
  const negative = eachFigure((figure) => sql`-${figure} as ${figure}`)
  const figures = eachFigure((figure) => figure)
  const [row] = await runParts<{ changed: number }>(
    at,
    sql`
    with settled as (
      update ai_sessions kept set day = given.day, surface = given.surface, kind = given.kind,
        source = given.source, confidence = given.confidence, landing = given.landing,
        began = given.began, named = given.named
      from jsonb_to_recordset(${JSON.stringify(stored)}::jsonb) as given(domain text,
        session_id text, day date, surface text, kind text, source text, confidence float8,
        landing text, began bigint, named bigint)
      where kept.domain = given.domain and kept.session_id = given.session_id
      returning kept.session_id
    ), given as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given(${FIELDS})
      -- Always true, and makes this part run after the one that it names.
      where (select count(*) from settled) >= 0
    ), changed as (
      update events kept set surface = given.surface, kind = given.kind,
        confidence = given.confidence, landing = given.landing,
        opens_session = given.opens_session, ai_surface = given.ai_surface
      from given
      where kept.domain = given.domain and kept.id = given.id
        and kept.surface = given.was_surface and kept.kind = given.was_kind
        and kept.opens_session = given.was_opener
        and kept.landing is not distinct from given.was_landing
      returning kept.*, given.was_surface, given.was_kind, given.was_opener, given.was_landing
    ), before as materialized (
      select domain, ts, event, source, was_opener as opens_session, was_surface as surface,
        was_kind as kind, value, currency, properties, was_landing as landing, day
      from changed
    ), after as materialized (
      select domain, ts, event, source, opens_session, surface, kind, value, currency, properties,
        landing, day
      from changed
    ), said_before as materialized (
      ${sumSaid(sql`before`)}
    ), said_after as materialized (
      ${sumSaid(sql`after`)}
    ), said as (
      select domain, dimension, day, said from said_before
      union all select domain, dimension, day, said from said_after
    ), ${ADMIT_NAMES}, named_sums as materialized (
      select * from ${moved(
        sql`select ${NAMED.key}, ${figures}
          from (${sumNamed(sql`(${nameSaid(sql`said_after`, sql`names`)}) as named`)}) as gained
          union all select ${NAMED.key}, ${negative}
          from (${sumNamed(sql`(${nameSaid(sql`said_before`, sql`names`)}) as named`)}) as lost`,
        NAMED.key,
      )}
    ), ${sql.join(
      // From the last to the first, as \`ADD_SUMS\` says.
      OF_NAMED.map(
        ({ rollup, sumsOf }, n) => sql`moved_${sql.raw(String(n))} as (
      ${addToRollup(rollup, sql`(${sumsOf(sql`named_sums`)}) as sums`)}
    )`,
      ).toReversed(),
      sql`, `,
    )}, moved_named as (
      ${addToRollup(NAMED, sql`named_sums`)}
    ), moved as (
      ${addToRollup(
        DAILY,
        moved(
          sql`select ${DAILY.key}, ${figures} from (${sumEvents(sql`after`)}) as gained
            union all select ${DAILY.key}, ${negative} from (${sumEvents(sql`before`)}) as lost`,
          DAILY.key,
        ),
      )}
    )
    select count(*)::int as changed from changed`,
  )
  return row?.changed === changes.length
}
