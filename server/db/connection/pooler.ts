import type { Sql } from 'postgres'
import type { Pool } from './pool.ts'

// A pooler in transaction mode lends a connection of Postgres for one transaction. What a session
// holds longer is lost, or stays behind for a stranger: prepared statements, `set`, advisory locks
// of the session. The service holds nothing of that kind but the two that are asked about here.

/** The time limit of a statement, in milliseconds. */
export const STATEMENT_MS = 15_000

/**
 * Whether a pooler stands between this client and Postgres: it gives its clients a key to cancel by
 * of its own, and that names another process than the one that answers
 * (https://www.postgresql.org/docs/current/protocol-message-formats.html, BackendKeyData).
 */
export async function isPooled(sql: Pick<Sql, 'unsafe'>): Promise<boolean> {
  const rows = await sql.unsafe<{ pid: number }[]>('select pg_backend_pid() as pid')
  return rows.state.pid !== rows[0]?.pid
}

/**
 * Rejects, with what to do, unless statements through a pooler end in time and count days as we do.
 * A client cannot set that itself: a pooler refuses `statement_timeout` at the start of a
 * connection, and a later setting would apply to the next client of the connection.
 */
export async function assertSettings(sql: Pool, where: string): Promise<void> {
  const [row] = await sql<{ timeout: number; zone: string }[]>`
    select setting::int as timeout, current_setting('TimeZone') as zone
    from pg_settings where name = 'statement_timeout'`
  const { timeout = 0, zone = '' } = row ?? {}
  if (timeout === 0 || timeout > STATEMENT_MS) {
    const is = timeout === 0 ? 'have no time limit' : `may take ${timeout / 1000} s`
    throw new Error(
      `Statements through the pooler at ${where} ${is}. Give them ${STATEMENT_MS / 1000} s: connect_query='set statement_timeout = ${STATEMENT_MS}' for this database in pgbouncer.ini, or in Postgres "alter role … set statement_timeout = '15s'".`,
    )
  }
  if (zone !== 'UTC') {
    throw new Error(
      `Sessions through the pooler at ${where} are in the time zone ${zone}. Let it pass on TimeZone, or run "alter role … set timezone = 'UTC'" in Postgres.`,
    )
  }
}
