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
import { matchPages } from './prices.ts'

/** Where the feed and the pages of the same products contradict each other. */
export function compareFeed(
  feed: FeedSeen,
  pages: readonly ProductPageSeen[],
  about: Disagreement,
): { compared: number; differences: string[] } {
  const differences: string[] = []
  let compared = 0
  for (const { items, product, url } of matchPages(feed, pages)) {
    // Beyond the sample there may be more variants of the page's product.
    const isWhole = feed.items.length >= feed.tally.rows || isAlone(items)
    const fits = about === 'currency' ? items.filter(isOfItsMarket) : items
    if (!isWhole || fits.length === 0) continue
    compared += 1
    const found = compareStatements[about](statementOfItems(fits), statementOf(product))
    if (found === null) continue
    const [first] = fits
    differences.push(
      `row ${first?.row} (id ${first?.id ?? 'none'}) has the ${found.what} ${shown(found.one)} in the feed, and ${shown(found.other)} on ${url}`,
    )
  }
  return { compared, differences }
}

/** One item that is not a variant: its address has nothing that could choose one. */
const isAlone = (items: readonly FeedItem[]): boolean =>
  items.length === 1 && !items.some(({ link }) => link?.includes('?'))

/** A feed for another country links to that country's prices. */
export const isOfItsMarket = ({ link }: FeedItem): boolean =>
  !/[?&](?:currency|cur|country|market|region|locale|lang)=/i.test(link ?? '')

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
