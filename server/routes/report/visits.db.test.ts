import { expect, test } from 'vitest'
import { Report } from '../../../shared/attribution/report.ts'
import { rebuildRollup } from '../../db/events/rebuild.ts'
import { BARE, reportingApp } from '../testing/reporting-app.ts'

const { ask, db, send, newShop } = await reportingApp()

const DAYS = ['2026-11-19', '2026-11-20'] as const
const [ONE, TWO] = DAYS
let ids = 0
/** An event of the browser's visit v, at noon of a day. */
const at = (day: string, event: string, more: object = {}, visit_id = 'v') => ({
  ...BARE,
  source: 'web',
  event: `ai_${event}`,
  session_id: `s${++ids}`,
  timestamp: `${day}T12:00:00Z`,
  properties: { visit_id, value: 100, currency: 'USD' },
  ...more,
})

async function reportOf(domain: string, start: string, end: string, more = '') {
  const answer = await ask(`/api/report?domain=${domain}&start=${start}&end=${end}${more}`)
  expect(answer.status).toBe(200)
  return Report.parse(await answer.json())
}

type Figures = [sessions: number, orders: number]
const OTHER = { ai_surface: 'perplexity' }

test.each<[string, object[], Record<string, Figures[]>]>([
  [
    'an order on the day after its visit began',
    [at(ONE, 'product_viewed'), at(TWO, 'checkout_completed')],
    {
      chatgpt: [
        [1, 0],
        [0, 1],
      ],
    },
  ],
  [
    'an order on the day of its visit',
    [at(ONE, 'product_viewed'), at(ONE, 'checkout_completed')],
    {
      chatgpt: [
        [1, 1],
        [0, 0],
      ],
    },
  ],
  [
    'a visit that only looks on the day after',
    [at(ONE, 'product_viewed'), at(TWO, 'product_viewed')],
    {
      chatgpt: [
        [1, 0],
        [0, 0],
      ],
    },
  ],
  [
    'two orders in a visit, and two on the day after',
    [ONE, ONE, TWO, TWO].map((day) => at(day, 'checkout_completed')),
    {
      chatgpt: [
        [1, 2],
        [0, 2],
      ],
    },
  ],
  [
    'an order from another surface than its visit',
    [at(ONE, 'product_viewed', OTHER), at(ONE, 'checkout_completed'), at(TWO, 'checkout_failed')],
    {
      chatgpt: [
        [0, 1],
        [0, 0],
      ],
      perplexity: [
        [1, 0],
        [0, 0],
      ],
    },
  ],
  [
    'orders of two visits',
    [at(ONE, 'checkout_completed'), at(TWO, 'checkout_completed', {}, 'w')],
    {
      chatgpt: [
        [1, 1],
        [1, 1],
      ],
    },
  ],
  [
    'a checkout over midnight',
    ['checkout_initiated', 'checkout_completed'].map((event, n) =>
      at(DAYS[n] ?? '', event, { session_id: 'midnight', source: 'acp', properties: {} }),
    ),
    {
      chatgpt: [
        [1, 0],
        [0, 1],
      ],
    },
  ],
])(
  '%s: a session counts once, and days, months and surfaces add up',
  async (_, events, expected) => {
    for (const together of [true, false]) {
      const domain = newShop()
      const sent = events.map((event) => ({ ...event, domain }))
      for (const body of together ? [sent] : sent) expect((await send(body)).status).toBe(200)

      const whole = await reportOf(domain, ONE, TWO)
      for (const [n, day] of DAYS.entries()) {
        const report = await reportOf(domain, day, day)
        for (const [surface, figures] of Object.entries(expected)) {
          const row = report.by_surface[surface]
          expect([row?.sessions, row?.orders]).toEqual(figures[n])
        }
        expect(report.daily).toEqual([whole.daily[n]])
      }
      const monthly = await reportOf(domain, ONE, '2026-12-31', '&granularity=month')
      for (const rows of [whole.daily, monthly.daily, Object.values(whole.by_surface)]) {
        const sumOf = (figure: 'sessions' | 'orders') =>
          rows.reduce((sum, row) => sum + row[figure], 0)
        const { ai_sessions, ai_orders, ai_conversion_rate } = whole.summary
        expect([sumOf('sessions'), sumOf('orders')]).toEqual([ai_sessions, ai_orders])
        expect(ai_conversion_rate).toBe(Math.min(1, ai_orders / ai_sessions))
      }
      const check = { domain, since: '2025-10', dryRun: true }
      expect(await rebuildRollup(db, check)).toEqual([])
    }
  },
)

const PAGE = { session_id: 'view_1', properties: { product_id: 'shoe' } }

test.each<[string, object[], Figures]>([
  ['alone', [at(ONE, 'product_viewed', PAGE)], [0, 0]],
  [
    'beside the visit that its browser reports',
    [at(ONE, 'product_viewed', PAGE), at(ONE, 'checkout_initiated')],
    [1, 0],
  ],
  [
    'before an order under the same id',
    [
      at(ONE, 'product_viewed', PAGE),
      at(ONE, 'checkout_completed', { session_id: 'view_1', source: 'acp', properties: {} }),
    ],
    [1, 1],
  ],
])('a page view without a visit opens no session: %s', async (_, events, expected) => {
  for (const together of [true, false]) {
    const domain = newShop()
    const sent = events.map((event) => ({ ...event, domain }))
    for (const body of together ? [sent] : sent) expect((await send(body)).status).toBe(200)
    const { summary } = await reportOf(domain, ONE, ONE)
    expect([summary.ai_sessions, summary.ai_orders]).toEqual(expected)
    expect(await rebuildRollup(db, { domain, since: '2025-10', dryRun: true })).toEqual([])
  }
})

test('orders of one visit that come at once are of one session', async () => {
  const domain = newShop()
  await send({ ...at(ONE, 'product_viewed'), domain })
  await Promise.all(
    Array.from({ length: 10 }, () => send({ ...at(ONE, 'checkout_completed'), domain })),
  )
  const { summary } = await reportOf(domain, ONE, ONE)
  expect(summary).toMatchObject({ ai_sessions: 1, ai_orders: 10, ai_conversion_rate: 1 })
})

test('no rate is above 1', async () => {
  const domain = newShop()
  await send([1, 2].map(() => ({ ...at(ONE, 'checkout_completed'), domain })))
  await db.execute(`update rollup_daily set sessions = 1 where domain = '${domain}'`)
  expect((await reportOf(domain, ONE, ONE)).summary.ai_conversion_rate).toBe(1)
})

test.each(['week', 'month'])('the first %s is dated by the start of the period', async (by) => {
  const domain = newShop()
  await send([ONE, TWO].map((day) => ({ ...at(day, 'checkout_completed'), domain })))
  const { daily, period } = await reportOf(domain, TWO, '2026-12-02', `&granularity=${by}`)
  expect(daily[0]).toMatchObject({ date: period.start, orders: 1 })
})
