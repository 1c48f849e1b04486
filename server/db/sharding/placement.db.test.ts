import { expect, test } from 'vitest'
import { testDatabase } from '../../testing/app.ts'
import { LOCAL_TABLES, TENANT_TABLES } from './placement.ts'

const { sql } = await testDatabase()

/** Whether a table is one of these, or a partition of one. */
const isOf = (tables: readonly string[]) => sql`
  (c.oid in (select oid from pg_class where relname in ${sql([...tables])})
    or c.oid in (select inhrelid from pg_inherits join pg_class parent on parent.oid = inhparent
      where parent.relname in ${sql([...tables])}))
  and c.relnamespace = 'public'::regnamespace`

await sql`create table events_2026_11 partition of events
  for values from ('2026-11-01') to ('2026-12-01')`

test('each table is placed, and each that is placed is there', async () => {
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_class c
    where relkind in ('r', 'p') and not relispartition
      and relnamespace = 'public'::regnamespace`
  const placed = [...TENANT_TABLES, ...Object.keys(LOCAL_TABLES)]
  expect(placed.toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
  expect(new Set(placed).size).toBe(placed.length)
})

test('a tenant table has its domain, as text, and in each unique key', async () => {
  const columns = await sql<{ name: string; type: string; not_null: boolean }[]>`
    select relname as name, format_type(atttypid, atttypmod) as type, attnotnull as not_null
    from pg_attribute join pg_class c on c.oid = attrelid
    where attname = 'domain' and ${isOf(TENANT_TABLES)} and relkind in ('r', 'p')`
  expect(columns.map(({ name }) => name).toSorted()).toEqual(
    [...TENANT_TABLES, 'events_2026_11'].toSorted(),
  )
  for (const each of columns) expect(each).toMatchObject({ type: 'text', not_null: true })

  const keys = await sql<{ key: string; columns: string[] }[]>`
    select indexrelid::regclass::text as key,
      array(select attname::text from pg_attribute
        where attrelid = indrelid and attnum = any(indkey)) as columns
    from pg_index join pg_class c on c.oid = indrelid
    where indisunique and ${isOf(TENANT_TABLES)}`
  expect(keys.length).toBeGreaterThanOrEqual(TENANT_TABLES.length)
  expect(keys.filter(({ columns }) => !columns.includes('domain'))).toEqual([])

  const exclusions = await sql`
    select conname from pg_constraint join pg_class c on c.oid = conrelid
    where contype = 'x' and ${isOf(TENANT_TABLES)}`
  expect([...exclusions]).toEqual([])
})

test('nothing counts up from a sequence', async () => {
  const sequences = await sql`
    select relname from pg_class
    where relkind = 'S' and relnamespace = 'public'::regnamespace`
  expect([...sequences]).toEqual([])
  const identities = await sql`
    select c.relname, attname from pg_attribute join pg_class c on c.oid = attrelid
    where attidentity <> '' and c.relnamespace = 'public'::regnamespace`
  expect([...identities]).toEqual([])
})

test('a foreign key of a tenant table holds the domain', async () => {
  const keys = await sql<{ name: string; columns: string[] }[]>`
    select conname as name,
      array(select attname::text from pg_attribute
        where attrelid = conrelid and attnum = any(conkey)) as columns
    from pg_constraint join pg_class c on c.oid = conrelid
    where contype = 'f' and ${isOf(TENANT_TABLES)}`
  expect(keys.filter(({ columns }) => !columns.includes('domain'))).toEqual([])
})

// Citus does not say which constraint a node has refused, so that a missing partition would be
// taken for a check (`isPartitionMissing`). The two that keep texts out fail with a code of their
// own.
test('a tenant table has no check', async () => {
  const checks = await sql`
    select conname
    from pg_constraint join pg_class c on c.oid = conrelid
    where contype = 'c' and ${isOf(TENANT_TABLES)} order by 1`
  expect([...checks]).toEqual([])
})
