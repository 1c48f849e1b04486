import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import type { AttributionEvent } from '../../../shared/attribution/events.ts'
import { eventually } from '../../../shared/testing/wait.ts'
import { createIngest } from '../../attribution/ingest/ingest.ts'
import { ERASED } from '../../attribution/ingest/notes.ts'
import { eventOf } from '../../attribution/report/testing/rows.ts'
import { testEvent } from '../../pages/account/report/test-event.ts'
import { createLog } from '../../process/log.ts'
import { connectAgain, testDatabase } from '../../testing/app.ts'
import { countWaiting } from '../testing/locks.ts'
import { domainsOfSession, forgetSession } from './forget.ts'
import { ERASED_EVENT } from './ids.ts'
import { dropBefore } from './partitions.ts'
import { rebuildRollup } from './rebuild.ts'
import { event_keys, rollup_daily } from './tables.ts'

const { db, sql: pool, url } = await testDatabase()
const now = () => new Date('2026-11-20T12:00:00Z')
const ingest = createIngest({ sql: pool, now, log: createLog({ write: () => {} }) })
const domain = 'shop.example'

const send = (event: Partial<AttributionEvent>, at = domain) =>
  ingest.record(
    eventOf(
      { event: 'ai_product_viewed', domain: at, session_id: 'a', source: 'acp', ...event },
      now(),
    ),
  )
const order = (session_id: string, visit_id?: string, at = domain) =>
  send(
    {
      event: 'ai_checkout_completed',
      session_id,
      properties: { value: 4999, currency: 'USD', ...(visit_id && { visit_id }) },
    },
    at,
  )
const rollup = () =>
  db
    .select()
    .from(rollup_daily)
    .where(sql`domain = ${domain}`)
    .orderBy(sql`day, surface, kind, source, currency`)

/** Every text that the database holds of our tables. */
const everything = async () =>
  JSON.stringify(
    await Promise.all(
      ['events', 'event_keys', 'ai_sessions', 'rollup_daily'].map((table) =>
        db.execute(sql.raw(`select * from ${table}`)),
      ),
    ),
  )

beforeEach(async () => {
  await db.execute(sql.raw('truncate events, event_keys, ai_sessions, rollup_daily'))
})

test('a session goes from every table, and the sums are as if it had never been', async () => {
  await order('order-of-another')
  await send({ session_id: 'view-of-another', ai_surface: 'claude' })
  const before = await rollup()

  await send({ session_id: 'visit-1', ai_surface: 'claude' })
  await send({ session_id: 'visit-1', ai_surface: 'claude', timestamp: '2026-11-19T00:00:00Z' })
  await send({
    event: 'ai_checkout_initiated',
    session_id: 'order-1',
    properties: { visit_id: 'visit-1' },
  })
  await order('order-1', 'visit-1')

  expect(await forgetSession(db, domain, 'order-1')).toEqual({
    events: 4,
    // One of the merchant's and one of the browser, both under this id.
    sessions: 2,
    orders: 1,
    dropped_orders: 0,
    // Of the order its id and its place in the session. What a double would have is of another.
    keys: 4,
  })
  expect(await rollup()).toEqual(before)
  expect(await everything()).not.toMatch(/order-1|visit-1/)
  expect(await rebuildRollup(db, { domain, since: '2025-10', dryRun: true })).toEqual([])
})

test('a visit takes its orders along', async () => {
  await send({ session_id: 'visit-1' })
  await order('order-1', 'visit-1')
  expect(await domainsOfSession(db, 'visit-1')).toEqual([domain])
  expect(await forgetSession(db, domain, 'visit-1')).toMatchObject({ events: 2, orders: 1 })
  expect(await everything()).not.toMatch(/order-1|visit-1/)
})

test('a test event goes as well', async () => {
  const event = testEvent(domain, now())
  await ingest.record(event)
  expect(await domainsOfSession(db, event.session_id)).toEqual([domain])
  expect(await forgetSession(db, domain, event.session_id)).toMatchObject({ events: 1, keys: 1 })
  expect(await everything()).not.toContain(event.session_id)
})

test('a visit that no order came of is known by its id in the browser', async () => {
  const signals = { referrer: 'https://claude.ai/' }
  const { properties: _, ...visit } = eventOf(
    {
      event: 'ai_product_viewed',
      domain,
      session_id: 'visit-1',
      source: 'web',
      properties: { visit_id: 'visit-1' },
    },
    now(),
  )
  await ingest.record({ ...visit, event: 'ai_session', signals, properties: {} })
  await db.execute(sql`delete from events`)
  expect(await domainsOfSession(db, 'visit-1')).toEqual([domain])
  expect(await forgetSession(db, domain, 'visit-1')).toMatchObject({ events: 0, sessions: 1 })
  expect(await everything()).not.toContain('visit:visit-1')
})

test('an order that outlived the month of its visit is known by the visit', async () => {
  await order('order-1', 'visit-1')
  await db.execute(sql`delete from ai_sessions`)
  expect(await domainsOfSession(db, 'visit-1')).toEqual([domain])
  expect(await forgetSession(db, domain, 'visit-1')).toMatchObject({ events: 1, orders: 1 })
})

test('the same session of another domain stays, and what only that one knows of it', async () => {
  const other = 'other.example'
  await order('order-1')
  await order('order-1', 'visit-2', other)
  // Here the visit is somebody else's.
  await order('order-2', 'visit-2')
  expect(await domainsOfSession(db, 'order-1')).toEqual([other, domain])
  expect(await forgetSession(db, domain, 'order-1')).toMatchObject({ events: 1, keys: 2 })
  expect(await domainsOfSession(db, 'order-1')).toEqual([other])
  expect(await order('order-1', 'visit-2', other)).toMatchObject({ replayed: true })
})

test('what is not known is not erased', async () => {
  await order('order-1')
  expect(await domainsOfSession(db, 'order-2')).toEqual([])
  expect(await forgetSession(db, domain, 'order-2')).toEqual({
    events: 0,
    sessions: 0,
    orders: 0,
    dropped_orders: 0,
    keys: 0,
  })
  expect(await rollup()).toMatchObject([{ completed: 1, revenue: 4999 }])
})

test('an order whose event has gone with its month leaves the ledger', async () => {
  await order('order-1')
  await db.execute(sql`delete from events`)
  await db.execute(sql`delete from ai_sessions`)
  expect(await domainsOfSession(db, 'order-1')).toEqual([domain])
  expect(await forgetSession(db, domain, 'order-1')).toMatchObject({
    events: 0,
    orders: 0,
    dropped_orders: 1,
    keys: 2,
  })
  expect(await rollup()).toMatchObject([{ completed: 1, revenue: 4999 }])
  expect(await domainsOfSession(db, 'order-1')).toEqual([])
})

test('an order that was erased does not come back, whichever of its ids is reported', async () => {
  await order('order-1', 'visit-1')
  await order('order-of-another')
  await forgetSession(db, domain, 'order-1')
  const before = await rollup()
  expect(await order('order-1', 'visit-1')).toEqual({
    event_id: ERASED_EVENT,
    replayed: true,
    conflict: false,
    surface: 'other_ai',
    confidence: 0.5,
    notes: [ERASED],
  })
  const [again, alone] = [{ order_id: 'order-1' }, {}].map((ids) =>
    send({
      event: 'ai_checkout_completed',
      session_id: 'checkout-1',
      properties: { value: 1, currency: 'USD', ...ids },
    }),
  )
  expect([(await again)?.notes, (await alone)?.notes]).toEqual([[ERASED], [ERASED]])
  expect(await rollup()).toEqual(before)
  expect(await everything()).not.toMatch(/order-1|visit-1|checkout-1/)
  expect(await domainsOfSession(db, 'order-1')).toEqual([])
  expect(await forgetSession(db, domain, 'order-1')).toMatchObject({ events: 0, keys: 0 })
  expect(await order('order-1', 'visit-1', 'other.example')).toMatchObject({ replayed: false })
})

test('nor do its refunds, new ones too', async () => {
  const refund = (refund_id: string) =>
    send({
      event: 'ai_order_refunded',
      session_id: 'order-1',
      properties: { refund_id, value: 1000, currency: 'USD' },
    })
  await order('order-1')
  await refund('refund-1')
  expect(await forgetSession(db, domain, 'order-1')).toMatchObject({ events: 2 })
  // Each alone, then with its order in one batch.
  for (const answer of [
    await refund('refund-1'),
    await refund('refund-2'),
    ...(await Promise.all([order('order-1'), refund('refund-1'), refund('refund-3')])),
  ]) {
    expect(answer).toMatchObject({ event_id: ERASED_EVENT, replayed: true, notes: [ERASED] })
  }
  expect(await rollup()).toEqual([])
  expect(await everything()).not.toMatch(/order-1|refund-/)
})

test('what is left of an erased order goes with the months that were kept then', async () => {
  await order('order-1')
  await forgetSession(db, domain, 'order-1')
  await send({
    event: 'ai_checkout_completed',
    session_id: 'checkout-1',
    properties: { value: 1, currency: 'USD', order_id: 'order-1' },
  })
  const left = () => db.$count(event_keys, sql`event_id = ${ERASED_EVENT}`)
  expect(await left()).toBe(2)
  await db.execute(
    sql`update event_keys set received_at = '2026-10-15' where received_at < 'infinity'`,
  )
  await send({ session_id: 'view-1', timestamp: '2026-09-20T00:00:00Z' })
  await dropBefore(pool, '2026-10')
  expect(await left()).toBe(2)
  await send({ session_id: 'view-2', timestamp: '2026-10-20T00:00:00Z' })
  await dropBefore(pool, '2026-11')
  expect(await left()).toBe(0)
  expect(await order('order-1')).toMatchObject({ replayed: false })
})

test('while events come in, those of others are all counted', async () => {
  const ids = Array.from({ length: 30 }, (_, n) => `order-${n}`)
  await Promise.all(ids.map((id) => order(id)))
  const erased = await Promise.all([
    ...ids.slice(0, 10).map((id) => forgetSession(db, domain, id)),
    ...Array.from({ length: 100 }, (_, n) => order(`new-${n}`).then(() => null)),
  ])
  expect(erased.filter((each) => each?.orders === 1)).toHaveLength(10)
  expect(await rollup()).toMatchObject([{ completed: 120, sessions: 120, revenue: 120 * 4999 }])
  expect(await rebuildRollup(db, { domain, since: '2025-10', dryRun: true })).toEqual([])
})

test('erasing may take longer than a statement of the service', async () => {
  await order('order-1')
  const impatient = await connectAgain(`${url}?statement_timeout=1000`)
  const other = await pool.reserve()
  await other`begin`
  await other`lock table events in access exclusive mode`
  const both = Promise.all([
    domainsOfSession(impatient.db, 'order-1'),
    forgetSession(impatient.db, domain, 'order-1'),
  ])
  await sleep(1300)
  await other`commit`
  other.release()
  expect(await both).toMatchObject([expect.any(Array), { events: 1 }])
})

test('what was noted of an order goes with its month, and stays while that is kept', async () => {
  const notes = () => pool`select distinct notes from event_keys where notes <> ''`
  // The second came late, and its event goes with the month that it is of.
  await order('order-1', 'visit-1')
  await send({
    event: 'ai_checkout_completed',
    session_id: 'order-2',
    timestamp: '2026-08-31T12:00:00Z',
    properties: { value: 4999, currency: 'USD', visit_id: 'visit-2' },
  })
  expect(await notes()).toHaveLength(2)
  await dropBefore(pool, '2026-09')
  expect(await everything()).not.toMatch(/visit-2/)
  expect([...(await notes())]).toEqual([
    { notes: JSON.stringify([`Unknown visit_id visit-1 at ${domain}.`]) },
  ])
  await dropBefore(pool, '2026-12')
  expect(await everything()).not.toMatch(/visit-1/)
  expect(await order('order-1', 'visit-1')).toMatchObject({ replayed: true, notes: [] })
})

// Retention waits for one session's key, and goes over the others' before or after.
test.each(['s-0', 's-2'])(
  'erasing and retention do not wait in a circle around %s',
  async (held) => {
    for (const session_id of ['s-0', 's-1', 's-2']) await send({ session_id })
    const other = await pool.reserve()
    await other`begin`
    await other`select from event_keys where domain = ${domain} and event_id in
    (select id from events where domain = ${domain} and session_id = ${held}) for update`
    const dropping = dropBefore(pool, '2026-12')
    await blocked(1)
    const erasing = forgetSession(db, domain, 's-1')
    const both = Promise.allSettled([dropping, erasing])
    await Promise.race([erasing, blocked(2).catch(() => {})])
    await other`commit`
    other.release()
    expect((await both).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  },
)

const blocked = (many: number) => eventually(() => countWaiting(pool)).toBeGreaterThanOrEqual(many)
