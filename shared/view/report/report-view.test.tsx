import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import type { Report } from '../../attribution/report.ts'
import { RangeForm } from '../form/RangeForm.tsx'
import {
  dailyOf,
  dayAfter,
  markupOf,
  previousOf,
  reportOf,
  rowOf,
  soldOf,
} from '../testing/markup.ts'
import { ReportChart } from './chart/ReportChart.tsx'
import { FunnelView } from './FunnelView.tsx'
import { CHART_METRICS } from './figures.ts'
import { KpiCards } from './KpiCards.tsx'
import { ReportDashboard } from './ReportDashboard.tsx'
import { RevenueByCurrency } from './RevenueByCurrency.tsx'
import { SetAsideNotice } from './SetAsideNotice.tsx'
import { SurfaceTable } from './SurfaceTable.tsx'

const html = (node: VNode) => renderToString(node)
const textOf = (node: VNode) =>
  html(node)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
const count = (node: VNode, pattern: RegExp) => html(node).match(pattern)?.length ?? 0

const days = (number: number, value: number) => dailyOf(number, () => value)
const against = (now: Report, before: Report): Report => ({ ...now, previous: previousOf(before) })
const range = {
  start: '2026-11-01',
  end: '2026-11-30',
  granularity: 'week',
  compare: true,
  currency: 'EUR',
  currencies: ['USD', 'EUR'],
  action: '/report',
  hidden: { metric: 'orders' },
  presets: [{ label: '7 days', href: '/report?days=7', isCurrent: true }],
} as const

test('cards compare in words, and more failures are worse', () => {
  const funnel = { viewed: 0, initiated: 0, completed: 0, failed: 12 }
  const report = against(
    reportOf(days(10, 3), { funnel }),
    reportOf(days(10, 2), { funnel: { ...funnel, failed: 9 } }),
  )
  const cards = <KpiCards report={report} metric="revenue" />
  expect(textOf(cards)).toBe(
    'AI revenue $1,500.00 up 50%, was $1,000.00 AI orders 30 up 50%, was 20 ' +
      'AI sessions 300 up 50%, was 200 Conversion 10% same as before ' +
      'Average order value $50.00 same as before Failed checkouts 12 up 33%, was 9',
  )
  expect(html(cards)).toMatch(/is-bad.*was 9/)
  expect(count(cards, /is-good/g)).toBe(3)
})

test('cards without a period before show no change, from nothing they name it', () => {
  const now = reportOf(days(2, 1))
  expect(textOf(<KpiCards report={now} metric="orders" />)).not.toMatch(/up|was|same/)
  const grown = against(now, reportOf(days(2, 0), { currency: 'USD' }))
  expect(textOf(<KpiCards report={grown} metric="orders" />)).toContain('AI orders 2 was 0')
})

test('cards lead to their chart; failed checkouts have none', () => {
  const report = reportOf(days(2, 1))
  const links = <KpiCards report={report} metric="orders" hrefOf={(metric) => `?m=${metric}`} />
  expect([...html(links).matchAll(/href="\?m=(\w+)"/g)].map(([, name]) => name)).toEqual([
    ...CHART_METRICS,
  ])
  expect(count(links, /aria-current="true"/g)).toBe(1)
  const buttons = <KpiCards report={report} metric="orders" onMetric={() => {}} />
  expect(count(buttons, /<button/g)).toBe(5)
  expect(count(buttons, /aria-pressed="true"/g)).toBe(1)
})

test.each(CHART_METRICS)('%s is drawn for no day, one, 30, 400 and all zeros', (metric) => {
  for (const daily of [[], days(1, 4), days(30, 4), days(400, 4), days(30, 0)]) {
    const chart = <ReportChart report={reportOf(daily)} metric={metric} today="2026-11-05" />
    expect(html(chart)).not.toMatch(/NaN|Infinity|undefined/)
    expect(count(chart, /<tr/g)).toBe(daily.length + 1)
  }
})

test('a chart says in words what it shows', () => {
  expect(html(<ReportChart report={reportOf(days(3, 2))} metric="orders" />)).toContain(
    '<title>AI orders by day, from Nov 1, 2026 to Nov 3, 2026. Highest: 2, Nov 1, 2026.</title>',
  )
  expect(html(<ReportChart report={reportOf(days(3, 0))} metric="orders" />)).toContain(
    'Nothing was recorded.</title>',
  )
})

test('bars for counts of a short range, a line for rates and long ranges', () => {
  const barsOf = (node: VNode) => count(node, /class="chart-bar/g)
  expect(barsOf(<ReportChart report={reportOf(days(30, 2))} metric="orders" />)).toBe(30)
  expect(barsOf(<ReportChart report={reportOf(days(30, 2))} metric="conversion" />)).toBe(0)
  expect(barsOf(<ReportChart report={reportOf(days(90, 2))} metric="orders" />)).toBe(0)
})

test('the period that still runs is marked and explained', () => {
  const report = reportOf(days(5, 2))
  const running = <ReportChart report={report} metric="orders" today="2026-11-05" />
  expect(count(running, /is-running/g)).toBe(1)
  expect(textOf(running)).toContain('In progress')
  const over = <ReportChart report={report} metric="orders" today="2026-11-06" />
  expect(html(over)).not.toMatch(/is-running|In progress/)
})

test('the period before is a second line and a column of the table', () => {
  const chart = (
    <ReportChart report={against(reportOf(days(3, 2)), reportOf(days(3, 1)))} metric="orders" />
  )
  expect(html(chart)).toMatch(/class="chart-previous" d="M/)
  expect(html(chart)).toContain('Nov 1, 2026: 2 (before: 1)')
  expect(textOf(<ReportChart report={reportOf(days(3, 2))} metric="orders" />)).not.toContain(
    'Previous',
  )
})

test('a funnel has rates, but none above the step before', () => {
  expect(
    textOf(<FunnelView funnel={{ viewed: 100, initiated: 20, completed: 5, failed: 1 }} />),
  ).toMatch(/viewed 100 Checkouts started 20 20% Orders 5 25% Failed checkouts: 1$/)
  expect(
    textOf(<FunnelView funnel={{ viewed: 0, initiated: 4, completed: 5, failed: 0 }} />),
  ).not.toMatch(/\d%/)
})

test('surfaces have their names, the one with the most revenue first', () => {
  const by_surface = {
    other_ai: rowOf(1, 0, 0),
    chatgpt: rowOf(60, 3, 9900),
    perplexity: rowOf(30, 3, 12_300),
    my_agent: rowOf(9, 0, 0),
  }
  const table = <SurfaceTable report={{ by_surface, currency: 'EUR' }} />
  expect(textOf(table)).toMatch(
    /Perplexity 30 clicked a link 30% of sessions 30 3 10% €123\.00 ChatGPT .*my_agent .*Other AI/,
  )
  expect(count(table, /scope="row"/g)).toBe(4)
})

test('revenue by currency only shows with more than one', () => {
  const EUR = soldOf(1, 1000)
  const one = { revenue_by_currency: { EUR }, currency: 'EUR' }
  expect(html(<RevenueByCurrency report={one} />)).toBe('')
  const two = {
    revenue_by_currency: { EUR, JPY: soldOf(2, 1500) },
    currency: 'EUR',
  }
  const table = <RevenueByCurrency report={two} hrefOf={(currency) => `?c=${currency}`} />
  expect(textOf(table)).toContain('JPY 2 ¥1,500 EUR shown above 1 €10.00')
  expect(count(table, /href="\?c=JPY"/g)).toBe(1)
  expect(count(table, /href/g)).toBe(1)
})

test('refunds stand under the revenue that they lower, and nowhere without any', () => {
  const refunded = { refunds: 2, refunded_cents: 4000, net_revenue_cents: 6000 }
  const now = reportOf(days(2, 1))
  const net = /refunded|net\b|below zero/
  expect(textOf(<ReportDashboard report={now} metric="revenue" />)).not.toMatch(net)
  const sold = {
    ...now,
    summary: { ...now.summary, ai_refunds: 2, ai_refunded_cents: 4000, ai_net_revenue_cents: 6000 },
    by_surface: { chatgpt: { ...rowOf(9, 2, 10_000), ...refunded }, other_ai: rowOf(1, 1, 500) },
    revenue_by_currency: {
      USD: { ...soldOf(2, 10_000), ...refunded },
      EUR: soldOf(1, 500),
    },
  }
  const page = textOf(<ReportDashboard report={sold} metric="revenue" />)
  expect(page).toContain('AI revenue $100.00 $40.00 refunded, $60.00 net AI orders')
  expect(page).toContain('$100.00 $60.00 net Other AI')
  expect(page).toContain('USD shown above 2 $100.00 $60.00 net EUR 1 €5.00')
  expect(page.match(/\bnet\b/g)).toHaveLength(3)

  // A surface that is below zero is explained, also where the sum is above.
  const chatgpt = { ...sold.by_surface.chatgpt, net_revenue_cents: -100 }
  const below = { ...sold, by_surface: { chatgpt } }
  const explained = textOf(<ReportDashboard report={below} metric="revenue" />)
  expect(explained).toContain('-$1.00 net')
  expect(explained).toContain('Where more was refunded than sold, net revenue is below zero.')
})

test('a period of nothing but refunds is a report', () => {
  const summary = { ai_refunds: 1, ai_refunded_cents: 500, ai_net_revenue_cents: -500 }
  const nothing = reportOf(days(7, 0), { currency: 'USD' })
  const report = { ...nothing, summary: { ...nothing.summary, ...summary } }
  const page = textOf(<ReportDashboard report={report} metric="revenue" />)
  expect(page).toContain('AI revenue $0.00 $5.00 refunded, -$5.00 net')
  expect(page).toContain('net revenue is below zero')
})

test('the range form carries its values without JavaScript', () => {
  const form = html(<RangeForm {...range} />)
  for (const part of [
    /<form [^>]*method="get" action="\/report"/,
    /type="hidden" name="metric" value="orders"/,
    /name="start" [^>]*value="2026-11-01"/,
    /name="end" [^>]*value="2026-11-30"/,
    /<option value="week" selected/,
    /<option value="EUR" selected/,
    /name="compare" value="previous" checked/,
    /href="\/report\?days=7" aria-current="true"/,
  ]) {
    expect(form).toMatch(part)
  }
})

test('days with sessions that were set aside are named, with the most of them', () => {
  const aside = (at: number, by_address: number, by_network = 0, by_property = 0) => ({
    date: dayAfter('2026-11-01', at),
    sessions: by_address + by_network + by_property,
    by_address,
    by_network,
    by_property,
  })
  const few = [aside(1, 1200), aside(3, 0, 30, 4)]
  const notice = <SetAsideNotice days={few} />
  expect(textOf(notice)).toMatch(/^Warning: Sessions set aside: 1,234 More arrived than/)
  expect(textOf(notice)).toMatch(
    /Nov 2, 2026: 1,200 over the limit for one address Nov 4, 2026: 30 over the limit for one network, 4 over the limit for one property$/,
  )
  const many = Array.from({ length: 8 }, (_, at) => aside(at, 1 + ((at * 3) % 8)))
  expect(textOf(<SetAsideNotice days={many} />).match(/Nov \d/g)).toEqual([
    'Nov 2',
    'Nov 3',
    'Nov 5',
    'Nov 6',
    'Nov 8',
  ])
  expect(textOf(<SetAsideNotice days={many} />)).toMatch(/Days with fewer: 3$/)
  expect(html(<SetAsideNotice days={[]} />)).toBe('')

  // Also where nothing else is there to report.
  for (const daily of [days(3, 0), days(3, 1)]) {
    const report = reportOf(daily, { set_aside: few })
    expect(textOf(<ReportDashboard report={report} metric="orders" />)).toContain(
      'set aside: 1,234',
    )
  }
})

test('nothing to report shows the first steps, and no chart', () => {
  const view = (
    <ReportDashboard
      report={reportOf(days(7, 0))}
      metric="revenue"
      firstSteps={{ snippetHref: '/tools/snippet' }}
    />
  )
  expect(textOf(view)).toContain('Nothing was reported for shop.example')
  expect(html(view)).toContain('href="/tools/snippet"')
  expect(html(view)).not.toContain('<svg')
})

test('a period that had something before it is a report', () => {
  const view = (
    <ReportDashboard
      report={against(reportOf(days(7, 0)), reportOf(days(7, 1)))}
      metric="revenue"
    />
  )
  expect(textOf(view)).toContain('AI revenue 0 down 100%')
})

test('nothing in the page needs a style or a script of its own, and what was reported is text', () => {
  const hostile = '<img src=x onerror=alert(1)>'
  const report = against(
    reportOf(days(30, 2), {
      domain: hostile,
      currency: hostile,
      by_surface: { [hostile]: rowOf(3, 1, 100), ['__proto__']: rowOf(1, 0, 0) },
      revenue_by_currency: {
        [hostile]: soldOf(1, 1),
        USD: soldOf(1, 1),
      },
      period: { start: hostile, end: hostile },
    }),
    reportOf(days(30, 1)),
  )
  const page = html(
    <ReportDashboard
      report={report}
      metric="revenue"
      range={range}
      csvHref="/x.csv"
      onCsv={() => {}}
    />,
  )
  expect(markupOf(page).filter((name) => /^(style|script|img|on\w+)$/.test(name))).toEqual([])
  expect(page).toContain('&lt;img src=x')
})
