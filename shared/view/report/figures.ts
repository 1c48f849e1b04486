import type { DailyRow, Granularity, Report, Summary } from '../../attribution/report.ts'
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

/** Relative change, 0.25 for a quarter more. Null when there was nothing before to compare with. */
export const relativeChange = (now: number, before: number): number | null =>
  before === 0 ? (now === 0 ? 0 : null) : (now - before) / before

/** Without data a rate has no value, and a count is 0. */
export const seriesOf = (metric: ChartMetric, daily: readonly DailyRow[]): Series =>
  daily.map((row) => figureOfRow(metric, row))

function figureOfRow(metric: ChartMetric, { revenue_cents, orders, sessions }: DailyRow) {
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
      return orders === 0 ? null : Math.round(revenue_cents / orders)
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

/** The first day after a period of the chart, for a period that starts at `date`. */
function endOf(date: string, granularity: Granularity): string {
  const end = new Date(date)
  if (granularity === 'month') end.setUTCMonth(end.getUTCMonth() + 1, 1)
  else {
    // The first week may start after its Monday; getUTCDay counts from Sunday.
    const days = granularity === 'week' ? 7 - ((end.getUTCDay() + 6) % 7) : 1
    end.setUTCDate(end.getUTCDate() + days)
  }
  return Number.isNaN(end.getTime()) ? date : end.toISOString().slice(0, 10)
}

/** Whether a period that starts at `date` is over, still running or to come on the day `today`. */
export function stateOf(
  date: string,
  granularity: Granularity,
  today: string | undefined,
): 'over' | 'running' | 'to_come' {
  if (today === undefined || endOf(date, granularity) <= today) return 'over'
  return date <= today ? 'running' : 'to_come'
}
