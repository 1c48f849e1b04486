import { expect, test } from 'vitest'
import { Report } from '../../../shared/attribution/report.ts'
import { testApp } from '../../testing/app.ts'
import { csvOf } from './csv.ts'
import { insertRollup } from './testing/rows.ts'

const { app, db, key } = await testApp()

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
  'date,surface,sessions,checkouts,orders,revenue_cents,currency,refunds,refunded_cents,net_revenue_cents'

const get = (query: string, Accept = '*/*') =>
  app.request(`/api/report?${query}`, { headers: { Authorization: `Bearer ${key}`, Accept } })

async function linesOf(query: string): Promise<string[]> {
  const text = await (await get(query)).text()
  expect(text.endsWith('\r\n')).toBe(true)
  return text.trim().split('\r\n')
}

const SOLD = [
  '2026-11-01,chatgpt,0,0,2,5001,USD,0,0,5001',
  '2026-11-01,chatgpt,0,0,1,90000,EUR,0,0,90000',
]

test('a row per period and surface, and one more for each currency that was sold in', async () => {
  const lines = await linesOf(`${RANGE}&format=csv`)
  expect(lines).toEqual([
    HEADER,
    '2026-11-01,chatgpt,10,5,4,0,,0,0,0',
    ...SOLD,
    '2026-11-01,google_ai_mode,0,0,0,0,,0,0,0',
    '2026-11-01,perplexity,0,0,0,0,,0,0,0',
    '2026-11-01,other_ai,0,0,0,0,,0,0,0',
    '2026-11-01,claude,0,0,0,0,,0,0,0',
    '2026-11-02,chatgpt,0,0,0,0,,0,0,0',
    '2026-11-02,google_ai_mode,0,0,0,0,,0,0,0',
    '2026-11-02,perplexity,0,0,0,0,,0,0,0',
    '2026-11-02,other_ai,1,0,0,0,,0,0,0',
    '2026-11-02,claude,3,0,0,0,,0,0,0',
  ])
})

test.each([
  ['USD', SOLD.slice(0, 1)],
  ['EUR', SOLD.slice(1)],
  ['JPY', []],
])('with currency=%s, no row of another is there', async (currency, sold) => {
  const lines = await linesOf(`${RANGE}&format=csv&granularity=month&currency=${currency}`)
  expect(lines.slice(0, sold.length + 3)).toEqual([
    HEADER,
    '2026-11-01,chatgpt,10,5,4,0,,0,0,0',
    ...sold,
    '2026-11-01,google_ai_mode,0,0,0,0,,0,0,0',
  ])
})

test('each column adds up to what the report says', async () => {
  const { summary, revenue_by_currency } = Report.parse(await (await get(RANGE)).json())
  const rows = (await linesOf(`${RANGE}&format=csv`)).slice(1).map((line) => line.split(','))
  const sumOf = (column: number, currency?: string) =>
    rows
      .filter((row) => currency === undefined || row[6] === currency)
      .reduce((sum, row) => sum + Number(row[column]), 0)
  expect([sumOf(2), sumOf(3), sumOf(4)]).toEqual([
    summary.ai_sessions,
    summary.ai_checkouts,
    summary.ai_orders,
  ])
  expect(Object.keys(revenue_by_currency)).toEqual(['USD', 'EUR'])
  for (const [currency, { orders, revenue_cents }] of Object.entries(revenue_by_currency)) {
    expect([sumOf(4, currency), sumOf(5, currency)]).toEqual([orders, revenue_cents])
  }
})

test('refunds stand in the row of their currency, also where nothing was sold', async () => {
  const lines = await linesOf('domain=refunds.example&start=2026-11-01&end=2026-11-02&format=csv')
  expect(lines.filter((line) => !line.endsWith(',,0,0,0'))).toEqual([
    HEADER,
    '2026-11-01,chatgpt,0,0,2,5000,USD,1,2000,3000',
    '2026-11-02,chatgpt,0,0,0,0,USD,2,700,-700',
    '2026-11-02,claude,0,0,0,0,EUR,1,300,-300',
  ])
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
    const row = {
      date: '',
      sessions: 0,
      checkouts: 0,
      orders: 0,
      revenue_cents: 0,
      currency: 'USD',
    }
    const refunded = { refunds: 1, refunded_cents: 5, net_revenue_cents: -5 }
    const text = csvOf([{ ...row, ...refunded, surface }])
    const quoted = /["\r]/.test(surface) ? `"'${surface.replaceAll('"', '""')}"` : `'${surface}`
    expect(text.slice(text.indexOf('\r\n') + 2)).toBe(`,${quoted},0,0,0,0,USD,1,5,-5\r\n`)
  },
)
