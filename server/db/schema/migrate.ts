import { setTimeout as sleep } from 'node:timers/promises'
import postgres, { type Sql, type TransactionSql } from 'postgres'
import { isTransactionConflict } from '../failures.ts'
import type { Migration, MigrationSet } from './migrations.ts'
import { compareSchema, readApplied } from './state.ts'

/**
 * For so long, in milliseconds, a statement waits for its lock: everyone who needs the table waits
 * behind it. Then it lets them through.
 */
const LOCK_MS = 500

/** Between two tries, in milliseconds: twice as long each time, up to the second. */
const PAUSES_MS = [500, 10_000] as const

/** Between two looks at whether another replica is done. */
const TURN_MS = 250

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
  // `connect_timeout` counts in seconds. Migrations have no time limit for statements.
  const sql = postgres(url, {
    max: 1,
    connect_timeout: 5,
    fetch_types: false,
    onnotice: () => {},
    connection: { application_name: 'aisle migrations' },
  })
  const abort = () => void sql.end({ timeout: 0 })
  signal?.addEventListener('abort', abort)
  const until = performance.now() + patienceMs
  const rest = async () => {
    const { pending } = compareSchema(migrations, await readApplied(sql, set), set)
    const needed = pending.filter(({ kind }) => kind === 'expand')
    return onlyNeeded ? needed : [...needed, ...pending.filter(({ kind }) => kind !== 'expand')]
  }
  const done: Migration[] = []
  try {
    if ((await rest()).length === 0) return done
    // An index that is being built ends with its process. Not every system can see that.
    await sql`select set_config('client_connection_check_interval', '1s', false)`.catch(() => {})
    await takeTurn(sql, set, signal)
    await patiently(() => makeTable(sql, set))
    for (const migration of await rest()) {
      await patiently(() => apply(sql, set, migration))
      done.push(migration)
    }
    return done
  } catch (error) {
    // What was under way says that its connection has ended.
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', abort)
    // The lock of the turn ends with the connection.
    await sql.end({ timeout: 5 })
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
 * One replica at a time. Asked again and again: a statement that waited for the lock would itself be
 * waited for by the index that the holder builds.
 */
async function takeTurn(sql: Sql, { table }: MigrationSet, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const [turn] = await sql<{ mine: boolean }[]>`
      select pg_try_advisory_lock(hashtext(${table})) as mine`
    if (turn?.mine) return
    await sleep(TURN_MS, undefined, signal && { signal })
  }
}

/** drizzle's own table, so that the releases until 0.1.0 read it, and what they did not note down. */
async function makeTable(sql: Sql, { table }: MigrationSet): Promise<void> {
  const name = `drizzle.${table}`
  const columns = await sql<{ name: string }[]>`
    select attname as name from pg_attribute where attrelid = to_regclass(${name})`
  if (columns.some((column) => column.name === 'serves')) return
  await inTransaction(sql, async (tx) => {
    await tx`create schema if not exists drizzle`
    await tx.unsafe(
      `create table if not exists ${name} (id serial primary key, hash text not null, created_at bigint);
      alter table ${name} add column if not exists tag text, add column if not exists serves bigint`,
    )
  })
}

const inTransaction = (sql: Sql, work: (tx: TransactionSql) => Promise<unknown>) =>
  sql.begin(async (tx) => {
    await tx.unsafe(`set local lock_timeout = ${LOCK_MS}`)
    await work(tx)
  })

/** The name of an index that a statement makes, and the schema it will be in. */
const INDEX =
  /^(?:\s|--.*\n)*CREATE (?:UNIQUE )?INDEX CONCURRENTLY (?:IF NOT EXISTS )?("\w+") ON (?:("\w+")\.)?/i

async function apply(sql: Sql, { table }: MigrationSet, migration: Migration): Promise<void> {
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
  // It waits for every older transaction, but nothing waits for it, so it may take as long as it needs.
  for (const statement of statements) {
    const [, index, schema = 'public'] = INDEX.exec(statement) ?? []
    // One whose making was interrupted is still there, and invalid.
    if (index) await sql.unsafe(`drop index concurrently if exists ${schema}.${index}`)
    await sql.unsafe(statement)
  }
  await record(sql)
}

/** The oldest transaction is likely to hold the lock: a dump, or a session that was left open. */
async function findHolder(sql: Sql): Promise<string> {
  const [oldest] = await sql<{ name: string; pid: number; since: string }[]>`
    select application_name as name, pid, to_char(xact_start at time zone 'UTC', 'HH24:MI:SS') as since
    from pg_stat_activity
    where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()
    order by xact_start limit 1`
  if (!oldest) return 'other transactions hold it'
  return `the oldest transaction is that of ${oldest.name || 'an unnamed program'} (process ${oldest.pid}), since ${oldest.since} UTC`
}
