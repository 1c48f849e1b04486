import { exponentOf } from '../commerce/iso.ts'
import { englishCount } from '../web/text/english-count.ts'

/** The tag itself, or `en` if it is invalid: a browser's language is not validated. */
export function knownLocale(locale: string): string {
  // The first use of Intl costs a command some 15 ms.
  if (locale === 'en') return locale
  try {
    return Intl.NumberFormat.supportedLocalesOf(locale)[0] ?? 'en'
  } catch {
    return 'en'
  }
}

/** Days as in the exports and in form fields. */
const DAYS = { numberingSystem: 'latn', calendar: 'gregory' } as const

/**
 * Writes amounts in the smallest unit of a currency, with the decimals of ISO 4217. Without a
 * currency (nothing was sold) it writes plain numbers; an invalid code is appended. `short` is for
 * axes: 12,000.00 becomes 12K.
 */
export function moneyFormat(
  currency: string | null,
  locale = 'en',
  short = false,
): (amount: number) => string {
  if (currency === null) return (amount) => formatNumber(amount, locale)
  const digits = exponentOf(currency)
  const known = knownLocale(locale)
  const write = (style: Intl.NumberFormatOptions): ((major: number) => string) => {
    try {
      const format = new Intl.NumberFormat(known, {
        ...{ style: 'currency', currency },
        ...style,
      })
      return (major) => format.format(major)
    } catch {
      const format = new Intl.NumberFormat(known, style)
      return (major) => `${format.format(major)} ${currency}`
    }
  }
  const exact = write({ minimumFractionDigits: digits, maximumFractionDigits: digits })
  const compact = write({
    notation: 'compact',
    minimumFractionDigits: 0,
    maximumFractionDigits: 1,
  })
  return (amount) => {
    const major = amount / 10 ** digits
    return short && (major === 0 || Math.abs(major) >= 10) ? compact(major) : exact(major)
  }
}

/** `amount` in the smallest unit of `currency`. */
export const formatAmount = (amount: number, currency: string | null, locale = 'en'): string =>
  moneyFormat(currency, locale)(amount)

export const formatNumber = (value: number, locale = 'en'): string =>
  locale === 'en' ? englishCount(value) : new Intl.NumberFormat(knownLocale(locale)).format(value)

/** `ratio` 0.031 is 3.1%. */
export const formatPercent = (ratio: number, locale = 'en'): string =>
  new Intl.NumberFormat(knownLocale(locale), {
    style: 'percent',
    maximumFractionDigits: 1,
  }).format(ratio)

const DATE_STYLES = {
  full: { day: 'numeric', month: 'short', year: 'numeric' },
  day: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

/** Writes days such as `2026-11-21`. Other text is returned as it is. */
export function dateFormat(
  locale = 'en',
  style: keyof typeof DATE_STYLES = 'full',
): (day: string) => string {
  const format = new Intl.DateTimeFormat(knownLocale(locale), {
    ...DAYS,
    ...DATE_STYLES[style],
    timeZone: 'UTC',
  })
  return (day) => {
    const time = Date.parse(day)
    return Number.isNaN(time) ? day : format.format(time)
  }
}

export const formatDate = (day: string, locale = 'en'): string => dateFormat(locale)(day)

/** An ISO 8601 timestamp. Other text is returned as it is. */
export function formatDateTime(moment: string, locale = 'en', timeZone = 'UTC'): string {
  const time = Date.parse(moment)
  if (Number.isNaN(time)) return moment
  return new Intl.DateTimeFormat(knownLocale(locale), {
    ...DAYS,
    ...DATE_STYLES.full,
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  }).format(time)
}

const UNITS = [
  { unit: 'second', seconds: 1, below: 60 },
  { unit: 'minute', seconds: 60, below: 3600 },
  { unit: 'hour', seconds: 3600, below: 86_400 },
  { unit: 'day', seconds: 86_400, below: 30 * 86_400 },
  { unit: 'month', seconds: 30.44 * 86_400, below: 365 * 86_400 },
  { unit: 'year', seconds: 365.25 * 86_400, below: Number.POSITIVE_INFINITY },
] as const

/** How long ago: "5 minutes ago". A moment in the future counts as now: clocks differ. */
export function formatAge(from: string, now: Date, locale = 'en'): string {
  const time = Date.parse(from)
  if (Number.isNaN(time)) return from
  const age = Math.max(0, (now.getTime() - time) / 1000)
  const { unit, seconds } = UNITS.find(({ below }) => age < below) ?? UNITS[5]
  const count = unit === 'second' ? 0 : Math.floor(age / seconds)
  return new Intl.RelativeTimeFormat(knownLocale(locale), { numeric: 'auto' }).format(-count, unit)
}

/**
 * A relative change without its sign (0.25 and -0.25 are 25%): the words next to it give the
 * direction.
 */
export const formatChange = (change: number, locale = 'en'): string =>
  new Intl.NumberFormat(knownLocale(locale), {
    style: 'percent',
    maximumFractionDigits: Math.abs(change) < 0.1 ? 1 : 0,
  }).format(Math.abs(change))
