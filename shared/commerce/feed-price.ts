import { readPriceText } from './price-text.ts'

/** As Google and OpenAI write a price, but for the blank: `1299.00 USD`. */
const FORM = /^\s*\d+\.\d+\s*[a-z]{3}\s*$/i

/**
 * What a price of a feed may mean, in major units, the likeliest first. In the form of Google and
 * OpenAI a point is the decimal sign, so `1.299 USD` is not 1299, but for currencies that have no
 * decimals; in others, such as `Rp 169.000`, it may be either. Without decimals it is no price.
 */
export function readFeedPrice(written: string): { decimals: string[]; currency: string | null } {
  const { decimals, currency } = readPriceText(written)
  return { decimals: FORM.test(written) ? decimals.slice(0, 1) : decimals, currency }
}
