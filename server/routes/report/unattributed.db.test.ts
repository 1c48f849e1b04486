import { expect, test } from 'vitest'
import { Report } from '../../../shared/attribution/report.ts'
import { visitEvent } from '../../attribution/beacon/visit-event.ts'
import { saveTotals } from '../../db/attribution/shop-totals.ts'
import { rebuildRollup } from '../../db/events/rebuild.ts'
import { aiOfWeek } from '../../db/watch/digests.ts'
import { reportingApp } from '../testing/reporting-app.ts'

const { ask, db, send, newShop, ingest } = await reportingApp()

const DAY = '2026-11-20'
let ids = 0
/** An order of the store's own checkout that names a visit. */
const order = (domain: string, properties: object = {}, more: object = {}) => ({
  event: 'ai_checkout_completed',
  domain,
  session_id: `order-${++ids}`,
  source: 'web',
  timestamp: `${DAY}T12:00:00Z`,
  properties: { visit_id: 'visit-none', value: 6100, currency: 'EUR', ...properties },
  ...more,
})
const reportVisit = (domain: string, id: string, time = '11:00') =>
  ingest.record(
    visitEvent(
      {
        id,
        referrer: 'https://chatgpt.com/',
        landing: `https://${domain}/#/boots`,
        surface: 'chatgpt',
        model: 'm',
      },
      {
        domain,
        property_id: 'prop_1',
        ts: new Date(`${DAY}T${time}:00Z`),
        caller: { userAgent: null, signatureAgent: null },
      },
    ),
  )
const rangeOf = (domain: string) => `/api/report?domain=${domain}&start=${DAY}&end=${DAY}`
async function reportOf(domain: string, more = ''): Promise<Report> {
  const answer = await ask(rangeOf(domain) + more)
  expect(answer.status).toBe(200)
  return Report.parse(await answer.json())
}
const csvOf = async (domain: string) =>
  (await (await ask(`${rangeOf(domain)}&format=csv`)).text())
    .trim()
    .split('\r\n')
    .filter((line) => !line.endsWith(',0,0,0,0,0,0,0,0,0,0'))
    .slice(1)

test('a web order without a known visit and without a surface is in no sum of AI', async () => {
  const domain = newShop()
  await reportVisit(domain, 'visit-0001')
  await send(order(domain, { visit_id: 'visit-0001', value: 1800, product_id: 'boot' }))
  const { said } = await send(order(domain, { product_id: 'hat', new_customer: true }))
  expect(said).toMatchObject({ session_classified: false, ai_source: 'other_ai', confidence: 0 })
  expect(said.notes).toEqual([
    `Unknown visit_id visit-none at ${domain}. It is counted apart from what AI brought until its visit is reported.`,
  ])
  await saveTotals(db, [
    { domain, day: DAY, currency: 'EUR', orders: 2, revenue: 7900, reported_at: new Date() },
  ])

  const report = await reportOf(domain)
  expect(report.unattributed).toEqual({
    checkouts: 0,
    orders: 1,
    orders_in_currency: 1,
    revenue_cents: 6100,
    avg_order_value_cents: 6100,
  })
  expect(report.summary).toMatchObject({
    ai_sessions: 1,
    ai_orders: 1,
    ai_revenue_cents: 1800,
    ai_conversion_rate: 1,
  })
  const { by_surface, by_source, by_kind, revenue_by_currency, by_product, daily } = report
  expect(by_surface.other_ai).toMatchObject({ sessions: 0, orders: 0 })
  expect(by_source.web).toMatchObject({ sessions: 1, orders: 1, revenue_cents: 1800 })
  expect(by_kind.click).toMatchObject({ sessions: 1, orders: 1, revenue_cents: 1800 })
  expect(revenue_by_currency.EUR).toMatchObject({ orders: 1, revenue_cents: 1800 })
  expect(by_product?.rows.map(({ product_id }) => product_id)).toEqual(['boot'])
  expect(report.by_customer?.new.orders).toBe(0)
  expect(daily).toMatchObject([{ orders: 1, revenue_cents: 1800 }])
  expect(report.funnel.completed).toBe(1)
  expect(report.share).toMatchObject({ orders: 2, ai_orders: 1, ai_revenue_cents: 1800 })
  expect(await csvOf(domain)).toEqual([
    `${DAY},chatgpt,EUR,1,0,1,18,0,0,18,0,0,0`,
    `${DAY},unattributed,EUR,0,0,1,61,0,0,61,0,0,0`,
  ])
  expect(await db.transaction((tx) => aiOfWeek(tx, domain, '2026-11-21'))).toMatchObject({
    sessions: 1,
    orders: 1,
    unattributed: 1,
    revenue: [{ currency: 'EUR', amount: 1800 }],
  })
  for (const filter of ['surface=other_ai', 'kind=click', 'landing=/boots', 'product_id=hat']) {
    expect((await reportOf(domain, `&${filter}`)).unattributed).toBeNull()
  }
  expect((await reportOf(domain, '&kind=click')).summary.ai_orders).toBe(1)
  expect(await rebuildRollup(db, { domain, since: '2025-10', dryRun: true })).toEqual([])
})

test('its refund is beside it, and it moves once its visit is reported', async () => {
  const domain = newShop()
  const sold = order(domain, { visit_id: 'visit-late' })
  await send(sold)
  await send({
    ...sold,
    event: 'ai_order_refunded',
    timestamp: `${DAY}T13:00:00Z`,
    properties: { refund_id: 'r1', value: 1000, currency: 'EUR' },
  })
  const before = await reportOf(domain)
  expect(before.unattributed).toMatchObject({ orders: 1, refunds: 1, net_revenue_cents: 5100 })
  expect(before.summary).not.toHaveProperty('ai_refunds')

  await reportVisit(domain, 'visit-late')
  const after = await reportOf(domain)
  expect(after.unattributed).toMatchObject({ orders: 0, revenue_cents: 0 })
  expect(after.by_surface.chatgpt).toMatchObject({
    sessions: 1,
    orders: 1,
    refunds: 1,
    net_revenue_cents: 5100,
  })
  expect(await csvOf(domain)).toHaveLength(1)
  expect(await rebuildRollup(db, { domain, since: '2025-10', dryRun: true })).toEqual([])
})

test.each([
  ['a surface that is declared', {}, { ai_surface: 'perplexity' }, 'perplexity'],
  ['a surface without a row', {}, { ai_surface: 'my_own_bot' }, 'other_ai'],
  ['a campaign', { attribution: { utm_source: 'chatgpt.com' } }, {}, 'chatgpt'],
])('with %s it counts as that, under any visit_id', async (_, properties, more, surface) => {
  const domain = newShop()
  await send(order(domain, properties, more))
  const { by_surface, unattributed } = await reportOf(domain)
  expect(by_surface[surface]).toMatchObject({ orders: 1, revenue_cents: 6100 })
  expect(unattributed?.orders).toBe(0)
})

test('in a store where nothing else was sold, it is in its own currency', async () => {
  const domain = newShop()
  await send(order(domain))
  const { currency, summary, unattributed } = await reportOf(domain)
  expect(currency).toBe('EUR')
  expect(summary).toMatchObject({ ai_orders: 0, ai_revenue_cents: 0 })
  expect(unattributed).toMatchObject({ orders: 1, revenue_cents: 6100 })
  expect((await reportOf(domain, '&money_in=USD')).unattributed).toMatchObject({
    orders: 1,
    orders_in_currency: 0,
    revenue_cents: 0,
  })
})
