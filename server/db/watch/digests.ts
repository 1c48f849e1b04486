import { and, eq, inArray, lte, sql } from 'drizzle-orm'
import { UNATTRIBUTED } from '../../../shared/attribution/classify/visit.ts'
import type { DigestAi, DigestIncident } from '../../../shared/watch/digest.ts'
import type { WatchNotice } from '../../../shared/watch/notice.ts'
import { shiftDay } from '../../../shared/web/moment.ts'
import type { Transaction } from '../connect.ts'
import { IS_OF_AI } from '../events/rollups.ts'
import { IS_FOR_A_PERSON, IS_READ, IS_REFUSED } from '../fetches/report.ts'
import { isDelivery, type WatchDeliveryRow } from './deliveries.ts'
import { watch_deliveries, watches } from './tables.ts'
import type { WatchRow } from './watches.ts'

/**
 * The watch whose digest is due first and which no other replica has; null if there is none. It is
 * locked until the end of this transaction. `except`: those that failed a moment ago.
 */
export async function takeDigest(
  tx: Transaction,
  now: Date,
  except: readonly string[],
): Promise<WatchRow | null> {
  for (;;) {
    // A lock of its own, so that checks of the domain go on.
    const [row] = await tx.execute<{ domain: string }>(sql`
      select domain from (
        select domain from watches
        where digest_at <= ${now.toISOString()}::timestamptz and paused_at is null
          and domain not in (select jsonb_array_elements_text(${JSON.stringify(except)}::jsonb))
        order by digest_at, domain limit 100
      ) as due
      where pg_try_advisory_xact_lock(hashtextextended('aisle digest ' || domain, 0)) limit 1`)
    if (row === undefined) return null
    // Another replica may have written and released it since that statement began.
    const [watch] = await tx
      .select()
      .from(watches)
      .where(and(eq(watches.domain, row.domain), lte(watches.digest_at, now)))
    if (watch !== undefined) return watch
  }
}

/** Sets the next due time. False if another replica has done so since. */
export async function moveDigest(
  tx: Transaction,
  { domain, digest_at }: Pick<WatchRow, 'domain' | 'digest_at'>,
  next: Date,
): Promise<boolean> {
  const rows = await tx
    .update(watches)
    .set({ digest_at: next })
    .where(and(eq(watches.domain, domain), eq(watches.digest_at, digest_at)))
    .returning({ domain: watches.domain })
  return rows.length > 0
}

/**
 * The score of the last check before a moment that saw the domain, and what it judged; null if
 * there is none. Ordered
 * by the beginning of its period, as the index is, although the check itself may be later.
 */
export async function scoreBefore(
  tx: Transaction,
  domain: string,
  before: Date,
): Promise<{ score: number; judged: string | null } | null> {
  const [row] = await tx.execute<{ score: number; judged: string | null }>(sql`
    select score, judged from watch_looks
    where domain = ${domain} and outcome = 'seen' and slot_at <= ${before.toISOString()}::timestamptz
      and ended_at <= ${before.toISOString()}::timestamptz
    order by slot_at desc, look desc limit 1`)
  return row ?? null
}

/** More are not useful; they are counted on the page. */
const MOST_INCIDENTS = 200

/**
 * Incidents that were open at some time since a moment, without those that were there from the
 * start.
 */
export async function incidentsSince(
  tx: Transaction,
  domain: string,
  since: Date,
): Promise<DigestIncident[]> {
  const rows = await tx.execute<{ [K in keyof DigestIncident]: DigestIncident[K] }>(sql`
    select id, kind, severity, label, points,
      to_char(opened_at at time zone 'UTC', ${ISO}) as opened_at,
      to_char(closed_at at time zone 'UTC', ${ISO}) as closed_at
    from incidents
    where domain = ${domain} and not is_known
      and (closed_at is null or closed_at > ${since.toISOString()}::timestamptz)
    order by opened_at desc, id limit ${MOST_INCIDENTS}`)
  return [...rows]
}

const ISO = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'

/** What AI brought in the seven days before a day of the store, and in the seven before those. */
export async function aiOfWeek(tx: Transaction, domain: string, end: string): Promise<DigestAi> {
  const week = shiftDay(end, -7)
  const rows = await tx.execute<
    Record<
      | 'sessions'
      | 'sessions_before'
      | 'orders'
      | 'orders_before'
      | 'amount'
      | 'before'
      | 'failed'
      | 'failed_before'
      | 'unattributed',
      string
    > & {
      currency: string
    }
  >(sql`
    select currency,
      ${sumOf('sessions', week)} as sessions, ${sumBefore('sessions', week)} as sessions_before,
      ${sumOf('completed', week)} as orders, ${sumBefore('completed', week)} as orders_before,
      ${sumOf('failed', week)} as failed, ${sumBefore('failed', week)} as failed_before,
      ${sumOf('revenue', week)} as amount, ${sumBefore('revenue', week)} as before,
      coalesce(sum(completed) filter (where day >= ${week}::date and kind = ${UNATTRIBUTED}), 0)
        as unattributed
    from rollup_daily
    where domain = ${domain} and day >= ${shiftDay(week, -7)}::date and day < ${end}::date
    group by currency order by currency`)
  const [read] = await tx.execute<Record<'answers' | 'answers_before' | 'refused', string>>(sql`
    select coalesce(sum(fetches) filter (where day >= ${week}::date and ${IS_ANSWERED}), 0) as answers,
      coalesce(sum(fetches) filter (where day < ${week}::date and ${IS_ANSWERED}), 0)
        as answers_before,
      coalesce(sum(fetches) filter (
        where day >= ${week}::date and verified = 'verified' and ${IS_REFUSED}), 0) as refused
    from fetch_days
    where domain = ${domain} and day >= ${shiftDay(week, -7)}::date and day < ${end}::date`)
  const sum = (what: Exclude<keyof (typeof rows)[number], 'amount' | 'before' | 'currency'>) =>
    rows.reduce((total, row) => total + Number(row[what]), 0)
  return {
    sessions: sum('sessions'),
    sessions_before: sum('sessions_before'),
    orders: sum('orders'),
    orders_before: sum('orders_before'),
    failed: sum('failed'),
    failed_before: sum('failed_before'),
    answers: Number(read?.answers ?? 0),
    answers_before: Number(read?.answers_before ?? 0),
    refused: Number(read?.refused ?? 0),
    unattributed: sum('unattributed'),
    revenue: rows
      .map(({ currency, amount, before }) => ({
        currency,
        amount: Number(amount),
        before: Number(before),
      }))
      .filter(({ currency, amount, before }) => currency !== '' && amount + before > 0),
  }
}

const IS_ANSWERED = sql`${IS_READ} and ${IS_FOR_A_PERSON}`

const sumOf = (column: string, week: string) =>
  sql`coalesce(sum(${sql.identifier(column)})
    filter (where day >= ${week}::date and ${IS_OF_AI}), 0)`
const sumBefore = (column: string, week: string) =>
  sql`coalesce(sum(${sql.identifier(column)})
    filter (where day < ${week}::date and ${IS_OF_AI}), 0)`

/**
 * Locks a delivery that is still being put together: no other transaction changes or sends it
 * meanwhile.
 */
export async function lockDelivery(
  tx: Transaction,
  noticeId: string,
  channelIds: readonly string[],
): Promise<WatchDeliveryRow | null> {
  const [row] = await tx
    .select()
    .from(watch_deliveries)
    .where(
      and(
        inArray(watch_deliveries.channel_id, [...channelIds]),
        eq(watch_deliveries.notice_id, noticeId),
      ),
    )
    .for('update')
  return row ?? null
}

/** False if the delivery exists already. */
export async function insertDelivery(
  tx: Transaction,
  row: typeof watch_deliveries.$inferInsert,
): Promise<boolean> {
  const made = await tx
    .insert(watch_deliveries)
    .values(row)
    .onConflictDoNothing()
    .returning({ id: watch_deliveries.channel_id })
  return made.length > 0
}

/** Changes a delivery's notice and its due time. */
export async function changeDelivery(
  tx: Transaction,
  delivery: Pick<WatchDeliveryRow, 'channel_id' | 'notice_id'>,
  change: { notice: WatchNotice; next_at: Date },
): Promise<void> {
  await tx.update(watch_deliveries).set(change).where(isDelivery(delivery))
}
