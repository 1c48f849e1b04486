import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import { connectAgain, testDatabase } from '../../testing/app.ts'
import { COLUMN, CONTRACT, FIRST, INDEX, releaseOf } from '../testing/made-release.ts'
import type { MigrateOptions } from './migrate.ts'
import { createSchema } from './schema.ts'

/** A database of a release, and another release of the same database. */
async function databaseOf(...texts: string[]) {
  const { sql, url } = await testDatabase()
  const build = async (...its: string[]) => createSchema(sql, url, await releaseOf(...its))
  await (await build(...texts)).migrate()
  return { sql, url, build }
}

const tagsOf = (migrations: readonly { tag: string }[]) => migrations.map(({ tag }) => tag)

test('while a dump holds a table, a migration waits, and those who write do not', async () => {
  const { sql, url, build } = await databaseOf(FIRST)
  const dump = await sql.reserve()
  await dump`begin`
  await dump`lock table goods in access share mode`

  const next = await build(FIRST, COLUMN)
  const said: string[] = []
  let isDone = false
  const migrating = next.migrate({ onWait: (why) => said.push(why) }).then((applied) => {
    isDone = true
    return applied
  })
  const writer = await connectAgain(url)
  // Each waits for half a second at most: for ever, if the migration did not let go of its place.
  let written = 0
  for (let more = 0; more < 100; more += said.length) {
    await writer.sql`insert into goods (id) values (${written++})`
    await sleep(5)
  }
  expect(isDone).toBe(false)
  expect(said).toEqual([
    expect.stringMatching(/the oldest transaction is that of aisle \(process \d+\)/),
  ])

  await dump`commit`
  dump.release()
  expect(tagsOf(await migrating)).toEqual(['0001_m1'])
  expect((await sql`select price from goods limit 1`).length).toBe(1)
})

test('a migration that never gets its lock gives up with a sentence, and leaves nothing behind', async () => {
  const { sql, build } = await databaseOf(FIRST)
  const dump = await sql.reserve()
  await dump`begin`
  await dump`lock table goods in access share mode`
  const next = await build(
    FIRST,
    `-- expand\ncreate table more (id int);--> statement-breakpoint\nALTER TABLE "goods" ADD COLUMN "price" int;`,
  )
  await expect(next.migrate({ patienceMs: 100 })).rejects.toThrow(
    /^A migration cannot get its lock: the oldest transaction is that of .* and run "aisle db migrate"\.$/,
  )
  await dump`rollback`
  dump.release()
  expect(await sql`select to_regclass('more') as made`).toEqual([{ made: null }])
  expect(tagsOf((await next.read()).pending)).toEqual(['0001_m1'])
})

test('replicas take turns, also while one builds an index', async () => {
  const { sql, url } = await databaseOf(FIRST)
  await sql`insert into goods select n, n::text from generate_series(1, 50000) n`
  const set = await releaseOf(FIRST, COLUMN, INDEX)
  const replicas = await Promise.all([1, 2, 3, 4].map(() => connectAgain(url)))
  const applied = await Promise.all(
    replicas.map((each) => createSchema(each.sql, url, set).migrate()),
  )
  expect(tagsOf(applied.flat())).toEqual(['0001_m1', '0002_m2'])
  const rows = await sql`select tag from drizzle.test_migrations order by created_at`
  expect(rows.map(({ tag }) => tag)).toEqual(['0000_m0', '0001_m1', '0002_m2'])
})

test('an index that was not finished is built again', async () => {
  const { sql, build } = await databaseOf(FIRST)
  await sql`insert into goods values (1, 'a'), (2, 'a')`
  const unique = INDEX.replace('INDEX', 'UNIQUE INDEX')
  const next = await build(FIRST, unique)
  await expect(next.migrate()).rejects.toThrow('could not create unique index')
  const isValid = () =>
    sql`select indisvalid as valid from pg_index where indexrelid = to_regclass('goods_name')`
  expect(await isValid()).toEqual([{ valid: false }])
  await sql`delete from goods where id = 2`
  expect(tagsOf(await next.migrate())).toEqual(['0001_m1'])
  expect(await isValid()).toEqual([{ valid: true }])
})

test('an index waits for old transactions without holding up those who write, and stops when told', async () => {
  const { sql, url, build } = await databaseOf(FIRST)
  const old = await sql.reserve()
  await old`begin isolation level repeatable read`
  await old`select count(*) from goods`
  const next = await build(FIRST, INDEX)
  const stopping = new AbortController()
  const options: MigrateOptions = { signal: stopping.signal }
  const migrating = next.migrate(options)
  const waits = () =>
    sql`select 1 from pg_stat_activity where datname = current_database()
      and query like '%CREATE INDEX%' and application_name = 'aisle migrations' and wait_event_type = 'Lock'`
  await eventually(async () => (await waits()).length).toBe(1)
  const writer = await connectAgain(url)
  await writer.sql`insert into goods values (1, 'a')`
  stopping.abort()
  await expect(migrating).rejects.toThrow(/aborted/)
  // Postgres ends what its process began.
  await eventually(async () => (await waits()).length).toBe(0)
  await old`commit`
  old.release()
  expect(tagsOf(await next.migrate())).toEqual(['0001_m1'])
})

test('what no build needs is left for later', async () => {
  const { build } = await databaseOf(FIRST)
  const next = await build(FIRST, COLUMN, INDEX, CONTRACT)
  expect(await next.fault()).toBe(
    'The database is not migrated yet: 0001_m1 is missing. Run "aisle db migrate".',
  )
  expect(tagsOf(await next.migrate({ onlyNeeded: true }))).toEqual(['0001_m1'])
  expect(await next.fault()).toBeNull()
  expect(tagsOf((await next.read()).pending)).toEqual(['0002_m2', '0003_m3'])
  expect(tagsOf(await next.migrate())).toEqual(['0002_m2', '0003_m3'])
})

test('who waits for the schema is told why, and goes on once it is there', async () => {
  const { build } = await databaseOf(FIRST)
  const next = await build(FIRST, COLUMN)
  const said: string[] = []
  let isThere = false
  const waiting = next
    .untilFits(undefined, (why) => said.push(why))
    .then(() => {
      isThere = true
    })
  await eventually(() => said).toEqual([await next.fault()])
  expect(isThere).toBe(false)
  await next.migrate()
  await waiting
})
