import { expect, test } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import { createIngest } from '../../attribution/ingest/ingest.ts'
import { eventOf } from '../../attribution/report/testing/rows.ts'
import { createLog } from '../../process/log.ts'
import { connectAgain, testDatabase } from '../../testing/app.ts'
import {
  dropMonths,
  makeMonths,
  noRetentionYet,
  type RetentionDeps,
} from '../retention/retention.ts'
import { SLICE_ROWS } from '../retention/sweep.ts'
import { countWaiting, testOnOnePostgres } from '../testing/locks.ts'
import { orderKey, refundKey, shortKey } from './ids.ts'
import {
  dropBefore,
  ensureMonths,
  firstCompleteMonth,
  listMonths,
  monthOf,
  shiftMonth,
} from './partitions.ts'

test.each([
  ['2026-11', 1, '2026-12'],
  ['2026-12', 1, '2027-01'],
  ['2026-01', -13, '2024-12'],
])('%s and %d months is %s', (month, by, expected) => {
  expect(shiftMonth(month, by)).toBe(expected)
})

test('the month of an instant is that in UTC', () => {
  expect(monthOf(new Date('2026-10-31T23:30:00-02:00'))).toBe('2026-11')
})

test('many that make the same months at once make them once', async () => {
  const { sql, url } = await testDatabase()
  const { sql: other } = await connectAgain(url)
  const months = ['2026-11', '2025-02', '2026-12', '2026-11']
  await Promise.all([sql, other, sql, other].map((each) => ensureMonths(each, months)))
  expect(await listMonths(sql)).toEqual(['2025-02', '2026-11', '2026-12'])
  await sql`insert into events (domain, id, ts, received_at, event, source, session_id, visit_id,
    opens_session, surface, kind, confidence, model, properties)
    values ('a.example', gen_random_uuid(), '2026-12-31 23:59:59.999Z',
    now(), 'ai_session', 'web', 's', 's', true, 'chatgpt', 'referral', 1, 'm', '{}')`
  expect(await sql`select count(*)::int as held from events_2026_12`).toEqual([{ held: 1 }])
})

test('what agents read goes with the events of its month', async () => {
  const { sql } = await testDatabase()
  await ensureMonths(sql, ['2025-01'])
  for (const day of ['2025-01-31', '2025-02-01']) {
    await sql`insert into fetch_days values
      ('a.example', ${day}, 'GPTBot', 'training', 'claimed', '/', 200, 'chatgpt', 'OpenAI', 1, now())`
  }
  expect(await dropBefore(sql, '2025-02')).toEqual(['2025-01'])
  expect([...(await sql`select day::text as day from fetch_days`)]).toEqual([{ day: '2025-02-01' }])
})

testOnOnePostgres(
  'days of sessions go in slices, by an index that holds none of those that stay',
  async () => {
    const { sql } = await testDatabase()
    await ensureMonths(sql, ['2025-01'])
    await sql`
    insert into beacon_days
    select 'shop-' || n, date '2025-01-01' + n % 20, 'p', 5, n % 2, 0, 0
    from generate_series(1, ${4 * SLICE_ROWS + 2}::int) n`
    await sql`insert into beacon_days values ('a.example', '2025-02-01', 'p', 5, 0, 0, 0)`
    // Each slice is a transaction: what one of them deleted.
    await sql`create table slices (xid xid8 primary key, rows int)`
    await sql.unsafe(`create function note() returns trigger language plpgsql as $$ begin
    insert into slices values (pg_current_xact_id(), 1)
    on conflict (xid) do update set rows = slices.rows + 1; return old; end $$;
    create trigger note before delete on beacon_days for each row execute function note()`)
    expect(await dropBefore(sql, '2025-02')).toEqual(['2025-01'])
    const slices = await sql<{ rows: number }[]>`select rows from slices order by rows`
    expect(slices.map(({ rows }) => rows)).toEqual([1, SLICE_ROWS, SLICE_ROWS])
    const kept = await sql`select count(*)::int as rows, min(over_address) as least from beacon_days
    where day < '2025-02-01'`
    expect([...kept]).toEqual([{ rows: 2 * SLICE_ROWS + 1, least: '1' }])
    expect(await sql`select from beacon_days where domain = 'a.example'`).toHaveLength(1)

    await sql`set enable_seqscan = off`
    const plan = await sql`explain select from beacon_days
    where day < '2025-02-01'::date and over_address + over_network + over_property = 0
    order by day limit ${SLICE_ROWS}`
    expect(JSON.stringify(plan)).toContain('beacon_days_age')
  },
)

type MonthDeps = Omit<RetentionDeps, 'auditDays' | 'engineVersion' | 'db' | 'figures'>
const keepMonths = async (deps: MonthDeps) => {
  await makeMonths(deps)
  await dropMonths({ ...deps, figures: noRetentionYet() })
}

/** A month's keys: of a session, and those that stay, which have no age. */
const keysOf = (month: string) => [
  { key: `session:${month}` },
  { key: orderKey(month), age: 'infinity' },
  { key: refundKey(month), age: 'infinity' },
]

/** A month's event, its session and what the ledger and the report say of it. */
async function fill(sql: Awaited<ReturnType<typeof testDatabase>>['sql'], month: string) {
  await ensureMonths(sql, [month])
  const at = `${month}-15T00:00:00Z`
  await sql`insert into events (domain, id, ts, received_at, event, source, session_id, visit_id,
    opens_session, surface, kind, confidence, model, properties)
    values ('a.example', gen_random_uuid(), ${at}, ${at},
    'ai_session', 'web', ${month}, ${month}, true, 'chatgpt', 'referral', 1, 'm', '{}')`
  await sql`insert into ai_sessions
    (domain, session_id, day, surface, kind, source, confidence) values ('a.example', ${month}, ${at}, 'chatgpt', 'referral',
    'web', 1)`
  for (const { key, age } of keysOf(month)) {
    await sql`insert into event_keys
      (domain, key, event_id, fingerprint, surface, confidence, received_at) values ('a.example', ${shortKey(key)}, gen_random_uuid(),
      0, 'chatgpt', 1, ${age ?? at})`
  }
  await sql`insert into rollup_daily values ('a.example', ${at}, 'chatgpt', 'referral', 'web', '',
    1, 0, 0, 0, 0, 0, 0, 0)`
}

test('old months go with what only they need; orders, refunds and sums stay', async () => {
  const { sql } = await testDatabase()
  for (const month of ['2025-09', '2025-10', '2025-11']) await fill(sql, month)
  const wholeOf = (months: number) =>
    firstCompleteMonth(sql, new Date('2026-01-20T00:00:00Z'), months)
  expect(await wholeOf(13)).toBe('2024-12')
  await sql`insert into ai_sessions
    (domain, session_id, day, surface, kind, source, confidence) values ('a.example', 'first', '2025-11-01', 'chatgpt',
    'referral', 'web', 1)`
  await sql`insert into event_keys
      (domain, key, event_id, fingerprint, surface, confidence, received_at) values ('a.example', ${shortKey('session:first')}, gen_random_uuid(), 0,
    'chatgpt', 1, '2025-11-01T00:00:00Z')`
  expect(await dropBefore(sql, '2025-11')).toEqual(['2025-09', '2025-10'])
  expect(await dropBefore(sql, '2025-11')).toEqual([])
  expect(await wholeOf(13)).toBe('2025-11')
  expect(await wholeOf(1)).toBe('2025-12')
  expect(await listMonths(sql)).toEqual(['2025-11'])
  expect(await sql`select session_id from events`).toEqual([{ session_id: '2025-11' }])
  expect(await sql`select session_id from ai_sessions order by 1`).toEqual([
    { session_id: '2025-11' },
    { session_id: 'first' },
  ])
  const stay = [
    ...['2025-09', '2025-10', '2025-11'].flatMap((month) => [orderKey(month), refundKey(month)]),
    ...['session:2025-11', 'session:first'],
  ]
  const left = await sql<{ key: string }[]>`select key from event_keys`
  expect(left.map(({ key }) => key).toSorted()).toEqual(stay.map(shortKey).toSorted())
  expect(await sql`select count(*)::int as days from rollup_daily`).toEqual([{ days: 3 }])
})

testOnOnePostgres(
  'no statement takes longer than one of the service, and the next run goes on',
  async () => {
    const { sql, url } = await testDatabase()
    await fill(sql, '2025-09')
    const impatient = await connectAgain(`${url}?statement_timeout=1000`)
    const release = await hold(sql, 'lock table ai_sessions in access exclusive mode')
    const dropping = dropBefore(impatient.sql, '2025-10')
    await expect(dropping).rejects.toMatchObject({ code: '57014' })
    await release()
    expect(await listMonths(sql)).toEqual(['2025-09'])
    expect(await sql`select from ai_sessions`).toHaveLength(1)
    expect(await dropBefore(sql, '2025-10')).toEqual(['2025-09'])
    expect(await sql`select from ai_sessions`).toHaveLength(0)
  },
)

test('a day’s work keeps so many months beside this one, and makes the next', async () => {
  const { sql } = await testDatabase()
  for (const month of ['2026-07', '2026-08', '2026-09']) await ensureMonths(sql, [month])
  const lines: string[] = []
  const log = createLog({ write: (line) => lines.push(line) })
  await keepMonths({ sql, months: 2, now: () => new Date('2026-11-30T23:59:59Z'), log })
  expect(await listMonths(sql)).toEqual(['2026-09', '2026-11', '2026-12'])
  expect(JSON.parse(lines.join(''))).toMatchObject({ months: ['2026-07', '2026-08'] })
})

const NOW = new Date('2026-11-20T12:00:00Z')
const now = () => NOW
const view = (session_id: string) =>
  eventOf({ event: 'ai_product_viewed', domain: 'a.example', session_id, source: 'acp' }, NOW)

/** A transaction of somebody else that goes on until it is ended. */
async function hold(sql: Awaited<ReturnType<typeof testDatabase>>['sql'], statement: string) {
  const other = await sql.reserve()
  await other`begin`
  await other.unsafe(statement)
  return async () => {
    await other`commit`
    other.release()
  }
}

testOnOnePostgres('retention and ingestion do not wait for each other in a circle', async () => {
  const { sql } = await testDatabase()
  const log = createLog({ write: () => {} })
  const ingest = createIngest({ sql, now, log })
  await ensureMonths(sql, ['2026-11'])
  await fill(sql, '2025-09')
  // The event comes under a key that retention deletes, and is held up when it has begun.
  const release = await hold(sql, 'lock table rollup_daily in share mode')
  const recording = ingest.record({ ...view('s'), key: 'session:2025-09' })
  await eventually(() => countWaiting(sql)).toBe(1)
  const keeping = keepMonths({ sql, months: 2, now, log })
  await eventually(() => countWaiting(sql)).toBe(2)
  await release()
  expect(await recording).toMatchObject({ replayed: false })
  await keeping
  expect(await listMonths(sql)).toEqual(['2026-11', '2026-12'])
})

test('behind a long reader old months stay until the next time, and events are stored', async () => {
  const { sql } = await testDatabase()
  const lines: string[] = []
  const log = createLog({ write: (line) => lines.push(line) })
  const ingest = createIngest({ sql, now, log })
  await fill(sql, '2025-09')
  const release = await hold(sql, 'select * from events')
  await keepMonths({ sql, months: 2, now, log })
  expect(JSON.parse(lines.join(''))).toMatchObject({
    msg: 'old events not dropped yet: they are being read',
  })
  expect(await listMonths(sql)).toEqual(['2025-09', '2026-11', '2026-12'])
  expect(await ingest.record(view('s'))).toMatchObject({ replayed: false })
  await release()
  await keepMonths({ sql, months: 2, now, log })
  expect(await listMonths(sql)).toEqual(['2026-11', '2026-12'])
})
