import postgres, { type Sql } from 'postgres'
import { applyShards } from '../sharding/apply.ts'

// Tests run on a Citus cluster where CITUS_URL leads to a database of its coordinator: each test
// has a database of its own there as on any Postgres, which on a cluster is one of that name on
// each node. Citus has a process of its own for each, which keeps connections to the other nodes:
// give the nodes max_worker_processes of 64 and max_connections of 400, or more.

/**
 * A URL of each node that the coordinator at `url` knows: its own first, all of the same database.
 */
export async function findNodes(url: string): Promise<string[]> {
  const rows = await ask(
    url,
    (sql) => sql<{ host: string; port: number }[]>`
      select nodename as host, nodeport as port from pg_dist_node where groupid > 0 order by nodeid`,
  )
  return [url, ...rows.map(({ host, port }) => elsewhere(url, `${host}:${port}`))]
}

/**
 * Makes a cluster of databases, has the coordinator's migrated by `migrate`, and spreads its
 * tables. It is left with no visitor, so that it can be copied node by node. Resolves to the
 * coordinator's URL.
 */
export async function createClusterTemplate(
  nodes: readonly string[],
  name: string,
  migrate: (url: string) => Promise<void>,
): Promise<string> {
  const [coordinator = '', ...workers] = nodes.map((url) => named(url, name))
  for (const url of nodes) {
    await ask(url, (sql) => sql.unsafe(`create database ${name}`))
    await ask(named(url, name), (sql) => sql.unsafe('create extension citus'))
  }
  await ask(coordinator, async (sql) => {
    const { hostname, port } = new URL(coordinator)
    await sql`select citus_set_coordinator_host(${hostname}, ${Number(port)})`
    for (const worker of workers) {
      const { hostname, port } = new URL(worker)
      await sql`select citus_add_node(${hostname}, ${Number(port)})`
    }
  })
  await migrate(coordinator)
  await ask(coordinator, applyShards)
  for (const url of nodes) {
    await ask(url, async (sql) => {
      await sql.unsafe(`alter database ${name} allow_connections false`)
      // Citus has a process of its own in each database
      // (src/backend/distributed/utils/maintenanced.c).
      await sql`select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = ${name}`
    })
  }
  return coordinator
}

/**
 * Drops the database of that name. Citus has a process in each, which holds up a drop where it is
 * begun anew, and keeps the machine busy while it runs.
 */
export async function dropDatabase(url: string, name: string): Promise<void> {
  await ask(named(url, 'postgres'), async (sql) => {
    await sql.unsafe(`alter database ${name} allow_connections false`)
    for (let tries = 1; ; tries += 1) {
      try {
        return await sql.unsafe(`drop database ${name} with (force)`)
      } catch (error) {
        const isInUse = error instanceof postgres.PostgresError && error.code === IN_USE
        if (!isInUse || tries === DROPS) throw error
      }
    }
  })
}

/**
 * Each drop waits for five seconds by itself; object_in_use: the process was begun anew meanwhile.
 */
const DROPS = 5
const IN_USE = '55006'

/** The same database on another node. */
function elsewhere(url: string, host: string): string {
  const other = new URL(url)
  other.host = host
  return other.href
}

/** The same URL with another database. */
export function named(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = database
  return other.href
}

/** One connection, for one question. */
export async function ask<Answer>(
  url: string,
  question: (sql: Sql) => Promise<Answer> | PromiseLike<Answer>,
): Promise<Answer> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    return await question(sql)
  } finally {
    await sql.end()
  }
}
