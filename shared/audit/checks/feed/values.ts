/** A price of a feed, which writes amount and currency in one text. */
interface FeedPrice {
  /** In major units, with a point: `1299.00`. */
  decimal: string
  /** Null where the feed names none, as Shopify's. */
  currency: string | null
}

/** Thousands separated by commas, or one decimal sign of either kind. */
const NUMBER = /^(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?)$/

/** Characters; anything longer is no price, and must not reach the patterns. */
const MAX_PRICE = 40

/**
 * Reads `79.95 AUD`, the form of Google Merchant Center, and what is often written instead: `AUD
 * 1,299.00`, `79,95 EUR`, `$79.95`. A sign is no currency, because `$` has many. Null for other
 * text.
 */
export function parseFeedPrice(written: string): FeedPrice | null {
  if (written.length > MAX_PRICE) return null
  const number = written
    .trim()
    .replace(/^(?:[a-z]{3}|\p{Sc})\s*/iu, '')
    .replace(/\s*(?:[a-z]{3}|\p{Sc})$/iu, '')
  if (!NUMBER.test(number)) return null
  const decimal = /,\d{3}/.test(number) ? number.replaceAll(',', '') : number.replace(',', '.')
  return { decimal, currency: /[a-z]{3}/i.exec(written)?.[0].toUpperCase() ?? null }
}
