import { DAY_MS, dayOf } from '../web/moment.ts'
import { daysBetween, type Granularity, isReportDay, MAX_DAYS } from './report.ts'

/** The range of a report. Days are text such as `2026-11-30`, both included. */
interface ReportRange {
  start: string
  end: string
  granularity: Granularity
}

/** Ranges that a person picks with one click; `month` and `year` are the current ones so far. */
export const PRESETS = ['last_7', 'last_28', 'last_90', 'month', 'last_month', 'year'] as const
export type Preset = (typeof PRESETS)[number]

export const PRESET_NAMES: Record<Preset, string> = {
  last_7: 'Last 7 days',
  last_28: 'Last 28 days',
  last_90: 'Last 90 days',
  month: 'This month',
  last_month: 'Last month',
  year: 'This year',
}

/** Days of the presets that have a fixed length, today included. */
const LENGTHS: Partial<Record<Preset, number>> = { last_7: 7, last_28: 28, last_90: 90 }

/** The days of a preset up to and including `today`, and the granularity that reads best. */
export function rangeOf(preset: Preset, today: string): ReportRange {
  const first = `${today.slice(0, 8)}01`
  const daysBefore = (day: string, days: number) => dayOf(Date.parse(day) - days * DAY_MS)
  if (preset === 'month') return { start: first, end: today, granularity: 'day' }
  if (preset === 'last_month') {
    const end = daysBefore(first, 1)
    return { start: `${end.slice(0, 8)}01`, end, granularity: 'day' }
  }
  if (preset === 'year') {
    return { start: `${today.slice(0, 5)}01-01`, end: today, granularity: 'month' }
  }
  const start = daysBefore(today, (LENGTHS[preset] ?? 28) - 1)
  return { start, end: today, granularity: preset === 'last_90' ? 'week' : 'day' }
}

/** The preset that has these days today; null for any other range. */
export const presetOf = (
  { start, end }: Pick<ReportRange, 'start' | 'end'>,
  today: string,
): Preset | null =>
  PRESETS.find((preset) => {
    const range = rangeOf(preset, today)
    return range.start === start && range.end === end
  }) ?? null

/**
 * Why a range is refused: not a date, outside of the years that reports cover, start after end, or
 * more days than the granularity allows.
 */
export type RangeFault = 'no_day' | 'out_of_reach' | 'reversed' | 'too_long'

/**
 * Why a range is refused, or null. The same limits as in `ReportQuery`, checked before a request is
 * sent.
 */
export function rangeFault({ start, end, granularity }: ReportRange): RangeFault | null {
  const days = daysBetween(start, end)
  if (Number.isNaN(days)) return 'no_day'
  if (!isReportDay(start) || !isReportDay(end)) return 'out_of_reach'
  if (days < 0) return 'reversed'
  return days >= MAX_DAYS[granularity] ? 'too_long' : null
}
