import { setTimeout as sleep } from 'node:timers/promises'
import type { ReservedSql, Sql, TransactionSql } from 'postgres'
import { isTimeout, isTransactionConflict } from '../connection/failures.ts'
import { openOwnPool } from '../connection/pool.ts'
import { isPooled } from '../connection/pooler.ts'
import type { Migration, MigrationSet } from './migrations.ts'
import { compareSchema, hasTable, readApplied } from './state.ts'

/**
 * For so long, in milliseconds, a statement waits for its lock: everyone who needs the table waits
 * behind it. Then it lets them through.
 */
const LOCK_MS = 500

/** Between two tries, in milliseconds: twice as long each time, up to the second. */
const PAUSES_MS = [500, 10_000] as const

/** Between two looks at whether another replica is done. */
const TURN_MS = 250

/** Connections of a migration: on one it keeps its turn, on the other it works. */
export const MIGRATING = 2

/** The name under which Postgres shows the connections of migrations. */
const NAME = 'aisle migrations'

/** How long a migration tries to get its locks. A dump may take longer: then it is for a human. */
const PATIENCE_MS = 15 * 60_000

export interface MigrateOptions {
  /** Leaves out what no build needs: it can follow while requests are answered. */
  onlyNeeded?: boolean
  patienceMs?: number
  /** Ends the waiting; what is under way is rolled back, or done again by the next. */
  signal?: AbortSignal | undefined
  /** Told once why it takes longer, with what to do. */
  onWait?: (why: string) => void
}

/**
 * Applies the migrations that are pending, each in a transaction of its own, and resolves to those
 * that this call applied. Replicas take turns. Rejects where it cannot get a lock in time.
 */
export async function migrate(
  url: string,
  set: MigrationSet,
  migrations: readonly Migration[],
  { onlyNeeded = false, patienceMs = PATIENCE_MS, signal, onWait }: MigrateOptions = {},
): Promise<Migration[]> {
  const { pool: sql, close } = openOwnPool(url, { max: MIGRATING, name: NAME, signal })
  const until = performance.now() + patienceMs
  const rest = async () => {
    const { pending } = compareSchema(migrations, await readApplied(sql, set), set)
    const needed = pending.filter(({ kind }) => kind === 'expand')
    return onlyNeeded ? needed : [...needed, ...pending.filter(({ kind }) => kind !== 'expand')]
  }
  const done: Migration[] = []
  try {
    if ((await rest()).length === 0) return done
    await inTurn(sql, set, signal, async () => {
      await patiently(() => makeTable(sql, set))
      for (const migration of await rest()) {
        await patiently(() => apply(sql, set, migration))
        done.push(migration)
      }
    })
    return done
  } catch (error) {
    // What was under way says that its connection has ended.
    signal?.throwIfAborted()
    throw error
  } finally {
    await close()
  }

  /** Tries again while others hold what it needs, and lets them through in between. */
  async function patiently(work: () => Promise<unknown>): Promise<void> {
    let pause: number = PAUSES_MS[0]
    for (;;) {
      try {
        await work()
        return
      } catch (error) {
        if (!isTransactionConflict(error)) throw error
        const holder = await findHolder(sql)
        if (performance.now() + pause > until) {
          throw new Error(
            `A migration cannot get its lock: ${holder}. Wait until that is over, or end it, and run "${set.command}".`,
            { cause: error },
          )
        }
        if (pause === PAUSES_MS[0]) {
          onWait?.(
            `A migration waits for a lock and tries again, without holding up others: ${holder}.`,
          )
        }
        await sleep(pause, undefined, signal && { signal })
        pause = Math.min(2 * pause, PAUSES_MS[1])
      }
    }
  }
}

/**
 * Does the work of one replica at a time, under a lock of a transaction that is open for so long:
 * one of the session would be lost behind a pooler. At `read committed` it holds no snapshot, so
 * that no index waits for it. The lock is asked for again and again: a statement that waited for it
 * would have one.
 */
async function inTurn(
  sql: Sql,
  { table }: MigrationSet,
  signal: AbortSignal | undefined,
  work: () => Promise<void>,
): Promise<void> {
  for (;;) {
    const isDone = await sql.begin('isolation level read committed', async (tx) => {
      await tx.unsafe('set local idle_in_transaction_session_timeout = 0')
      // The statement is only a string: a statement with parameters keeps its snapshot until the
      // next one is sent.
      const [turn] = await tx.unsafe<{ mine: boolean }[]>(
        `select pg_try_advisory_xact_lock(hashtext('${table}')) as mine`,
      )
      if (!turn?.mine) return false
      await work()
      return true
    })
    if (isDone) return
    await sleep(TURN_MS, undefined, signal && { signal })
  }
}

/** Makes the table that counts migrations, in the schema where drizzle has its own. */
async function makeTable(sql: Sql, set: MigrationSet): Promise<void> {
  if (await hasTable(sql, set)) return
  await inTransaction(sql, async (tx) => {
    await tx`create schema if not exists drizzle`
    await tx.unsafe(
      `create table drizzle.${set.table} (id serial primary key, hash text not null,
        created_at bigint not null, tag text not null, serves bigint)`,
    )
  })
}

const inTransaction = (sql: Sql, work: (tx: TransactionSql) => Promise<unknown>) =>
  sql.begin(async (tx) => {
    await tx.unsafe(`set local lock_timeout = ${LOCK_MS}; set local statement_timeout = 0`)
    await work(tx)
  })

/** The name of an index that a statement makes, and the schema it will be in. */
const INDEX =
  /^(?:\s|--.*\n)*CREATE (?:UNIQUE )?INDEX CONCURRENTLY (?:IF NOT EXISTS )?("\w+") ON (?:("\w+")\.)?/i

async function apply(
  sql: Sql,
  { table, command }: MigrationSet,
  migration: Migration,
): Promise<void> {
  const { statements, tag, when, hash, serves, isConcurrent } = migration
  const record = (on: Sql | TransactionSql) =>
    on.unsafe(
      `insert into drizzle.${table} (hash, created_at, tag, serves) values ($1, $2, $3, $4)`,
      [hash, when, tag, serves],
    )
  if (!isConcurrent) {
    await inTransaction(sql, async (tx) => {
      for (const statement of statements) await tx.unsafe(statement)
      await record(tx)
    })
    return
  }
  // It waits for every older transaction, but nothing waits for it, so it may take as long as it
  // needs.
  const session = await sql.reserve()
  try {
    const isLimited = await prepareSession(session)
    for (const statement of statements) {
      const [, index, schema = 'public'] = INDEX.exec(statement) ?? []
      // One whose making was interrupted is still there, and invalid.
      if (index) await session.unsafe(`drop index concurrently if exists ${schema}.${index}`)
      await session.unsafe(statement).catch((cause) => {
        throw isLimited && isTimeout(cause) ? tooLong(tag, command, cause) : cause
      })
    }
    await record(session)
  } finally {
    session.release()
  }
}

/**
 * Whether a pooler limits the time of statements outside transactions, for which nothing can be
 * set.
 */
async function prepareSession(session: ReservedSql): Promise<boolean> {
  if (await isPooled(session)) return true
  await session`set statement_timeout = 0`
  // An index that is being built ends with its process. Not every system can see that.
  await session`select set_config('client_connection_check_interval', '1s', false)`.catch(() => {})
  return false
}

const tooLong = (tag: string, command: string, cause: unknown) =>
  new Error(
    `The migration ${tag} needs longer than the pooler allows. Run "${command}" with the address of Postgres itself in DATABASE_URL; the service runs meanwhile.`,
    { cause },
  )

/**
 * The oldest transaction, but for those that keep a turn, is likely to hold the lock: a dump, or a
 * session that was left open.
 */
async function findHolder(sql: Sql): Promise<string> {
  const [oldest] = await sql<{ name: string; pid: number; since: string }[]>`
    select application_name as name, pid, to_char(xact_start at time zone 'UTC', 'HH24:MI:SS') as since
    from pg_stat_activity
    where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()
      and not (application_name = ${NAME} and state like 'idle in transaction%')
    order by xact_start limit 1`
  if (!oldest) return 'other transactions hold it'
  return `the oldest transaction is that of ${oldest.name || 'an unnamed program'} (process ${oldest.pid}), since ${oldest.since} UTC`
}
