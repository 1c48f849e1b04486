import type { ISql, Row } from 'postgres'
import { STORED_AI_SURFACE, STORED_MODEL, STORED_PROPERTIES, STORED_VISIT } from './packed.ts'
import { monthTable } from './partitions.ts'
import { EVENT_DAY, statementText } from './rollup-changes.ts'

/** The events of a month in UTC, such as `2026-11`: of one domain, or of all. */
export interface MonthOfEvents {
  month: string
  domain: string | undefined
}

/** An event as it is stored, with texts where a number of ours would not be exact. */
export interface MonthEvent {
  domain: string
  id: string
  /** Microseconds since 1970, as digits. */
  ts: string
  received_at: string
  event: string
  source: string
  session_id: string
  visit_id: string
  opens_session: boolean
  surface: string
  kind: string
  confidence: number
  model: string
  ai_surface: string | null
  /** In the smallest unit of `currency`, as digits. */
  value: string | null
  currency: string | null
  /** As JSON. */
  properties: string
  landing: string | null
  /** The day that it counts on, in days since 1970. */
  day: number
}

/** How many events of one name and currency there are, and what their values add up to. */
export interface EventSum {
  event: string
  currency: string | null
  events: bigint
  /** In the smallest unit of `currency`. */
  value: bigint
}

/** At 10 kB, the most that an event can have, these are 50 MB. */
const PAGE = 5000

/** Before every event. */
const FIRST = { id: '00000000-0000-0000-0000-000000000000', ts: '0' }

/** The domains of a month and how many events each has, sorted. */
export async function domainsOfMonth(
  sql: ISql,
  { month, domain }: MonthOfEvents,
): Promise<{ domain: string; events: number }[]> {
  const rows = await sql.unsafe<{ domain: string; events: string }[]>(
    `select domain, count(*) as events from ${monthTable(month)}
    ${domain === undefined ? '' : 'where domain = $1'} group by domain order by domain`,
    domain === undefined ? [] : [domain],
  )
  return rows.map((row) => ({ domain: row.domain, events: Number(row.events) }))
}

/** What the events of a month add up to, in any order. */
export async function sumMonth(sql: ISql, { month, domain }: MonthOfEvents): Promise<EventSum[]> {
  const rows = await sql.unsafe<Row[]>(
    `select event, currency, count(*) as events, coalesce(sum(value), 0) as value
    from ${monthTable(month)} ${domain === undefined ? '' : 'where domain = $1'} group by 1, 2`,
    domain === undefined ? [] : [domain],
  )
  return rows.map(({ event, currency, events, value }) => ({
    event,
    currency,
    events: BigInt(events),
    value: BigInt(value),
  }))
}

/**
 * For the rest of a transaction: rows come in the order of an index. Postgres would sort all that a
 * large domain has left for each page, where it takes the domain for a small one.
 */
export async function readByKey(sql: ISql): Promise<void> {
  await sql`set local enable_sort = off`
  await sql`set local enable_bitmapscan = off`
  await sql`set local enable_seqscan = off`
}

/**
 * The events of one domain in a month, in the order of their ids, some thousands at a time. By the
 * primary key, so that memory and the time of a statement stay the same for any size.
 */
export async function* readMonthEvents(
  sql: ISql,
  month: string,
  domain: string,
): AsyncGenerator<MonthEvent[]> {
  const statement = `select domain, id, ${micros('ts')} as ts, ${micros('received_at')} as received_at,
      event, source, session_id, ${STORED_VISIT} as visit_id, opens_session, surface, kind, confidence,
      ${STORED_MODEL} as model, ${STORED_AI_SURFACE} as ai_surface, value, currency, (${STORED_PROPERTIES})::text as properties, landing,
      ${statementText(EVENT_DAY)} - date '1970-01-01' as day
    from ${monthTable(month)}
    where domain = $1
      and (id, ts) > ($2::uuid, 'epoch'::timestamptz + $3::float8 * interval '1 microsecond')
    order by id, ${monthTable(month)}.ts limit ${PAGE}`
  let after = FIRST
  while (true) {
    const page = await sql.unsafe<MonthEvent[]>(statement, [domain, after.id, after.ts], {
      prepare: true,
    })
    const last = page.at(-1)
    if (last !== undefined) yield page
    if (last === undefined || page.length < PAGE) return
    after = last
  }
}

/** Postgres counts in microseconds, so this is exact. */
const micros = (column: string) => `(extract(epoch from ${column}) * 1000000)::bigint`
