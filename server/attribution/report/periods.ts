import { daysBetween, type Granularity } from '../../../shared/attribution/report.ts'
import { shiftMonth } from '../../db/events/partitions.ts'

// Days are text, `2026-11-30`, in UTC. Those after the year 9999 (`+010000-01-01`) do not compare
// as they stand.

/** Days such as `2026-11-30`; both belong to the range. */
export interface DayRange {
  start: string
  end: string
}

/** The day so many days later or, with a negative number, earlier. */
export const shiftDay = (day: string, by: number): string => {
  const at = new Date(day)
  at.setUTCDate(at.getUTCDate() + by)
  return at.toISOString().replace(/T.*/, '')
}

/** The first day of the period that the day is in: itself, its Monday, the first of its month. */
export function periodOf(day: string, granularity: Granularity): string {
  if (granularity === 'day') return day
  if (granularity === 'month') return `${day.slice(0, -2)}01`
  // getUTCDay counts from Sunday; weeks begin on Monday (ISO 8601).
  const sinceMonday = (new Date(day).getUTCDay() + 6) % 7
  return shiftDay(day, -sinceMonday)
}

// Unspecified: the date of a week or month that begins before the range: the first day of it that
// the range includes, because its figures are of these days only.

/** The first day of each period that the range touches, and of the first one the range's start. */
export function periodsOf({ start, end }: DayRange, granularity: Granularity): string[] {
  const periods: string[] = []
  let at = start
  while (daysBetween(at, end) >= 0) {
    periods.push(at)
    at = nextPeriod(at, granularity)
  }
  return periods
}

// Unspecified: a range is compared with the one before it: whole months with as many months, other
// ranges with as many days.

/** As many months or days, directly before. */
export function rangeBefore({ start, end }: DayRange): DayRange {
  const before = shiftDay(start, -1)
  const next = shiftDay(end, 1)
  if (start.endsWith('-01') && next.endsWith('-01')) {
    const months = periodsOf({ start, end }, 'month').length
    return { start: `${shiftMonth(start.slice(0, 7), -months)}-01`, end: before }
  }
  return { start: shiftDay(start, -daysBetween(start, next)), end: before }
}

/**
 * The first day of the period after the one that the day is in. 31 days after the first of a month
 * always lead into the next one, and never past it.
 */
function nextPeriod(day: string, granularity: Granularity): string {
  const inNext = { day: 1, week: 7, month: 31 }[granularity]
  return periodOf(shiftDay(periodOf(day, granularity), inNext), granularity)
}
