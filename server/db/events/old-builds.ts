import type { ISql } from 'postgres'

/**
 * What Postgres shows our connections as. Builds until 0.1.0, which keep keys as texts, are
 * `aisle`.
 */
export const OWN_NAME = 'Aisle'

/**
 * How many connections there are of builds that write keys as texts, as far as Postgres shows them.
 */
export async function countOldBuilds(sql: ISql): Promise<number> {
  const [row] = await sql<{ connections: number }[]>`
    select count(*)::int as connections from pg_stat_activity
    where datname = current_database() and application_name = 'aisle'`
  return row?.connections ?? 0
}
