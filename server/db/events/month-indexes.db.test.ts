import { expect, test } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import { createIngest } from '../../attribution/ingest/ingest.ts'
import { realTraffic } from '../../attribution/ingest/testing/traffic.ts'
import { createLog } from '../../process/log.ts'
import { testDatabase } from '../../testing/app.ts'
import { countWaiting, testOnOnePostgres } from '../testing/locks.ts'
import { renewMonthIndexes } from './month-indexes.ts'

const log = createLog({ write: () => {} })
const now = () => new Date('2026-10-31T00:00:00Z')
const SENT = realTraffic(3000)

type Database = Awaited<ReturnType<typeof testDatabase>>

/** A database with events of October. */
async function filled() {
  const database = await testDatabase()
  const ingest = createIngest({ sql: database.sql, now, log })
  for (let at = 0; at < SENT.length; at += 100) {
    await Promise.all(SENT.slice(at, at + 100).map((event) => ingest.record(event)))
  }
  return { ...database, ingest }
}

const indexesOf = ({ sql }: Database) => sql<{ name: string; bytes: number; valid: boolean }[]>`
  select relname as name, pg_relation_size(indexrelid)::int as bytes, indisvalid as valid
  from pg_index join pg_class made on made.oid = indexrelid
  where indrelid = 'events_2026_10'::regclass and made.relname like '%pkey%' order by 1`

testOnOnePostgres('the index of a month that is over is made anew once', async () => {
  const database = await filled()
  const [before] = await indexesOf(database)
  expect(await renewMonthIndexes(database, '2026-10')).toEqual([])
  expect(await renewMonthIndexes(database, '2026-11')).toEqual(['events_2026_10_pkey'])
  const after = await indexesOf(database)
  expect(after).toMatchObject([{ name: 'events_2026_10_pkey', valid: true }])
  expect(after[0]?.bytes).toBeLessThan(0.8 * (before?.bytes ?? 0))
  expect(await renewMonthIndexes(database, '2026-11')).toEqual([])
  // It is the key of the events as before.
  const again = database.sql`insert into events select * from events limit 1`
  await expect(again).rejects.toMatchObject({ code: '23505' })
  const [attached] = await database.sql`select count(*)::int as indexes from pg_inherits
    join pg_index on indexrelid = inhparent
    where indrelid = 'events'::regclass and inhrelid = 'events_2026_10_pkey'::regclass`
  expect(attached?.indexes).toBe(1)
})

testOnOnePostgres(
  'meanwhile events of that month are stored, and one process does it',
  async () => {
    const database = await filled()
    const { sql, ingest } = database
    const other = await sql.reserve()
    await other`begin`
    await other`select from events_2026_10 limit 1`
    const renewed = renewMonthIndexes(database, '2026-11')
    await eventually(() => countWaiting(sql)).toBe(1)
    expect(await renewMonthIndexes(database, '2026-11')).toEqual([])
    const late = realTraffic(3100).slice(SENT.length)
    const recorded = await Promise.all(late.map((event) => ingest.record(event)))
    expect(recorded.every(({ replayed }) => !replayed)).toBe(true)
    await other`commit`
    other.release()
    expect(await renewed).toEqual(['events_2026_10_pkey'])
  },
)

testOnOnePostgres(
  'what a process leaves behind that stops over it is cleared away by the next',
  async () => {
    const database = await filled()
    const { sql } = database
    const other = await sql.reserve()
    await other`begin`
    await other`select from events_2026_10 limit 1`
    const stopping = new AbortController()
    const renewed = renewMonthIndexes(database, '2026-11', stopping.signal)
    await eventually(() => countWaiting(sql)).toBe(1)
    stopping.abort()
    expect(await renewed).toEqual([])
    await eventually(async () => (await indexesOf(database)).map(({ valid }) => valid)).toEqual([
      true,
      false,
    ])
    // Postgres ends what was under way.
    await eventually(() => countWaiting(sql)).toBe(0)
    // While that transaction is open nothing is begun.
    expect(await renewMonthIndexes({ ...database, oldMs: 0 }, '2026-11')).toEqual([])
    expect(await indexesOf(database)).toHaveLength(2)
    await other`commit`
    other.release()
    await eventually(() => renewMonthIndexes(database, '2026-11')).toEqual(['events_2026_10_pkey'])
    expect(await indexesOf(database)).toMatchObject([{ name: 'events_2026_10_pkey', valid: true }])
  },
)

test('on a cluster, or without a month that is over, it does nothing', async () => {
  const database = await testDatabase()
  expect(await renewMonthIndexes(database, '2026-11')).toEqual([])
})
