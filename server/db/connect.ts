import { fileURLToPath } from 'node:url'
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres, { type Sql } from 'postgres'
import { type Clock, createClock } from './clock.ts'
import { joinCluster } from './embedded/cluster.ts'
import { createPool, type PoolLoad } from './pool.ts'

// Rows of one table go through drizzle's builder, statements made of parts through its `sql`. What is
// hot or for many rows is a tagged statement of the driver, which prepares it. `unsafe` is only for
// text of ours: parts of such a statement, and DDL, which takes no parameters.

/**
 * `server_version_num` of Postgres 15
 * (https://www.postgresql.org/docs/current/runtime-config-preset.html).
 */
const OLDEST = 150_000

/**
 * drizzle over postgres.js, with the driver's own client for statements that drizzle cannot write.
 */
export type Db = PostgresJsDatabase<Record<string, never>> & { $client: Sql }
export type Transaction = Parameters<Parameters<Db['transaction']>[0]>[0]

/** Where the database is, and what has to be in it. */
export interface ConnectConfig {
  /** A Postgres 15 or later. Undefined: the private cluster under `dataDir`. */
  databaseUrl: string | undefined
  dataDir: string
  /** Migrations that drizzle-kit generated, and the table that keeps count of them. */
  migrations: { folder: URL; table: string } | null
  /** Made to follow the database's; a new one unless given. */
  clock?: Clock
}

/**
 * A pool of at most ten connections and what closes it, with the private cluster if it was joined.
 */
export interface Database {
  db: Db
  /** The same pool, raw. drizzle sets it up to pass dates and JSON through as text. */
  sql: Sql
  /** How busy that pool is. */
  load: () => PoolLoad
  /** The time on the database's clock. */
  now: () => Date
  /** For another process; it holds the password. */
  url: string
  /** Resolves with what to do once the private cluster has died; never for another's Postgres. */
  gone: Promise<string>
  close: () => Promise<void>
}

/** Beside this file in the sources, beside the bundle in `dist/`. */
export const MIGRATIONS = {
  folder: new URL('./migrations/', import.meta.url),
  table: 'aisle_migrations',
}

/**
 * Connects and migrates the tables. Sessions are in UTC, and a statement ends after 15 s. Rejects
 * when the database cannot be reached or is too old; the message says how to fix it.
 */
export async function connect({
  databaseUrl,
  dataDir,
  migrations,
  clock = createClock(),
}: ConnectConfig): Promise<Database> {
  const cluster = databaseUrl === undefined ? await joinCluster(dataDir) : null
  const url = cluster?.url ?? databaseUrl ?? ''
  try {
    await prepare(url, migrations)
  } catch (error) {
    // Else a failed start would leave the private cluster running.
    await cluster?.leave()
    throw error
  }
  const sql = createPool(url, {
    max: 10,
    connect_timeout: 5,
    onnotice: () => {},
    connection: { application_name: 'aisle', TimeZone: 'UTC', statement_timeout: 15_000 },
  })
  const close = async () => {
    await sql.end({ timeout: 5 })
    await cluster?.leave()
  }
  // drizzle changes how types are read, so it comes before the first connection.
  const db = drizzle({ client: sql })
  try {
    const following = await clock.follow(sql)
    return {
      db,
      sql,
      load: sql.load,
      now: clock.now,
      url,
      gone: cluster?.gone ?? new Promise<never>(() => {}),
      close: () => {
        following.stop()
        return close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Checks and migrates on a connection of its own, which has no time limit for statements. */
async function prepare(url: string, migrations: ConnectConfig['migrations']) {
  // postgres.js counts `connect_timeout` in seconds, Postgres `statement_timeout` in milliseconds.
  const sql = postgres(url, { max: 1, connect_timeout: 5, fetch_types: false, onnotice: () => {} })
  try {
    await checkVersion(sql)
    if (!migrations) return
    // Replicas that start at the same time migrate in turn; the lock ends with the connection.
    await sql`select pg_advisory_lock(hashtext(${migrations.table}))`
    await migrate(drizzle({ client: sql }), {
      migrationsFolder: fileURLToPath(migrations.folder),
      migrationsTable: migrations.table,
    })
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** Postgres 15 or later: earlier ones lack what our statements use. */
async function checkVersion(sql: Sql) {
  const [row] = await sql<{ server_version_num: string; server_version: string }[]>`
    select current_setting('server_version_num') as server_version_num,
      current_setting('server_version') as server_version`.catch((cause: Error) => {
    const [host, port] = [sql.options.host, sql.options.port].map((of) => of[0])
    throw new Error(
      `Cannot connect to the database at ${host}:${port} (${cause.message || cause.name}). Check DATABASE_URL, and that Postgres is running there.`,
      { cause },
    )
  })
  if (Number(row?.server_version_num) >= OLDEST) return
  throw new Error(
    `The database is Postgres ${row?.server_version}. Aisle needs version 15 or later. Set DATABASE_URL to a newer one, or unset it to use the private one.`,
  )
}
