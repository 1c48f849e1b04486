import type { DailyRow, Report, SurfaceRow } from '../../attribution/report.ts'
import type { AuditResult } from '../../audit/result/result.ts'
import type { GapView } from '../audit/GapDetails.tsx'

export const dayAfter = (start: string, days: number): string =>
  new Date(Date.parse(start) + days * 86_400_000).toISOString().slice(0, 10)

export const dailyOf = (
  count: number,
  valueAt: (at: number) => number,
  start = '2026-11-01',
): DailyRow[] =>
  Array.from({ length: count }, (_, at) => {
    const value = valueAt(at)
    return {
      date: dayAfter(start, at),
      sessions: value * 10,
      checkouts: value * 2,
      orders: value,
      revenue_cents: value * 5000,
      orders_in_currency: value,
      partial: false,
    }
  })

/** Orders and revenue of one currency. */
export const soldOf = (orders: number, revenue_cents: number) => ({
  orders,
  revenue_cents,
  avg_order_value_cents: orders === 0 ? 0 : Math.round(revenue_cents / orders),
  conversion_rate: 0,
})

export const rowOf = (sessions: number, orders: number, revenue_cents: number): SurfaceRow => ({
  sessions,
  orders,
  checkouts: orders,
  revenue_cents,
  orders_in_currency: orders,
  conversion_rate: sessions === 0 ? 0 : orders / sessions,
  avg_order_value_cents: orders === 0 ? 0 : Math.round(revenue_cents / orders),
  kind: { referral: sessions, agent: 0, protocol: 0 },
})

const NOTHING = rowOf(0, 0, 0)

/** A report over `daily`, and empty otherwise. */
export const reportOf = (daily: DailyRow[], more: Partial<Report> = {}): Report => {
  const sum = (key: Exclude<keyof DailyRow, 'date' | 'partial'>) =>
    daily.reduce((total, row) => total + (row[key] ?? 0), 0)
  const [sessions, orders, revenue] = [sum('sessions'), sum('orders'), sum('revenue_cents')]
  return {
    domain: 'shop.example',
    period: { start: daily[0]?.date ?? '2026-11-01', end: daily.at(-1)?.date ?? '2026-11-01' },
    summary: {
      ai_sessions: sessions,
      ai_checkouts: sum('checkouts'),
      ai_orders: orders,
      ai_revenue_cents: revenue,
      ai_conversion_rate: sessions === 0 ? 0 : orders / sessions,
      avg_order_value_cents: orders === 0 ? 0 : Math.round(revenue / orders),
    },
    by_surface: {
      chatgpt: NOTHING,
      google_ai_mode: NOTHING,
      perplexity: NOTHING,
      other_ai: NOTHING,
    },
    verification: {},
    daily,
    granularity: 'day',
    currency: orders === 0 ? null : 'USD',
    time_zone: 'UTC',
    touch: 'last',
    lookback_days: 1,
    complete_through: daily.at(-1)?.date ?? null,
    revenue_by_currency: orders === 0 ? {} : { USD: soldOf(orders, revenue) },
    orders_without_value: 0,
    by_source: { ucp: NOTHING, acp: NOTHING, web: NOTHING },
    by_kind: { click: NOTHING, agent: NOTHING, protocol: NOTHING },
    by_landing: null,
    by_product: null,
    by_customer: null,
    share: null,
    totals_currencies: [],
    unattributed: null,
    funnel: { viewed: 0, initiated: 0, completed: orders, failed: 0 },
    set_aside: [],
    ...more,
  }
}

/** The report as the period before of `now`, with all days over. */
export const previousOf = (
  { period, summary, funnel, daily }: Report,
  now?: Report,
): Report['previous'] => ({
  period,
  summary,
  funnel,
  daily,
  compared: now
    ? {
        current: now.period,
        previous: period,
        summary: now.summary,
        previous_summary: summary,
      }
    : null,
  change: {},
})

export const gapOf = (id: string, more: Partial<GapView> = {}): GapView => ({
  id,
  check: 'schema',
  severity: 'medium',
  label: `Label of ${id}`,
  detail: 'price is "4,99", expected 4.99',
  fix: 'Write the price with a point.',
  fix_url: null,
  docs_url: null,
  ...more,
})

export const resultOf = (more: Partial<AuditResult> = {}): AuditResult => ({
  domain: 'shop.example',
  score: 58,
  grade: 'C',
  checked_at: '2026-11-21T09:30:00.000Z',
  gaps: [],
  breakdown: { discoverability: 64, catalog: 88, checkout: 41, attribution: 70 },
  coverage: { judged: 40, applicable: 40, breakdown: {} },
  cap: null,
  first_steps: null,
  passed: [],
  passed_notes: {},
  skipped: [],
  product_pages: [],
  readiness: [],
  checks: ['schema'],
  engine_version: '1',
  ...more,
})

/** The names of elements and attributes of rendered HTML, in which every value is quoted. */
export const markupOf = (html: string): string[] =>
  (html.replaceAll(/="[^"]*"/g, '').match(/<[^>]*>/g) ?? []).flatMap(
    (tag) => tag.match(/[^<>\s/]+/g) ?? [],
  )
