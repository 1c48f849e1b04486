import type { Report } from '../../../attribution/report.ts'
import { dateFormat } from '../../format.ts'
import type { Language } from '../../language.ts'
import { axisTicks, highest, labelPlaces, type Series, yOf } from '../../scale.ts'
import { type ChartMetric, figureFormat, isRate, seriesOf } from '../figures.ts'

// Unspecified: the chart draws counts as bars, rates and long ranges as lines.
/** Above this many periods bars are too thin, and a line is drawn. */
const MOST_BARS = 62

/** How many labels fit under a wide chart; narrower ones show every second or fourth. */
const MOST_LABELS = { day: 8, month: 6 }

/** Days. */
const LONG_RANGE = 200

interface ChartPoint {
  date: string
  label: string
  isPartial: boolean
  value: string
  /** The same period of the period before. */
  before: string | null
}

export interface ChartModel {
  kind: 'bars' | 'line'
  /** Future periods have no value. */
  current: Series
  previous: Series | null
  top: number
  /** Whether each period is partial: not over, or cut by the range. */
  partial: boolean[]
  points: ChartPoint[]
  yLabels: { y: number; label: string }[]
  xLabels: {
    at: number
    label: string /** 0 in any width, 1 from medium ones on, 2 only in wide ones. */
    width: 0 | 1 | 2
  }[]
  /** The first highest point; null if nothing was recorded. */
  peak: ChartPoint | null
}

/**
 * The chart of a figure. Periods after `today`, a day in the report's time zone, are in the future.
 */
export function chartModel(
  report: Report,
  metric: ChartMetric,
  { locale, dates }: Pick<Language, 'locale' | 'dates'>,
  today?: string,
): ChartModel {
  const { daily, granularity, currency } = report
  const isToCome = ({ date = '' } = {}) => today !== undefined && date > today
  const current = seriesOf(metric, daily).map((value, at) => (isToCome(daily[at]) ? null : value))
  const partial = daily.map((row) => row.partial && !isToCome(row))
  const before = report.previous && seriesOf(metric, report.previous.daily)
  const previous = before === undefined ? null : daily.map((_, at) => before[at] ?? null)
  const max = highest(current, previous ?? [])
  const { ticks, top } = axisTicks(max, 4, metric !== 'conversion')
  const exact = figureFormat(metric, currency, locale)
  const short = figureFormat(metric, currency, locale, true)
  const day = dateFormat(dates, granularity === 'month' ? 'month' : 'full')
  const axis = axisDates(report)
  const axisDay = dateFormat(dates, axis.style)
  const written = (value: number | null | undefined) => (value == null ? '–' : exact(value))
  const points = daily.map(({ date }, at) => ({
    date,
    label: day(date),
    isPartial: partial[at] ?? false,
    value: written(current[at]),
    before: previous === null ? null : written(previous[at]),
  }))
  const peak = current.findIndex(
    (value) => value !== null && value > 0 && value >= highest(current),
  )
  return {
    kind: isRate(metric) || daily.length > MOST_BARS ? 'line' : 'bars',
    current,
    previous,
    top,
    partial,
    points,
    yLabels: ticks.map((tick) => ({ y: yOf(tick, top), label: short(tick) })),
    xLabels: labelPlaces(axis.places, MOST_LABELS[axis.style]).map((at, place) => ({
      at,
      label: axisDay(daily[at]?.date ?? ''),
      width: place % 4 === 0 ? 0 : place % 2 === 0 ? 1 : 2,
    })),
    peak: points[peak] ?? null,
  }
}

/** A long range is labelled at the beginning of its months. */
function axisDates({ daily, granularity }: Report): { style: 'day' | 'month'; places: number[] } {
  const all = daily.map((_, at) => at)
  if (granularity === 'month') return { style: 'month', places: all }
  const days = daily.length * (granularity === 'week' ? 7 : 1)
  if (days < LONG_RANGE) return { style: 'day', places: all }
  const monthOf = (at: number) => daily[at]?.date.slice(0, 7)
  return { style: 'month', places: all.filter((at) => at > 0 && monthOf(at) !== monthOf(at - 1)) }
}
