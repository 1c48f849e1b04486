import { type SQL, sql } from 'drizzle-orm'
import { type CountedKind, UNATTRIBUTED } from '../../../shared/attribution/classify/visit.ts'
import type { ReportedSource } from '../../../shared/attribution/events.ts'
import type { Granularity } from '../../../shared/attribution/report.ts'
import { OTHER_AI, SURFACES } from '../../../shared/attribution/surfaces.ts'
import { shiftDay } from '../../../shared/web/moment.ts'
import type { Db } from '../connect.ts'
import { movedDaily, movedNamed } from './first-visits.ts'
import { DAILY, eachFigure, NAMED, type Rollup } from './rollup-changes.ts'
import type { Dimension } from './tables.ts'

/** What sessions and orders of a group add up to. `currency` is empty for those without a value. */
export interface OrderSums {
  currency: string
  sessions: number
  initiated: number
  completed: number
  /** Of completed orders, in the smallest unit of `currency`. */
  revenue: number
  refunds: number
  /** What they gave back, in the smallest unit of `currency`. */
  refunded: number
}

/** What all events of a group add up to. */
export interface Sums extends OrderSums {
  viewed: number
  failed: number
}

/** `earlier`: of the days before the range proper. `period`: its first day that is in its range. */
export type PeriodSums = Sums & { earlier: boolean; period: string }
/** `compared`: of the days that a change is between. */
export type OriginSums = Sums & {
  earlier: boolean
  compared: boolean
  surface: string
  kind: CountedKind
  source: ReportedSource
}
/**
 * The sums of a period and a surface, without views and failures, as there are thousands of rows.
 */
export type PeriodSurfaceSums = OrderSums & { period: string; surface: string }
/** An empty name is all that is not counted by its own. */
export type NamedSums = Sums & { earlier: boolean; compared: boolean; name: string }

/** Which rows count; what is left out does not matter. */
interface RollupFilter {
  /** As reports name it. */
  surface?: string | undefined
  /** Left out: all that AI brought. */
  kind?: CountedKind | undefined
  /** Only of one landing page or product. */
  named?: { dimension: Dimension; name: string } | undefined
}

/** Days are text such as `2026-11-30`, in the zone of the domain; `end` is included. */
export interface RollupRange extends RollupFilter {
  domain: string
  /** The first day that is read. */
  from: string
  /** The first day of the range proper. */
  start: string
  end: string
  /** The last days that changes are between, of the range and of what is before it. */
  compared: { through: string; throughBefore: string } | null
  granularity: Granularity
  /** For which of its visits an event of two counts; left out: for the last. */
  touch?: 'first' | 'last' | undefined
}

/** Surfaces of the table; what a stored row names beyond them counts as `other_ai`. */
export const KNOWN = SURFACES.map(({ id }) => id)

/** The sums per period, and per surface, kind and source, in one read. */
export async function readRollup(
  db: Db,
  range: RollupRange,
): Promise<{ periods: PeriodSums[]; origins: OriginSums[] }> {
  // Without days before the range, two columns fewer to group thousands of rows by.
  const days =
    range.from === range.start
      ? sql`
          select day, surface, kind, source, currency, ${SUMS} ${rowsOf(range)}
          group by grouping sets ((day, currency), (surface, kind, source, currency))`
      : sql`
          select day < ${range.start}::date as earlier, ${comparedOf(range)}, day, surface, kind,
            source, currency, ${SUMS}
          ${rowsOf(range)}
          group by grouping sets ((earlier, day, currency),
            (earlier, compared, surface, kind, source, currency))`
  const rows = await db.execute<
    Raw<PeriodSums & { surface: null }> | Raw<OriginSums & { period: null }>
  >(sql`
    select ${range.from === range.start ? sql`false as earlier, false as compared` : sql`earlier, compared`},
      ${periodOf(range)}, ${REPORTED_SURFACE}, kind, source, currency, ${SUMS}
    from (${days}) as days group by 1, 2, 3, 4, 5, 6, 7`)
  const periods: PeriodSums[] = []
  const origins: OriginSums[] = []
  for (const row of rows) {
    if (row.period === null) origins.push({ ...row, ...numbersOf(row) })
    else periods.push({ ...row, ...numbersOf(row) })
  }
  return { periods, origins }
}

/** The sums per period and surface: several rows of one where surfaces count as `other_ai`. */
export async function readRollupBySurface(
  db: Db,
  range: RollupRange,
): Promise<PeriodSurfaceSums[]> {
  const ofDays = (period: SQL) => sql`
    select ${period}, ${REPORTED_SURFACE}, currency, ${ORDER_SUMS} ${rowsOf(range)}
    group by day, surface, currency`
  const rows = await db.execute<Raw<PeriodSurfaceSums>>(
    range.granularity === 'day'
      ? ofDays(sql`day as period`)
      : sql`select ${periodOf(range)}, surface, currency, ${ORDER_SUMS}
          from (${ofDays(sql`day`)}) as days group by 1, 2, 3`,
  )
  return rows.map((row) => ({ ...row, ...orderNumbersOf(row) }))
}

/** Postgres sums integers as bigint and bigints as numeric, so that no sum overflows. */
const ORDER_SUMS = sql`sum(sessions) as sessions, sum(initiated) as initiated,
  sum(completed) as completed, sum(revenue) as revenue, sum(refunds) as refunds,
  sum(refunded) as refunded`
const SUMS = sql`${ORDER_SUMS}, sum(viewed) as viewed, sum(failed) as failed`

/** The sums per name of a dimension, from those of weeks as far as they can be. */
export async function readNamed(
  db: Db,
  range: RollupRange,
  dimension: Dimension,
): Promise<NamedSums[]> {
  const { domain, surface, kind } = range
  const parts = partsOf(range).map(
    ({ span, first, last, earlier, compared }) =>
      sql`(${span}, ${first}::date, ${last}::date, ${earlier}::boolean, ${compared}::boolean)`,
  )
  const inParts = (table: SQL, condition: SQL) => sql`
    select earlier, compared, name, currency, ${eachFigure((figure) => figure)}
    from (values ${sql.join(parts, sql`, `)}) as part(span, first, last, earlier, compared)
    join ${table} as kept on domain = ${domain} and dimension = ${dimension}
      and day between first and last and ${condition}
      and ${isOfKind(kind)}`
  const totals =
    surface === undefined
      ? inParts(sql`rollup_listed`, sql`kept.span = part.span`)
      : sql`${inParts(sql`rollup_weekly`, sql`part.span = 'week' and ${isSurface(surface)}`)}
          union all ${inParts(sql`rollup_named`, sql`part.span = 'day' and ${isSurface(surface)}`)}`
  const listed =
    range.touch !== 'first'
      ? totals
      : sql`${totals} union all ${inParts(
          sql`(${movedNamed(range)})`,
          surface === undefined ? sql`true` : isSurface(surface),
        )}`
  const rows = await db.execute<Raw<NamedSums>>(sql`
    select earlier, compared, name, currency, ${SUMS} from (${listed}) as listed
    group by 1, 2, 3, 4`)
  return rows.map((row) => ({ ...row, ...numbersOf(row) }))
}

/** Sessions and orders of which it is proved who called. */
export interface VerifiedSums {
  /** The first day of its period that is in the range. */
  period: string
  surface: string
  currency: string
  by: string
  sessions: number
  orders: number
}

/** The sums of what is verified, per period, surface and proof, of the range proper. */
export async function readVerifiedSums(db: Db, range: RollupRange): Promise<VerifiedSums[]> {
  const rows = await db.execute<{ [K in keyof VerifiedSums]: string }>(sql`
    select ${periodOf(range)}, ${REPORTED_SURFACE}, currency, name as by,
      sum(sessions) as sessions, sum(completed) as orders
    from ${withMoved(NAMED, range.touch === 'first' && movedNamed(range))}
    where domain = ${range.domain} and dimension = 'verification'
      and day between ${range.start}::date and ${range.end}::date
      ${range.surface === undefined ? sql`` : sql`and ${isSurface(range.surface)}`}
      and ${isOfKind(range.kind)}
    group by 1, 2, 3, 4`)
  return rows.map(({ sessions, orders, ...row }) => ({
    ...row,
    sessions: exact(sessions),
    orders: exact(orders),
  }))
}

/** Days or weeks in a row that are added up alike. */
interface Part {
  span: 'day' | 'week'
  first: string
  last: string
  earlier: boolean
  compared: boolean
}

/** A range in parts: whole weeks, as they are kept, wherever it has any. */
function partsOf({ from, start, end, compared }: RollupRange): Part[] {
  const { through = null, throughBefore = null } = compared ?? {}
  const cut = (first: string, last: string, by: string | null, earlier: boolean) =>
    by === null || by < first
      ? [{ first, last, earlier, compared: false }]
      : [
          { first, last: by < last ? by : last, earlier, compared: true },
          { first: shiftDay(by, 1), last, earlier, compared: false },
        ]
  const runs = [
    ...cut(from, shiftDay(start, -1), throughBefore, true),
    ...cut(start, end, through, false),
  ]
  return runs.flatMap(({ first, last, ...run }): Part[] => {
    if (first > last) return []
    let [week, after] = [first, shiftDay(last, 1)]
    while (week < after && !beginsWeek(week)) week = shiftDay(week, 1)
    while (after > week && !beginsWeek(after)) after = shiftDay(after, -1)
    const parts: Part[] = [
      { ...run, span: 'day', first, last: shiftDay(week, -1) },
      { ...run, span: 'week', first: week, last: shiftDay(after, -1) },
      { ...run, span: 'day', first: after, last },
    ]
    return parts.filter((part) => part.first <= part.last)
  })
}

/** Whether a week, as they are kept, begins on this day: Mondays and the first of a month. */
const beginsWeek = (day: string): boolean => day.endsWith('-01') || new Date(day).getUTCDay() === 1

/**
 * Both days are included. The primary keys begin with what is asked for, so they serve as indexes.
 */
const rowsOf = ({ surface, kind, named, touch, ...days }: RollupRange) => sql`
  from ${
    named === undefined
      ? sql`${withMoved(DAILY, touch === 'first' && movedDaily(days))} where domain = ${days.domain}`
      : sql`${withMoved(NAMED, touch === 'first' && movedNamed(days))}
          where domain = ${days.domain} and dimension = ${named.dimension}
            and name = ${named.name}`
  } and day between ${days.from}::date and ${days.end}::date
    ${surface === undefined ? sql`` : sql`and ${isSurface(surface)}`}
    and ${isOfKind(kind)}`

const withMoved = ({ table, key }: Rollup, rows: SQL | false): SQL =>
  rows === false
    ? table
    : sql`(
        select ${key}, ${eachFigure((figure) => figure)} from ${table} union all ${rows}
      ) as with_moved`

/** Whether a row counts as what AI brought. */
export const IS_OF_AI = sql.raw(`kind <> '${UNATTRIBUTED}'`)

const isOfKind = (kind: CountedKind | undefined) =>
  kind === undefined ? IS_OF_AI : sql`kind = ${kind}`

/** Whether a row counts under a surface as reports name it. */
export const isSurface = (surface: string) =>
  surface === OTHER_AI
    ? sql`(surface = ${surface} or surface not in ${KNOWN})`
    : sql`surface = ${KNOWN.includes(surface) ? surface : null}`

/** Whether a row is of the days that changes are between. */
const comparedOf = ({ start, compared }: RollupRange) =>
  compared === null
    ? sql`false as compared`
    : sql`day <= case when day < ${start}::date then ${compared.throughBefore}::date
        else ${compared.through}::date end as compared`

// Both are worked out on the few rows that a first grouping leaves.
// `greatest` leaves out a null, which the totals have as their day.
const periodOf = ({ granularity, from, start }: RollupRange) => sql`
  case when day is not null then greatest(
    date_trunc(${granularity}, day::timestamp)::date,
    case when day < ${start}::date then ${from}::date else ${start}::date end
  ) end as period`
// Totals keep the id that their surface had; those of a surface that no longer exists are other_ai.
const REPORTED_SURFACE = sql`
  case when surface is null or surface in ${KNOWN} then surface else ${OTHER_AI} end as surface`

type Figure = Exclude<keyof Sums, 'currency'>

/** Sums leave the database as text: they may be larger than a number of ours. */
type Raw<S> = { [K in keyof S]: K extends Figure ? string : S[K] }

const numbersOf = (row: Record<Figure, string>) => ({
  ...orderNumbersOf(row),
  viewed: exact(row.viewed),
  failed: exact(row.failed),
})

const orderNumbersOf = (row: Record<Exclude<keyof OrderSums, 'currency'>, string>) => ({
  sessions: exact(row.sessions),
  initiated: exact(row.initiated),
  completed: exact(row.completed),
  revenue: exact(row.revenue),
  refunds: exact(row.refunds),
  refunded: exact(row.refunded),
})

// Unspecified: sums beyond 2^53 - 1, where JSON has no exact integers, are shown as that number.
const exact = (digits: string): number => atMost(Number(digits))
const atMost = (value: number): number => Math.min(value, Number.MAX_SAFE_INTEGER)

/** Exact up to 2^53 - 1, and that number beyond. */
export const addExactly = (one: number, other: number): number => atMost(one + other)
