import type { ISql, Row } from 'postgres'
import { STORED_AI_SURFACE, STORED_PROPERTIES_TEXT, STORED_VISIT } from './packed.ts'
import { monthTable } from './partitions.ts'
import { EVENT_DAY, statementText } from './rollup-changes.ts'

/** The events of a month in UTC, such as `2026-11`: of one domain, or of all. */
export interface MonthOfEvents {
  month: string
  domain: string | undefined
}

/** How many events of one name and currency there are, and what their values add up to. */
export interface EventSum {
  event: string
  currency: string | null
  events: bigint
  /** In the smallest unit of `currency`. */
  value: bigint
}

/** The domains of a month, sorted. */
export async function domainsOfMonth(
  sql: ISql,
  { month, domain }: MonthOfEvents,
): Promise<string[]> {
  if (domain !== undefined) return [domain]
  const rows = await sql.unsafe<{ domain: string }[]>(
    `select domain from ${monthTable(month)} group by domain order by domain`,
  )
  return rows.map((row) => row.domain)
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
 * The events of a month as a copy in binary, sorted by domain and id. By the primary key, so that
 * memory stays the same for any size. Events are as they are stored but for what is packed; the
 * `model` is still.
 */
export async function copyMonth(
  sql: ISql,
  { month, domain }: MonthOfEvents,
): Promise<AsyncIterable<Buffer>> {
  const ofDomain = domain === undefined ? '' : `where domain = '${domain.replaceAll("'", "''")}'`
  // A copy takes no parameters.
  return sql
    .unsafe(
      `copy (
        select domain, id, ts, received_at, ${statementText(EVENT_DAY)}, event, source, session_id,
          ${STORED_VISIT}, opens_session, surface, kind, confidence, model, ${STORED_AI_SURFACE},
          value, currency, currency, ${STORED_PROPERTIES_TEXT}, landing
        from ${monthTable(month)} ${ofDomain} order by domain, id, ${monthTable(month)}.ts
      ) to stdout (format binary)`,
    )
    .readable()
}
