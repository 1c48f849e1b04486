import type { ISql, Sql } from 'postgres'
import { dayOf } from '../../../shared/web/moment.ts'
import { runSweep, sliceOf, slicePages } from '../retention/sweep.ts'

/**
 * Keys of the months before the first instant that stays, which is the parameter, and refunds that
 * have waited since. Those of orders and refunds arrived at `infinity`, so they stay.
 */
const AGED_KEYS = 'kept.received_at < $1::timestamptz'

/**
 * Keys with notes whose event goes with its month, or has gone: notes name visits in clear text,
 * and erasing a visit finds its notes by its events. A count is evaluated per row, where Postgres
 * would join `not exists` with all events.
 */
const AGED_NOTES = `kept.notes <> '' and (
  select count(*) from events own
  where own.domain = kept.domain and own.id = kept.event_id and own.ts >= $1::timestamptz
) = 0`

/** Partitions are made and dropped under this lock, by one process at a time. */
const LOCK = 'events partitions'

/** `2026-11` of an instant, in UTC. */
export const monthOf = (at: Date): string => dayOf(at.getTime()).slice(0, 7)

/** The month `months` later or, with a negative number, earlier. */
export function shiftMonth(month: string, by: number): string {
  const first = new Date(`${month}-01T00:00:00Z`)
  first.setUTCMonth(first.getUTCMonth() + by)
  return monthOf(first)
}

/** The first month whose events are kept: a number of whole months before the current one. */
export const firstKept = (now: Date, months: number): string => shiftMonth(monthOf(now), -months)

/**
 * The first month whose events are complete: within the retention, and after every month that a
 * shorter retention has dropped.
 */
export async function firstCompleteMonth(sql: ISql, now: Date, months: number): Promise<string> {
  const kept = firstKept(now, months)
  const [row] = await sql<{ dropped: string | null }[]>`
    select max(month) as dropped from dropped_months`
  const afterDropped = row?.dropped == null ? '' : shiftMonth(row.dropped, 1)
  return afterDropped > kept ? afterDropped : kept
}

/**
 * The table of the events of a month; the name holds the month, so that none has to be looked up.
 */
export const monthTable = (month: string): string => `events_${month.replace('-', '_')}`

/** The months that have a partition, oldest first. */
export async function listMonths(sql: ISql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'events'::regclass order by relname`
  return rows.map(({ name }) => name.slice('events_'.length).replace('_', '-'))
}

/** Makes the partitions of these months (`2026-11`) that are not there yet. */
export async function ensureMonths(sql: Sql, months: readonly string[]): Promise<void> {
  const there = new Set(await listMonths(sql))
  const missing = [...new Set(months)].filter((month) => !there.has(month)).sort()
  if (missing.length === 0) return
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext(${LOCK}))`
    // Asked again under the lock: another process may have made them meanwhile.
    const now = new Set(await listMonths(tx))
    for (const month of missing) {
      if (now.has(month)) continue
      // Attached, because `partition of` takes an exclusive lock on the events
      // (https://www.postgresql.org/docs/current/sql-createtable.html, PARTITION OF).
      // One command at a time, as Citus takes them.
      await tx.unsafe(`create table ${monthTable(month)} (like events including all)`)
      await tx.unsafe(
        `alter table events attach partition ${monthTable(month)}
        for values from ('${month}-01') to ('${shiftMonth(month, 1)}-01')`,
      )
    }
  })
}

/**
 * `ensureMonths` that asks the database about each month once. `forget` starts anew, after another
 * process has dropped a month.
 */
export function createPartitionCache(sql: Sql) {
  const seen = new Set<string>()
  return {
    async ensure(months: readonly string[]): Promise<void> {
      const unseen = months.filter((month) => !seen.has(month))
      if (unseen.length === 0) return
      await ensureMonths(sql, unseen)
      for (const month of unseen) seen.add(month)
    },
    forget: () => seen.clear(),
  }
}

/**
 * Drops the events of all months before this one, with their sessions and keys; returns the months.
 * Daily totals, what was set aside with them, and the keys of orders and refunds stay, without
 * their notes, so that each counts once. Empty if another process is at it, or `signal` is aborted:
 * the next run goes on. Rejects (`isTransactionConflict`) after two seconds if a reader holds the
 * events: waiting blocks writers.
 */
export async function dropBefore(sql: Sql, month: string, signal?: AbortSignal): Promise<string[]> {
  const isOld = (each: string) => each < month
  if (!(await listMonths(sql)).some(isOld)) return []
  const first = [`${month}-01`]
  const keys = slicePages('event_keys', AGED_KEYS, first)
  if (!(await runSweep(sql, 'event_keys', keys, signal)).isDone) return []
  const forgetNotes = `update event_keys kept set notes = ''`
  const notes = slicePages('event_keys', AGED_NOTES, first, forgetNotes)
  if (!(await runSweep(sql, 'event_keys', notes, signal)).isDone) return []
  const refunds = slicePages('waiting_refunds', AGED_KEYS, first)
  if (!(await runSweep(sql, 'waiting_refunds', refunds, signal)).isDone) return []
  const sessions = slicePages('ai_sessions', 'kept.day < $1::date', first)
  if (!(await runSweep(sql, 'ai_sessions', sessions, signal)).isDone) return []
  // How many were let through matters on the day itself.
  const days = sliceOf(
    'beacon_days',
    {
      key: 'domain, day, property_id',
      where: 'day < $1::date and over_address + over_network + over_property = 0',
      by: 'day',
    },
    first,
  )
  if (!(await runSweep(sql, 'beacon_days', days, signal)).isDone) return []
  const fetches = slicePages('fetch_days', 'kept.day < $1::date', first)
  if (!(await runSweep(sql, 'fetch_days', fetches, signal)).isDone) return []
  // A separate transaction: ingestion holds the events while it waits for a key, so holding keys
  // while waiting for the events would deadlock.
  return sql.begin(async (tx) => {
    // On the nodes of a cluster as well.
    await tx`set local citus.propagate_set_commands = 'local'`
    await tx`set local lock_timeout = '2s'`
    await tx`select pg_advisory_xact_lock(hashtext(${LOCK}))`
    const old = (await listMonths(tx)).filter(isOld)
    for (const each of old) {
      // Totals of a dropped month cannot be rebuilt any more: `dropped_months` remembers which
      // those are.
      await tx`insert into dropped_months values (${each}) on conflict do nothing`
      await tx.unsafe(`drop table if exists ${monthTable(each)}`)
    }
    return old
  })
}
