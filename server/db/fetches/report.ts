import { type SQL, sql } from 'drizzle-orm'
import type { Sql } from 'postgres'
import {
  ASSETS,
  CHALLENGED,
  FOR_A_PERSON,
  MISSING_STATUSES,
  OVER,
  REFUSED_STATUSES,
} from '../../../shared/attribution/fetches/kept.ts'
import type { AgentSums, RefusedAgent, Wall } from '../../../shared/attribution/fetches/report.ts'
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

/** Conditions of rows of `fetch_days`. */
export const IS_READ = sql`(status between 200 and 299 or status = 304)`
export const IS_FOR_A_PERSON = sql.raw(
  `purpose in (${FOR_A_PERSON.map((each) => `'${each}'`).join(', ')})`,
)
const IS_PAGE = sql`path not in (${ASSETS}, ${OVER}, '/robots.txt')`
export const IS_REFUSED = sql.raw(`status in (${REFUSED_STATUSES.join(', ')})`)
const IS_MISSING = sql.raw(`status in (${MISSING_STATUSES.join(', ')})`)
const sumOf = (where: SQL): SQL => sql`coalesce(sum(fetches) filter (where ${where}), 0)`

const IS_OUT = sql.raw(`newest in (${REFUSED_STATUSES.join(', ')})`)

/** The status of the newest answer of a group. */
const NEWEST = sql`(array_agg(status order by last_at desc))[1]`

/** The same of answers that tell whether there is such a page: a refusal does not. */
const NEWEST_TOLD = sql`(array_agg(status order by last_at desc)
  filter (where not ${IS_REFUSED} and status between 200 and 499))[1]`

/** Most rows of a list. */
const MOST = 200

/** What each agent did. */
export async function readAgents(db: Db, range: FetchRange): Promise<AgentSums[]> {
  const rows = await db.execute<{ [K in keyof AgentSums]: string }>(sql`
    select agent, operator, surface, purpose, verified, sum(fetches) as fetches,
      ${sumOf(IS_READ)} as read, ${sumOf(IS_REFUSED)} as refused, ${sumOf(IS_MISSING)} as missing,
      ${sumOf(sql`status >= 500 or status = 0`)} as failed,
      ${sumOf(sql`path = '/robots.txt'`)} as robots,
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
    select path, ${sumOf(IS_FOR_A_PERSON)} as answers, ${sumOf(sql`not ${IS_FOR_A_PERSON}`)} as crawls
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
      and (status = 0 or ${IS_REFUSED} or ${IS_MISSING} or status >= 500)
      -- A store need not have these files.
      and not (${IS_MISSING} and path ~ '^/(robots\.txt|llms(-full)?\.txt|\.well-known/|sitemap)')
    group by 1, 2, 3 order by 4 desc, 1, 2, 3 limit ${MOST}`)
  return rows.map(({ agent, path, status, fetches, last_at }) => ({
    ...{ agent, path, status: Number(status), fetches: Number(fetches) },
    last_at: new Date(last_at).toISOString(),
  }))
}

/** What each verified agent asked for, and how much of it on pages whose newest answer refuses. */
export async function readRefused(db: Db, range: FetchRange): Promise<RefusedAgent[]> {
  const rows = await db.execute<Record<keyof RefusedAgent, string>>(sql`
    select agent, sum(asked) as asked,
      coalesce(sum(refused) filter (where ${IS_OUT}), 0) as refused,
      coalesce(sum(challenged) filter (where ${IS_OUT}), 0) as challenged
    from (
      select agent, path, sum(fetches) as asked, ${NEWEST} as newest,
        ${sumOf(sql`${IS_REFUSED} and status <> ${CHALLENGED}`)} as refused,
        ${sumOf(sql`status = ${CHALLENGED}`)} as challenged
      from fetch_days where ${of(range)} and verified = 'verified' and ${IS_PAGE} group by 1, 2
    ) as page group by 1 order by 3 desc, 1`)
  return rows.map(({ agent, asked, refused, challenged }) => ({
    ...{ agent, asked: Number(asked) },
    ...{ refused: Number(refused), challenged: Number(challenged) },
  }))
}

/**
 * The pages of products that verified agents asked for, and how often each was missing: 0 where its
 * newest answer is another.
 */
export async function readGonePages(
  db: Db,
  range: FetchRange,
): Promise<{ path: string; missing: number }[]> {
  const rows = await db.execute<{ path: string; missing: string; newest: number }>(sql`
    select path, ${sumOf(IS_MISSING)} as missing, ${NEWEST_TOLD} as newest
    from fetch_days where ${of(range)} and verified = 'verified' and ${IS_PAGE}
      and path in (select path from product_titles where domain = ${range.domain})
    group by 1 order by 2 desc, 1`)
  return rows.map(({ path, missing, newest }) => ({
    ...{
      path,
      missing: MISSING_STATUSES.some((status) => status === newest) ? Number(missing) : 0,
    },
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
        ${sumOf(IS_REFUSED)} as refused
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
