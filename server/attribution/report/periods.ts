import { daysBetween, type Granularity } from '../../../shared/attribution/report.ts'
import { shiftDay } from '../../../shared/web/moment.ts'
import { shiftMonth } from '../../db/events/partitions.ts'

// Days are text, `2026-11-30`, in the zone of the shop. Those after the year 9999
// (`+010000-01-01`) do not compare as they stand.

/** Days such as `2026-11-30`; both belong to the range. */
export interface DayRange {
  start: string
  end: string
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

/** The range of as many months or days that ends directly before this one. */
export function rangeBefore({ start, end }: DayRange): DayRange {
  const before = shiftDay(start, -1)
  const next = shiftDay(end, 1)
  const months = wholeMonths({ start, end })
  if (months !== null) {
    return { start: `${shiftMonth(start.slice(0, 7), -months)}-01`, end: before }
  }
  return { start: shiftDay(start, -daysBetween(start, next)), end: before }
}

// Unspecified: a change is between days that are over. Today is left out, and so are the days of
// the period before that its part so far does not reach.

/** The days that a change is between. */
export interface ComparedDays {
  current: DayRange
  previous: DayRange
}

/** The days of a range that are over and the same part of the range before it; null for none. */
export function comparedDays(
  range: DayRange,
  before: DayRange,
  today: string,
): ComparedDays | null {
  const through = lastOver(range, today)
  if (through === null) return null
  if (through === range.end) return { current: range, previous: before }
  const current = { start: range.start, end: through }
  const days = daysBetween(range.start, through)
  // A part of whole months is compared with the same days of the months before: 1 to 22 March with
  // 1 to 22 February. No month before is shorter than that by more than its last days.
  const months = wholeMonths(range)
  const end = months === null ? shiftDay(before.start, days) : sameDay(through, -months, before.end)
  return { current, previous: { start: before.start, end } }
}

/** The last day of the range that is over; null if none is. */
export function lastOver({ start, end }: DayRange, today: string): string | null {
  if (daysBetween(end, today) > 0) return end
  return daysBetween(start, today) > 0 ? shiftDay(today, -1) : null
}

/** Whether the row that begins on this day is of a part of its period only, or that is not over. */
export function isPartial(
  date: string,
  { end }: DayRange,
  granularity: Granularity,
  today: string,
): boolean {
  const last = shiftDay(nextPeriod(date, granularity), -1)
  return (
    periodOf(date, granularity) !== date ||
    daysBetween(end, last) > 0 ||
    daysBetween(today, last) >= 0
  )
}

/** How many months a range is of, if it is of whole ones. */
const wholeMonths = ({ start, end }: DayRange): number | null =>
  start.endsWith('-01') && shiftDay(end, 1).endsWith('-01')
    ? periodsOf({ start, end }, 'month').length
    : null

/** The day some months later, or the last one before `end` if that month is shorter. */
function sameDay(day: string, months: number, end: string): string {
  const first = `${shiftMonth(day.slice(0, 7), months)}-01`
  const last = shiftDay(nextPeriod(first, 'month'), -1)
  const same = `${first.slice(0, 8)}${day.slice(8)}`
  return [same > last ? last : same, end].sort()[0] ?? end
}

/**
 * The first day of the period after the one that the day is in. 31 days after the first of a month
 * always lead into the next one, and never past it.
 */
function nextPeriod(day: string, granularity: Granularity): string {
  const inNext = { day: 1, week: 7, month: 31 }[granularity]
  return periodOf(shiftDay(periodOf(day, granularity), inNext), granularity)
}
