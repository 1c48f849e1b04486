import { expect, test } from 'vitest'
import { Report } from '../../shared/attribution/report.ts'
import { insertRollup } from '../attribution/report/testing/rows.ts'
import { testApp } from '../testing/app.ts'

const { ask, db } = await testApp({ now: () => new Date('2026-11-21T12:00:00Z') })

const put = async (body: unknown) => {
  const answer = await ask('/api/totals', { method: 'PUT', body })
  return { status: answer.status, body: await answer.json() }
}
const reportOf = async (query = '', domain = 'shop.example') => {
  const path = `/api/report?domain=${domain}&start=2026-11-01&end=2026-11-30${query}`
  const answer = await ask(path)
  return Report.parse(await answer.json())
}
const shareOf = async (query = '') => (await reportOf(query)).share
const total = (date: string, currency: string, orders: number, revenue_cents: number) => ({
  date,
  currency,
  orders,
  revenue_cents,
})

await insertRollup(db, 'shop.example', [
  { day: '2026-11-01', completed: 2, currency: 'USD', revenue: 5000 },
  { day: '2026-11-02', completed: 3, currency: 'USD', revenue: 9000 },
  { day: '2026-11-03', completed: 7, currency: 'USD', revenue: 99_000 },
  { day: '2026-11-02', completed: 1, currency: 'EUR', revenue: 700 },
])

test('the share is over the days that a shop has told, in the currency of the report', async () => {
  expect(await shareOf()).toBeNull()
  const totals = [
    total('2026-11-01', 'USD', 1, 1),
    total('2026-11-01', 'USD', 40, 80_000),
    total('2026-11-02', 'USD', 10, 60_000),
    total('2026-11-02', 'EUR', 0, 0),
  ]
  expect(await put({ domain: 'shop.example', totals })).toEqual({
    status: 200,
    body: { stored: 3 },
  })
  expect(await shareOf()).toEqual({
    days: 2,
    orders: 50,
    revenue_cents: 140_000,
    ai_orders: 5,
    ai_revenue_cents: 14_000,
    of_orders: 0.1,
    of_revenue: 0.1,
  })
  // Told as nothing, though AI brought an order: no share of nothing.
  expect(await shareOf('&currency=EUR')).toMatchObject({ days: 1, ai_orders: 1, of_orders: 0 })
  expect(await shareOf('&currency=JPY')).toBeNull()
  expect(await shareOf('&surface=chatgpt')).toBeNull()
})

test('without an order of AI in a currency, the share is one of what the shop sold', async () => {
  const domain = 'quiet.example'
  await insertRollup(db, domain, [{ day: '2026-11-01', sessions: 4, completed: 1 }])
  const totals = [total('2026-11-01', 'EUR', 3, 90_000), total('2026-11-01', 'USD', 214, 70_000)]
  await put({ domain, totals })
  for (const query of ['', '&currency=main']) {
    expect(await reportOf(query, domain)).toMatchObject({
      currency: 'USD',
      totals_currencies: ['USD', 'EUR'],
      share: { days: 1, orders: 214, ai_orders: 0, of_orders: 0, of_revenue: 0 },
      // The order without a value still counts.
      summary: { ai_sessions: 4, ai_orders: 1 },
      orders_without_value: 1,
    })
  }
})

test('a report in another currency than the totals says which those are in', async () => {
  const domain = 'abroad.example'
  await insertRollup(db, domain, [
    { day: '2026-11-01', completed: 1, currency: 'EUR', revenue: 700 },
  ])
  await put({ domain, totals: [total('2026-11-01', 'USD', 214, 70_000)] })
  expect(await reportOf('', domain)).toMatchObject({
    currency: 'EUR',
    share: null,
    totals_currencies: ['USD'],
  })
  expect(await reportOf('&surface=chatgpt', domain)).toMatchObject({ totals_currencies: [] })
})

test('a day that is sent again is replaced', async () => {
  const send = (orders: number) =>
    put({ domain: 'shop.example', totals: [total('2026-11-03', 'USD', orders, 990_000)] })
  await send(1000)
  await send(70)
  expect(await shareOf()).toMatchObject({ days: 3, orders: 120 })
})

test.each([
  [{ totals: [] }, 'totals'],
  [{ totals: [total('2026-02-30', 'USD', 1, 1)] }, 'totals.0.date'],
  [{ totals: [total('1999-12-31', 'USD', 1, 1)] }, 'totals.0.date'],
  [{ totals: [total('2026-11-01', 'usd', 1, 1)] }, 'totals.0.currency'],
  [{ totals: [total('2026-11-01', 'USD', -1, 1)] }, 'totals.0.orders'],
  [{ totals: [total('2026-11-01', 'USD', 1, 0.5)] }, 'totals.0.revenue_cents'],
  [{ totals: [{ ...total('2026-11-01', 'USD', 1, 1), buyer: 'x' }] }, 'totals.0.buyer'],
  [{ domain: 'https://x', totals: [total('2026-11-01', 'USD', 1, 1)] }, 'domain'],
  [{ totals: Array(401).fill(total('2026-11-01', 'USD', 1, 1)) }, 'totals'],
])('%j is refused', async (change, field) => {
  const { status, body } = await put({ domain: 'shop.example', ...change })
  expect([status, body.error.details[0].field]).toEqual([422, field])
})
