import type { Sql } from 'postgres'
import { expect, onTestFinished, test, vi } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import { orderKey, shortKey } from '../../db/events/ids.ts'
import { rebuildRollup } from '../../db/events/rebuild.ts'
import { MOST_NAMED } from '../../db/events/rollup-names.ts'
import { shardsOf } from '../../db/sharding/shards.ts'
import { countWaiting, testOnOnePostgres } from '../../db/testing/locks.ts'
import { ApiError } from '../../http/api-error.ts'
import { createLog } from '../../process/log.ts'
import { connectAgain, testDatabase } from '../../testing/app.ts'
import { eventOf } from '../report/testing/rows.ts'
import { classifyEvents } from './classify-events.ts'
import { createIngest } from './ingest.ts'
import { storeEvents } from './store-events.ts'
import { expectExactSums } from './testing/server.ts'
import { realTraffic } from './testing/traffic.ts'

const log = createLog({ write: () => {} })
const now = () => new Date()
/** No event waits too long, however slow the machine is: see overload.process.test.ts. */
const clock = () => 0
const order = (n: number) =>
  eventOf({
    event: 'ai_checkout_completed',
    domain: 'shop.example',
    session_id: `order-${n}`,
    source: 'acp',
    properties: { value: 100, currency: 'USD' },
  })

test('an event that the database refuses fails alone', async () => {
  const { sql } = await testDatabase()
  const lines: string[] = []
  const logging = createLog({ write: (line) => lines.push(line) })
  const ingest = createIngest({ sql, now, log: logging, clock })
  const sent = Array.from({ length: 40 }, (_, n) => order(n))
  for (const n of [7, 31]) sent[n] = { ...order(n), value: 1e300 }
  const results = await Promise.allSettled(sent.map((event) => ingest.record(event)))
  const refused = results.flatMap((each, n) =>
    each.status === 'rejected' ? [[n, each.reason]] : [],
  )
  expect(refused).toEqual([
    [7, expect.any(ApiError)],
    [31, expect.any(ApiError)],
  ])
  expect(refused[0]?.[1]).toMatchObject({ status: 422, code: 'not_storable' })
  expect(ingest.counts).toMatchObject({ received: 40, accepted: 38, rejected: 2, shed: 0 })
  await ingest.drain()
  const logged = lines.map((line) => JSON.parse(line))
  expect(logged.filter(({ msg }) => msg !== 'events stored')).toMatchObject([
    { msg: 'events not stored', events: 2 },
  ])
  // The batch of all, its halves down to the two that were refused, and what was stored beside
  // them.
  expect(ingest.batches.failed).toBeGreaterThan(2)
  expect(ingest.batches.stored).toBe(logged.filter(({ msg }) => msg === 'events stored').length)
  expect(ingest.batches.seconds).toBeGreaterThan(0)
  await expectExactSums(sql)
})

test('what is stored is logged batch by batch', async () => {
  const { sql } = await testDatabase()
  const lines: string[] = []
  const logging = createLog({ write: (line) => lines.push(line) })
  const ingest = createIngest({ sql, now, log: logging, clock })
  await Promise.all([order(0), order(0), order(1)].map((event) => ingest.record(event)))
  await ingest.drain()
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'events stored', events: 3, duplicates: 1, ms: expect.any(Number) },
  ])
})

test('a day of one shop that can hold no more leaves other shops in one batch', async () => {
  const { sql } = await testDatabase()
  const ingest = createIngest({ sql, now, log, clock })
  await ingest.record({ ...order(0), value: 2 ** 62 })
  const statements = vi.spyOn(sql, 'unsafe')
  const sent = Array.from({ length: 40 }, (_, n) =>
    n % 2 === 0 ? { ...order(n + 1), value: 2 ** 62 } : { ...order(n), domain: `shop${n}.example` },
  )
  const results = await Promise.allSettled(sent.map((event) => ingest.record(event)))
  expect(results.map(({ status }) => status === 'fulfilled')).toEqual(
    sent.map(({ domain }) => domain !== 'shop.example'),
  )
  const withOthers = statements.mock.calls.filter(
    ([text, values]) => text.includes('into events') && /"shop\d+\.example"/.test(`${values}`),
  )
  expect(withOthers.length).toBeLessThan(10)
  await expectExactSums(sql)
})

testOnOnePostgres('a deadlock with somebody else is tried again', async () => {
  const { sql, url } = await testDatabase()
  const own = await connectAgain(`${url}?deadlock_timeout=10s`)
  const ingest = createIngest({ sql: own.sql, now, log, clock })
  await ingest.record(order(0))
  // Each looks for a circle once: the event when both wait, and the other much later, so that the
  // event ends.
  const other = await sql.reserve()
  await other`begin`
  await other`set local deadlock_timeout = '20s'`
  await other`lock table rollup_daily in share mode`
  const recording = ingest.record(order(1))
  await eventually(() => countWaiting(sql)).toBe(1)
  await other`lock table event_keys in share mode`
  await other`commit`
  other.release()
  expect(await recording).toMatchObject({ replayed: false })
  expect(ingest.counts).toMatchObject({ accepted: 2, shed: 0 })
})

test('orders of one visit that two servers store at once are one session, of the first day', async () => {
  const { sql, db } = await testDatabase()
  const ingest = createIngest({ sql, now, log, clock })
  const [first, second] = [1, 2].map((days) =>
    eventOf({
      event: 'ai_checkout_completed',
      domain: 'shop.example',
      session_id: `days-${days}`,
      source: 'web',
      timestamp: new Date(now().getTime() - days * 86_400_000).toISOString(),
      ai_surface: 'chatgpt',
      properties: { value: 100, currency: 'USD', visit_id: 'visit-of-a-browser' },
    }),
  )
  if (first === undefined || second === undefined) throw new Error('two orders are needed')
  await ingest.record({ ...order(0), ts: second.ts })
  await ingest.record({ ...order(1), ts: first.ts })

  // The other server has stored the beginning of the visit, and is not done yet.
  const other = await sql.reserve()
  await other`begin`
  await createIngest({ sql: other, now, log, clock }).record(first)
  const recording = ingest.record(second)
  await eventually(() => countWaiting(sql)).toBe(1)
  await other`commit`
  other.release()
  expect(await recording).toMatchObject({ replayed: false, surface: 'chatgpt' })
  expect(ingest.counts).toMatchObject({ accepted: 3, shed: 0 })
  const days = await sql`select day, sum(sessions)::int as sessions, sum(completed)::int as orders
    from rollup_daily where source = 'web' group by day order by day`
  expect(days).toMatchObject([
    { sessions: 1, orders: 1 },
    { sessions: 0, orders: 1 },
  ])
  expect(
    await rebuildRollup(db, { domain: 'shop.example', since: '2000-01', dryRun: true }),
  ).toEqual([])
})

test('what comes again is counted as a duplicate, with its first beside it or later', async () => {
  const { sql } = await testDatabase()
  const ingest = createIngest({ sql, now, log, clock })
  const sent = [order(0), order(0), order(1)].map((event) => ingest.record(event))
  expect((await Promise.all(sent)).map(({ replayed }) => replayed)).toEqual([false, true, false])
  expect(await ingest.record(order(1))).toMatchObject({ replayed: true })
  expect(ingest.counts).toMatchObject({ received: 4, accepted: 2, duplicate: 2 })
})

/** A database that answers every question alike. */
const answering = (answer: () => Promise<unknown>) =>
  Object.assign(answer, { unsafe: answer, begin: answer }) as unknown as Sql

test('while the database is away a batch is not tried piece by piece', async () => {
  let tries = 0
  const sql = answering(async () => {
    tries += 1
    throw Object.assign(new Error('too many connections'), { code: '53300' })
  })
  const ingest = createIngest({ sql, now, log, clock })
  const results = await Promise.allSettled(
    Array.from({ length: 40 }, (_, n) => ingest.record(order(n))),
  )
  for (const result of results) {
    expect(result).toMatchObject({ reason: { status: 503, code: 'not_confirmed' } })
    expect(result).toHaveProperty('reason.extras.headers', { 'Retry-After': '1' })
  }
  expect(tries).toBe(1)
  expect(ingest.counts).toMatchObject({ received: 40, shed: 40, rejected: 0 })
})

test('what waits is bounded by its size as well as by its number', async () => {
  const gate = Promise.withResolvers<void>()
  const sql = answering(async () => {
    await gate.promise
    throw Object.assign(new Error('gone'), { code: 'ECONNRESET' })
  })
  const ingest = createIngest({ sql, now, log, clock })
  const large = { ...order(0), properties: { note: 'x'.repeat(8000) } }
  const sent: Promise<unknown>[] = []
  while (!ingest.isFull() && sent.length < 20_000) sent.push(ingest.record(large))
  expect(sent.length * 8000).toBeLessThan(32 * 2 ** 20)
  gate.resolve()
  await Promise.allSettled(sent)
  expect(ingest.isFull()).toBe(false)
})

test('an event that is neither new nor in the ledger is not acknowledged', async () => {
  // The key was there when the event was stored, and is erased before it is read.
  const sql = answering(async () => [])
  const { rows } = classifyEvents([order(0)], [], now())
  const at = shardsOf(sql).at(['shop.example'])
  await expect(storeEvents(at, [order(0)], rows)).rejects.toThrow('a key was erased')
})

test('what comes together adds up as what comes one after the other', async () => {
  const [many, few] = [await testDatabase(), await testDatabase()]
  const sent = realTraffic(2000)
  for (const [{ sql }, size] of [
    [many, sent.length],
    [few, 30],
  ] as const) {
    const ingest = createIngest({ sql, now, log, clock })
    for (const events of chunks(sent, size)) {
      await Promise.all(events.map((event) => ingest.record(event)))
    }
  }
  const totals = (of: Sql) => of`select * from rollup_daily order by 1, 2, 3, 4, 5, 6`
  expect(await totals(many.sql)).toEqual(await totals(few.sql))
  for (const domain of new Set(sent.map((event) => event.domain))) {
    expect(await rebuildRollup(many.db, { domain, since: '2026-10', dryRun: true })).toEqual([])
  }
  const names = await many.sql<{ names: number }[]>`
    select count(*)::int as names from rollup_names group by domain, dimension, month`
  expect(Math.max(...names.map((each) => each.names))).toBe(MOST_NAMED)
})

/**
 * The first order of many, all of visits that it alone names, with or without a currency; or its
 * refund.
 */
const saleOf = (n: number, event: 'ai_checkout_completed' | 'ai_order_refunded', currency = true) =>
  eventOf({
    event,
    domain: 'shop.example',
    session_id: `order-${n}`,
    source: 'web',
    properties: {
      value: 100,
      ...(currency && { currency: 'USD' }),
      ...(event === 'ai_order_refunded'
        ? { refund_id: `refund-${n}`, order_id: `order-${n}` }
        : { visit_id: `visit-${n}-of-a-browser` }),
    },
  })

test.each([
  [
    'refunds come after the orders of their domain',
    (n: number) => [saleOf(n, 'ai_checkout_completed'), saleOf(n, 'ai_order_refunded')],
    { completed: 100, refunds: 100 },
  ],
  [
    'values without a currency come after the first one with it',
    (n: number) => [saleOf(n, 'ai_checkout_completed', n === 0)],
    { completed: 100, refunds: 0 },
  ],
])('when many events arrive together, %s', async (_, eventsOf, sums) => {
  const { sql } = await testDatabase()
  const ingest = createIngest({ sql, now, log, clock })
  const sent = Array.from({ length: 100 }, (_each, n) => eventsOf(n))
  const inOrder = [0, 1].flatMap((at) => sent.flatMap((events) => events[at] ?? []))
  await Promise.all(inOrder.map((event) => ingest.record(event)))
  const [stored] = await sql`select sum(completed)::int as completed, sum(refunds)::int as refunds,
    array_agg(distinct currency) as currencies from rollup_daily where currency <> ''`
  expect(stored).toEqual({ ...sums, currencies: ['USD'] })
  await expectExactSums(sql)
})

const chunks = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, n) =>
    list.slice(n * size, (n + 1) * size),
  )

test('a domain whose totals are locked holds up no other, and loses nothing', async () => {
  const { sql } = await testDatabase()
  const ingest = createIngest({ sql, now, log, clock })
  const of = (domain: string, n: number) => ({ ...order(n), domain })
  const shops = ['slow.example', 'one.example', 'two.example']
  await Promise.all(shops.map((domain) => ingest.record(of(domain, 0))))
  const other = await sql.reserve()
  onTestFinished(() => other.release())
  await other`begin`
  await other`update rollup_daily set viewed = viewed where domain = 'slow.example'`
  const held: Promise<unknown>[] = []
  for (let n = 1; n <= 3; n += 1) {
    held.push(ingest.record(of('slow.example', n)))
    // The first one has a batch to itself, in the lane of all.
    if (n === 1) await eventually(() => countWaiting(sql)).toBe(1)
    const recorded = await Promise.all([
      ingest.record(of('one.example', n)),
      ingest.record(of('two.example', n)),
    ])
    expect(recorded).toMatchObject([{ replayed: false }, { replayed: false }])
  }
  const keys = [0, 1, 2, 3].map((n) => shortKey(orderKey(`order-${n}`)))
  const before = await sql`select domain from event_keys where domain = 'slow.example'
    and key = any(${keys})`
  expect(before).toHaveLength(1)
  await other`commit`
  expect(await Promise.all(held)).toMatchObject([
    { replayed: false },
    { replayed: false },
    { replayed: false },
  ])
  await ingest.drain()
  await expectExactSums(sql)
})
