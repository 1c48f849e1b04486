import type { ISql } from 'postgres'
import { inject, test } from 'vitest'

/** How many statements of this database wait for a lock, on a cluster on all of its nodes. */
export async function countWaiting(sql: ISql): Promise<number> {
  const [row] =
    inject('citusUrl') === null
      ? await sql.unsafe<{ waiting: number }[]>(WAITING)
      : await sql<{ waiting: number }[]>`
          select sum(result::int)::int as waiting from run_command_on_all_nodes(${WAITING})`
  return row?.waiting ?? 0
}

const WAITING = `select count(*)::int as waiting from pg_stat_activity
  where wait_event_type = 'Lock' and datname = current_database()`

/**
 * A test that locks a whole table, or looks into one: on a cluster that has other tables beneath
 * it.
 */
export const testOnOnePostgres = test.skipIf(inject('citusUrl') !== null)
