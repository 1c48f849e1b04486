import type { FeedItem } from '../../../commerce/feed.ts'
import { readFeedPrice } from '../../../commerce/feed-price.ts'
import { stockOf } from '../../../markup/availability.ts'
import { shown } from '../../../web/json/json.ts'
import type { FeedSeen, ProductPageSeen } from '../../evidence.ts'
import {
  compareStatements,
  type Disagreement,
  type StatedOffer,
  type StatedProduct,
  statementOf,
} from '../agreement.ts'
import { type FeedComparison, matchPages } from './prices.ts'

/** Where the feed and the pages of the same products contradict each other. */
export function compareFeed(
  feed: FeedSeen,
  pages: readonly ProductPageSeen[],
  about: Disagreement,
): FeedComparison {
  const comparison: FeedComparison = { compared: 0, differences: [], why: null }
  for (const { items, product, converted, url } of matchPages(feed, pages)) {
    // Beyond the sample there may be more variants of the page's product.
    const isWhole = feed.items.length >= feed.tally.rows || isAlone(items)
    const fits = about === 'currency' ? items.filter(isOfItsMarket) : items
    const [listed, said] = [statementOfItems(fits), statementOf(product)]
    const why = !isWhole
      ? `of the feed only the first ${feed.items.length} items are compared, and variants of ${url} may follow`
      : fits.length === 0
        ? `the feed lists ${url} for other countries alone`
        : about === 'currency'
          ? whyNotInMoney(listed, said, converted, url)
          : null
    if (why !== null) {
      comparison.why ??= why
      continue
    }
    comparison.compared += 1
    const found =
      about === 'currency' ? otherMoney(listed, said) : compareStatements[about](listed, said)
    if (found === null) continue
    const [first] = fits
    comparison.differences.push(
      `row ${first?.row} (id ${first?.id ?? 'none'}) has the ${found.what} ${shown(found.one)} in the feed, and ${shown(found.other)} on ${url}`,
    )
  }
  return comparison
}

/** Why the money of a page and of the feed cannot be compared; null where it can. */
function whyNotInMoney(
  listed: StatedProduct,
  said: StatedProduct,
  converted: boolean,
  url: string,
): string | null {
  if (!isPriced(listed)) return NO_CURRENCY
  if (!isPriced(said)) return `${url} states no price with its currency`
  return converted ? `${url} converts its prices` : null
}

/** A platform's list is in the one currency of its shop, and need not say which. */
export const NO_CURRENCY = 'the feed states no currency'

export const isPriced = ({ offers }: StatedProduct): boolean =>
  offers.some(({ price }) => price !== null)

/**
 * No currency in common. Google: the page that an item links to shows the currency of the item,
 * https://support.google.com/merchants/answer/160637.
 */
function otherMoney(listed: StatedProduct, said: StatedProduct) {
  const [here, there] = [listed, said].map(({ offers }) =>
    offers.flatMap(({ price }) => price ?? []),
  )
  const [one, other] = [here?.[0], there?.[0]]
  const isShared = here?.some((a) => there?.some((b) => a.currency === b.currency))
  if (isShared || one === undefined || other === undefined) return null
  const text = ({ decimal, currency }: typeof one) => `${decimal} ${currency}`
  return { what: 'currency', one: text(one), other: text(other) }
}

/** One item that is not a variant: its address has nothing that could choose one. */
const isAlone = (items: readonly FeedItem[]): boolean =>
  items.length === 1 && !items.some(({ link }) => link?.includes('?'))

/** A feed for another country links to that country's prices. */
export const isOfItsMarket = ({ link }: FeedItem): boolean =>
  !/[?&](?!utm_)(?:[^=&#]*(?:currency|country|market|region|locale)[^=&#]*|cur|ccy|lang|(?:___)?store)=/i.test(
    link ?? '',
  )

export const statementOfItems = (items: readonly FeedItem[]): StatedProduct => ({
  offers: items.flatMap(offersOf),
  gtins: items.flatMap(({ gtin }) => gtin ?? []),
  mpns: items.flatMap(({ mpn }) => mpn ?? []),
  // A feed's id may be any, and is not the sku.
  skus: [],
})

/** One offer; a price that may be read in two ways, such as `1,299 EUR`, makes two of it. */
function offersOf({ availability, price, sale_price }: FeedItem): StatedOffer[] {
  const said = { availability, stock: availability === null ? null : stockOf(availability) }
  const { decimals, currency } = readFeedPrice(sale_price ?? price ?? '')
  const amounts = currency === null ? [] : decimals.filter((each) => Number(each) > 0)
  return amounts.length === 0 || currency === null
    ? [{ ...said, price: null }]
    : amounts.map((decimal) => ({ ...said, price: { decimal, currency } }))
}
