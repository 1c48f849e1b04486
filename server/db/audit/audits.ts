import { and, arrayContains, desc, eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import {
  compareScores,
  type JudgedScore,
  judgedIn,
  type Trend,
} from '../../../shared/audit/result/compare.ts'
import type { JudgedAudit } from '../../../shared/audit/result/fixes.ts'
import type { ProductTitle } from '../../../shared/audit/result/product-titles.ts'
import { AuditResult, Gap } from '../../../shared/audit/result/result.ts'
import type { StoredAudit } from '../../../shared/audit/result/stored-audit.ts'
import type { CheckName } from '../../../shared/audit/vocabulary.ts'
import { saveTitles } from '../attribution/product-titles.ts'
import type { Db } from '../connect.ts'
import { askAmong, askEverywhere, runParts, shardsOf } from '../sharding/shards.ts'
import { keptResultOf } from './kept-result.ts'
import { audits } from './tables.ts'

/**
 * Keeps a result, for `dry_run` and for the history of the domain. Earlier ones stay for a while.
 * `titles`: what the audit saw the domain's products called. `id`: one of its own, unless given.
 */
export async function saveAudit(
  db: Db,
  result: AuditResult,
  titles: readonly ProductTitle[] = [],
  id?: string,
): Promise<void> {
  const { domain, checks, engine_version } = result
  const checked_at = new Date(result.checked_at)
  await db
    .insert(audits)
    .values({ id, domain, checks, engine_version, result, checked_at })
    .onConflictDoNothing()
  await saveTitles(db, domain, titles, checked_at)
}

/**
 * The newest result for the domain that covers all of `checks`, of this engine or, with null, of
 * any; null without one, and for a stored row that no longer has the form of a result.
 */
export async function findAudit(
  db: Db,
  domain: string,
  checks: readonly CheckName[],
  engineVersion: string | null,
): Promise<AuditResult | null> {
  const [row] = await db
    .select({ result: audits.result })
    .from(audits)
    .where(
      and(
        eq(audits.domain, domain),
        engineVersion === null ? undefined : eq(audits.engine_version, engineVersion),
        arrayContains(audits.checks, [...checks]),
      ),
    )
    .orderBy(desc(audits.checked_at))
    .limit(1)
  return keptResultOf(row)
}

/**
 * The product pages that the newest audit of a domain judged: a later one reads them again.
 * Undefined without an audit.
 */
export async function knownPages(db: Db, domain: string): Promise<string[] | undefined> {
  const result = await findAudit(db, domain, ['schema'], null)
  return result?.product_pages.map(({ url }) => url)
}

/** A stored audit in one line of a list. */
export interface PastAudit {
  id: string
  domain: string
  checked_at: string
  score: number
  grade: AuditResult['grade']
  checks: CheckName[]
  engine_version: string
  /** By `judgedIn`. */
  judged: string
  gaps: number
  worst_gap: WorstGap | null
  /** The newest earlier one of the same checks and engine, or else the newest earlier one. */
  before: EarlierAudit | null
}

type WorstGap = Pick<Gap, 'id' | 'check' | 'severity' | 'label'>

interface EarlierAudit
  extends Pick<PastAudit, 'id' | 'checked_at' | 'score' | 'engine_version' | 'checks'> {
  trend: Trend
}

interface Part {
  limit?: number
  /** The id of an audit that is still there: only those before it. */
  after?: string | undefined
  /** The id of an audit: it alone. */
  only?: string
}

/** The audits of a domain, of any checks and engine, newest first. */
export async function listAudits(
  db: Db,
  domain: string,
  { limit = 50, after, only }: Part = {},
): Promise<PastAudit[]> {
  const own = sql`domain = ${domain}`
  const earlier = sql`(checked_at, id) <
    (select checked_at, id from audits where ${own} and id = ${after ?? null}::uuid)`
  const wanted = [
    own,
    ...(after === undefined ? [] : [earlier]),
    ...(only === undefined ? [] : [sql`id = ${only}::uuid`]),
  ]
  return readListed(
    await runParts(
      shardsOf(db.$client).at([domain]),
      listed(sql`select * from audits where ${sql.join(wanted, sql` and `)}
        order by checked_at desc, id desc limit ${limit}::int`),
    ),
  )
}

/**
 * The newest audit of each of these domains by all of `checks`, of any engine, where it has one.
 */
export async function newestAudits(
  db: Db,
  domains: readonly string[],
  checks: readonly CheckName[],
): Promise<Map<string, PastAudit>> {
  const rows = await askAmong<ListedRow>(db.$client, domains, (asked) =>
    listed(sql`select newest.* from ${asked} as asked(domain)
      cross join lateral (
        select * from audits kept where kept.domain = asked.domain
          and checks @> array(select jsonb_array_elements_text(${JSON.stringify(checks)}::jsonb))
        order by checked_at desc, id desc limit 1
      ) as newest`),
  )
  return new Map(readListed(rows).map((row) => [row.domain, row]))
}

/**
 * What the audits of a domain by all of `checks` judged since a moment, the oldest first: the last
 * of each day in a zone, as a watch makes many.
 */
export async function listDailyVerdicts(
  db: Db,
  domain: string,
  { checks, since, zone }: { checks: readonly CheckName[]; since: Date; zone: string },
): Promise<JudgedAudit[]> {
  const day = sql`(checked_at at time zone ${zone})::date`
  const rows = await db.execute<{
    id: string
    day: string
    engine_version: string
    score: unknown
    judged: unknown
  }>(
    sql`
      select id, day::text as day, engine_version, result->'score' as score, ${mentionsIn(sql`result`)} as judged from (
        select distinct on (day) * from (
          select *, ${day} as day from audits
          where domain = ${domain} and checked_at >= ${since.toISOString()}::timestamptz
            and checks @> array(select jsonb_array_elements_text(${JSON.stringify(checks)}::jsonb))
        ) as each order by day, checked_at desc
      ) as last order by day`,
  )
  return rows.flatMap(({ judged, ...row }) => {
    const score = Head.shape.score.safeParse(row.score)
    const mentioned = Mentioned.safeParse(judged)
    if (!mentioned.success || !score.success) return []
    const { gaps, passed } = mentioned.data
    return [{ ...row, score: score.data, gaps: gaps.map(({ id }) => id), passed }]
  })
}

/** The stored audit with this id, if its domain is one of these; `*` among them is all. */
export async function findAuditById(
  db: Db,
  id: string,
  domains: readonly string[],
): Promise<StoredAudit | null> {
  const where = (among: SQL) =>
    sql`select result from audits where id = ${id}::uuid and domain in (${among})`
  const [row] = await (domains.includes('*')
    ? askEverywhere<{ result: unknown }>(db.$client, where(allAudited(sql`''`)))
    : askAmong<{ result: unknown }>(db.$client, domains, (asked) => where(sql`select ${asked}`)))
  const result = keptResultOf(row)
  return result && { id, ...result }
}

/** Which of these domains have an audit. */
export async function auditedAmong(db: Db, domains: readonly string[]): Promise<string[]> {
  const rows = await askAmong<{ domain: string }>(
    db.$client,
    domains,
    (asked) => sql`select domain from ${asked} as asked(domain)
      where exists (select from audits kept where kept.domain = asked.domain)`,
  )
  return rows.map(({ domain }) => domain)
}

/**
 * All domains that have an audit or a property, in the database's order, from the one after
 * `after`.
 */
export async function listAllDomains(db: Db, limit: number, after = ''): Promise<string[]> {
  const [audited, owned] = await Promise.all([
    askEverywhere<{ domain: string }>(
      db.$client,
      sql`select domain from (${allAudited(sql`${after}`)}) as audited limit ${limit}::int`,
    ),
    db.execute<{ domain: string }>(sql`
      select distinct domain from properties where domain > ${after} order by domain limit ${limit}`),
  ])
  const known = JSON.stringify([...audited, ...owned].map(({ domain }) => domain))
  const rows = await db.execute<{ domain: string }>(sql`
    select distinct domain from jsonb_array_elements_text(${known}::jsonb) as known(domain)
    order by domain limit ${limit}`)
  return rows.map(({ domain }) => domain)
}

/**
 * Each domain that has audits once, in order: a leap of the index for each, not a row for each
 * audit.
 */
const allAudited = (after: SQL): SQL => sql`
  with recursive audited as (
    (select domain from audits where domain > ${after}::text order by domain limit 1)
    union all
    select following.domain from audited cross join lateral (
      select kept.domain from audits kept where kept.domain > audited.domain order by kept.domain limit 1
    ) as following
  )
  select domain from audited`

/** A type, because drizzle takes no interface for the row of a statement. */
type ListedRow = {
  id: string
  domain: string
  checked_at: string
  checks: CheckName[]
  engine_version: string
  score: unknown
  grade: unknown
  gaps: number
  judged: unknown
  worst: unknown
  before_id: string | null
  before_at: string | null
  before_score: unknown
  before_engine: string | null
  before_checks: CheckName[] | null
  before_judged: unknown
}

/**
 * These rows of the table, each with the audit before it. Scores and gaps are read inside the
 * database: a whole result has many kilobytes. Rows that no longer have the form of a result are
 * left out.
 */
const listed = (rows: SQL): SQL => sql`
    with asked as (${rows})
    select asked.id, asked.domain, asked.checked_at, asked.checks, asked.engine_version,
      asked.result->'score' as score, asked.result->'grade' as grade,
      jsonb_array_length(asked.result->'gaps') as gaps, asked.result->'gaps'->0 as worst,
      ${mentionsIn(sql`asked.result`)} as judged, ${mentionsIn(sql`before.result`)} as before_judged,
      before.id as before_id, before.checked_at as before_at, before.result->'score' as before_score,
      before.engine_version as before_engine, before.checks as before_checks
    from asked left join lateral (
      (select *, 1 as choice from audits where domain = asked.domain
        and checked_at < asked.checked_at and engine_version = asked.engine_version
        and checks = asked.checks order by checked_at desc limit 1)
      union all
      (select *, 2 from audits where domain = asked.domain
        and checked_at < asked.checked_at order by checked_at desc limit 1)
      order by choice limit 1
    ) as before on true
    order by asked.domain, asked.checked_at desc, asked.id desc`

/** The ids of what a result mentions, which is all that its score follows from. */
const mentionsIn = (result: SQL): SQL => sql`jsonb_build_object(
  'gaps', jsonb_path_query_array(${result}, '$.gaps[*].id'), 'passed', ${result}->'passed',
  'skipped', jsonb_path_query_array(${result}, '$.skipped[*].id'))`

const Ids = z.array(z.string().transform((id) => ({ id })))
const Mentioned = z.object({ gaps: Ids, passed: z.array(z.string()), skipped: Ids })

function readListed(found: readonly ListedRow[]): PastAudit[] {
  return found.flatMap((row) => {
    const head = Head.safeParse(row)
    const mentioned = Mentioned.safeParse(row.judged)
    if (!head.success || !mentioned.success) return []
    const { id, domain, checks, engine_version, gaps } = row
    const checked_at = new Date(row.checked_at).toISOString()
    const worst_gap = Worst.catch(null).parse(row.worst)
    const judged = judgedIn({ ...mentioned.data, checks, engine_version })
    return [
      {
        id,
        domain,
        checked_at,
        checks,
        engine_version,
        judged,
        gaps,
        worst_gap,
        ...head.data,
        before: beforeOf(row, { score: head.data.score, judged }),
      },
    ]
  })
}

const Head = AuditResult.pick({ score: true, grade: true })
const Worst = Gap.pick({ id: true, check: true, severity: true, label: true }).nullable()

function beforeOf(row: ListedRow, after: JudgedScore): EarlierAudit | null {
  const { before_id, before_at, before_engine, before_checks } = row
  const score = Head.shape.score.safeParse(row.before_score)
  if (before_id === null || before_at === null || before_engine === null) return null
  const mentioned = Mentioned.safeParse(row.before_judged)
  if (before_checks === null || !score.success || !mentioned.success) return null
  const measure = { engine_version: before_engine, checks: before_checks }
  const before = { score: score.data, judged: judgedIn({ ...mentioned.data, ...measure }) }
  return {
    id: before_id,
    checked_at: new Date(before_at).toISOString(),
    score: score.data,
    ...measure,
    trend: compareScores(before, after),
  }
}
