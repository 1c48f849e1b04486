import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import postgres, { type Sql } from 'postgres'
import { type Clock, createClock } from './clock.ts'
import { joinCluster } from './embedded/cluster.ts'
import { createPool, type PoolLoad } from './pool.ts'
import type { MigrationSet } from './schema/migrations.ts'
import { createSchema, type Schema } from './schema/schema.ts'
import { placeNewTables } from './shards/apply.ts'

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
  /** Null: those of the service, `later`. */
  migrations: MigrationSet | null
  /**
   * `now`, unless given, applies what is pending. `never` rejects where something is missing. `later`
   * leaves it to the caller.
   */
  migrate?: 'now' | 'never' | 'later'
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
  schema: Schema
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
  command: 'aisle db migrate',
  after: placeNewTables,
}

/**
 * Connects, and migrates the tables unless told otherwise. Sessions are in UTC, and a statement ends after 15 s. Rejects
 * when the database cannot be reached or is too old; the message says how to fix it.
 */
export async function connect({
  databaseUrl,
  dataDir,
  migrations,
  migrate = migrations === null ? 'later' : 'now',
  clock = createClock(),
}: ConnectConfig): Promise<Database> {
  const cluster = databaseUrl === undefined ? await joinCluster(dataDir) : null
  const url = cluster?.url ?? databaseUrl ?? ''
  try {
    await checkVersion(url)
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
  const schema = createSchema(sql, url, migrations ?? MIGRATIONS)
  try {
    if (migrate === 'now') await schema.migrate()
    if (migrate !== 'later') await schema.assertFits()
    const following = await clock.follow(sql)
    return {
      db,
      sql,
      load: sql.load,
      now: clock.now,
      schema,
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

/** Postgres 15 or later: earlier ones lack what our statements use. */
async function checkVersion(url: string) {
  // postgres.js counts `connect_timeout` in seconds, Postgres `statement_timeout` in milliseconds.
  const sql = postgres(url, { max: 1, connect_timeout: 5, fetch_types: false, onnotice: () => {} })
  const [row] = await sql<{ server_version_num: string; server_version: string }[]>`
    select current_setting('server_version_num') as server_version_num,
      current_setting('server_version') as server_version`
    .catch((cause: Error) => {
      const [host, port] = [sql.options.host, sql.options.port].map((of) => of[0])
      throw new Error(
        `Cannot connect to the database at ${host}:${port} (${cause.message || cause.name}). Check DATABASE_URL, and that Postgres is running there.`,
        { cause },
      )
    })
    .finally(() => sql.end({ timeout: 5 }))
  if (Number(row?.server_version_num) >= OLDEST) return
  throw new Error(
    `The database is Postgres ${row?.server_version}. Aisle needs version 15 or later. Set DATABASE_URL to a newer one, or unset it to use the private one.`,
  )
}
