import { and, asc, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import { OTHER_AI } from '../../../shared/attribution/surfaces.ts'
import {
  type CheckoutFigures,
  FAILURE_KINDS,
  FAILURE_REASONS,
  type FailureKind,
  type SurfaceDay,
} from '../../../shared/watch/signals.ts'
import type { Db, Transaction } from '../connect.ts'
import { STORED_VISIT } from '../events/packed.ts'
import { IS_OF_AI, isSurface, KNOWN } from '../events/rollups.ts'
import { askAmong, shardsOf } from '../sharding/shards.ts'
import { notices, watches } from './tables.ts'
import type { WatchRow } from './watches.ts'

/** What searching for signals needs of a watch. */
export type SignalsWatch = Pick<
  WatchRow,
  'domain' | 'quiet_hours' | 'time_zone' | 'created_at' | 'signals_judged_at'
>

/**
 * Takes up to `most` watches that were last searched at or before `before`, each by one replica.
 * There is no lease: if a process dies, no notice was sent twice, and the next hour searches again.
 */
export const claimSignals = (
  db: Db,
  { now, before, most }: { now: Date; before: Date; most: number },
): Promise<SignalsWatch[]> =>
  db.transaction(async (tx) => {
    const { domain, quiet_hours, time_zone, created_at, signals_at, signals_judged_at } = watches
    const due = await tx
      .select({ domain, quiet_hours, time_zone, created_at, signals_judged_at })
      .from(watches)
      .where(
        and(
          eq(watches.with_report, true),
          isNull(watches.paused_at),
          or(isNull(signals_at), lte(signals_at, before)),
        ),
      )
      .orderBy(sql`${signals_at} nulls first`, asc(domain))
      .limit(most)
      .for('update', { skipLocked: true })
    if (due.length === 0) return []
    const names = due.map((each) => each.domain)
    await tx.update(watches).set({ signals_at: now }).where(inArray(domain, names))
    return due
  })

/** Records that the search of these watches is complete. */
export async function noteJudged(db: Db, domains: readonly string[], at: Date): Promise<void> {
  if (domains.length === 0) return
  await db.update(watches).set({ signals_judged_at: at }).where(inArray(watches.domain, domains))
}

/**
 * Locks the watch of a domain until the end of the transaction. False if it was deleted since it
 * was taken, or may no longer say what orders show: deleting closes what is open.
 */
export async function holdReported(tx: Transaction, domain: string): Promise<boolean> {
  const rows = await tx
    .select({ domain: watches.domain })
    .from(watches)
    .where(and(eq(watches.domain, domain), eq(watches.with_report, true)))
    .for('share')
  return rows.length > 0
}

/** A day of a domain, with the checkouts that began or ended on it. */
export type DomainDay = SurfaceDay & { domain: string; checkouts: number }

/** Sessions and orders of these domains by day and surface, from a day on. */
export const readSurfaceDays = (
  db: Db,
  domains: readonly string[],
  from: string,
): Promise<DomainDay[]> =>
  askAmong<DomainDay>(
    db.$client,
    domains,
    (asked) => sql`
      select kept.domain, kept.day::text as day,
        case when kept.surface in ${KNOWN} then kept.surface else ${OTHER_AI} end as surface,
        sum(kept.sessions)::float8 as sessions, sum(kept.completed)::float8 as orders,
        sum(kept.initiated + kept.completed + kept.failed)::float8 as checkouts
      from ${asked} as asked(domain)
      join rollup_daily kept on kept.domain = asked.domain and kept.day >= ${from}::date
        and ${IS_OF_AI}
      group by 1, 2, 3`,
  )

/** The first day with figures of each of these domains; those without any are left out. */
export async function readFirstDays(
  db: Db,
  domains: readonly string[],
): Promise<Map<string, string>> {
  const rows = await askAmong<{ domain: string; day: string | null }>(
    db.$client,
    domains,
    (asked) => sql`
      select asked.domain, (
        select min(kept.day)::text from rollup_daily kept where kept.domain = asked.domain
      ) as day from ${asked} as asked(domain)`,
  )
  return new Map(rows.flatMap(({ domain, day }) => (day === null ? [] : [[domain, day] as const])))
}

/** Whether a surface has brought an order before a day. */
export async function hadOrderBefore(
  db: Db,
  { domain, surface, day }: { domain: string; surface: string; day: string },
): Promise<boolean> {
  const rows = await db.execute(sql`
    select from rollup_daily where domain = ${domain} and day < ${day}::date and completed > 0
      and ${IS_OF_AI} and ${isSurface(surface)} limit 1`)
  return rows.length > 0
}

/** The first order that a surface brought, as it was reported. */
interface FirstOrder {
  ts: string
  value: number | null
  currency: string | null
  source: string
}

/**
 * The first order of a surface on a day, from a range that contains the day in every time zone;
 * null once its event was dropped.
 */
export async function findFirstOrder(
  db: Db,
  { domain, surface, day }: { domain: string; surface: string; day: string },
): Promise<FirstOrder | null> {
  const [row] = await db.execute<
    { [K in keyof FirstOrder]: FirstOrder[K] } & { value: string | null }
  >(sql`
    select ts::text as ts, value, currency, source from events
    where domain = ${domain} and event = 'ai_checkout_completed'
      and ${IS_OF_AI} and ${isSurface(surface)}
      and ts >= ${day}::timestamptz - interval '1 day'
      and ts < ${day}::timestamptz + interval '2 days'
    order by ts, id limit 1`)
  return row === undefined ? null : { ...row, value: row.value === null ? null : Number(row.value) }
}

/** Whether a notice exists already. */
export async function isNoticed(tx: Transaction, domain: string, id: string): Promise<boolean> {
  const rows = await tx
    .select({ id: notices.id })
    .from(notices)
    .where(and(eq(notices.domain, domain), eq(notices.id, id)))
  return rows.length > 0
}

/** At most this many events are read per domain, the latest: some 50 ms of one connection. */
const MOST_EVENTS = 50_000
const HOUR_MS = 3_600_000

// Unspecified: a session over UCP or ACP counts as over 45 minutes after it was opened: the
// specification advises 15 to 30, and reports may come late.
const SESSION_MINUTES = 45

const REASON_NAMES = ['reason', 'failure_reason', 'error_code', 'code']

type FiguresRow = Record<FailureKind | 'completed' | 'protocol_orders', number> & {
  hours: number
  since_ms: number
  opened_completed: number
  opened_failed: number
  opened_expired: number
  timed: number
  p95_ms: number | null
}

/**
 * The outcomes of a domain's checkouts in the last hours, or as far back as its last 50,000 events
 * reach. By the time when they happened, so that imports of older events do not count.
 */
export async function readCheckouts(
  db: Db,
  domain: string,
  { now, hours }: { now: Date; hours: readonly number[] },
): Promise<CheckoutFigures[]> {
  const longest = new Date(now.getTime() - Math.max(...hours) * HOUR_MS)
  // Only whole months are cut off before the limit: with a filter by the hour the scan would go on
  // for nothing.
  const month = `${longest.toISOString().slice(0, 7)}-01T00:00:00Z`
  const at = shardsOf(db.$client).at([domain])
  const rows = await at<FiguresRow>(CHECKOUTS, [
    domain,
    month,
    now.toISOString(),
    JSON.stringify(hours),
    JSON.stringify(FAILURE_REASONS),
    MOST_EVENTS,
  ])
  return rows.map((row) => ({
    hours: (now.getTime() - row.since_ms) / HOUR_MS,
    completed: row.completed,
    failed: {
      payment: row.payment,
      stock: row.stock,
      expired: row.expired,
      ended: row.ended,
      other: row.other,
      unsaid: row.unsaid,
    },
    opened: {
      completed: row.opened_completed,
      failed: row.opened_failed,
      expired: row.opened_expired,
    },
    protocolOrders: row.protocol_orders,
    timed: row.timed,
    p95Ms: row.p95_ms,
  }))
}

const CHECKOUTS = `
  with recent as materialized (
    select kept.ts, kept.received_at, kept.event, kept.source, ${STORED_VISIT} as visit_id, kept.properties
    from events kept where kept.domain = $1 and kept.ts >= $2::timestamptz
    order by kept.id desc limit $6::int
  ), spans as materialized (
    select hours, greatest(
      $3::timestamptz - make_interval(hours => hours),
      (select case when count(*) >= $6::int then min(received_at) end from recent)
    ) as since
    from (select value::int as hours from jsonb_array_elements_text($4::jsonb)) as asked
  ), checkouts as materialized (
    select ts, visit_id, event, source <> 'web' as is_protocol,
      case when event = 'ai_checkout_failed' then
        coalesce($5::jsonb ->> said, case when said is null then 'unsaid' else 'other' end)
      end as failed,
      case when jsonb_typeof(properties->'duration_ms') = 'number' then
        least(greatest((properties->>'duration_ms')::numeric, 0), 86400000)::float8
      end as ms
    from (
      select recent.*, nullif(trim(both '_' from regexp_replace(lower(left(
        coalesce(${REASON_NAMES.map((name) => `properties->>'${name}'`).join(', ')}), 100
      )), '[^a-z0-9]+', '_', 'g')), '') as said
      from recent
      where event in ('ai_checkout_initiated', 'ai_checkout_completed', 'ai_checkout_failed')
    ) as read
  ), sums as (
    select hours,
      count(*) filter (where event = 'ai_checkout_completed')::int as completed,
      count(*) filter (where event = 'ai_checkout_completed' and is_protocol)::int
        as protocol_orders,
      ${FAILURE_KINDS.map((kind) => `count(*) filter (where failed = '${kind}')::int as ${kind}`).join(', ')},
      count(ms)::int as timed,
      percentile_disc(0.95) within group (order by ms) as p95_ms
    from spans join checkouts on ts >= since group by hours
  ), sessions as (
    select hours,
      count(*) filter (where is_done)::int as opened_completed,
      count(*) filter (where not is_done and is_failed)::int as opened_failed,
      count(*) filter (where not is_done and not is_failed)::int as opened_expired
    from (
      select hours, min(ts) filter (where event = 'ai_checkout_initiated') as opened,
        bool_or(event = 'ai_checkout_completed') as is_done,
        coalesce(bool_or(failed <> 'expired'), false) as is_failed
      from spans join checkouts on ts >= since and is_protocol group by hours, visit_id
    ) as each
    where opened <= $3::timestamptz - interval '${SESSION_MINUTES} minutes'
    group by hours
  )
  select hours, (extract(epoch from since) * 1000)::float8 as since_ms,
    ${['completed', 'protocol_orders', ...FAILURE_KINDS, 'timed'].map((name) => `coalesce(${name}, 0) as ${name}`).join(', ')},
    p95_ms,
    coalesce(opened_completed, 0) as opened_completed, coalesce(opened_failed, 0) as opened_failed,
    coalesce(opened_expired, 0) as opened_expired
  from spans left join sums using (hours) left join sessions using (hours)
  order by hours`
