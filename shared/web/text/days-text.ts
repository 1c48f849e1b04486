const DAYS = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** Two days as a range, or one; not every font has thin spaces. */
export const daysText = (from: string, to: string): string =>
  DAYS.formatRange(new Date(from), new Date(to)).replaceAll('\u2009', ' ')
