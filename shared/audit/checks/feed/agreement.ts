import type { FeedItem } from '../../../commerce/feed.ts'
import { isCurrency } from '../../../commerce/iso.ts'
import { AVAILABILITIES } from '../../../commerce/product.ts'
import { shown } from '../../../web/json.ts'
import type { FeedSeen, ProductPageSeen } from '../../evidence.ts'
import {
  compareStatements,
  type Disagreement,
  type StatedOffer,
  type StatedProduct,
  statementOf,
} from '../agreement.ts'
import { matchPages } from './prices.ts'
import { parseFeedPrice } from './values.ts'

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

/** One item that is no variant: its address has nothing that could choose one. */
const isAlone = (items: readonly FeedItem[]): boolean =>
  items.length === 1 && !items.some(({ link }) => link?.includes('?'))

/** A feed for another country links to that country's prices. */
export const isOfItsMarket = ({ link }: FeedItem): boolean =>
  !/[?&](?:currency|cur|country|market|region|locale|lang)=/i.test(link ?? '')

export const statementOfItems = (items: readonly FeedItem[]): StatedProduct => ({
  offers: items.map(offerOf),
  gtins: items.flatMap(({ gtin }) => gtin ?? []),
  mpns: items.flatMap(({ mpn }) => mpn ?? []),
  // A feed's id may be any, and is not the sku.
  skus: [],
})

function offerOf({ availability, price, sale_price }: FeedItem): StatedOffer {
  const word = (availability ?? '')
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
  const read = parseFeedPrice(sale_price ?? price ?? '')
  const currency = read?.currency ?? null
  return {
    availability,
    stock: AVAILABILITIES.find((each) => each === word) ?? null,
    price:
      read === null || Number(read.decimal) === 0 || currency === null || !isCurrency(currency)
        ? null
        : { decimal: read.decimal, currency },
  }
}
