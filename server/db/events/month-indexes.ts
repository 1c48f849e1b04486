import type { ReservedSql, Sql } from 'postgres'
import { openOwnPool, type Pool } from '../connection/pool.ts'
import { isPooled } from '../connection/pooler.ts'
import { shardsOf } from '../sharding/shards.ts'
import { monthTable } from './partitions.ts'

// Events of many domains come in side by side, each at the end of its domain's part of the index,
// so that pages in between split and stay half empty: a third of the index. A month that is over
// gets next to none any more, so its index is made anew once, and noted as such by a comment, which
// dumps keep.

const NOTE = 'made anew after its month'

/** The name under which Postgres shows the connection that builds indexes of months. */
const NAME = 'Aisle months'

/** An index waits for transactions of others: while one is older than this, none is begun. */
const OLD_MS = 60_000

/** For so long it waits for those that began since: then the next run tries again. */
const LOCK_MS = 60_000

interface MonthIndexDeps {
  sql: Sql
  /**
   * The URL of the database: what takes longer than a statement of the service has a connection of
   * its own.
   */
  url: string
  /** Leaves one of the pool unused for it. */
  reserveSlot: Pool['reserveSlot']
  /** `OLD_MS` unless given. */
  oldMs?: number
}

interface MonthIndex {
  name: string
  /** Left behind by a process that was killed while it made one: it is of no use to anybody. */
  isRest: boolean
}

/** Indexes of months before this one that were not made anew, and what is left of such a try. */
const findIndexes = (sql: Sql, month: string): Promise<MonthIndex[]> =>
  sql<MonthIndex[]>`
    select made.relname as name, not indisvalid as "isRest"
    from pg_inherits
    join pg_class months on months.oid = inhrelid
    join pg_index on indrelid = months.oid
    join pg_class made on made.oid = indexrelid
    where inhparent = 'events'::regclass and months.relname < ${monthTable(month)}
      and (
        not indisvalid
        -- The other index is of few events.
        or indisprimary and obj_description(indexrelid, 'pg_class') is distinct from ${NOTE}
      )
    order by indisvalid, made.relname`

/**
 * Makes the indexes of months before this one anew, where that was not done yet, while they are
 * read and written; resolves to their names. One process at a time does so. What is left of one
 * that was killed is dropped first. Not on a cluster, and not through a pooler, which limits how
 * long a statement takes.
 */
export async function renewMonthIndexes(
  { sql, url, reserveSlot, oldMs = OLD_MS }: MonthIndexDeps,
  month: string,
  signal?: AbortSignal,
): Promise<string[]> {
  if ((await findIndexes(sql, month)).length === 0 || (await shardsOf(sql).areMany())) return []
  const leave = await reserveSlot()
  const { pool, close } = openOwnPool(url, { max: 1, name: NAME, signal })
  try {
    const session = await pool.reserve()
    return await renewOn(session, { month, oldMs }, signal)
  } catch (error) {
    // What was under way says that its connection has ended.
    if (signal?.aborted) return []
    throw error
  } finally {
    await close()
    leave()
  }
}

async function renewOn(
  session: ReservedSql,
  { month, oldMs }: { month: string; oldMs: number },
  signal?: AbortSignal,
): Promise<string[]> {
  // A lock of the session, which ends with it, is safe where no pooler is in between.
  if (await isPooled(session)) return []
  const [turn] = await session<{ mine: boolean }[]>`
    select pg_try_advisory_lock(hashtext('indexes of events')) as mine`
  if (!turn?.mine) return []
  await session.unsafe(`set statement_timeout = 0; set lock_timeout = ${LOCK_MS}`)
  // An index that is being built ends with its process. Not every system can see that.
  await session`select set_config('client_connection_check_interval', '1s', false)`.catch(() => {})
  const done: string[] = []
  // Asked again: another process may have had the turn before.
  for (const { name, isRest } of await findIndexes(session, month)) {
    if (signal?.aborted || (await hasOldTransaction(session, oldMs))) break
    if (isRest) {
      await session`drop index concurrently if exists ${session(name)}`
      continue
    }
    // Late events come at the end of their domain, so the other pages may be full.
    await session`alter index ${session(name)} set (fillfactor = 100)`
    await session`reindex index concurrently ${session(name)}`
    await session.unsafe(`comment on index ${name} is '${NOTE}'`)
    done.push(name)
  }
  return done
}

async function hasOldTransaction(session: ReservedSql, oldMs: number): Promise<boolean> {
  const [row] = await session<{ old: boolean }[]>`
    select exists (
      select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and backend_type = 'client backend' and xact_start < now() - ${oldMs}::float8 * interval '1 millisecond'
    ) as old`
  return row?.old ?? false
}
