import { expect, test } from 'vitest'
import { Report } from '../../../shared/attribution/report.ts'
import { testApp } from '../../testing/app.ts'
import { csvOf } from './csv.ts'
import { insertRollup } from './testing/rows.ts'

const { ask, db } = await testApp()

await insertRollup(db, 'shop.example', [
  { day: '2026-11-01', sessions: 9, initiated: 3, completed: 4 },
  { day: '2026-11-01', sessions: 1, initiated: 1, completed: 2, currency: 'USD', revenue: 5001 },
  { day: '2026-11-01', initiated: 1, currency: 'JPY' },
  { day: '2026-11-01', completed: 1, currency: 'EUR', revenue: 90_000 },
  { day: '2026-11-02', kind: 'agent', sessions: 3, surface: 'claude' },
  { day: '2026-11-02', sessions: 1, surface: '=my_bot' },
])
await insertRollup(db, 'refunds.example', [
  { day: '2026-11-01', completed: 2, currency: 'USD', revenue: 5000, refunds: 1, refunded: 2000 },
  { day: '2026-11-02', refunds: 2, refunded: 700, currency: 'USD' },
  { day: '2026-11-02', surface: 'claude', refunds: 1, refunded: 300, currency: 'EUR' },
])
const RANGE = 'domain=shop.example&start=2026-11-01&end=2026-11-02'
const HEADER =
  'date,surface,currency,sessions,checkouts,orders,revenue,refunds,refunded,net_revenue,other_orders,verified_sessions,verified_orders'

const get = (query: string, Accept = '*/*') => ask(`/api/report?${query}`, { headers: { Accept } })

async function linesOf(query: string): Promise<string[]> {
  const text = await (await get(query)).text()
  expect(text.endsWith('\r\n')).toBe(true)
  return text.trim().split('\r\n')
}

test('a row per period and surface, in whole units of the currency of most orders', async () => {
  expect(await linesOf(`${RANGE}&format=csv`)).toEqual([
    HEADER,
    '2026-11-01,chatgpt,USD,10,5,2,50.01,0,0,50.01,5,0,0',
    '2026-11-01,google_ai_mode,USD,0,0,0,0,0,0,0,0,0,0',
    '2026-11-01,perplexity,USD,0,0,0,0,0,0,0,0,0,0',
    '2026-11-01,other_ai,USD,0,0,0,0,0,0,0,0,0,0',
    '2026-11-01,claude,USD,0,0,0,0,0,0,0,0,0,0',
    '2026-11-02,chatgpt,USD,0,0,0,0,0,0,0,0,0,0',
    '2026-11-02,google_ai_mode,USD,0,0,0,0,0,0,0,0,0,0',
    '2026-11-02,perplexity,USD,0,0,0,0,0,0,0,0,0,0',
    '2026-11-02,other_ai,USD,1,0,0,0,0,0,0,0,0,0',
    '2026-11-02,claude,USD,3,0,0,0,0,0,0,0,0,0',
  ])
})

test.each([
  ['USD', '2026-11-01,chatgpt,USD,10,5,2,50.01,0,0,50.01,5,0,0'],
  ['EUR', '2026-11-01,chatgpt,EUR,10,5,1,900,0,0,900,6,0,0'],
  ['JPY', '2026-11-01,chatgpt,JPY,10,5,0,0,0,0,0,7,0,0'],
  ['main', '2026-11-01,chatgpt,USD,10,5,2,50.01,0,0,50.01,5,0,0'],
])('with currency=%s, orders are of that one, and the others are named', async (currency, row) => {
  const lines = await linesOf(`${RANGE}&format=csv&granularity=month&currency=${currency}`)
  expect(lines.slice(0, 2)).toEqual([HEADER, row])
})

test('a currency without cents is in its own unit', async () => {
  await insertRollup(db, 'yen.example', [
    { day: '2026-11-01', completed: 1, currency: 'JPY', revenue: 5001 },
  ])
  const lines = await linesOf('domain=yen.example&start=2026-11-01&end=2026-11-01&format=csv')
  expect(lines[1]).toBe('2026-11-01,chatgpt,JPY,0,0,1,5001,0,0,5001,0,0,0')
})

test('each column adds up to what the report says', async () => {
  const { summary, revenue_by_currency } = Report.parse(await (await get(RANGE)).json())
  expect(Object.keys(revenue_by_currency)).toEqual(['USD', 'EUR'])
  for (const [currency, { orders, revenue_cents }] of Object.entries(revenue_by_currency)) {
    const lines = await linesOf(`${RANGE}&format=csv&currency=${currency}`)
    const rows = lines.slice(1).map((line) => line.split(','))
    const sumOf = (column: string) =>
      rows.reduce((sum, row) => sum + Number(row[HEADER.split(',').indexOf(column)]), 0)
    expect([sumOf('sessions'), sumOf('checkouts')]).toEqual([
      summary.ai_sessions,
      summary.ai_checkouts,
    ])
    expect(sumOf('orders')).toBe(orders)
    expect(sumOf('orders') + sumOf('other_orders')).toBe(summary.ai_orders)
    expect(Math.round(sumOf('revenue') * 100)).toBe(revenue_cents)
  }
})

test('refunds stand beside what was sold, also where nothing was', async () => {
  const query = 'domain=refunds.example&start=2026-11-01&end=2026-11-02&format=csv'
  expect((await linesOf(query)).filter((line) => !line.endsWith(',0,0,0,0,0,0,0,0,0'))).toEqual([
    HEADER,
    '2026-11-01,chatgpt,USD,0,0,2,50,1,20,30,0,0,0',
    '2026-11-02,chatgpt,USD,0,0,0,0,2,7,-7,0,0,0',
  ])
  expect(await linesOf(`${query}&currency=EUR`)).toContain(
    '2026-11-02,claude,EUR,0,0,0,0,1,3,-3,0,0,0',
  )
})

test('it is a UTF-8 file with a name, which Excel reads and nobody keeps', async () => {
  const answer = await get(`${RANGE}&format=csv`)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="aisle-shop.example-2026-11-01-2026-11-02.csv"',
    'cache-control': 'no-store',
  })
  const bytes = new Uint8Array(await answer.arrayBuffer())
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
})

test.each([
  ['text/csv', '', 'text/csv; charset=utf-8'],
  ['text/csv;q=0.5, application/json', '', 'application/json'],
  ['text/html', '', 'application/json'],
  ['text/csv', '&format=json', 'application/json'],
  ['application/json', '&format=csv', 'text/csv; charset=utf-8'],
])('Accept %s %s is answered by %s', async (accept, format, type) => {
  expect((await get(RANGE + format, accept)).headers.get('Content-Type')).toBe(type)
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '=HYPERLINK("http://a.example","b")'])(
  'text that a spreadsheet would run, such as %j, stays text',
  (surface) => {
    const row = { date: '', sessions: 0, checkouts: 0, orders: 0, revenue: 0, currency: 'USD' }
    const refunded = { refunds: 1, refunded: 5, net_revenue: -5, other_orders: 0 }
    const verified = { verified_sessions: 0, verified_orders: 0 }
    const text = csvOf([{ ...row, ...refunded, ...verified, surface }])
    const quoted = /["\r]/.test(surface) ? `"'${surface.replaceAll('"', '""')}"` : `'${surface}`
    expect(text.slice(text.indexOf('\r\n') + 2)).toBe(`,${quoted},USD,0,0,0,0,1,5,-5,0,0,0\r\n`)
  },
)
