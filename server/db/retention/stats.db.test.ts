import { expect, test } from 'vitest'
import { storeDatabase } from '../../store/db/testing/database.ts'
import { keptStoreTables } from '../../store/ops/kept.ts'
import { testDatabase } from '../../testing/app.ts'
import { ensureMonths } from '../events/partitions.ts'
import { testOnOnePostgres } from '../testing/locks.ts'
import { keptTables } from './kept.ts'
import { readStats } from './stats.ts'

const TABLES = [
  ...keptTables({ auditDays: 90, engineVersion: 'e' }),
  ...keptStoreTables(new Date()),
]

testOnOnePostgres(
  'small tables are counted, partitions together, and those of the store where it is',
  async () => {
    const { sql } = await testDatabase()
    const read = async (table: string) =>
      (await readStats(sql, TABLES)).find((each) => each.table === table)
    expect(await read('events')).toEqual({
      table: 'events',
      rows: 0,
      estimated: false,
      bytes: 0,
      oldest: null,
    })
    await ensureMonths(sql, ['2026-10', '2026-11'])
    for (const at of ['2026-10-03T00:00:00Z', '2026-11-01T00:00:00Z', '2026-10-02T12:00:00Z']) {
      await sql`insert into events (domain, id, ts, received_at, event, source, session_id, visit_id,
    opens_session, surface, kind, confidence, model, properties)
    values ('a.example', gen_random_uuid(), ${at}, ${at},
      'ai_session', 'web', 's', 's', true, 'chatgpt', 'referral', 1, 'm', '{}')`
    }
    await sql`insert into ai_sessions
    (domain, session_id, day, surface, kind, source, confidence) values ('a.example', 's', '2026-10-02', 'chatgpt', 'referral',
    'web', 1)`
    const [size] = await sql<{ bytes: string }[]>`
    select sum(pg_total_relation_size(relid)) as bytes from pg_partition_tree('events')`
    expect(await read('events')).toEqual({
      table: 'events',
      rows: 3,
      estimated: false,
      bytes: Number(size?.bytes),
      oldest: '2026-10-02T12:00:00.000Z',
    })
    expect(await read('ai_sessions')).toMatchObject({ rows: 1, oldest: '2026-10-02T00:00:00.000Z' })
    expect(await read('dropped_months')).toMatchObject({ rows: 0, oldest: null })
    expect((await readStats(sql, TABLES)).map(({ table }) => table)).toEqual(
      TABLES.map(({ table }) => table).filter((table) => !table.startsWith('store.')),
    )

    const store = await storeDatabase()
    expect((await readStats(store.sql, TABLES)).map(({ table }) => table)).toEqual(
      TABLES.map(({ table }) => table),
    )
  },
)

test('a large table is estimated from what Postgres knows of it', async () => {
  const { sql } = await testDatabase()
  await sql`
    insert into ai_sessions
      (domain, session_id, day, surface, kind, source, confidence)
    select repeat('x', 200) || '.example', n::text, '2026-01-01'::date + n / 1000, 'chatgpt',
      'referral', 'web', 1
    from generate_series(0, 79999) n`
  const read = async () =>
    (await readStats(sql, TABLES)).find(({ table }) => table === 'ai_sessions')
  expect(await read()).toMatchObject({ rows: null, estimated: true, oldest: null })
  await sql`analyze ai_sessions`
  const { rows, oldest, estimated } = (await read())!
  expect(estimated).toBe(true)
  expect(rows).toBeGreaterThan(75_000)
  expect(rows).toBeLessThan(85_000)
  expect(oldest).toMatch(/^2026-01-0/)
})

test('keys that stay, which have arrived at no time, have no age', async () => {
  const { sql } = await testDatabase()
  const add = (rows: number) => sql`
    insert into event_keys
      (domain, key, event_id, fingerprint, surface, confidence, received_at)
    select repeat('x', 200) || '.example', gen_random_uuid(), gen_random_uuid(), 0, '', 1, 'infinity'
    from generate_series(1, ${rows}::int)`
  const read = async () =>
    (await readStats(sql, TABLES)).find(({ table }) => table === 'event_keys')
  await add(3)
  expect(await read()).toMatchObject({ rows: 3, estimated: false, oldest: null })
  await add(80_000)
  await sql`analyze event_keys`
  expect(await read()).toMatchObject({ estimated: true, oldest: null })
})
