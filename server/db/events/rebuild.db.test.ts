import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import { classifyEvents } from '../../attribution/ingest/classify-events.ts'
import { createIngest } from '../../attribution/ingest/ingest.ts'
import { createProperty } from '../../attribution/properties.ts'
import { eventOf as eventAt } from '../../attribution/report/testing/rows.ts'
import { createLog } from '../../process/log.ts'
import { connectAgain, testDatabase } from '../../testing/app.ts'
import { shardsOf } from '../sharding/shards.ts'
import { countWaiting, testOnOnePostgres } from '../testing/locks.ts'
import { insertEvents } from './events.ts'
import { dropBefore, ensureMonths } from './partitions.ts'
import { rebuildRollup, reportedDomains } from './rebuild.ts'
import { MOST_NAMED } from './rollup-names.ts'
import { rollup_daily } from './tables.ts'

const { db, sql: pool, url } = await testDatabase()
const now = () => new Date('2026-11-20T12:00:00Z')
const eventOf = (event: Parameters<typeof eventAt>[0], at = now()) => eventAt(event, at)
const log = createLog({ write: () => {} })
const ingest = createIngest({ sql: pool, now, log })
const SINCE = '2025-10'

const check = (domain: string) => rebuildRollup(db, { domain, since: SINCE, dryRun: true })
const mend = (domain: string) => rebuildRollup(db, { domain, since: SINCE, dryRun: false })
const sumsOf = (domain: string) =>
  db
    .select()
    .from(rollup_daily)
    .where(sql`domain = ${domain}`)
    .orderBy(sql`day, surface, kind, source, currency`)

/** Two months of everything: surfaces, kinds, currencies, retries, orders without a value. */
async function recordMonths(domain: string): Promise<void> {
  const sent = Array.from({ length: 300 }, (_, n) => {
    const day = String((n % 28) + 1).padStart(2, '0')
    const event = (
      ['product_viewed', 'checkout_initiated', 'checkout_completed', 'checkout_failed'] as const
    )[n % 4]
    return eventOf({
      event: `ai_${event ?? 'product_viewed'}`,
      domain,
      session_id: `s${n % 40}`,
      source: n % 3 === 0 ? 'ucp' : 'acp',
      ai_surface: ['chatgpt', 'perplexity', 'my_bot'][n % 3],
      timestamp: `2026-${n % 2 ? '10' : '11'}-${day}T23:30:00-02:00`,
      properties: n % 5 === 0 ? {} : { value: n * 100, currency: n % 7 ? 'USD' : 'EUR' },
    })
  })
  await Promise.all([...sent, ...sent.slice(0, 50)].map((event) => ingest.record(event)))
}

test('after ingestion there is no difference', async () => {
  await recordMonths('whole.example')
  expect(await sumsOf('whole.example')).not.toEqual([])
  expect(await check('whole.example')).toEqual([])
  const later = { domain: 'whole.example', since: '2026-11', dryRun: true }
  expect(await rebuildRollup(db, later)).toEqual([])
})

test('sums that were tampered with are found and mended, one domain at a time', async () => {
  await recordMonths('tampered.example')
  await recordMonths('other.example')
  const before = await sumsOf('tampered.example')
  const [changed, lost] = before.filter(({ completed }) => completed > 0)
  const rowOf = (row: typeof changed) =>
    sql`domain = ${row?.domain} and day = ${row?.day} and surface = ${row?.surface}
      and kind = ${row?.kind} and source = ${row?.source} and currency = ${row?.currency}`
  await db.execute(sql`
    update rollup_daily set sessions = sessions + 2, revenue = revenue - 7
    where ${rowOf(changed)}`)
  await db.execute(sql`delete from rollup_daily where ${rowOf(lost)}`)
  await db.execute(sql`
    insert into rollup_daily select domain, '2026-11-05', 'invented', kind, source, 'JPY',
      0, 0, 0, 3, 0, 900, 0, 0
    from rollup_daily where ${rowOf(changed)}`)
  await db.execute(sql`update rollup_daily set failed = 99 where domain = 'other.example'`)

  const differences = await check('tampered.example')
  expect(await mend('tampered.example')).toEqual(differences)
  expect(differences).toHaveLength(3)
  expect(differences).toContainEqual(lost)
  expect(differences).toContainEqual(
    expect.objectContaining({ day: changed?.day, sessions: -2, revenue: 7, completed: 0 }),
  )
  expect(differences).toContainEqual(
    expect.objectContaining({ surface: 'invented', completed: -3, revenue: -900 }),
  )
  expect(await sumsOf('tampered.example')).toEqual(before)
  expect(await check('tampered.example')).toEqual([])
  expect(await check('other.example')).not.toEqual([])
})

const order = (domain: string, n: number) =>
  eventOf(
    {
      event: 'ai_checkout_completed',
      domain,
      session_id: `order-${n}`,
      source: 'acp',
      ai_surface: 'chatgpt',
      properties: { value: 100, currency: 'USD' },
    },
    now(),
  )

test('an event that is committed while the sums are mended is counted once', async () => {
  const domain = 'racing.example'
  await ingest.record(order(domain, 0))
  await db.execute(sql`update rollup_daily set completed = 50 where domain = ${domain}`)

  // The row is held by one who adds an order and is not done yet when mending begins.
  const other = await pool.reserve()
  await other`begin`
  await createIngest({ sql: other, now, log }).record(order(domain, 1))
  const mending = mend(domain)
  await waitUntilBlocked(1)
  await other`commit`
  other.release()
  expect(await mending).toMatchObject([{ completed: -49 }])
  expect(await sumsOf(domain)).toMatchObject([{ completed: 2, revenue: 200, sessions: 2 }])
  expect(await check(domain)).toEqual([])
})

test('two that mend the same sums at once mend them once', async () => {
  const domain = 'twice.example'
  await ingest.record(order(domain, 0))
  await db.execute(sql`update rollup_daily set completed = 50 where domain = ${domain}`)
  const other = await pool.reserve()
  await other`begin`
  await other`select from rollup_daily where domain = ${domain} for update`
  const mending = [mend(domain), mend(domain)]
  await waitUntilBlocked(2)
  await other`commit`
  other.release()
  expect((await Promise.all(mending)).flat()).toMatchObject([{ completed: -49 }])
  expect(await sumsOf(domain)).toMatchObject([{ completed: 1, revenue: 100 }])
})

test('comparing changes nothing, and mending removes what is empty', async () => {
  const domain = 'empty.example'
  await ingest.record(order(domain, 0))
  const counted = await sumsOf(domain)
  await db.execute(sql`
    insert into rollup_daily select domain, day, 'nobody', kind, source, currency,
      0, 0, 0, 0, 0, 0, 0, 0
    from rollup_daily where domain = ${domain}`)
  expect(await check(domain)).toEqual([])
  expect(await sumsOf(domain)).toHaveLength(2)
  expect(await mend(domain)).toEqual([])
  expect(await sumsOf(domain)).toEqual(counted)
})

test('mending does not wait for an empty row that an event is about to fill', async () => {
  const domain = 'filling.example'
  await ingest.record(order(domain, 0))
  await db.execute(sql`
    insert into rollup_daily select domain, day, 'nobody', kind, source, currency,
      0, 0, 0, 0, 0, 0, 0, 0
    from rollup_daily where domain = ${domain}`)
  const add = (surface: string) => sql`
    update rollup_daily set completed = completed + 1
    where domain = ${domain} and surface = ${surface}`
  await db.execute(add('chatgpt'))

  await db.transaction(async (tx) => {
    await tx.execute(add('nobody'))
    expect(await mend(domain)).toMatchObject([{ completed: -1 }])
    // Which mending has changed: had it waited, both would wait for each other here.
    await tx.execute(add('chatgpt'))
  })
  expect(await sumsOf(domain)).toMatchObject([{ completed: 2 }, { completed: 1 }])
})

test('comparing tells nothing of a name that two servers admitted at once, and of what is lost', async () => {
  const domain = 'admitting.example'
  const view = (product_id: string, n = 0) =>
    eventOf({
      event: 'ai_product_viewed',
      domain,
      session_id: `${product_id}-${n}`,
      source: 'acp',
      properties: { product_id },
    })
  for (let n = 1; n < MOST_NAMED; n += 1) await ingest.record(view(`early-${n}`))

  // One place is left, and the other server has not said yet that it takes it.
  const other = await pool.reserve()
  await other`begin`
  await createIngest({ sql: other, now, log }).record(view('z'))
  // Without ingestion's patience, which ends on a busy machine: it would see the name then.
  const { rows } = classifyEvents([view('a'), view('z', 1)], [], now())
  const both = insertEvents(shardsOf(pool).at([domain]), rows)
  await waitUntilBlocked(1)
  await other`commit`
  other.release()
  await both
  const named = () => pool<{ name: string; viewed: number }[]>`
    select name, viewed::int from rollup_named
    where domain = ${domain} and name in ('', 'a', 'z') order by name`
  expect(await named()).toEqual([
    { name: '', viewed: 1 },
    { name: 'a', viewed: 1 },
    { name: 'z', viewed: 1 },
  ])
  expect(await check(domain)).toEqual([])

  await pool`update rollup_named set viewed = 9 where domain = ${domain} and name = ''`
  expect(await check(domain)).toMatchObject([
    { name: '', viewed: -9 },
    { name: 'z', viewed: 1 },
  ])
  await mend(domain)
  // One name more than there is room for is among the others now.
  expect(await named()).toEqual([
    { name: '', viewed: 1 },
    { name: 'a', viewed: 1 },
    { name: 'z', viewed: 2 },
  ])
})

const waitUntilBlocked = (many: number) =>
  eventually(() => countWaiting(pool)).toBeGreaterThanOrEqual(many)

test('under load, mending again and again loses no event', async () => {
  const domain = 'busy.example'
  let sending = true
  let accepted = 0
  const clients = Array.from({ length: 8 }, async (_, client) => {
    for (let n = 0; n < 60; n += 1) {
      await ingest.record(
        eventOf(
          {
            event: 'ai_checkout_completed',
            domain,
            session_id: `${client}-${n}`,
            source: 'ucp',
            properties: { value: 10, currency: 'USD' },
          },
          now(),
        ),
      )
      accepted += 1
    }
  })
  const mending = (async () => {
    while (sending) {
      await db.execute(sql`
        update rollup_daily set completed = completed + 3, revenue = revenue - 5
        where domain = ${domain}`)
      await Promise.all([mend(domain), mend(domain)])
    }
  })()
  await Promise.all(clients)
  sending = false
  await mending
  expect(await check(domain)).toEqual([])
  expect(await sumsOf(domain)).toMatchObject([
    { completed: accepted, sessions: accepted, revenue: accepted * 10 },
  ])
})

test('the sums of months whose events have gone are left alone', async () => {
  const domain = 'old.example'
  await recordMonths(domain)
  await ensureMonths(pool, ['2026-09'])
  const before = await sumsOf(domain)
  await db.execute(sql`delete from events where domain = ${domain} and ts < '2026-11-01'`)
  const differing = async (since: string) =>
    (await rebuildRollup(db, { domain, since, dryRun: true })).map(({ day }) => day.slice(0, 7))
  expect(new Set(await differing('2026-10'))).toEqual(new Set(['2026-10']))
  expect(await differing('2026-11')).toEqual([])

  await pool`drop table events_2026_09, events_2026_10`
  expect(await mend(domain)).toEqual([])
  expect(await sumsOf(domain)).toEqual(before)
})

test('a month without events between others is left alone', async () => {
  const domain = 'between.example'
  await recordMonths(domain)
  await ensureMonths(pool, ['2026-09'])
  await pool`drop table events_2026_10`
  const before = await sumsOf(domain)
  expect(await mend(domain)).toEqual([])
  expect(await sumsOf(domain)).toEqual(before)
})

test('every domain with events or sums is looked at', async () => {
  await db.execute(sql`delete from rollup_daily where domain = 'whole.example'`)
  const domains = await reportedDomains(db)
  expect(domains).toContain('whole.example')
  expect(domains).toContain('busy.example')
  expect(new Set(domains).size).toBe(domains.length)
})

testOnOnePostgres(
  'mending and listing domains may take longer than a statement of the service',
  async () => {
    const impatient = await connectAgain(`${url}?statement_timeout=1000`)
    const other = await pool.reserve()
    await other`begin`
    await other`lock table events in access exclusive mode`
    const rebuild = { domain: 'whole.example', since: SINCE, dryRun: true }
    const both = Promise.all([rebuildRollup(impatient.db, rebuild), reportedDomains(impatient.db)])
    await waitUntilBlocked(2)
    await sleep(1300)
    await other`commit`
    other.release()
    expect(await both).toEqual([expect.any(Array), expect.arrayContaining(['whole.example'])])
  },
)

test('a rebuild adds nothing for an event that counts on a day of a month without a partition', async () => {
  const domain = 'evening.example'
  await createProperty(db, { domain, time_zone: 'America/New_York' }, now())
  await ingest.record(
    eventOf({
      domain,
      session_id: 's',
      source: 'acp',
      timestamp: '2026-03-01T02:00:00Z',
      event: 'ai_checkout_completed',
      properties: { product_id: 'lamp' },
    }),
  )
  expect((await sumsOf(domain)).map(({ day }) => day)).toEqual(['2026-02-28'])
  for (let n = 0; n < 2; n += 1) {
    await rebuildRollup(db, { domain, since: '2025-10', dryRun: false })
    expect((await sumsOf(domain)).map(({ completed }) => completed)).toEqual([1])
  }
  // Nor does its product take a place in the month of its table.
  expect(await pool`select month from rollup_names where domain = ${domain}`).toEqual([
    { month: '2026-02' },
  ])
})

test("a rebuild keeps the first day of a shop ahead of UTC when that day's first hours are dropped", async () => {
  const domain = 'morning.example'
  await createProperty(db, { domain, time_zone: 'Asia/Tokyo' }, now())
  // April 1st in Tokyo begins in UTC's March. No event of UTC's April 1st counts on another day.
  const days = ['2026-03-31T20:00:00Z', '2026-04-01T05:00:00Z', '2026-04-02T05:00:00Z']
  for (const [n, timestamp] of days.entries()) {
    await ingest.record(
      eventOf({
        domain,
        session_id: `s${n}`,
        source: 'acp',
        timestamp,
        event: 'ai_checkout_completed',
        properties: { product_id: 'lamp', value: 100, currency: 'USD' },
      }),
    )
  }
  const since = '2026-04'
  const completed = async () => (await sumsOf(domain)).map((row) => [row.day, row.completed])
  const whole = [
    ['2026-04-01', 2],
    ['2026-04-02', 1],
  ]
  expect(await completed()).toEqual(whole)
  await dropBefore(pool, since)
  expect(await rebuildRollup(db, { domain, since, dryRun: false })).toEqual([])
  expect(await completed()).toEqual(whole)

  // What can be mended is, and so are the sums of its week.
  await pool`update rollup_daily set completed = 9 where domain = ${domain} and day = '2026-04-02'`
  await pool`update rollup_named set completed = 9 where domain = ${domain} and day = '2026-04-02'`
  await pool`update rollup_weekly set completed = 9 where domain = ${domain}`
  await rebuildRollup(db, { domain, since, dryRun: false })
  expect(await completed()).toEqual(whole)
  expect(
    await pool`select day::text, completed::int from rollup_weekly
      where domain = ${domain} and dimension = 'product'`,
  ).toEqual([{ day: '2026-04-01', completed: 3 }])
})

test('while events come in, neither they nor a rebuild are the victim of a deadlock', async () => {
  const domain = 'naming.example'
  const deadlocks = async () =>
    (
      await pool`select pg_stat_force_next_flush(), pg_stat_get_db_deadlocks(oid)::int as count
        from pg_database where datname = current_database()`
    )[0]?.count
  const before = await deadlocks()
  let sent = 0
  let isOver = false
  const sender = async () => {
    while (!isOver) {
      sent += 1
      const n = sent % 60
      await ingest.record(
        eventOf({
          domain,
          session_id: `n${sent}`,
          event: 'ai_product_viewed',
          source: 'acp',
          properties: { product_id: `p${n}`, url: `https://${domain}/p${n}` },
        }),
      )
    }
  }
  const senders = Array.from({ length: 16 }, sender)
  for (let n = 0; n < 4; n += 1) {
    await sleep(200)
    // The names that are counted change, so that there is something to write.
    await pool`delete from rollup_names where domain = ${domain}`
    await mend(domain)
  }
  isOver = true
  await Promise.all(senders)
  expect(await deadlocks()).toBe(before)
})
