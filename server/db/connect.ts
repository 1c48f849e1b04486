import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import postgres, { type Sql } from 'postgres'
import { type Clock, createClock } from './connection/clock.ts'
import { createPool, type Pool, type PoolLoad } from './connection/pool.ts'
import { assertSettings, isPooled, STATEMENT_MS } from './connection/pooler.ts'
import { requestShares } from './connection/request-domain.ts'
import { joinCluster } from './embedded/cluster.ts'
import type { MigrationSet } from './schema/migrations.ts'
import { createSchema, type Schema } from './schema/schema.ts'
import { placeNewTables } from './sharding/apply.ts'
import { createNodes } from './sharding/nodes.ts'
import { reachNodes, sharesOf } from './sharding/shards.ts'

// Rows of one table go through drizzle's builder, statements made of parts through its `sql`. What
// is hot or for many rows is a tagged statement of the driver, which prepares it. `unsafe` is only
// for text of ours: parts of such a statement, and DDL, which takes no parameters.

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
  /**
   * A Postgres 15 or later, or a pooler before it. Undefined: the private cluster under `dataDir`.
   */
  databaseUrl: string | undefined
  /** How many connections this process may have at a time, those of migrations included. */
  databaseConnections?: number
  dataDir: string
  /** Null: those of the service, `later`. */
  migrations: MigrationSet | null
  /**
   * `now`, unless given, applies what is pending. `never` rejects where something is missing.
   * `later` leaves it to the caller.
   */
  migrate?: 'now' | 'never' | 'later'
  /** Made to follow the database's; a new one unless given. */
  clock?: Clock
}

/** A pool of connections and what closes it, with the private cluster if it was joined. */
export interface Database {
  db: Db
  /** The pool of `db`, raw. drizzle sets it up to pass dates and JSON through as text. */
  sql: Sql
  /** How busy that pool is. */
  load: () => PoolLoad
  /** Nodes of a cluster that are reached without the coordinator. */
  reachedNodes: () => number
  reserveSlot: Pool['reserveSlot']
  /** The time on the database's clock. */
  now: () => Date
  schema: Schema
  /** For another process; it holds the password. */
  url: string
  /** Resolves with what to do once the private cluster has died; never for another's Postgres. */
  gone: Promise<string>
  close: () => Promise<void>
}

/** Next to this file in the sources, next to the bundle in `dist/`. */
export const MIGRATIONS = {
  folder: new URL('./migrations/', import.meta.url),
  table: 'aisle_migrations',
  command: 'aisle db migrate',
  after: placeNewTables,
}

/** Unless DATABASE_CONNECTIONS says otherwise. */
export const DATABASE_CONNECTIONS = 10

/**
 * Connects, and migrates as `migrate` says. Sessions are in UTC, and a statement
 * ends after 15 s. Rejects when the database cannot be reached or is too old, or a pooler before it
 * gives statements no time limit; the message says how to fix it.
 */
export async function connect({
  databaseUrl,
  databaseConnections = DATABASE_CONNECTIONS,
  dataDir,
  migrations,
  migrate = migrations === null ? 'later' : 'now',
  clock = createClock(),
}: ConnectConfig): Promise<Database> {
  const cluster = databaseUrl === undefined ? await joinCluster(dataDir) : null
  const url = cluster?.url ?? databaseUrl ?? ''
  const server = await inspect(url).catch(async (error) => {
    // Else a failed start would leave the private cluster running.
    await cluster?.leave()
    throw error
  })
  const session = { application_name: 'aisle', TimeZone: 'UTC' }
  const settings = {
    connect_timeout: 5,
    onnotice: () => {},
    ...(server.isPooled
      ? { connection: session, prepare: false }
      : { connection: { ...session, statement_timeout: STATEMENT_MS } }),
  }
  const sql: Pool = createPool(url, {
    ...settings,
    max: databaseConnections,
    answersWithinMs: STATEMENT_MS + GRACE_MS,
    shares: requestShares(sharesOf),
  })
  const nodes = createNodes({
    coordinator: sql,
    open(node) {
      const max = batchesOfNode(databaseConnections)
      // The question for types would end the process if the node went away meanwhile: they are
      // those of `sql`.
      const own = createPool(url, { ...settings, ...placeOf(node), max, fetch_types: false })
      Object.assign(own.options.serializers, sql.options.serializers)
      return own
    },
    answersWithinMs: STATEMENT_MS + GRACE_MS,
  })
  // A pooler bounds connections to what is behind it, and the nodes are not.
  if (!server.isPooled) reachNodes(sql, nodes)
  const close = async () => {
    await nodes.close()
    await sql.end({ timeout: 5 })
    await cluster?.leave()
  }
  // drizzle changes how types are read, so it comes before the first connection.
  const db = drizzle({ client: sql })
  const schema = createSchema(sql, url, migrations ?? MIGRATIONS, sql.reserveSlot)
  try {
    if (server.isPooled) await assertSettings(sql, server.address)
    if (migrate === 'now') await schema.migrate()
    if (migrate !== 'later') await schema.assertFits()
    const following = await clock.follow(sql)
    return {
      db,
      sql,
      load: sql.load,
      reachedNodes: nodes.reached,
      reserveSlot: sql.reserveSlot,
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

/** Batches of events of one node of a cluster at a time, by the connections of the pool. */
export const batchesOfNode = (connections: number): number =>
  Math.max(2, Math.floor(0.3 * connections))

/** A statement that Postgres ends for its time is answered by then. */
const GRACE_MS = 2000

/** The parts of `host:port`, as the coordinator calls a node; a host may have colons as well. */
function placeOf(node: string): { host: string; port: number } {
  const colon = node.lastIndexOf(':')
  return { host: node.slice(0, colon), port: Number(node.slice(colon + 1)) }
}

/**
 * Asks what answers at `url`. Rejects unless it is Postgres 15 or later: earlier ones lack what our
 * statements use.
 */
async function inspect(url: string): Promise<{ address: string; isPooled: boolean }> {
  // postgres.js counts `connect_timeout` in seconds. Nothing here is prepared by name.
  const sql = postgres(url, { max: 1, connect_timeout: 5, fetch_types: false, onnotice: () => {} })
  const [host, port] = [sql.options.host, sql.options.port].map((of) => of[0])
  const address = `${host}:${port}`
  try {
    const [row] = await sql.unsafe<{ number: string; version: string }[]>(
      `select current_setting('server_version_num') as number,
        current_setting('server_version') as version`,
    )
    if (Number(row?.number) < OLDEST) {
      throw new TooOld(
        `The database is Postgres ${row?.version}. Aisle needs version 15 or later. Set DATABASE_URL to a newer one, or unset it to use the private one.`,
      )
    }
    return { address, isPooled: await isPooled(sql) }
  } catch (cause) {
    if (cause instanceof TooOld || !(cause instanceof Error)) throw cause
    throw new Error(
      `Cannot connect to the database at ${address} (${cause.message || cause.name}). Check DATABASE_URL, and that Postgres is running there.`,
      { cause },
    )
  } finally {
    await sql.end({ timeout: 5 })
  }
}

class TooOld extends Error {}
