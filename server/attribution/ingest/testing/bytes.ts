import type { Sql } from 'postgres'

/** What an event adds to. */
const TABLES = /^(events|event_keys|ai_sessions|rollup_)/

/** Bytes on disk by table, the months of events together. */
export async function readBytes(
  sql: Sql,
): Promise<{ table: string; rows: number; indexes: number }[]> {
  await sql`vacuum`
  const found = await sql<{ table: string; rows: number; indexes: number }[]>`
    select regexp_replace(relname, '_\\d{4}_\\d\\d$', '') as table,
      sum(pg_table_size(oid))::float8 as rows, sum(pg_indexes_size(oid))::float8 as indexes
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
    group by 1 order by sum(pg_total_relation_size(oid)) desc`
  return found.filter(({ table }) => TABLES.test(table))
}
