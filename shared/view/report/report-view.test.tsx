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
import { LandingTable } from './ConvertsView.tsx'
import { ReportChart } from './chart/ReportChart.tsx'
import { type Picker, USUAL_CHOICE } from './choice.ts'
import { FunnelView } from './FunnelView.tsx'
import { CHART_METRICS } from './figures.ts'
import { KpiCards } from './KpiCards.tsx'
import { ReportDashboard } from './ReportDashboard.tsx'
import { RevenueByCurrency } from './RevenueByCurrency.tsx'
import { SetAsideNotice } from './SetAsideNotice.tsx'
import { SurfaceTable } from './SurfaceTable.tsx'
import { SurfaceTrends } from './SurfaceTrends.tsx'

const USUAL: Picker = { choice: USUAL_CHOICE }
const ORDERS = { ...USUAL_CHOICE, metric: 'orders', sort: 'orders' } as const
/** A view whose links say what they change. */
const LINKED: Picker = {
  choice: USUAL_CHOICE,
  hrefOf: (change, place = '') =>
    `?${new URLSearchParams(change as Record<string, string>)}#${place}`,
}

const html = (node: VNode) => renderToString(node)
const textOf = (node: VNode) =>
  html(node)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
const count = (node: VNode, pattern: RegExp) => html(node).match(pattern)?.length ?? 0

const days = (number: number, value: number) => dailyOf(number, () => value)
const against = (now: Report, before: Report): Report => ({
  ...now,
  previous: previousOf(before, now),
})
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
  const cards = <KpiCards report={report} picker={USUAL} />
  expect(textOf(cards)).toBe(
    'AI revenue $1,500.00 up 50%, was $1,000.00 AI orders 30 up 50%, was 20 ' +
      'AI sessions 300 up 50%, was 200 Conversion 10% same as before ' +
      'Average order value $50.00 same as before Failed checkouts 12 up 33%, was 9 ' +
      'Changes compare Nov 1, 2026 to Nov 10, 2026 with Nov 1, 2026 to Nov 10, 2026.',
  )
  expect(html(cards)).toMatch(/is-bad.*was 9/)
  expect(count(cards, /is-good/g)).toBe(3)
})

test('cards without a period before show no change, from nothing they name it', () => {
  const now = reportOf(days(2, 1))
  expect(textOf(<KpiCards report={now} picker={USUAL} />)).not.toMatch(/up|was|same/)
  const grown = against(now, reportOf(days(2, 0), { currency: 'USD' }))
  expect(textOf(<KpiCards report={grown} picker={USUAL} />)).toContain('AI orders 2 was 0')
})

test('cards do not call the first order of today the same as before', () => {
  const nothing = reportOf(days(2, 0), { currency: 'USD' })
  const today = { ...against(nothing, nothing), summary: reportOf(days(2, 1)).summary }
  const words = textOf(<KpiCards report={today} picker={USUAL} />)
  expect(words).toContain('AI revenue $100.00 was $0.00 AI orders 2 was 0')
})

test('cards lead to their chart; failed checkouts have none', () => {
  const report = reportOf(days(2, 1))
  const links = (
    <KpiCards report={report} picker={{ choice: ORDERS, hrefOf: ({ metric }) => `?m=${metric}` }} />
  )
  expect([...html(links).matchAll(/href="\?m=(\w+)"/g)].map(([, name]) => name)).toEqual([
    ...CHART_METRICS,
  ])
  expect(count(links, /aria-current="true"/g)).toBe(1)
  const buttons = <KpiCards report={report} picker={{ choice: ORDERS, onPick: () => {} }} />
  expect(count(buttons, /<button/g)).toBe(5)
  expect(count(buttons, /aria-pressed="true"/g)).toBe(1)
})

test.each(CHART_METRICS)('%s is drawn for no day, one, 30, 400 and all zeros', (metric) => {
  for (const daily of [[], days(1, 4), days(30, 4), days(400, 4), days(30, 0)]) {
    const chart = <ReportChart report={reportOf(daily)} metric={metric} today="2026-11-05" />
    expect(html(chart)).not.toMatch(/NaN|Infinity|undefined/)
    expect(count(chart, /<tr/g)).toBe(daily.length + 1)
    expect(count(chart, /<input type="radio"/g)).toBe(daily.length)
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

test('a part of a period is marked and explained', () => {
  const report = reportOf(days(5, 2).map((row, at) => ({ ...row, partial: at === 4 })))
  for (const metric of ['orders', 'conversion'] as const) {
    const running = <ReportChart report={report} metric={metric} today="2026-11-05" />
    expect(count(running, /class="chart-(bar|line) is-partial"/g)).toBe(1)
    expect(textOf(running)).toContain('Part of a period')
    expect(textOf(running)).toContain('Nov 5, 2026 (part): ')
    const over = <ReportChart report={reportOf(days(5, 2))} metric={metric} />
    expect(html(over)).not.toMatch(/is-partial|Part of/)
  }
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

const by_surface = {
  other_ai: rowOf(1, 0, 0),
  chatgpt: rowOf(60, 3, 9900),
  perplexity: rowOf(30, 3, 12_300),
  my_agent: rowOf(9, 0, 0),
}
const sold = reportOf([], {
  by_surface,
  currency: 'EUR',
  summary: {
    ai_sessions: 100,
    ai_checkouts: 6,
    ai_orders: 6,
    ai_revenue_cents: 22_200,
    ai_conversion_rate: 0.06,
    avg_order_value_cents: 3700,
  },
})

test('surfaces have their names, the one with the most revenue first, and a sum', () => {
  const table = <SurfaceTable report={sold} picker={USUAL} />
  expect(textOf(table)).toMatch(
    /Perplexity 55\.4% \(Revenue\) 30 3 10% €41\.00 €123\.00 ChatGPT .*my_agent .*Other AI.* All AI 100 6 6% €37\.00 €222\.00$/,
  )
  expect(count(table, /scope="row"/g)).toBe(5)
  expect(html(table)).not.toContain('href')
})

test('a surface says of how many agents it is verified whose they are', () => {
  const verification = {
    my_agent: {
      signature: { sessions: 2, orders: 1 },
      platform: { sessions: 1, orders: 0 },
      address: { sessions: 1, orders: 0 },
      claimed: { sessions: 3, orders: 0 },
    },
  }
  const tableOf = (picker: Picker) => (
    <SurfaceTable report={{ ...sold, verification }} picker={picker} />
  )
  const one = { choice: { ...USUAL_CHOICE, surface: 'my_agent' } }
  expect(textOf(tableOf(one))).toContain('9 clicked a link; 4 verified and 3 claimed')
  expect(textOf(tableOf(USUAL))).not.toMatch(/clicked|verified/)
})

test('tables are sorted by a link, and their bars are of what they are sorted by', () => {
  const bySessions = { ...LINKED, choice: { ...USUAL_CHOICE, sort: 'sessions' } } as const
  const table = <SurfaceTable report={sold} picker={bySessions} />
  expect(textOf(table)).toMatch(/ChatGPT 60% \(Sessions\) .*Perplexity 30% /)
  expect(html(table)).toMatch(/aria-sort="descending"><strong>Sessions/)
  expect(
    [...html(table).matchAll(/href="\?sort=(\w+)#surfaces"/g)].map(([, sort]) => sort),
  ).toEqual(['orders', 'conversion', 'order_value', 'revenue'])
  // A rate is not a share: the best fills its bar, and its value is next to it.
  const byRate = { choice: { ...USUAL_CHOICE, sort: 'conversion' } } as const
  const rates = <SurfaceTable report={sold} picker={byRate} />
  expect(textOf(rates)).toMatch(/Perplexity 10% \(Conversion\)/)
  expect(html(rates)).toMatch(/bar-part" width="100"/)
})

test('a click on a surface filters, and a filter can be taken away', () => {
  expect(html(<SurfaceTable report={sold} picker={LINKED} />)).toContain('href="?surface=chatgpt#"')
  const only = { ...LINKED, choice: { ...USUAL_CHOICE, surface: 'chatgpt', landing: '/<b>' } }
  const page = <ReportDashboard report={sold} picker={only} />
  expect(textOf(page)).toMatch(/Only ChatGPT Remove ChatGPT Landing page \/&lt;b>? ?.*Remove/)
  expect(html(page)).toContain('href="?surface=undefined#"')
  const filtered = <SurfaceTable report={sold} picker={only} />
  expect(textOf(filtered)).not.toMatch(/Perplexity|All AI/)
})

test('changes are those of the days that are over, and name them', () => {
  const now = reportOf(days(10, 3))
  const before = reportOf(days(10, 2))
  const part = {
    ...now,
    previous: {
      ...against(now, before).previous,
      compared: {
        current: { start: '2026-11-01', end: '2026-11-09' },
        previous: { start: '2026-10-22', end: '2026-10-30' },
        summary: reportOf(days(9, 4)).summary,
        previous_summary: reportOf(days(9, 2)).summary,
      },
    },
  } as Report
  const cards = textOf(<KpiCards report={part} picker={USUAL} />)
  expect(cards).toContain('AI orders 30 up 100%, was 18')
  expect(cards).toMatch(
    /Failed checkouts 0 0 in the period before Changes compare Nov 1, 2026 to Nov 9, 2026 with/,
  )
  expect(cards).toContain('days that are not over yet are left out')
  const none = { ...part, previous: { ...part.previous, compared: null } } as Report
  const quiet = textOf(<KpiCards report={none} picker={USUAL} />)
  expect(quiet).not.toMatch(/\bup\b|was/)
  expect(quiet).toContain('No day of this period is over yet')
})

test('what a report has of the shop as a whole', () => {
  const share = {
    days: 20,
    orders: 100,
    revenue_cents: 400_000,
    ai_orders: 6,
    ai_revenue_cents: 22_200,
    of_orders: 0.06,
    of_revenue: 0.0555,
  }
  const page = (more: Partial<Report>) =>
    textOf(
      <ReportDashboard report={{ ...sold, ...more }} picker={USUAL} totalsHref="/help#report" />,
    )
  expect(page({ share })).toContain(
    '5.6% of all revenue came from AI: €222.00 of €4,000.00. Of all orders: 6% (6 of 100). Measured on the days whose totals your store reported: 20.',
  )
  const none = 'Report your daily totals to see it'
  expect(page({ share: null })).toContain(none)
  const elsewhere = page({ share: null, currency: 'EUR', totals_currencies: ['USD', 'JPY'] })
  expect(elsewhere).toContain(
    'your store reported its daily totals in USD, JPY, and this report is in EUR.',
  )
  expect(elsewhere).not.toContain(none)
})

test('landing pages are links, the rest of them is one row, and long lists say so', () => {
  const list = {
    rows: [{ ...rowOf(50, 3, 9900), landing: '/boots' }],
    total: 37,
    next_offset: 10,
    other: rowOf(5, 0, 0),
  }
  const table = <LandingTable report={{ ...sold, by_landing: list }} picker={LINKED} />
  expect(textOf(table)).toMatch(/\/boots 44\.6% .*Other pages .*5 of 37\. Show more$/)
  expect(html(table)).toContain('href="?landing=%2Fboots#"')
  expect(html(table)).toContain('href="?rows=all#landings"')
  const none = { rows: [], total: 0, next_offset: null, other: null }
  expect(textOf(<LandingTable report={{ ...sold, by_landing: none }} picker={LINKED} />)).toContain(
    'No landing page is known',
  )
})

test('a small chart for each surface that has something, with its change', () => {
  const daily = days(4, 3).map((row) => ({ ...row, surface: 'chatgpt' }))
  const change = {
    sessions: 0,
    checkouts: 0,
    orders: 0.5,
    revenue_cents: -0.25,
    conversion_rate: 0,
    avg_order_value_cents: null,
  }
  const report = reportOf(days(4, 3), {
    by_surface: { chatgpt: { ...rowOf(120, 12, 60_000), change }, perplexity: rowOf(0, 0, 0) },
    series: [...daily, ...days(4, 0).map((row) => ({ ...row, surface: 'perplexity' }))],
  })
  const trends = <SurfaceTrends report={report} picker={LINKED} />
  expect(textOf(trends)).toMatch(/ChatGPT \$600\.00 down 25% most: \$150\.00, Nov 1, 2026/)
  expect(count(trends, /<li>/g)).toBe(1)
  expect(count(trends, /class="chart-bar"/g)).toBe(4)
  expect(html(<SurfaceTrends report={reportOf(days(4, 3))} picker={LINKED} />)).toBe('')
})

test('currencies stand side by side, each with a link and figures of its own', () => {
  const EUR = soldOf(1, 1000)
  const one = { revenue_by_currency: { EUR }, currency: 'EUR', orders_without_value: 0 }
  expect(html(<RevenueByCurrency report={one} picker={LINKED} />)).toBe('')
  const without = { ...one, orders_without_value: 2 }
  expect(textOf(<RevenueByCurrency report={without} picker={LINKED} />)).toMatch(/no currency: 2$/)
  const JPY = { ...soldOf(2, 1500), conversion_rate: 0.02 }
  const two = { ...one, revenue_by_currency: { EUR, JPY } }
  const table = <RevenueByCurrency report={two} picker={LINKED} />
  expect(textOf(table)).toMatch(
    /JPY switch to it 2 \(Orders\) 2 ¥750 ¥1,500 EUR shown on this page 1 .* €10\.00/,
  )
  expect(count(table, /href="\?currency=JPY#"/g)).toBe(1)
  const cards = <KpiCards report={{ ...reportOf([]), ...two }} picker={LINKED} />
  expect(textOf(cards)).toMatch(/^AI revenue €0\.00 and ¥1,500 AI orders/)
  expect(count(table, /href/g)).toBe(1)
})

test('refunds stand under the revenue that they lower, and nowhere without any', () => {
  const refunded = { refunds: 2, refunded_cents: 4000, net_revenue_cents: 6000 }
  const now = reportOf(days(2, 1))
  const net = /refunded|net\b|below zero/
  expect(textOf(<ReportDashboard report={now} picker={USUAL} />)).not.toMatch(net)
  const sold = {
    ...now,
    summary: { ...now.summary, ai_refunds: 2, ai_refunded_cents: 4000, ai_net_revenue_cents: 6000 },
    by_surface: { chatgpt: { ...rowOf(9, 2, 10_000), ...refunded }, other_ai: rowOf(1, 1, 500) },
    revenue_by_currency: {
      USD: { ...soldOf(2, 10_000), ...refunded },
      EUR: soldOf(1, 500),
    },
  }
  const page = textOf(<ReportDashboard report={sold} picker={USUAL} />)
  expect(page).toContain('AI revenue $100.00 and €5.00 $40.00 refunded, $60.00 net AI orders')
  expect(page).toContain('$100.00 $60.00 net Other AI')
  expect(page).toContain('USD shown on this page 2 (Orders) 2 $50.00 $100.00 $60.00 net EUR')
  expect(page.match(/\bnet\b/g)).toHaveLength(4)

  // A surface below zero is explained, even if the sum is above.
  const chatgpt = { ...sold.by_surface.chatgpt, net_revenue_cents: -100 }
  const below = { ...sold, by_surface: { chatgpt } }
  const explained = textOf(<ReportDashboard report={below} picker={USUAL} />)
  expect(explained).toContain('-$1.00 net')
  expect(explained).toContain('Where more was refunded than sold, net revenue is below zero.')
})

test('a period of nothing but refunds is a report', () => {
  const summary = { ai_refunds: 1, ai_refunded_cents: 500, ai_net_revenue_cents: -500 }
  const nothing = reportOf(days(7, 0), { currency: 'USD' })
  const report = { ...nothing, summary: { ...nothing.summary, ...summary } }
  const page = textOf(<ReportDashboard report={report} picker={USUAL} />)
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

  // Also if there is nothing else to report.
  for (const daily of [days(3, 0), days(3, 1)]) {
    const report = reportOf(daily, { set_aside: few })
    expect(textOf(<ReportDashboard report={report} picker={USUAL} />)).toContain('set aside: 1,234')
  }
})

test('nothing to report shows the first steps, and no chart', () => {
  const view = (
    <ReportDashboard
      report={reportOf(days(7, 0))}
      picker={USUAL}
      firstSteps={{ snippetHref: '/tools/snippet' }}
    />
  )
  expect(textOf(view)).toContain('Nothing was reported for shop.example')
  expect(html(view)).toContain('href="/tools/snippet"')
  expect(html(view)).not.toContain('<svg')
})

test('a period that had something before it is a report', () => {
  const view = (
    <ReportDashboard report={against(reportOf(days(7, 0)), reportOf(days(7, 1)))} picker={USUAL} />
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
      picker={USUAL}
      range={range}
      csvHref="/x.csv"
      onCsv={() => {}}
    />,
  )
  expect(markupOf(page).filter((name) => /^(style|script|img|on\w+)$/.test(name))).toEqual([])
  expect(page).toContain('&lt;img src=x')
})
