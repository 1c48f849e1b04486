import { getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import { createLog } from '../../process/log.ts'
import { connectAgain, testDatabase } from '../../testing/app.ts'
import * as accessTables from '../access/tables.ts'
import * as attributionTables from '../attribution/tables.ts'
import * as auditTables from '../audit/tables.ts'
import * as eventsTables from '../events/tables.ts'
import * as fetchTables from '../fetches/tables.ts'
import { atWhole } from '../sharding/shards.ts'
import * as signaturesTables from '../signatures/tables.ts'
import { countWaiting, testOnOnePostgres } from '../testing/locks.ts'
import * as watchTables from '../watch/tables.ts'
import { keptTables } from './kept.ts'
import { noRetentionYet, runRetention, sweepTables } from './retention.ts'
import { placesOf, runSweep, SLICE_ROWS, sliceOf, slicePages, sweepLock } from './sweep.ts'

const SETTINGS = { auditDays: 90, engineVersion: 'e2' }
const log = createLog({ write: () => {} })
const { sql, db, url } = await testDatabase()
const sweepAll = () => sweepTables({ sql, log, figures: noRetentionYet(), ...SETTINGS })

const TABLES = [
  ...[accessTables, attributionTables, auditTables, eventsTables],
  ...[fetchTables, signaturesTables, watchTables],
]

test('each table has its words, once', () => {
  const all = TABLES.flatMap((each) => Object.values(each)).flatMap((each) =>
    is(each, PgTable) ? getTableName(each) : [],
  )
  expect(
    keptTables(SETTINGS)
      .map(({ table }) => table)
      .toSorted(),
  ).toEqual(all.toSorted())
})

const audit = (name: string, days: number, { checks = 'ucp,catalog', engine = 'e2' } = {}) =>
  sql`insert into audits (domain, checks, engine_version, result, checked_at) values (
    ${name.split(' ')[0] ?? ''}, string_to_array(${checks}, ','), ${engine}, ${`{"name":"${name}"}`},
    now() - make_interval(days => ${days}))`

test('of old audits those stay that are the newest answer to something', async () => {
  await audit('a.example of today', 0)
  await audit('a.example of three months', 89)
  await audit('a.example superseded', 91)
  await audit('a.example superseded long ago', 400)
  await audit('a.example of more checks', 92, { checks: 'ucp,catalog,feed' })
  await audit('a.example of fewer checks', 93, { checks: 'catalog' })
  await audit('b.example alone', 400)
  await audit('c.example of an old engine', 300, { engine: 'e1' })
  await audit('c.example of an older engine', 310, { engine: 'e0' })
  await audit('d.example of an old engine, superseded', 300, { engine: 'e1' })
  await audit('d.example of this engine', 200)
  await audit('e.example of this engine', 300)
  await audit('e.example of a replica that is not updated', 200, { engine: 'e1' })
  await audit('f.example kept for its other checks', 300, { checks: 'feed' })
  await audit('f.example of today', 0)
  await sweepAll()
  const rows = await sql<{ name: string }[]>`select result->>'name' as name from audits order by 1`
  expect(rows.map(({ name }) => name)).toEqual([
    'a.example of more checks',
    'a.example of three months',
    'a.example of today',
    'b.example alone',
    'c.example of an old engine',
    'c.example of an older engine',
    'd.example of this engine',
    'e.example of a replica that is not updated',
    'e.example of this engine',
    'f.example kept for its other checks',
    'f.example of today',
  ])
  await sql`truncate audits`
})

/** Inserts one row that goes and one that stays. */
const ROWS: {
  table: string
  insert: (id: string, at: string) => Promise<unknown>
  gone: string
  stays: string
}[] = [
  {
    table: 'rate_limits',
    insert: (id, at) => sql`insert into rate_limits values (${id}, 1, now() + ${at}::interval)`,
    gone: '-1 second',
    stays: '1 hour',
  },
  {
    table: 'web_sessions',
    insert: (id, at) => sql`
      insert into web_sessions values (${id}, 'key', now(), now() + ${at}::interval)`,
    gone: '-1 second',
    stays: '1 hour',
  },
  {
    table: 'shares',
    insert: (id, at) => sql`
      insert into shares values (${id}, '', 'a.example', 'report', 'key', now(),
        now() + ${at}::interval, null)`,
    gone: '-1 second',
    stays: '1 day',
  },
  {
    table: 'shares',
    insert: (id, at) => sql`
      insert into shares values (${id}, '', 'a.example', 'report', 'key', now(),
        null, now() + ${at}::interval)`,
    gone: '-1 second',
    stays: '1 day',
  },
  {
    table: 'shares',
    insert: (id, at) => sql`
      insert into shares values (${id}, '', 'a.example', 'report', 'key', now(),
        null, case when ${at}::text = 'open' then null::timestamptz else now() end)`,
    gone: '',
    stays: 'open',
  },
  {
    table: 'fetch_hours',
    insert: (id, at) => sql`insert into fetch_hours values (${id}, now() + ${at}::interval, '', 0)`,
    gone: '-94 days',
    stays: '-92 days',
  },
  {
    table: 'site_access',
    insert: (id, at) => sql`
      insert into site_access values (${id}, '{headers}', '{}', '', 'key', now(),
        now() + ${at}::interval)`,
    gone: '-31 days',
    stays: '-29 days',
  },
  {
    table: 'walks',
    insert: (id, at) => sql`
      insert into walks (domain, id, key_id, mode, intents, state, asked_at, ended_at)
      values (${id}, gen_random_uuid(), 'key', 'look', '{}', 'ended', now() - interval '1 year',
        now() + ${at}::interval)`,
    gone: '-91 days',
    stays: '-89 days',
  },
  {
    table: 'walks',
    insert: (id, at) => sql`
      insert into walks (domain, id, key_id, mode, intents, state, asked_at, ended_at)
      values (${id}, gen_random_uuid(), 'key', 'look', '{}', 'under_way', now() - interval '1 year',
        case when ${at}::text = 'open' then null else now() - interval '1 year' end)`,
    gone: '',
    stays: 'open',
  },
  {
    table: 'walk_events',
    insert: (id, at) => sql`
      insert into walk_events values (${id}, gen_random_uuid(), 1, '{}', now() + ${at}::interval)`,
    gone: '-25 hours',
    stays: '-23 hours',
  },
  {
    table: 'walk_pictures',
    insert: (id, at) => sql`
      insert into walk_pictures values (${id}, gen_random_uuid(), 1, '', now() + ${at}::interval)`,
    gone: '-31 days',
    stays: '-29 days',
  },
  {
    table: 'walk_sessions',
    insert: (id, at) => sql`
      insert into walk_sessions values (${id}, 'key', gen_random_uuid(), '{}', '{}', null,
        now() + ${at}::interval)`,
    gone: '-49 hours',
    stays: '-47 hours',
  },
  {
    table: 'snippet_versions',
    insert: (id, at) => sql`
      insert into snippet_versions values (${id}, '', now() - interval '9 years',
        now() + ${at}::interval)`,
    gone: '-731 days',
    stays: '-729 days',
  },
  {
    // An address that nobody confirmed.
    table: 'watch_channels',
    insert: (id, at) => channel(id, { made: at, confirmed: null, off: null }),
    gone: '-15 days',
    stays: '-13 days',
  },
  {
    // One whose holder unsubscribed, from the channel of a year ago.
    table: 'watch_channels',
    insert: (id, at) => channel(id, { made: '-1 year', confirmed: null, off: at }),
    gone: '-15 days',
    stays: '-13 days',
  },
  {
    // One that was switched off because it failed, and so can be switched on again.
    table: 'watch_channels',
    insert: (id, at) =>
      channel(id, { made: '-1 year', confirmed: at === '' ? null : at, off: '-1 month' }),
    gone: '',
    stays: '-1 year',
  },
]

const channel = (
  id: string,
  { made, confirmed, off }: { made: string; confirmed: string | null; off: string | null },
) => sql`
  insert into watch_channels
    (id, domain, kind, target, events, key_id, created_at, confirmed_at, disabled_at)
  values (${id}, 'a.example', 'mail', 'ada@mail.example', '{}', 'key', now() + ${made}::interval,
    now() + ${confirmed}::interval, now() + ${off}::interval)`

test.each(ROWS)('$table keeps $stays and deletes $gone', async ({ table, insert, gone, stays }) => {
  await insert('gone', gone)
  await insert('stays', stays)
  await sweepAll()
  const rows = await sql.unsafe(`select * from ${table}`)
  expect(rows.map((row) => Object.values(row)[0])).toEqual(['stays'])
  await sql.unsafe(`truncate ${table}`)
})

const expired = (many: number) => sql`
  insert into rate_limits select 'gone ' || n, 1, now() - interval '1 hour'
  from generate_series(1, ${many}::int) n`

test('it goes in slices, each a statement of its own, and stops between two', async () => {
  const kept = keptTables(SETTINGS).find(({ table }) => table === 'rate_limits')
  await expired(2 * SLICE_ROWS + 1)
  const stopping = new AbortController()
  const sizes: number[] = []
  const watched = async (...args: Parameters<NonNullable<typeof kept>['slice'] & object>) => {
    const result = await kept!.slice!(...args)
    sizes.push(result.rows)
    if (sizes.length === 2) stopping.abort()
    return result
  }
  expect(await runSweep(sql, 'rate_limits', watched, stopping.signal)).toEqual({
    rows: 2 * SLICE_ROWS,
    isDone: false,
    isTaken: false,
  })
  expect(sizes).toEqual([SLICE_ROWS, SLICE_ROWS])
  expect(await runSweep(sql, 'rate_limits', kept!.slice!)).toMatchObject({ rows: 1, isDone: true })
})

test('a condition with an "or" deletes nothing beyond its slice', async () => {
  await expired(SLICE_ROWS + 1)
  const either = "key = 'another' or expire < now()"
  const slice = sliceOf('rate_limits', { key: 'key', where: either, by: 'expire' })
  expect(await slice(atWhole.at(sql), [])).toEqual({ rows: SLICE_ROWS, next: [] })
  const pages = slicePages('rate_limits', either, [])
  // Behind the end of the table.
  expect(await pages(atWhole.at(sql), ['1000'])).toEqual({ rows: 0, next: null })
  expect(await sql`select from rate_limits`).toHaveLength(1)
  await sql`truncate rate_limits`
})

test('audits that stay are passed, and those behind them go', async () => {
  await sql`
    insert into audits (domain, checks, engine_version, result, checked_at)
    select 'shop-' || n, '{catalog}', 'e2', '{}', now() - interval '400 days'
    from generate_series(1, ${2 * SLICE_ROWS}::int) n`
  await audit('z.example', 300)
  await audit('z.example', 200)
  await sweepAll()
  const left = await sql<{ rows: number }[]>`
    select count(*)::int as rows from audits where domain = 'z.example'`
  expect(left[0]?.rows).toBe(1)
  expect((await sql`select from audits`).length).toBe(2 * SLICE_ROWS + 1)
  await sql`truncate audits`
})

testOnOnePostgres('a table without an index is walked over once, by its pages', async () => {
  await sql`
    insert into event_keys
      (domain, key, event_id, fingerprint, surface, confidence, received_at)
    select 'a.example', n, gen_random_uuid(), 0, repeat('x', 1000), 1,
      now() - case when n % 5 = 0 then interval '1 day' else interval '400 days' end
    from generate_series(1, 15000) n`
  const old = slicePages('event_keys', 'kept.received_at < $1::timestamptz', [
    new Date(Date.now() - 100 * 86_400_000).toISOString(),
  ])
  const sizes: number[] = []
  const watched: typeof old = async (...args) => {
    const result = await old(...args)
    sizes.push(result.rows)
    return result
  }
  expect(await runSweep(sql, 'event_keys', watched)).toMatchObject({ rows: 12_000, isDone: true })
  expect(sizes.length).toBeGreaterThan(1)
  expect(sizes[0]).toBeGreaterThan(1000)
  expect(await sql`select from event_keys`).toHaveLength(3000)
})

test('replicas that sweep at once leave each other alone', async () => {
  await expired(3 * SLICE_ROWS)
  const others = await Promise.all([connectAgain(url), connectAgain(url)])
  const all = [sql, ...others.map((each) => each.sql)]
  const errors: string[] = []
  const failing = createLog({
    write: (line) => void (line.includes('"level":50') && errors.push(line)),
  })
  const figures = noRetentionYet()
  await Promise.all(
    all.map((each) => sweepTables({ sql: each, log: failing, figures, ...SETTINGS })),
  )
  expect(errors).toEqual([])
  expect(await sql`select from rate_limits`).toHaveLength(0)

  await expired(1)
  const holder = await sql.reserve()
  await holder`begin`
  await holder`select pg_advisory_xact_lock(hashtext('sweep rate_limits'))`
  await sweepAll()
  expect(await sql`select from rate_limits`).toHaveLength(1)
  await holder`commit`
  holder.release()
  await sweepAll()
  expect(await sql`select from rate_limits`).toHaveLength(0)
})

test('what another replica sweeps is looked at again, so that it goes when that one is killed', async () => {
  const at = new Date('2026-11-20T12:00:00Z')
  // The first month is old, and its keys are swept before it is dropped.
  await sql.unsafe(
    "create table events_2020_01 partition of events for values from ('2020-01-01Z') to ('2020-02-01Z')",
  )
  const killed = await connectAgain(url)
  const sweeper = await killed.sql.reserve()
  await sweeper`begin`
  for (const table of ['rate_limits', 'event_keys']) {
    for (const place of await placesOf(sql, table)) {
      await sweeper`select pg_advisory_xact_lock(hashtext(${sweepLock(table, place)}))`
    }
  }
  const [{ pid } = { pid: 0 }] = await sweeper<{ pid: number }[]>`select pg_backend_pid() as pid`
  await expired(3)
  const figures = noRetentionYet()
  const deps = { sql, db, log, figures, months: 13, now: () => at, ...SETTINGS }
  const retention = runRetention(deps, { againMs: 20 })
  await eventually(() => figures.succeededAt).toEqual(at)
  expect([figures.months, figures.rows.get('rate_limits')]).toEqual([0, 0])
  await sql`select pg_terminate_backend(${pid}::int)`
  await eventually(() => [figures.months, figures.rows.get('rate_limits')]).toEqual([1, 3])
  await retention.stop()
})

test('a row that is renewed while it is about to go stays', async () => {
  await sql`insert into rate_limits values ('renewed', 1, now() - interval '1 hour')`
  const other = await sql.reserve()
  await other`begin`
  await other`update rate_limits set expire = now() + interval '1 hour'`
  const sweeping = sweepAll()
  await eventually(() => countWaiting(sql)).toBe(1)
  await other`commit`
  other.release()
  await sweeping
  expect(await sql`select from rate_limits`).toHaveLength(1)
  await sql`truncate rate_limits`
})

test('what fails in one table does not stop the others', async () => {
  const lines: string[] = []
  const noisy = createLog({ write: (line) => lines.push(line) })
  await sql`alter table rate_limits rename to hidden`
  await sql`insert into web_sessions values ('gone', 'key', now(), now() - interval '1 hour')`
  const figures = noRetentionYet()
  await sweepTables({ sql, log: noisy, figures, ...SETTINGS })
  expect([figures.failed, figures.rows.get('web_sessions')]).toEqual([1, 1])
  await sql`alter table hidden rename to rate_limits`
  expect(
    lines.map((line) => JSON.parse(line)).map(({ table, rows = null }) => [table, rows]),
  ).toEqual([
    ['rate_limits', null],
    ['web_sessions', 1],
  ])
})

test('a run says what it has done, and when it succeeded', async () => {
  await expired(3)
  const figures = noRetentionYet()
  const at = new Date('2026-11-20T12:00:00Z')
  const retention = runRetention({ sql, db, log, figures, months: 13, now: () => at, ...SETTINGS })
  await eventually(() => figures.succeededAt).toEqual(at)
  await retention.stop()
  expect([figures.failed, figures.rows.get('rate_limits')]).toEqual([0, 3])
})

testOnOnePostgres('each sweep finds its rows by an index', async () => {
  for (const statement of [
    "select id from audits where checked_at < now() and (checked_at, id) > ('-infinity', gen_random_uuid()) order by checked_at, id limit 9",
    'select domain, id from walks where ended_at < now() order by ended_at limit 9',
    'select domain, walk_id, n from walk_events where at < now() order by at limit 9',
    'select domain, key from walk_sessions where since < now() order by since limit 9',
    'select key from rate_limits where expire < now() order by expire limit 9',
    'select token_sha256 from web_sessions where expires_at < now() order by expires_at limit 9',
    'select id from shares where least(expires_at, revoked_at) < now() order by least(expires_at, revoked_at) limit 9',
  ]) {
    const plan = await sql.begin(async (tx) => {
      await tx`set local enable_seqscan = off`
      await tx`set local enable_sort = off`
      return tx.unsafe(`explain ${statement}`)
    })
    const text = plan.map((row) => row['QUERY PLAN']).join('\n')
    expect(text, statement).toMatch(/Index (Only )?Scan/)
    expect(text, statement).not.toContain('Sort')
  }
})
