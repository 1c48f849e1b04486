import type { DailyRow, Report, Summary } from '../../attribution/report.ts'
import { formatNumber, formatPercent, moneyFormat } from '../format.ts'
import type { Series } from '../scale.ts'

/** The figures of the report in the order of their cards. */
export const METRICS = [
  'revenue',
  'orders',
  'sessions',
  'conversion',
  'order_value',
  'failed',
] as const
export type Metric = (typeof METRICS)[number]

/** The figures that a chart can draw: failed checkouts are only known for the whole period. */
export const CHART_METRICS = ['revenue', 'orders', 'sessions', 'conversion', 'order_value'] as const
export type ChartMetric = (typeof CHART_METRICS)[number]

export const isChartMetric = (name: string): name is ChartMetric =>
  CHART_METRICS.some((each) => each === name)

export const FEWER_IS_BETTER: ReadonlySet<Metric> = new Set(['failed'])

/** One figure of a period. */
export function figureOf(
  metric: Metric,
  { summary, funnel }: { summary: Summary; funnel: Report['funnel'] },
): number {
  switch (metric) {
    case 'revenue':
      return summary.ai_revenue_cents
    case 'orders':
      return summary.ai_orders
    case 'sessions':
      return summary.ai_sessions
    case 'conversion':
      return summary.ai_conversion_rate
    case 'order_value':
      return summary.avg_order_value_cents
    case 'failed':
      return funnel.failed
  }
}

/** Relative change, 0.25 for a quarter more. Null if there was nothing before to compare with. */
export const relativeChange = (now: number, before: number): number | null =>
  before === 0 ? (now === 0 ? 0 : null) : (now - before) / before

/** Without data a rate has no value, and a count is 0. */
export const seriesOf = (metric: ChartMetric, daily: readonly DailyRow[]): Series =>
  daily.map((row) => figureOfRow(metric, row))

function figureOfRow(
  metric: ChartMetric,
  { revenue_cents, orders, orders_in_currency, sessions }: DailyRow,
) {
  switch (metric) {
    case 'revenue':
      return revenue_cents
    case 'orders':
      return orders
    case 'sessions':
      return sessions
    case 'conversion':
      return sessions === 0 ? null : Math.min(1, orders / sessions)
    case 'order_value':
      return orders_in_currency === 0 ? null : Math.round(revenue_cents / orders_in_currency)
  }
}

export const isRate = (metric: ChartMetric): boolean =>
  metric === 'conversion' || metric === 'order_value'

/** How values of a figure are written; `short` is for axes. */
export function figureFormat(
  metric: Metric,
  currency: string | null,
  locale: string,
  short = false,
): (value: number) => string {
  if (metric === 'revenue' || metric === 'order_value') return moneyFormat(currency, locale, short)
  if (metric === 'conversion') return (value) => formatPercent(value, locale)
  return (value) => formatNumber(value, locale)
}

/** The orders that the report's revenue is of: all of them where nothing was sold otherwise. */
export const ordersInCurrency = ({
  summary,
  currency,
  revenue_by_currency,
}: Pick<Report, 'summary' | 'currency' | 'revenue_by_currency'>): number =>
  revenue_by_currency[currency ?? '']?.orders ??
  (Object.keys(revenue_by_currency).length === 0 ? summary.ai_orders : 0)

/** The figures of all rows together, as a row of a table. */
export const wholeOf = ({
  summary,
  previous,
  ...report
}: Pick<Report, 'summary' | 'previous' | 'currency' | 'revenue_by_currency'>) => ({
  sessions: summary.ai_sessions,
  orders: summary.ai_orders,
  revenue_cents: summary.ai_revenue_cents,
  conversion_rate: summary.ai_conversion_rate,
  orders_in_currency: ordersInCurrency({ summary, ...report }),
  avg_order_value_cents: summary.avg_order_value_cents,
  net_revenue_cents: summary.ai_net_revenue_cents,
  change: previous?.compared
    ? {
        sessions: previous.change.ai_sessions ?? null,
        orders: previous.change.ai_orders ?? null,
        revenue_cents: previous.change.ai_revenue_cents ?? null,
        conversion_rate: previous.change.ai_conversion_rate ?? null,
        avg_order_value_cents: previous.change.avg_order_value_cents ?? null,
      }
    : undefined,
})
