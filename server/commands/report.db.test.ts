import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createIngest } from '../attribution/ingest/ingest.ts'
import { eventOf } from '../attribution/report/testing/rows.ts'
import { dropBefore } from '../db/events/partitions.ts'
import { createLog } from '../process/log.ts'
import { testDatabase } from '../testing/app.ts'
import { forgetCommand, rebuildCommand } from './report.ts'
import { readTerminal } from './testing/read-terminal.ts'

const { db, sql: pool } = await testDatabase()
const now = () => new Date('2026-11-20T12:00:00Z')
const ingest = createIngest({ sql: pool, now, log: createLog({ write: () => {} }) })

const { terminal, read } = readTerminal()
const rebuild = async (flags: Parameters<typeof rebuildCommand>[0]) => ({
  code: await rebuildCommand(flags, { db, retentionMonths: 13, now }, terminal),
  text: read(),
})
const forget = async (id: string, flags: Parameters<typeof forgetCommand>[1] = {}) => ({
  code: await forgetCommand(id, flags, db, terminal),
  text: read(),
})
const order = (domain: string, session_id: string, timestamp = now().toISOString()) =>
  ingest.record(
    eventOf(
      {
        event: 'ai_checkout_completed',
        domain,
        session_id,
        timestamp,
        source: 'acp',
        ai_surface: 'chatgpt',
        properties: { value: 4999, currency: 'USD' },
      },
      now(),
    ),
  )

await order('shop.example', 'order-1')
await order('other.example', 'order-1')
await order('other.example', 'order-2')

test('rebuild says what differs, and mends it', async () => {
  expect(await rebuild({})).toEqual({
    code: 0,
    text: 'Daily totals for 2 domains match the events.',
  })
  await db.execute(sql`
    update rollup_daily set completed = 5, revenue = 1 where domain = 'shop.example'`)
  const difference = 'shop.example 2026-11-20 chatgpt protocol acp USD: completed -4, revenue +4998'
  expect(await rebuild({ domain: 'Shop.example', dryRun: true })).toEqual({
    code: 1,
    text: `${difference}\nFound differences in 1 row of the daily totals for 1 domain. Repair them by running without --dry-run.`,
  })
  const { code, text } = await rebuild({ dryRun: true, json: true })
  expect(code).toBe(1)
  expect(JSON.parse(text ?? '')).toEqual({
    domains: 2,
    mended: false,
    differences: [
      {
        domain: 'shop.example',
        day: '2026-11-20',
        surface: 'chatgpt',
        kind: 'protocol',
        source: 'acp',
        currency: 'USD',
        sessions: 0,
        viewed: 0,
        initiated: 0,
        completed: -4,
        failed: 0,
        revenue: 4998,
        refunds: 0,
        refunded: 0,
      },
    ],
  })
  expect(await rebuild({})).toEqual({
    code: 0,
    text: `${difference}\nRepaired 1 row of the daily totals for 2 domains.`,
  })
  expect(await rebuild({ dryRun: true })).toMatchObject({ code: 0 })
})

test('rebuild tells more differences than a call takes arguments', async () => {
  await db.execute(sql`
    insert into rollup_daily
    select domain, day, 'surface-' || n, kind, source, currency, 1, 0, 0, 0, 0, 0, 0, 0
    from rollup_daily, generate_series(1, 150000) n where domain = 'shop.example'`)
  const { text } = await rebuild({ domain: 'shop.example', dryRun: true })
  await db.execute(sql`delete from rollup_daily where surface like 'surface-%'`)
  expect(text?.slice(-200)).toContain('Found differences in 150,000 rows')
})

test('after months were dropped and more are kept, their sums outlive late events', async () => {
  const domain = 'late.example'
  for (const month of ['2026-05', '2026-07', '2026-09']) {
    await order(domain, `order-of-${month}`, `${month}-15T00:00:00Z`)
  }
  expect(await dropBefore(pool, '2026-08')).toEqual(['2026-05', '2026-07'])
  await order(domain, 'late', '2026-05-16T00:00:00Z')
  await order(domain, 'later', '2026-06-16T00:00:00Z')
  const sums = () => db.execute(sql`select * from rollup_daily where domain = ${domain} order by 2`)
  const before = await sums()
  expect(before).toHaveLength(5)
  expect(await rebuild({ domain })).toMatchObject({ code: 0 })
  expect(await sums()).toEqual(before)

  await db.execute(sql`update rollup_daily set failed = 7 where domain = ${domain}`)
  const { text } = await rebuild({ domain, dryRun: true })
  expect(text?.split('\n').slice(0, -1)).toEqual([
    'late.example 2026-09-15 chatgpt protocol acp USD: failed -7',
  ])
  await db.execute(sql`delete from rollup_daily where domain = ${domain}`)
})

const AGAIN =
  'Its orders and refunds do not count again if they are reported again. Other events would: let their sender forget it too.'

test('forget asks whose session it is, erases it, and knows it no more', async () => {
  await expect(forget('order-1')).rejects.toThrow(
    'Several domains have a session order-1: other.example, shop.example. Choose one with --domain.',
  )
  expect(await forget('order-1', { domain: 'shop.example' })).toEqual({
    code: 0,
    text: `Erased from shop.example: 1 event of 1 session, including 1 order. The report no longer counts them. ${AGAIN}`,
  })
  const { code, text } = await forget('order-2', { json: true })
  expect(code).toBe(0)
  expect(JSON.parse(text ?? '')).toEqual({
    domain: 'other.example',
    session_id: 'order-2',
    events: 1,
    sessions: 1,
    orders: 1,
    dropped_orders: 0,
    keys: 1,
  })
  expect(await forget('order-2')).toEqual({
    code: 1,
    text: 'No session order-2 was found. Give the session_id of its events, or the visit_id from aisle.session().id.',
  })
  expect(await forget('order-2', { domain: 'other.example' })).toMatchObject({ code: 1 })
})

test('forget says that the sums keep an order whose events were dropped', async () => {
  const domain = 'kept.example'
  const view = (session_id: string) =>
    ingest.record(eventOf({ event: 'ai_product_viewed', domain, session_id, source: 'acp' }, now()))
  const completed = async () =>
    (
      await db.execute(
        sql`select sum(completed)::int as n from rollup_daily where domain = ${domain}`,
      )
    )[0]
  for (const id of ['old-1', 'old-2']) await order(domain, id, '2026-07-15T00:00:00Z')
  await view('old-3')
  await dropBefore(pool, '2026-08')
  await db.execute(sql`delete from events where domain = ${domain}`)
  await view('old-2')

  const kept =
    "Its events had already been dropped, so the report's totals still include its order."
  expect(await forget('old-1')).toEqual({
    code: 0,
    text: `Erased from ${domain}: the id old-1. ${kept} ${AGAIN}`,
  })
  expect(await forget('old-2')).toEqual({
    code: 0,
    text: `Erased from ${domain}: 1 event of 1 session, including 0 orders. The report no longer counts them. Also erased: the id old-2. ${kept} ${AGAIN}`,
  })
  expect(await forget('old-3')).toMatchObject({
    text: `Erased from ${domain}: the id old-3. Its events had already been dropped, so the report's totals still include them. ${AGAIN}`,
  })
  expect(await completed()).toEqual({ n: 2 })
  expect(await forget('old-1')).toMatchObject({ code: 1 })
})

test('of a domain without events there is nothing to rebuild', async () => {
  const unknown = 'No events of nosuch.example were received.'
  await expect(rebuild({ domain: 'nosuch.example' })).rejects.toThrow(unknown)
  await expect(rebuild({ domain: 'nosuch.example', json: true })).rejects.toThrow(unknown)
  await order('events-only.example', 'order-1')
  await db.execute(sql`delete from rollup_daily where domain = 'events-only.example'`)
  expect(await rebuild({ domain: 'events-only.example' })).toMatchObject({ code: 0 })
  await db.execute(sql`delete from events where domain = 'events-only.example'`)
  expect(await rebuild({ domain: 'events-only.example', dryRun: true })).toMatchObject({ code: 1 })
})

test.each([
  () => rebuild({ domain: 'https://shop.example:8443' }),
  () => forget('order-1', { domain: 'https://shop.example:8443' }),
])('a domain has no port', async (run) => {
  await expect(run()).rejects.toThrow('--domain: Send the domain without a')
})

test('a domain may be pasted from the address bar', async () => {
  expect(await rebuild({ domain: 'https://Events-Only.example/report' })).toMatchObject({ code: 0 })
})
