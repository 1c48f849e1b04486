import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { Report } from '../../../shared/attribution/report.ts'
import { eventually } from '../../../shared/testing/wait.ts'
import { createProperty } from '../../attribution/properties.ts'
import { forgetSession } from '../../db/events/forget.ts'
import { visitOf } from '../../db/events/ids.ts'
import { dropBefore } from '../../db/events/partitions.ts'
import { rebuildRollup } from '../../db/events/rebuild.ts'
import { MOST_NAMED } from '../../db/events/rollup-names.ts'
import { nameHeads, noRetentionYet } from '../../db/retention/retention.ts'
import { countWaiting, testOnOnePostgres } from '../../db/testing/locks.ts'
import { createLog } from '../../process/log.ts'
import { reportingApp, type Sent } from '../testing/reporting-app.ts'

const now = () => new Date('2026-11-21T12:00:00Z')
const { ask, db, sql: pool, ingest, send, newShop } = await reportingApp({ now })

const AT = '2026-11-10T10:00:00Z'

/** A visit that a browser reports, on a page. */
const visit = (domain: string, id: string, landing: string | null, at = AT) =>
  ingest.record({
    domain,
    event: 'ai_session',
    source: 'web',
    session_id: id,
    visit_id: visitOf(id),
    may_open: true,
    ts: new Date(at),
    key: `session:${id}`,
    other_keys: [],
    shared_keys: [],
    fingerprint: 0,
    notes: [],
    signals: { referrer: 'https://chatgpt.com/' },
    ai_surface: null,
    value: null,
    currency: null,
    landing,
    properties: {},
  })

const order = (domain: string, session_id: string, properties: Sent, at = AT) =>
  send({
    event: 'ai_checkout_completed',
    domain,
    session_id,
    source: properties.visit_id === undefined ? 'acp' : 'web',
    ...(properties.visit_id === undefined && { ai_surface: 'perplexity' }),
    timestamp: at,
    properties,
  })

async function reportOf(domain: string, query = ''): Promise<Report> {
  const path = `/api/report?domain=${domain}&start=2026-11-01&end=2026-11-20${query}`
  const answer = await ask(path)
  expect(answer.status).toBe(200)
  return Report.strict().parse(await answer.json())
}

/** A shop with three visits on two pages, of which two ordered, and an order over ACP. */
async function smallShop() {
  const domain = newShop()
  await visit(domain, 'visit-a', '/boots')
  await visit(domain, 'visit-b', '/boots')
  await visit(domain, 'visit-c', '/')
  await visit(domain, 'visit-d', null)
  await order(domain, 'o1', {
    visit_id: 'visit-a',
    product_id: 'boot',
    value: 5000,
    currency: 'USD',
    new_customer: true,
  })
  await order(domain, 'o2', { visit_id: 'visit-c', value: 900, currency: 'EUR' })
  await order(domain, 'o3', {
    product_id: 'boot',
    value: 3000,
    currency: 'USD',
    new_customer: false,
  })
  return domain
}

test('orders are of the page that their visit began on, and of their product', async () => {
  const domain = await smallShop()
  const { by_landing, by_product, by_customer } = await reportOf(domain)
  expect(by_landing).toMatchObject({
    rows: [
      { landing: '/boots', sessions: 2, orders: 1, revenue_cents: 5000, conversion_rate: 0.5 },
      { landing: '/', sessions: 1, orders: 1, revenue_cents: 0, orders_in_currency: 0 },
    ],
    total: 2,
    next_offset: null,
    other: null,
  })
  expect(by_product).toMatchObject({
    rows: [{ product_id: 'boot', views: 0, orders: 2, revenue_cents: 8000 }],
    total: 1,
  })
  expect(by_customer).toMatchObject({
    new: { orders: 1, revenue_cents: 5000 },
    returning: { orders: 1, revenue_cents: 3000, avg_order_value_cents: 3000 },
    unknown: { orders: 1, revenue_cents: 0, orders_in_currency: 0 },
  })
})

test.each([
  ['&landing=/boots', { ai_sessions: 2, ai_orders: 1, ai_revenue_cents: 5000 }],
  ['&landing=/', { ai_sessions: 1, ai_orders: 1 }],
  ['&landing=/hats', { ai_sessions: 0, ai_orders: 0 }],
  ['&product_id=boot', { ai_sessions: 1, ai_orders: 2, ai_revenue_cents: 8000 }],
  ['&product_id=boot&surface=perplexity', { ai_orders: 1, ai_revenue_cents: 3000 }],
  ['&landing=/&currency=EUR', { ai_orders: 1, ai_revenue_cents: 900 }],
])('%s filters all that the report says', async (query, summary) => {
  const domain = await smallShop()
  const report = await reportOf(domain, `${query}&series=surface`)
  expect(report.summary).toMatchObject(summary)
  for (const rows of [report.daily, Object.values(report.by_surface), report.series ?? []]) {
    expect(rows.reduce((sum, { orders }) => sum + orders, 0)).toBe(summary.ai_orders)
  }
  expect([report.by_landing, report.by_product, report.by_customer]).toEqual([null, null, null])
})

test('the lists can be filtered by surface, kind and currency', async () => {
  const domain = await smallShop()
  const rowsOf = async (query: string) => {
    const { by_landing, by_product } = await reportOf(domain, query)
    return [by_landing?.rows.length, by_product?.rows[0]?.orders]
  }
  expect(await rowsOf('&surface=perplexity')).toEqual([0, 1])
  expect(await rowsOf('&surface=chatgpt')).toEqual([2, 1])
  expect(await rowsOf('&kind=protocol')).toEqual([0, 1])
  expect(await rowsOf('&kind=click&surface=chatgpt')).toEqual([2, 1])
  const { by_landing } = await reportOf(domain, '&currency=EUR')
  expect(by_landing?.rows.map(({ landing, orders }) => [landing, orders])).toEqual([
    ['/', 1],
    ['/boots', 0],
  ])
})

test('a list is read by pages, in the order that is asked for', async () => {
  const domain = newShop()
  for (const [at, count] of [3, 1, 2].entries()) {
    for (let n = 0; n < count; n += 1) await visit(domain, `visit-${at}-${n}`, `/page-${at}`)
  }
  const first = await reportOf(domain, '&sort=sessions&limit=2')
  expect(first.by_landing?.rows.map(({ landing }) => landing)).toEqual(['/page-0', '/page-2'])
  expect(first.by_landing).toMatchObject({ total: 3, next_offset: 2 })
  const rest = await reportOf(domain, '&sort=sessions&limit=2&offset=2')
  expect(rest.by_landing?.rows.map(({ landing }) => landing)).toEqual(['/page-1'])
  expect(rest.by_landing?.next_offset).toBeNull()
})

test('only so many are kept by name, and those with the most once it is looked at', async () => {
  const domain = newShop()
  for (let n = 0; n < MOST_NAMED; n += 1) await visit(domain, `early-${n}`, `/early-${n}`)
  for (let n = 0; n < 5; n += 1) await visit(domain, `late-${n}`, '/late')
  await order(domain, 'o1', { visit_id: 'late-0', value: 5000, currency: 'USD' })
  const before = (await reportOf(domain, '&limit=100')).by_landing
  expect(before?.total).toBe(MOST_NAMED)
  expect(before?.other).toMatchObject({ sessions: 5, orders: 1, revenue_cents: 5000 })
  const check = { domain, since: '2025-11', dryRun: true }
  expect(await rebuildRollup(db, check)).toEqual([])

  await rebuildRollup(db, { ...check, dryRun: false })
  const after = (await reportOf(domain, '&limit=100')).by_landing
  expect(after?.total).toBe(MOST_NAMED)
  expect(after?.rows[0]).toMatchObject({ landing: '/late', sessions: 5, revenue_cents: 5000 })
  expect(after?.other).toMatchObject({ sessions: 1, orders: 0 })
  expect(await rebuildRollup(db, check)).toEqual([])
})

test('each day, retention names what has most, where there is more than can be named', async () => {
  const [crowded, small] = [newShop(), newShop()]
  for (let n = 0; n <= MOST_NAMED; n += 1) await visit(crowded, `page-${n}`, `/early-${n}`)
  await visit(small, 'only', '/')
  await visit(crowded, 'again', `/early-${MOST_NAMED}`)
  const nameOf = async () => (await reportOf(crowded, '&sort=sessions')).by_landing?.rows[0]
  expect(await nameOf()).toMatchObject({ sessions: 1 })
  const log = createLog({ write: (line) => lines.push(JSON.parse(line).domain) })
  const lines: string[] = []
  const deps = { db, months: 13, now, log, figures: noRetentionYet() }
  await nameHeads(deps)
  expect(await nameOf()).toMatchObject({ landing: `/early-${MOST_NAMED}`, sessions: 2 })
  await nameHeads(deps)
  // Once a day, and only where there are too many. The other tests of this file have such a shop
  // too.
  expect(lines.filter((domain) => domain === crowded)).toHaveLength(1)
  expect(lines).not.toContain(small)
})

/** A shop with more landing pages than can be named. */
async function crowdedShop(domain = newShop()) {
  for (let n = 0; n <= MOST_NAMED; n += 1) await visit(domain, `page-${n}`, `/page-${n}`)
  return domain
}

test('of two replicas that name at the same time, one names in a domain', async () => {
  const domain = await crowdedShop()
  const lines: string[] = []
  const log = createLog({ write: (line) => lines.push(JSON.parse(line).domain) })
  const deps = { db, months: 13, now, log, figures: noRetentionYet() }
  const holder = await pool.reserve()
  await holder`begin`
  await holder`select pg_advisory_xact_lock(hashtext('rollup landing'), hashtext(${domain}))`
  const both = Promise.all([nameHeads(deps), nameHeads(deps)])
  // Both have listed the domain.
  await eventually(() => countWaiting(pool)).toBe(2)
  await holder`commit`
  holder.release()
  await both
  expect(lines).toEqual([domain])
})

testOnOnePostgres('a domain in which nothing can be named does not stop the others', async () => {
  // In the order in which they are named.
  const [broken, sound] = [await crowdedShop('broken.example'), await crowdedShop()]
  await pool.unsafe(`
    create function refuse() returns trigger language plpgsql as
      $$ begin raise 'broken' using errcode = 'data_exception'; end $$;
    create trigger refuse before update on rollup_names for each row
      when (old.domain = '${broken}') execute function refuse()`)
  const lines: string[] = []
  const log = createLog({ write: (line) => lines.push(line) })
  const figures = noRetentionYet()
  await nameHeads({ db, months: 13, now, log, figures })
  await pool.unsafe('drop function refuse cascade')
  expect(figures.failed).toBe(1)
  expect(lines.map((line) => JSON.parse(line)).map(({ domain, msg }) => [domain, msg])).toEqual([
    [broken, 'landing pages and products not named'],
    [sound, 'landing pages and products named'],
  ])
})

test('what is forgotten is in no list any more', async () => {
  const domain = await smallShop()
  await forgetSession(db, domain, 'visit-a')
  const { by_landing, by_product, by_customer } = await reportOf(domain)
  expect(by_landing?.rows).toMatchObject([
    { landing: '/', sessions: 1 },
    { landing: '/boots', sessions: 1, orders: 0, revenue_cents: 0 },
  ])
  expect(by_product?.rows).toMatchObject([{ product_id: 'boot', orders: 1 }])
  expect(by_customer?.new.orders).toBe(0)
  expect(await rebuildRollup(db, { domain, since: '2025-11', dryRun: true })).toEqual([])
})

test('totals by name that were lost are rebuilt', async () => {
  const domain = await smallShop()
  const whole = await reportOf(domain)
  await db.execute(sql`delete from rollup_named where domain = ${domain}`)
  await db.execute(sql`delete from rollup_listed where domain = ${domain}`)
  await db.execute(sql`delete from rollup_weekly where domain = ${domain}`)
  const rebuild = { domain, since: '2025-11' }
  const differences = await rebuildRollup(db, { ...rebuild, dryRun: true })
  expect(differences.map(({ dimension, name }) => `${dimension} ${name}`)).toContain('product boot')
  await rebuildRollup(db, { ...rebuild, dryRun: false })
  expect(await reportOf(domain)).toEqual(whole)
})

test('days are those of the zone of the property, at their own midnight', async () => {
  const domain = newShop()
  await createProperty(db, { domain, time_zone: 'America/New_York' }, now())
  await visit(domain, 'visit-late', '/', '2026-11-11T04:30:00Z')
  await order(
    domain,
    'o1',
    { visit_id: 'visit-late', value: 100, currency: 'USD' },
    '2026-11-11T04:59:00Z',
  )
  const { time_zone, daily, summary, complete_through } = await reportOf(domain)
  expect([time_zone, complete_through]).toEqual(['America/New_York', '2026-11-20'])
  expect(daily.find(({ sessions }) => sessions > 0)).toMatchObject({
    date: '2026-11-10',
    sessions: 1,
    orders: 1,
  })
  // In UTC the order would be of another day than its visit, and a session of its own.
  expect(summary).toMatchObject({ ai_sessions: 1, ai_orders: 1 })
  expect(await rebuildRollup(db, { domain, since: '2025-11', dryRun: true })).toEqual([])
})

test('in a zone ahead of UTC, a month whose first hours are dropped keeps its totals', async () => {
  const domain = newShop()
  await createProperty(db, { domain, time_zone: 'Asia/Tokyo' }, now())
  await visit(domain, 'visit-1', '/', '2026-10-31T20:00:00Z')
  await visit(domain, 'visit-2', '/', '2026-11-01T03:00:00Z')
  await visit(domain, 'visit-3', '/', '2026-11-01T20:00:00Z')
  const sessionsByDay = async () =>
    (await reportOf(domain)).daily.slice(0, 2).map(({ sessions }) => sessions)
  expect(await sessionsByDay()).toEqual([2, 1])
  await dropBefore(pool, '2026-11')
  expect(await rebuildRollup(db, { domain, since: '2026-11', dryRun: false })).toEqual([])
  expect(await sessionsByDay()).toEqual([2, 1])
})
