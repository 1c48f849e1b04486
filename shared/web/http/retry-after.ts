/** Seconds: over thirty years, practically never. */
const MOST_SECONDS = 1_000_000_000

/** A date in HTTP begins with the day of the week; `Date` accepts much else, `1.5` too. */
const HTTP_DATE = /^(?:mon|tue|wed|thu|fri|sat|sun)/i

/**
 * Milliseconds to wait before the next request (RFC 9110, 10.2.3): from seconds, or from a date, by
 * the clock of the server if the answer has it, else by `now`. Null if nothing can be read.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now?: Date): number | null {
  const asked = headers['retry-after']?.trim() ?? ''
  if (/^\d+$/.test(asked)) return Math.min(Number(asked), MOST_SECONDS) * 1000
  const until = HTTP_DATE.test(asked) ? Date.parse(asked) : Number.NaN
  const said = Date.parse(headers.date ?? '')
  const from = Number.isNaN(said) ? now?.getTime() : said
  return Number.isNaN(until) || from === undefined ? null : Math.max(0, until - from)
}
