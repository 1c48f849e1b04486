import { isTrackingParameter } from '../../../web/tracking.ts'

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

/**
 * The part of a link that identifies its product: host without `www.`, path without trailing slash,
 * and the query without tracking parameters and the choice of a variant. Null for text that is not
 * a link.
 */
export function linkKey(link: string, base: string): string | null {
  const url = URL.parse(link, base)
  if (url === null) return null
  const query = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !isIgnored(part.split('=', 1)[0] ?? ''))
  const host = url.hostname.replace(/^www\./, '')
  return [host, url.pathname.replace(/\/$/, ''), ...query.toSorted()].join('\n')
}

/** Feeds link to a variant where pages name the product. */
const isIgnored = (parameter: string): boolean =>
  isTrackingParameter(parameter) || parameter.toLowerCase() === 'variant'
