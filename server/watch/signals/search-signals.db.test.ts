import { and, eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import type { AttributionEvent } from '../../../shared/attribution/events.ts'
import { eventually } from '../../../shared/testing/wait.ts'
import { DAY_MS, shiftDay } from '../../../shared/web/moment.ts'
import { createIngest } from '../../attribution/ingest/ingest.ts'
import { eventOf, insertRollup } from '../../attribution/report/testing/rows.ts'
import { properties } from '../../db/attribution/tables.ts'
import { rollup_daily } from '../../db/events/tables.ts'
import { countWaiting, testOnOnePostgres } from '../../db/testing/locks.ts'
import { listIncidents } from '../../db/watch/incidents.ts'
import {
  incidents,
  notices,
  watch_channels,
  watch_deliveries,
  watches,
} from '../../db/watch/tables.ts'
import { createLog } from '../../process/log.ts'
import { connectAgain, testDatabase } from '../../testing/app.ts'
import { changeWatch, createWatch, endWatch } from '../set-up.ts'
import { searchSignals } from './search-signals.ts'

const database = await testDatabase()
const { db, sql } = database
// As if another process.
const other = await connectAgain(database.url)
const START = new Date('2026-11-25T10:00:00Z')
let clock = START
const now = () => clock
const log = createLog({ write: () => {} })
const ingest = createIngest({ sql, now, log })
const baseUrl = 'https://aisle.example'
const today = '2026-11-25'
let domain = ''
let n = 0

beforeEach(async () => {
  clock = START
  domain = `shop${n++}.example`
  // Those of earlier tests are not judged again.
  await db.update(watches).set({ paused_at: START })
})

const later = (ms: number) => {
  clock = new Date(clock.getTime() + ms)
}
const HOUR_MS = DAY_MS / 24

/** A watch that was judged an hour ago, when all was well. */
async function watch(
  change: Partial<typeof watches.$inferInsert> = {},
  setUpAt = new Date(START.getTime() - DAY_MS),
) {
  await createWatch({ db, now: () => setUpAt }, { domain }, { keyId: 'k', mayReadReport: true })
  const anHourAgo = new Date(START.getTime() - HOUR_MS)
  await db
    .update(watches)
    .set({ signals_at: anHourAgo, signals_judged_at: anHourAgo, ...change })
    .where(eq(watches.domain, domain))
}

/** Two replicas search at the same time. */
const search = () =>
  Promise.all([db, other.db].map((each) => searchSignals({ db: each, now, log, baseUrl })))

const told = async () =>
  (
    await db
      .select()
      .from(notices)
      .where(eq(notices.domain, domain))
      .orderBy(notices.at, notices.event)
  ).map(({ event, notice }) => [event, notice.title])

const openSubjects = async () =>
  (await listIncidents(db, domain, { only: 'open' })).map(({ subject }) => subject)

const send = (event: Partial<AttributionEvent> & { session_id: string }, at = clock) =>
  ingest.record(
    eventOf(
      {
        event: 'ai_checkout_completed',
        domain,
        source: 'acp',
        ai_surface: 'chatgpt',
        timestamp: at.toISOString(),
        ...event,
      },
      clock,
    ),
  )
/** So many checkouts, an hour ago unless said otherwise. */
async function checkouts(
  count: number,
  event: Partial<AttributionEvent>,
  { at = new Date(clock.getTime() - HOUR_MS), name = event.event ?? 'order' } = {},
) {
  const sent = Array.from({ length: count }, (_, i) =>
    send({ session_id: `${name} ${i}`, ...event }, at),
  )
  await Promise.all(sent)
}
const orders = (count: number, name = 'order', at?: Date) =>
  checkouts(count, {}, { name, ...(at && { at }) })
const failures = (count: number, reason?: string) =>
  checkouts(
    count,
    { event: 'ai_checkout_failed', ...(reason && { properties: { reason } }) },
    { name: `failed ${reason}` },
  )

/** Sessions of each of the last 35 days, by how many days ago. */
const sessionsBefore = (surface: string, sessions: (ago: number) => number) =>
  insertRollup(
    db,
    domain,
    Array.from({ length: 40 }, (_, i) => ({
      day: shiftDay(today, -1 - i),
      surface,
      sessions: sessions(i + 1),
    })),
  )

/** A day with more than a sum of integers can hold: no reading of the domain succeeds. */
const makeUnreadable = () =>
  insertRollup(db, domain, [{ day: today, source: 'ucp', initiated: 2 ** 31 - 1, failed: 1 }])
const makeReadable = () =>
  db
    .delete(rollup_daily)
    .where(and(eq(rollup_daily.domain, domain), eq(rollup_daily.source, 'ucp')))

test('a surface that fell by half: an incident, told once over two replicas, and closed when it is back', async () => {
  await watch()
  await sessionsBefore('chatgpt', (ago) => (ago <= 7 ? 4 : 10))
  await search()
  expect(await openSubjects()).toEqual(['surface_fell:chatgpt'])
  expect(await told()).toEqual([
    ['incident.opened', `${domain}: Sessions from ChatGPT fell by half or more`],
  ])
  const [row] = await db.select().from(notices).where(eq(notices.domain, domain))
  expect(row?.notice).toMatchObject({
    severity: 'high',
    url: `https://aisle.example/report?domain=${domain}&start=2026-10-21&end=2026-11-25&surface=chatgpt`,
    data: { incident: { kind: 'signal', subject: 'surface_fell:chatgpt', closed_at: null } },
  })
  later(HOUR_MS)
  await search()
  expect(await told()).toHaveLength(1)
  const [open] = await listIncidents(db, domain, { only: 'open' })
  expect(open?.last_seen_at).toEqual(clock)
  // A good week follows.
  await insertRollup(
    db,
    domain,
    Array.from({ length: 7 }, (_, i) => ({ day: shiftDay(today, i), sessions: 9 })),
  )
  later(7 * DAY_MS)
  await search()
  expect(await openSubjects()).toEqual([])
  expect((await told())[1]).toEqual([
    'incident.closed',
    `${domain}: Over: Sessions from ChatGPT fell by half or more`,
  ])
  const after = await db.select().from(notices).where(eq(notices.domain, domain))
  expect(after.find(({ event }) => event === 'incident.closed')?.notice.lines[0]).toContain(
    '63 sessions in the seven days up to 2026-12-01',
  )
})

test('days are those of the shop', async () => {
  // 10:00 UTC is Thursday there: the day that is over is another one.
  await db.insert(properties).values({
    id: `p ${domain}`,
    domain,
    origins: [],
    time_zone: 'Pacific/Kiritimati',
    created_at: START,
  })
  await watch()
  await sessionsBefore('chatgpt', (ago) => (ago === 7 ? 40 : ago < 7 ? 0 : 10))
  await search()
  expect(await openSubjects()).toEqual(['surface_fell:chatgpt'])
})

test.each<[string, () => Promise<unknown>, string[]]>([
  [
    'payments fail',
    () => Promise.all([orders(30), failures(10, 'Payment declined')]),
    ['payments_failing'],
  ],
  [
    'they fail with the code of a provider',
    () => Promise.all([orders(30), failures(10, 'insufficient_funds')]),
    ['payments_failing'],
  ],
  [
    'out of stock',
    () => Promise.all([orders(30), failures(10, 'out_of_stock')]),
    ['completion_low'],
  ],
  ['no reason', () => Promise.all([orders(30), failures(10)]), ['completion_low']],
  [
    'sessions expire',
    async () => {
      await checkouts(40, { event: 'ai_checkout_initiated' }, { name: 's' })
      await orders(30, 's')
    },
    ['checkouts_expiring'],
  ],
  [
    'their time is over, says the store',
    async () => {
      const source = 'ucp'
      await checkouts(40, { event: 'ai_checkout_initiated', source }, { name: 's' })
      await checkouts(40, { source }, { name: 's' })
      await checkouts(5, { event: 'ai_checkout_initiated', source }, { name: 'late' })
      const properties = { reason: 'session_expired' }
      await checkouts(5, { event: 'ai_checkout_failed', source, properties }, { name: 'late' })
    },
    ['checkouts_expiring'],
  ],
  [
    'completions are slow',
    () => checkouts(40, { properties: { duration_ms: 6000 } }),
    ['completion_slow'],
  ],
])('checkouts beyond a threshold: %s', async (_, happen, subjects) => {
  await watch()
  await happen()
  await search()
  expect((await openSubjects()).toSorted()).toEqual(subjects)
  // The orders are ChatGPT's first, which is reported too.
  expect((await told()).filter(([event]) => event === 'incident.opened')).toHaveLength(
    subjects.length,
  )
})

test.each<[string, () => Promise<unknown>]>([
  ['three checkouts', () => Promise.all([orders(1), failures(2, 'payment_declined')])],
  ['a good day', () => Promise.all([orders(60), failures(5, 'payment_declined')])],
  [
    'refunds',
    async () => {
      await orders(30)
      for (let i = 0; i < 20; i++) {
        await send({
          event: 'ai_order_refunded',
          session_id: `order ${i}`,
          properties: { refund_id: i, value: 100, currency: 'EUR' },
        })
      }
    },
  ],
  [
    'a mix of currencies',
    async () => {
      await checkouts(15, { properties: { value: 100, currency: 'EUR' } }, { name: 'a' })
      await checkouts(15, { properties: { value: 9_000_000, currency: 'JPY' } }, { name: 'b' })
    },
  ],
  [
    'sessions that are still open',
    () => checkouts(40, { event: 'ai_checkout_initiated' }, { at: START }),
  ],
  [
    'carts in the shop that are left',
    () =>
      checkouts(
        40,
        { event: 'ai_checkout_initiated', source: 'web', properties: { visit_id: 'v' } },
        { name: 'w' },
      ),
  ],
  [
    'orders under other ids than their sessions',
    async () => {
      await checkouts(40, { event: 'ai_checkout_initiated' }, { name: 's' })
      await orders(40, 'by order id')
    },
  ],
  [
    'orders that name the checkout',
    async () => {
      await checkouts(40, { event: 'ai_checkout_initiated' }, { name: 's' })
      await Promise.all(
        Array.from({ length: 40 }, (_, i) =>
          send({ session_id: `o ${i}`, properties: { checkout_id: `s ${i}` } }),
        ),
      )
    },
  ],
  [
    'failures of last month that are imported today',
    () =>
      checkouts(
        40,
        { event: 'ai_checkout_failed', properties: { reason: 'payment_declined' } },
        { at: new Date('2026-10-20T10:00:00Z') },
      ),
  ],
  [
    'durations that are none',
    () => checkouts(40, { properties: { duration_ms: '6000', reason: {} } }),
  ],
])('silent: %s', async (_, happen) => {
  await watch()
  await happen()
  await search()
  expect(await openSubjects()).toEqual([])
})

test('it closes once payments work again, and a quiet shop closes after a week', async () => {
  await watch()
  await orders(30)
  await failures(10, 'payment_declined')
  await search()
  expect(await openSubjects()).toEqual(['payments_failing'])
  later(DAY_MS)
  await orders(50, 'next day')
  later(HOUR_MS)
  await search()
  expect(await openSubjects()).toEqual([])
  await failures(30, 'card_declined')
  later(HOUR_MS)
  await search()
  expect(await openSubjects()).toEqual(['payments_failing'])
  later(8 * DAY_MS + HOUR_MS)
  await search()
  // Nothing can be judged for a while.
  expect(await openSubjects()).toEqual([])
  const closed = await db
    .select()
    .from(notices)
    .where(and(eq(notices.domain, domain), eq(notices.event, 'incident.closed')))
    .orderBy(notices.at)
  expect(closed.map(({ notice }) => notice.lines[0])).toEqual([
    '0 of 50 payments failed in the last 24 hours: 0%. Investigate above 10%.',
    'For seven days there have been too few checkouts to judge it.',
  ])
})

test('what is there when a watch begins is known and told to nobody', async () => {
  await watch({ signals_at: null, signals_judged_at: null }, START)
  await orders(30)
  await failures(10, 'payment_declined')
  await search()
  expect(await db.select().from(incidents).where(eq(incidents.domain, domain))).toMatchObject([
    { subject: 'payments_failing', is_known: true },
  ])
  expect(await told()).toEqual([])
})

test('the first order of a surface is told once, with its value in its own currency', async () => {
  await watch()
  const value = { properties: { value: 4999, currency: 'EUR' } }
  await send({ session_id: 'a', ai_surface: 'perplexity', ...value })
  await search()
  expect(await told()).toEqual([['signal', `${domain}: first order from Perplexity`]])
  const [row] = await db.select().from(notices).where(eq(notices.domain, domain))
  expect(row?.notice.lines).toEqual([
    'Perplexity brought its first order on 2026-11-25, of 49.99 EUR.',
  ])
  await send({ session_id: 'b', ai_surface: 'perplexity' })
  for (let hour = 0; hour < 3; hour++) {
    later(HOUR_MS)
    await search()
  }
  expect(await told()).toHaveLength(1)
  await send({ session_id: 'c', ai_surface: 'claude' })
  later(DAY_MS)
  await search()
  expect((await told())[1]).toEqual(['signal', `${domain}: first order from Claude`])
})

test('no first order: one of last year, one before the watch, one that was imported', async () => {
  await watch()
  await insertRollup(db, domain, [{ day: '2025-06-01', completed: 1 }])
  await send({ session_id: 'again' })
  await send({ session_id: 'before', ai_surface: 'claude' }, new Date('2026-11-24T09:00:00Z'))
  await send({ session_id: 'old', ai_surface: 'perplexity' }, new Date('2026-11-10T09:00:00Z'))
  await search()
  expect(await told()).toEqual([])
})

test('once an hour, never of a paused watch, and only with the right to read the report', async () => {
  const taken = async () => (await search()).reduce((sum, each) => sum + each.taken, 0)
  await watch()
  expect(await taken()).toBe(1)
  later(HOUR_MS - 1)
  expect(await taken()).toBe(0)
  later(1)
  expect(await taken()).toBe(1)
  later(HOUR_MS)
  await db.update(watches).set({ with_report: false }).where(eq(watches.domain, domain))
  expect(await taken()).toBe(0)
})

test('a domain that cannot be read does not stop those that are searched with it', async () => {
  await watch()
  await orders(30)
  await failures(10, 'payment_declined')
  const sound = domain
  domain = `broken-${domain}`
  await watch()
  await makeUnreadable()
  const lines: string[] = []
  const noisy = createLog({ write: (line) => lines.push(line) })
  expect(await searchSignals({ db, now, log: noisy, baseUrl })).toMatchObject({ taken: 2 })
  expect((await listIncidents(db, sound)).map(({ subject }) => subject)).toEqual([
    'payments_failing',
  ])
  expect(lines.map((line) => JSON.parse(line).domain)).toEqual([undefined, domain])
  await endWatch({ db, now }, domain)
})

test('what is there when a watch begins is known also where the first search for it fails', async () => {
  await watch({ signals_at: null, signals_judged_at: null }, START)
  await orders(30)
  await failures(10, 'payment_declined')
  await makeUnreadable()
  await search()
  expect(await listIncidents(db, domain)).toEqual([])
  await makeReadable()
  later(HOUR_MS)
  await search()
  expect(await listIncidents(db, domain)).toMatchObject([
    { subject: 'payments_failing', is_known: true, well_at: null },
  ])
  expect(await told()).toEqual([])
})

test('a signal was last well when it was last judged, not when its search failed', async () => {
  await watch()
  await search()
  later(HOUR_MS)
  await makeUnreadable()
  await search()
  await makeReadable()
  await orders(30)
  await failures(10, 'payment_declined')
  later(HOUR_MS)
  await search()
  expect(await listIncidents(db, domain)).toMatchObject([
    { subject: 'payments_failing', is_known: false, well_at: START },
  ])
})

test('a watch that may no longer say what orders show has no open signals, one that ends has none at all', async () => {
  await watch()
  await orders(30)
  await failures(10, 'payment_declined')
  await search()
  expect(await openSubjects()).toEqual(['payments_failing'])
  await changeWatch({ db, now }, domain, { tags: ['kept'] })
  expect(await openSubjects()).toEqual(['payments_failing'])
  await changeWatch({ db, now }, domain, { with_report: false })
  expect(await openSubjects()).toEqual([])
  await changeWatch({ db, now }, domain, { with_report: true })
  later(HOUR_MS)
  await search()
  expect(await openSubjects()).toEqual(['payments_failing'])
  await endWatch({ db, now }, domain)
  expect(await openSubjects()).toEqual([])
})

testOnOnePostgres.each<[string, () => Promise<unknown>]>([
  ['ends', () => endWatch({ db, now }, domain)],
  [
    'may no longer say what orders show',
    () => changeWatch({ db, now }, domain, { with_report: false }),
  ],
])('a watch that %s while it is searched gets no incident and no notice', async (_, happen) => {
  await watch()
  await orders(30)
  await failures(10, 'payment_declined')
  const holder = await sql.reserve()
  await holder`begin`
  await holder`lock table rollup_daily`
  const searching = search()
  // It was taken, and its figures are being read.
  await eventually(() => countWaiting(sql)).toBeGreaterThan(0)
  await happen()
  await holder`commit`
  holder.release()
  await searching
  expect(await openSubjects()).toEqual([])
  expect(await told()).toEqual([])
})

test('channels that want it get it, and what quiet hours held of an incident that is over is taken back', async () => {
  await watch({ quiet_hours: { from: '09:00', to: '20:00' }, time_zone: 'UTC' })
  await db.insert(watch_channels).values({
    id: `c ${domain}`,
    domain,
    kind: 'slack',
    target: 'https://hooks.example',
    events: ['signal'],
    key_id: 'k',
    created_at: START,
    confirmed_at: START,
  })
  await orders(30)
  await failures(10, 'payment_declined')
  await search()
  // The first order waits as well, and stays.
  const waiting = async () =>
    (await db.select().from(watch_deliveries).where(eq(watch_deliveries.domain, domain))).filter(
      ({ notice }) => notice.event !== 'signal',
    )
  expect(await waiting()).toMatchObject([{ next_at: new Date('2026-11-25T20:00:00Z') }])
  await orders(200, 'more')
  later(HOUR_MS)
  await search()
  expect(await openSubjects()).toEqual([])
  expect(await waiting()).toEqual([])
})
