import { asc, inArray, sql } from 'drizzle-orm'
import type { Severity } from '../../../shared/audit/vocabulary.ts'
import type { IncidentKind } from '../../../shared/watch/incident.ts'
import type { Db } from '../connect.ts'
import { IS_OF_AI } from '../events/rollups.ts'
import { askAmong } from '../sharding/shards.ts'
import { watches } from './tables.ts'

/** A watch in a list of thousands: without the state of each gap. */
const COLUMNS = {
  domain: watches.domain,
  period: watches.period,
  severity: watches.severity,
  tags: watches.tags,
  created_at: watches.created_at,
  paused_at: watches.paused_at,
  next_at: watches.next_at,
  late_at: watches.late_at,
  leased_until: watches.leased_until,
  looked_at: watches.looked_at,
  outcome: watches.outcome,
  score: watches.score,
  grade: watches.grade,
  why: watches.why,
}
export type ListedWatch = Pick<typeof watches.$inferSelect, keyof typeof COLUMNS>

/** The watches of these domains, by name; `*` selects all. */
export const listWatchesInShort = (db: Db, domains: readonly string[]): Promise<ListedWatch[]> =>
  db
    .select(COLUMNS)
    .from(watches)
    .where(domains.includes('*') ? undefined : inArray(watches.domain, [...domains]))
    .orderBy(asc(watches.domain))

/** How many open incidents of one kind a domain has. */
export interface OpenCount {
  domain: string
  kind: IncidentKind
  severity: Severity
  /** They were there at the first check. */
  known: boolean
  count: number
}

/** How much is open in each of these domains. */
export async function countOpenAmong(db: Db, domains: readonly string[]): Promise<OpenCount[]> {
  const rows = await askAmong<Omit<OpenCount, 'count'> & { count: number | string }>(
    db.$client,
    domains,
    (asked) => sql`select kept.domain, kept.kind, kept.severity, kept.is_known as known,
        count(*) as count
      from ${asked} as asked(domain)
      join incidents kept on kept.domain = asked.domain and kept.closed_at is null
      group by kept.domain, kept.kind, kept.severity, kept.is_known`,
  )
  return rows.map((row) => ({ ...row, count: Number(row.count) }))
}

/**
 * What AI sold in one currency, in its smallest unit: in a range of days, and in the range before.
 */
export interface AiRevenue {
  domain: string
  currency: string
  orders: number
  revenue: number
  revenue_before: number
}

/**
 * Days are text such as `2026-11-30`: from `before` to the day before `start`, and from there to
 * `end`.
 */
export interface RevenueDays {
  before: string
  start: string
  end: string
}

/**
 * What AI sold in these domains, by currency. Domains without sales are left out, and so are orders
 * without a value, which have no currency.
 */
export async function readRevenueAmong(
  db: Db,
  domains: readonly string[],
  { before, start, end }: RevenueDays,
): Promise<AiRevenue[]> {
  const rows = await askAmong<Record<keyof AiRevenue, string>>(
    db.$client,
    domains,
    (asked) => sql`select kept.domain, kept.currency, sum(kept.completed) as orders,
        coalesce(sum(kept.revenue) filter (where kept.day >= ${start}::date), 0) as revenue,
        coalesce(sum(kept.revenue) filter (where kept.day < ${start}::date), 0) as revenue_before
      from ${asked} as asked(domain)
      join rollup_daily kept on kept.domain = asked.domain
        and kept.day between ${before}::date and ${end}::date
        and kept.completed > 0 and kept.currency <> '' and ${IS_OF_AI}
      group by kept.domain, kept.currency`,
  )
  return rows.map((row) => ({
    domain: row.domain,
    currency: row.currency,
    orders: Number(row.orders),
    revenue: Number(row.revenue),
    revenue_before: Number(row.revenue_before),
  }))
}

/** The last score of a day, by the beginning of the check's period. */
export interface DayScore {
  domain: string
  /** 0 is the first of the requested days. */
  day: number
  score: number
  /** What it was made of (`judgedIn`). */
  judged: string | null
}

/**
 * The scores of these domains over some days from a midnight on, in UTC; days without one are left
 * out.
 */
export const readScoresAmong = (
  db: Db,
  domains: readonly string[],
  { from, days }: { from: string; days: number },
): Promise<DayScore[]> =>
  askAmong<DayScore>(
    db.$client,
    domains,
    (asked) => sql`select asked.domain, spans.day, newest.score, newest.judged
      from ${asked} as asked(domain)
      cross join generate_series(0, ${days}::int - 1) as spans(day)
      cross join lateral (
        select kept.score, kept.judged from watch_looks kept
        where kept.domain = asked.domain and kept.score is not null
          and kept.slot_at >= ${from}::timestamptz + spans.day * interval '1 day'
          and kept.slot_at < ${from}::timestamptz + (spans.day + 1) * interval '1 day'
        order by kept.slot_at desc, kept.look desc limit 1
      ) as newest`,
  )
