export const DAY_MS = 86_400_000

/** The day of the last call, which is nearly always today. */
let last = { begins: Number.NaN, day: '' }

/** The day in UTC, such as `2026-11-30`. */
export function dayOf(time: number): string {
  const begins = Math.floor(time / DAY_MS) * DAY_MS
  if (begins !== last.begins) last = { begins, day: new Date(time).toISOString().slice(0, 10) }
  return last.day
}

/** The day `by` days later or, with a negative number, earlier. */
export const shiftDay = (day: string, by: number): string => {
  const at = new Date(day)
  at.setUTCDate(at.getUTCDate() + by)
  return at.toISOString().replace(/T.*/, '')
}

const ZONES = new Map<string, Intl.DateTimeFormat>()

/** The day in an IANA time zone; in UTC without one, or if this machine does not know it. */
export function dayIn(time: number, zone: string | undefined): string {
  if (zone === undefined || !isTimeZone(zone)) return dayOf(time)
  let format = ZONES.get(zone)
  if (format === undefined) {
    // Canadian English writes days as ISO 8601 does.
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    })
    ZONES.set(zone, format)
  }
  return format.format(time)
}

/** Whether the text is the name of an IANA time zone. */
export function isTimeZone(text: string): boolean {
  if (ZONES.has(text)) return true
  // Offsets such as +02:00 are accepted too, but are not zones: they have no summer time.
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(text)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch {
    return false
  }
}

/**
 * ISO 8601-1: calendar dates with an optional time of day. Week and ordinal dates are refused,
 * because no source that we read writes them.
 */
const MOMENT =
  /^([1-9]\d{3})(-?)(\d\d)\2(\d\d)(?:[Tt ](\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i

/**
 * Milliseconds since 1970-01-01T00:00Z of an ISO 8601 timestamp: a calendar day, alone or with a
 * time, in the extended or the basic form. Fractions beyond a millisecond are cut. Null for other
 * text, and for days that do not exist.
 */
// Unspecified: a day alone is its midnight, and a time without an offset is in UTC.
export function readMoment(text: string): number | null {
  const parts = MOMENT.exec(text)
  if (parts === null) return null
  const [year = 0, month = 0, day = 0] = [parts[1], parts[3], parts[4]].map(Number)
  const [hour = 0, minute = 0, second = 0] = parts.slice(5, 8).map((part) => Number(part ?? 0))
  const midnight = Date.UTC(year, month - 1, day)
  // Date.UTC turns 30 February into 2 March, which shows in the month.
  if (new Date(midnight).getUTCMonth() !== month - 1) return null
  // 24:00 is the end of the day, and :60 a leap second.
  if (hour > 24 || minute > 59 || second > 60 || (hour === 24 && minute + second > 0)) return null
  const offset = readOffset(parts[9] ?? 'Z')
  if (offset === null) return null
  const millis = Number((parts[8] ?? '').padEnd(3, '0').slice(0, 3))
  return midnight + ((hour * 60 + minute - offset) * 60 + second) * 1000 + millis
}

/** In minutes east of UTC. */
function readOffset(text: string): number | null {
  if (/^z$/i.test(text)) return 0
  const hours = Number(text.slice(1, 3))
  const minutes = Number(text.slice(3).replace(':', ''))
  if (hours > 23 || minutes > 59) return null
  return (hours * 60 + minutes) * (text.startsWith('-') ? -1 : 1)
}
