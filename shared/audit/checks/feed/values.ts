import { readPriceText } from '../../../commerce/price-text.ts'

/**
 * What a price of a feed may mean, in major units, the likeliest first. Google and OpenAI write
 * `1299.00 USD`: a point is the decimal sign there, so `1.299 USD` is not 1299. A comma is none of
 * theirs and may be either. Without decimals it is no price.
 */
export function readFeedPrice(written: string): { decimals: string[]; currency: string | null } {
  const { decimals, currency } = readPriceText(written)
  const [first] = decimals
  return { decimals: first?.includes('.') ? [first] : decimals, currency }
}
