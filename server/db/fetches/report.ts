import { type SQL, sql } from 'drizzle-orm'
import type { Sql } from 'postgres'
import { ASSETS, FOR_A_PERSON, OVER } from '../../../shared/attribution/fetches/kept.ts'
import type { AgentSums, Wall } from '../../../shared/attribution/fetches/report.ts'
import type { FetchPurpose } from '../../../shared/attribution/surfaces.ts'
import type { AgentDay } from '../../../shared/watch/fetch-signals.ts'
import type { Db } from '../connect.ts'
import { askAmong } from '../sharding/shards.ts'

/** Days in the store's time zone, both included. */
export interface FetchRange {
  domain: string
  start: string
  end: string
}

const of = ({ domain, start, end }: FetchRange): SQL =>
  sql`domain = ${domain} and day between ${start}::date and ${end}::date`

const IS_READ = sql`(status between 200 and 299 or status = 304)`
const IS_FOR_A_PERSON = sql.raw(
  `purpose in (${FOR_A_PERSON.map((each) => `'${each}'`).join(', ')})`,
)
const IS_PAGE = sql`path not in (${ASSETS}, ${OVER}, '/robots.txt')`
const SUM = sql`coalesce(sum(fetches)`

/** Most rows of a list. */
const MOST = 200

/** What each agent did. */
export async function readAgents(db: Db, range: FetchRange): Promise<AgentSums[]> {
  const rows = await db.execute<{ [K in keyof AgentSums]: string }>(sql`
    select agent, operator, surface, purpose, verified, sum(fetches) as fetches,
      ${SUM} filter (where ${IS_READ}), 0) as read,
      ${SUM} filter (where status in (401, 403, 429)), 0) as refused,
      ${SUM} filter (where status in (404, 410)), 0) as missing,
      ${SUM} filter (where status >= 500 or status = 0), 0) as failed,
      ${SUM} filter (where path = '/robots.txt'), 0) as robots,
      count(distinct day) as days, max(last_at) as last_at
    from fetch_days where ${of(range)}
    group by agent, operator, surface, purpose, verified order by 6 desc, 1, 5`)
  return rows.map((row) => ({
    ...(row as unknown as AgentSums),
    fetches: Number(row.fetches),
    read: Number(row.read),
    refused: Number(row.refused),
    missing: Number(row.missing),
    failed: Number(row.failed),
    robots: Number(row.robots),
    days: Number(row.days),
    last_at: new Date(row.last_at).toISOString(),
  }))
}

/** How often agents came on each day, by purpose. */
export async function readFetchDays(
  db: Db,
  range: FetchRange,
): Promise<{ day: string; purpose: FetchPurpose; fetches: number }[]> {
  const rows = await db.execute<{ day: string; purpose: FetchPurpose; fetches: string }>(sql`
    select day::text as day, purpose, sum(fetches) as fetches from fetch_days
    where ${of(range)} group by 1, 2 order by 1, 2`)
  return rows.map((row) => ({ ...row, fetches: Number(row.fetches) }))
}

/** A page, and how often it was read. */
interface PageSums {
  path: string
  answers: number
  crawls: number
}

/** The pages that are read most for answers, then by crawlers. */
export async function readPages(db: Db, range: FetchRange): Promise<PageSums[]> {
  const rows = await db.execute<Record<keyof PageSums, string>>(sql`
    select path, ${SUM} filter (where ${IS_FOR_A_PERSON}), 0) as answers,
      ${SUM} filter (where not ${IS_FOR_A_PERSON}), 0) as crawls
    from fetch_days where ${of(range)} and ${IS_READ} and ${IS_PAGE}
    group by path order by 2 desc, 3 desc, 1 limit ${MOST}`)
  return rows.map(({ path, answers, crawls }) => ({
    ...{ path, answers: Number(answers), crawls: Number(crawls) },
  }))
}

/** When the crawlers of each operator read these pages last, of those that prove who they are. */
export async function readLastCrawls(
  db: Db,
  range: FetchRange,
  paths: readonly string[],
): Promise<{ path: string; operator: string; last_at: Date }[]> {
  const rows = await db.execute<{ path: string; operator: string; last_at: string }>(sql`
    select path, operator, max(last_at) as last_at from fetch_days
    where ${of(range)} and ${IS_READ} and not ${IS_FOR_A_PERSON} and verified <> 'forged'
      and path in (select jsonb_array_elements_text(${JSON.stringify(paths)}::jsonb))
    group by 1, 2 order by 1, 2`)
  return rows.map((row) => ({ ...row, last_at: new Date(row.last_at) }))
}

/** What verified agents were refused, did not find, or got no answer to. */
export async function readWalls(db: Db, range: FetchRange): Promise<Wall[]> {
  const rows = await db.execute<Record<keyof Wall, string>>(sql`
    select agent, path, status, sum(fetches) as fetches, max(last_at) as last_at from fetch_days
    where ${of(range)} and verified = 'verified' and path not in (${ASSETS}, ${OVER})
      and (status in (0, 401, 403, 404, 410, 429) or status >= 500)
      -- A store need not have these files.
      and not (status in (404, 410) and path ~ '^/(robots\.txt|llms(-full)?\.txt|\.well-known/|sitemap)')
    group by 1, 2, 3 order by 4 desc, 1, 2, 3 limit ${MOST}`)
  return rows.map(({ agent, path, status, fetches, last_at }) => ({
    ...{ agent, path, status: Number(status), fetches: Number(fetches) },
    last_at: new Date(last_at).toISOString(),
  }))
}

/** How many requests were not counted, as their hours were full. */
export async function readOver(db: Db, { domain, start, end }: FetchRange): Promise<number> {
  const [row] = await db.execute<{ over: string }>(sql`
    select coalesce(sum(over), 0) as over from fetch_hours
    where domain = ${domain} and hour >= ${start}::date and hour < ${end}::date + 1`)
  return Number(row?.over ?? 0)
}

/** The days of verified agents, of these domains. */
export async function readAgentDays(
  pool: Sql,
  domains: readonly string[],
  from: string,
): Promise<(AgentDay & { domain: string })[]> {
  const rows = await askAmong<Record<keyof AgentDay | 'domain', string>>(
    pool,
    domains,
    (listed) => sql`
      select kept.domain, kept.day::text as day, kept.agent, sum(kept.fetches) as fetches,
        coalesce(sum(kept.fetches) filter (where kept.status in (401, 403, 429)), 0) as refused
      from ${listed} as asked(domain)
      join fetch_days kept on kept.domain = asked.domain and kept.day >= ${from}::date
        and kept.verified = 'verified'
      group by 1, 2, 3`,
  )
  return rows.map((row) => ({
    ...{ domain: row.domain, day: row.day, agent: row.agent },
    ...{ fetches: Number(row.fetches), refused: Number(row.refused) },
  }))
}
