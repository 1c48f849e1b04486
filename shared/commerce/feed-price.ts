import { readPriceText } from './price-text.ts'

/** The price format of Google and OpenAI, without the blank: `1299.00 USD`. */
const FORM = /^\s*\d+\.\d+\s*[a-z]{3}\s*$/i

/**
 * What a price of a feed may mean, in major units, the likeliest first. In the format of Google and
 * OpenAI the point is the decimal sign, so `1.299 USD` is not 1299, except for currencies without
 * decimals. In other formats, such as `Rp 169.000`, it may be either. Empty for text that is not a
 * price.
 */
export function readFeedPrice(written: string): { decimals: string[]; currency: string | null } {
  const { decimals, currency } = readPriceText(written)
  return { decimals: FORM.test(written) ? decimals.slice(0, 1) : decimals, currency }
}
