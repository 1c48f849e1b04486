const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const CLF = /^(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d)$/
const ISO = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(Z|[+-]\d\d:?\d\d)?$/
const NUMBER = /^\d{9,19}(?:\.\d+)?$/

/** What no log is of: it tells a number of seconds from one of milliseconds as well. */
const FIRST = Date.UTC(2000, 0)
const LAST = Date.UTC(2100, 0)

/** Neighbours in a log are often of one second. */
let last = { text: '', at: Number.NaN }

/**
 * The time that a log gives, in milliseconds UTC: as Apache and nginx write it, as ISO 8601 (UTC
 * where it says nothing else), or a count of seconds, milli-, micro- or nanoseconds. NaN if it is
 * none of them, or not of this century.
 */
export function instantOf(value: unknown): number {
  if (typeof value === 'number') return fromCount(value)
  if (typeof value !== 'string' || value.length > 40) return Number.NaN
  if (value !== last.text) last = { text: value, at: fromText(value) }
  return last.at
}

function fromText(text: string): number {
  if (NUMBER.test(text)) return fromCount(Number(text))
  const iso = ISO.exec(text)
  if (iso !== null) {
    return checked(Date.parse(`${text.replace(' ', 'T').replace(',', '.')}${iso[1] ? '' : 'Z'}`))
  }
  const read = CLF.exec(text)
  if (read === null) return Number.NaN
  const [, day, name = '', year, hours, minutes, seconds, sign, ahead, aheadMinutes] = read
  const month = MONTHS.indexOf(name)
  const date = new Date(0)
  date.setUTCFullYear(Number(year), month, Number(day))
  // The 31st of a shorter month is no day.
  if (month === -1 || date.getUTCDate() !== Number(day)) return Number.NaN
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 60) return Number.NaN
  date.setUTCHours(Number(hours), Number(minutes), Number(seconds))
  const offset = (Number(ahead) * 60 + Number(aheadMinutes)) * 60_000
  return checked(date.getTime() + (sign === '-' ? offset : -offset))
}

function fromCount(count: number): number {
  for (const unit of [1000, 1, 1e-3, 1e-6]) {
    const at = Math.round(count * unit)
    if (at >= FIRST && at < LAST) return at
  }
  return Number.NaN
}

const checked = (at: number): number => (at >= FIRST && at < LAST ? at : Number.NaN)
