import { DAY_MS, dayIn, shiftDay } from '../web/moment.ts'

/**
 * When digests are sent: on this day of the week (1 is Monday), at this hour in the watch's time
 * zone.
 */
const DIGEST_WEEKDAY = 1
const DIGEST_HOUR = 8

/** The first moment after this one when a weekly digest is due in a time zone. */
export function nextDigestAt(timeZone: string, after: Date): Date {
  let day = dayIn(after.getTime(), timeZone)
  for (;;) {
    if (new Date(day).getUTCDay() === DIGEST_WEEKDAY) {
      const at = momentIn(timeZone, day, DIGEST_HOUR)
      if (at > after) return at
    }
    day = shiftDay(day, 1)
  }
}

/** As many digests as there are between two changes of clocks to the same time, and one more. */
const WEEKS_OF_YEAR = 54

// Unspecified: what AI brought is counted in the store's days. If the store's Sunday is not over
// when the digest is due, at any time of the year, its week ends a day earlier, so that each day is
// in exactly one digest.
/**
 * The day before which the seven days of a digest end, in the store's time zone, for a digest that
 * is due on a day.
 */
export function shopWeekEnd(day: string, timeZone: string, shopZone: string): string {
  const isBehind = Array.from({ length: WEEKS_OF_YEAR }, (_, n) => shiftDay(day, -7 * n)).some(
    (due) => dayIn(momentIn(timeZone, due, DIGEST_HOUR).getTime(), shopZone) < due,
  )
  return isBehind ? shiftDay(day, -1) : day
}

/**
 * When the clocks of a time zone show this hour of a day. Clocks never change at the hour of
 * digests.
 */
export function momentIn(timeZone: string, day: string, hour: number): Date {
  const wanted = new Date(day).getTime() + hour * (DAY_MS / 24)
  // The first guess may be on the other side of a change of clocks; the second is not.
  const first = wanted - aheadOfUtc(timeZone, wanted)
  return new Date(wanted - aheadOfUtc(timeZone, first))
}

const CLOCKS = new Map<string, Intl.DateTimeFormat>()

/** How many milliseconds a time zone is ahead of UTC at a moment. */
function aheadOfUtc(timeZone: string, moment: number): number {
  let format = CLOCKS.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    CLOCKS.set(timeZone, format)
  }
  const parts = format.formatToParts(moment)
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((each) => each.type === type)?.value ?? 0)
  const shown = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  )
  return shown - Math.floor(moment / 1000) * 1000
}
