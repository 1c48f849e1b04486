import { type SQL, sql } from 'drizzle-orm'
import type { CountedKind } from '../../../shared/attribution/classify/visit.ts'
import type { ReportedSource } from '../../../shared/attribution/events.ts'
import type { Db } from '../connect.ts'
import { type AtShard, runParts } from '../sharding/shards.ts'
import { shiftMonth } from './partitions.ts'
import {
  addToRollup,
  changeTotals,
  countNames,
  DAILY,
  deleteEmptyRows,
  eachFigure,
  FIGURES,
  type Figure,
  NAMED,
  OF_NAMED,
  type Rollup,
  sumDays,
  sumNames,
  TOTALS,
  type Totals,
} from './rollup-changes.ts'
import { chooseNames, isToName } from './rollup-names.ts'
import type { Dimension } from './tables.ts'

/** One row of a rollup, and how far each figure was below the total of its events. */
export type Difference = {
  domain: string
  day: string
  surface: string
  kind: CountedKind
  source: ReportedSource
  currency: string
  /**
   * Present in the totals by name alone; an empty name is all those that are not counted by theirs.
   */
  dimension?: Dimension
  name?: string
} & Record<Figure, number>

/** Figures leave the database as text. */
type Raw = { [K in keyof Difference]: K extends Figure ? string : Difference[K] }

/** What to rebuild, and from which month on. */
interface Rebuild {
  domain: string
  /** Totals before this month, such as `2026-11`, stay, as their events may have been dropped. */
  since: string
  /** Compares, and changes nothing. */
  dryRun: boolean
}

/** What is rebuilt in one transaction, while another rebuilds the rest: about as much work. */
const PARTS: Readonly<Record<Totals, { daily: boolean; dimensions: readonly Dimension[] }>> = {
  landing: { daily: true, dimensions: ['landing'] },
  others: { daily: false, dimensions: ['customer', 'product', 'verification'] },
}

/**
 * Repairs a domain's rollups from its events and returns the differences. The server may keep
 * writing: one statement sees events and totals in one snapshot, and adds the differences. Which
 * names are counted is decided anew, unless it only compares: then it tells nothing of events that
 * are counted by their name in one and with all others in the other.
 */
export async function rebuildRollup(db: Db, rebuild: Rebuild): Promise<Difference[]> {
  const parts = await rebuildParts(db, rebuild.domain, (at, part) => rebuildAt(at, part, rebuild))
  return parts.flat()
}

/**
 * Decides which landing pages and products of a domain are counted, where there are too many, and
 * rebuilds its rollups by them. False where somebody has done so for this month within the day.
 */
export async function nameAnew(
  db: Db,
  domain: string,
  { month, since }: { month: string; since: string },
): Promise<boolean> {
  const parts = await rebuildParts(db, domain, async (at, part) => {
    if (!(await isToName(at, domain, month, PARTS[part].dimensions))) return false
    await rebuildAt(at, part, { domain, since, dryRun: false })
    return true
  })
  return parts.includes(true)
}

/** Works at all parts in parallel: a transaction uses one core. If one fails, so does it. */
async function rebuildParts<Result>(
  db: Db,
  domain: string,
  work: (at: AtShard, part: Totals) => Promise<Result>,
): Promise<Result[]> {
  const parts = TOTALS.map((part) => changeTotals(db, domain, (at) => work(at, part), [part]))
  await Promise.allSettled(parts)
  return Promise.all(parts)
}

/** `rebuildRollup` of one part, in its transaction. */
async function rebuildAt(
  at: AtShard,
  part: Totals,
  { domain, since, dryRun }: Rebuild,
): Promise<Difference[]> {
  for (const [name, value] of PLANNING) {
    await at(`select set_config('${name}', '${value}', true) as set`, [])
  }
  const months = await monthsOfEvents(at)
  if (months.length === 0) return []
  const { daily, dimensions } = PARTS[part]
  if (!dryRun) {
    for (const dimension of dimensions) await chooseNames(at, domain, since, dimension)
  }
  const first = firstWholeDay(since, months)
  // Totals and events of the same days: an event may count on a day of the month before, by its
  // shop's time zone, and that month may have no partition.
  const events = sql`events where domain = ${domain} and ts >= ${first}::date - 1
    and case when day is null then ${isKept(sql`ts`, months, first, startOf)}
      else ${isKept(sql`day`, months, first)} end`
  const keptFrom = (from: string) => sql`domain = ${domain} and ${isKept(sql`day`, months, from)}`
  const ofDimensions = (from: string) =>
    sql`${keptFrom(from)} and dimension in (${sql.join(
      dimensions.map((each) => sql`${each}`),
      sql`, `,
    )})`
  const counted = sql`counted_events`
  const named: Repair = {
    rollup: NAMED,
    sums: sumNames(dimensions, counted),
    kept: ofDimensions(first),
  }
  const ofDays: Repair = { rollup: DAILY, sums: sumDays(counted), kept: keptFrom(first) }
  const repairs = daily ? [ofDays, named] : [named]
  const differing = await runParts<Raw>(
    at,
    sql`with ${counted} as materialized (${countNames(domain, dimensions, events)}),
      ${comparing(repairs, dryRun)} ${tellDiffering(repairs)}`,
  )
  if (dryRun) return withoutRenamed(differing).map(readFigures)
  // These are sums of those before, so nothing of them is told. Rows of the first day are among
  // them, repaired or not: that day's week has other days, which were.
  for (const { rollup, sumsOf } of OF_NAMED) {
    const kept = ofDimensions(`${since}-01`)
    const sums = sumsOf(sql`(select * from rollup_named where ${kept})`)
    await runParts(at, sql`with ${comparing([{ rollup, sums, kept }], false)} select where false`)
  }
  await deleteEmptyRows(at, domain, { dimensions, daily })
  return differing.map(readFigures)
}

/** How Postgres is to plan what reads whole months. */
const PLANNING = [
  // It takes a month that was just filled for an empty one: it would join name by name, and sort
  // millions of events to count them.
  ['enable_nestloop', 'off'],
  ['enable_sort', 'off'],
  ['enable_incremental_sort', 'off'],
  // What a large shop's months are counted in, which is not in memory otherwise.
  ['work_mem', '64MB'],
] as const

const asDay = (day: string) => sql`${day}::date`
/** Its first moment in UTC. */
const startOf = (day: string) => sql`(${day}::timestamp at time zone 'UTC')`

/** Whether a day, or a moment by `startOf`, is of one of these months, from a day on. */
function isKept(
  column: SQL,
  months: readonly string[],
  from: string,
  at: (day: string) => SQL = asDay,
): SQL {
  const spans: { first: string; after: string }[] = []
  for (const month of months.toSorted()) {
    const [begin, after] = [`${month}-01`, `${shiftMonth(month, 1)}-01`]
    const last = spans.at(-1)
    if (last?.after === begin) last.after = after
    else if (after > from) spans.push({ first: begin < from ? from : begin, after })
  }
  const inSpans = spans.map(
    ({ first, after }) => sql`(${column} >= ${at(first)} and ${column} < ${at(after)})`,
  )
  return inSpans.length === 0 ? sql`false` : sql`(${sql.join(inSpans, sql` or `)})`
}

// Unspecified: a name that two replicas admit to the last room of a month at the same time, or that
// the daily choice takes in or out meanwhile, may have an event among the others, or the other way
// round. The sums are exact, and the daily choice counts all by the names that it takes.
/** Without the differences of a name and of all others that cancel each other out. */
const withoutRenamed = (differing: readonly Raw[]): Raw[] => {
  const groups = Map.groupBy(
    differing,
    ({ domain, day, surface, kind, source, currency, ...row }) =>
      JSON.stringify([domain, row.dimension, day, surface, kind, source, currency]),
  )
  const isRenamed = (rows: readonly Raw[]) =>
    rows.some(({ name }) => name === '') &&
    FIGURES.every((figure) => rows.reduce((sum, row) => sum + BigInt(row[figure]), 0n) === 0n)
  const renamed = new Set([...groups.values()].filter(isRenamed).flat())
  return differing.filter((row) => !renamed.has(row))
}

interface Repair {
  rollup: Rollup
  /** A query for what its events add up to. */
  sums: SQL
  /** Which rows of the rollup are compared. */
  kept: SQL
}

/**
 * Parts of a statement that compare rollups with what their events add up to and, unless it is a
 * dry run, add the differences, in this order: Postgres runs parts that no other reads from the
 * last to the first (see `ADD_SUMS`).
 */
function comparing(repairs: readonly Repair[], dryRun: boolean): SQL {
  const compared = repairs.map(
    ({ rollup, sums, kept }, n) => sql`${cte('counted', n)} as (
      ${sums}
    ), ${cte('kept', n)} as (
      select * from ${rollup.table} where ${kept}
    ), ${cte('compared', n)} as (
      select ${rollup.key},
        ${eachFigure((figure) => sql`(coalesce(counted.${figure}, 0) - coalesce(kept.${figure}, 0))::bigint as ${figure}`)}
      from ${cte('counted', n)} as counted full join ${cte('kept', n)} as kept using (${rollup.key})
    ), ${cte('differing', n)} as materialized (
      select * from ${cte('compared', n)}
      where (${eachFigure((figure) => figure)}) <> (${eachFigure(() => sql`0`)})
      -- Sorted once: what is in order already is sorted again in no time.
      order by ${rollup.key}
    )`,
  )
  const repaired = repairs.map(
    ({ rollup }, n) => sql`${cte('repaired', n)} as (${addToRollup(rollup, cte('differing', n))})`,
  )
  return sql.join(dryRun ? compared : [...compared, ...repaired.toReversed()], sql`, `)
}

const cte = (name: string, n: number): SQL => sql.raw(`${name}_${n}`)

/** A query for all that `comparing` has found. */
const tellDiffering = (repairs: readonly Repair[]): SQL => sql`
  select * from (${sql.join(
    repairs.map(
      ({ rollup }, n) => sql`
      select domain, ${rollup === NAMED ? sql`dimension, name` : sql`null as dimension, null as name`},
        day, surface, kind, source, currency, ${eachFigure((figure) => sql`${figure}::text`)}
      from ${cte('differing', n)}`,
    ),
    sql` union all `,
  )}) as differing
  order by dimension nulls first, name, day, surface, kind, source, currency`

/**
 * The first day of which all events are kept. In a zone ahead of UTC a month begins with events of
 * the last hours of the month before, which are gone with it. Its own events need not show that: a
 * small shop may have none that counts on another day than that of UTC.
 */
const firstWholeDay = (since: string, months: readonly string[]): string =>
  months.includes(shiftMonth(since, -1)) ? `${since}-01` : `${since}-02`

/** Figures as numbers: a difference is small, even where a sum is not. */
const readFigures = ({
  domain,
  day,
  surface,
  kind,
  source,
  currency,
  ...row
}: Raw): Difference => ({
  ...{ domain, day, surface, kind, source, currency },
  ...(row.dimension && { dimension: row.dimension, name: row.name ?? '' }),
  sessions: Number(row.sessions),
  viewed: Number(row.viewed),
  initiated: Number(row.initiated),
  completed: Number(row.completed),
  failed: Number(row.failed),
  revenue: Number(row.revenue),
  refunds: Number(row.refunds),
  refunded: Number(row.refunded),
})

/** The months that have events. Reading from them keeps retention from dropping any of them. */
async function monthsOfEvents(at: AtShard): Promise<string[]> {
  await at(`select domain from events limit 0`, [])
  const rows = await at<{ month: string }>(
    `select substring(pg_get_expr(relpartbound, oid) from '[0-9]{4}-[0-9]{2}') as month
    from pg_inherits join pg_class on oid = inhrelid where inhparent = 'events'::regclass`,
    [],
  )
  return rows.map(({ month }) => month)
}

/** Whether the domain has events or sums. */
export async function isReported(db: Db, domain: string): Promise<boolean> {
  const [row] = await db.execute<{ known: boolean }>(sql`
    select exists (select from rollup_daily where domain = ${domain})
      or exists (select from events where domain = ${domain}) as known`)
  return row?.known ?? false
}

/** The domains that have events or sums. */
export async function reportedDomains(db: Db): Promise<string[]> {
  const rows = await db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`)
    return tx.execute<{ domain: string }>(
      sql`select domain from rollup_daily union select domain from events order by domain`,
    )
  })
  return rows.map(({ domain }) => domain)
}
