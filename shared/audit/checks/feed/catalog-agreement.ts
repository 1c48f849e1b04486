import { type ListedProduct, listedProducts } from '../../../commerce/catalog/listing.ts'
import type { FeedItem } from '../../../commerce/feed.ts'
import { isSameAmount } from '../../../commerce/price-text.ts'
import { linkKey } from '../../../web/address/link-key.ts'
import { field, isRecord, shown } from '../../../web/json/json.ts'
import type { CatalogSeen, FeedSeen, ProductPageSeen } from '../../evidence.ts'
import { compareStatements, type Disagreement, type StatedProduct } from '../agreement.ts'
import { compareCatalog, comparePrices, statementOfPart } from '../catalog/agreement.ts'
import {
  baseOf,
  isOfItsMarket,
  isPriced,
  linkKeysOf,
  matchPages,
  statementOfItems,
} from './agreement.ts'

/**
 * Where the feed and the catalog contradict each other, item by item, for products whose pages were
 * not read: where one was, it shows which of the two is wrong. A catalog that contradicts its pages
 * has a gap of its own, and is not used here.
 */
export function compareFeedWithCatalog(
  feed: FeedSeen,
  catalog: CatalogSeen,
  pages: readonly ProductPageSeen[],
  about: Disagreement | 'price',
): { compared: number; differences: string[] } {
  const differences: string[] = []
  let compared = 0
  if (contradictsPages(catalog, pages, about)) return { compared, differences }
  const known = new Set(matchPages(feed, pages).flatMap(({ items }) => items))
  for (const { item, stated, said, where } of matchOffers(feed, catalog)) {
    if (known.has(item) || (about === 'currency' && !isOfItsMarket(item))) continue
    if (about === 'price' && !arePricesComparable(stated, said)) continue
    if (about === 'currency' && !(isPriced(stated) && isPriced(said))) continue
    compared += 1
    const found =
      about === 'price' ? priceOf(item, stated, said) : compareStatements[about](stated, said)
    if (found === null) continue
    differences.push(
      `row ${item.row} (id ${item.id}) has the ${found.what} ${shown(found.one)} in the feed, and ${shown(found.other)} in ${where}`,
    )
  }
  return { compared, differences }
}

function contradictsPages(
  catalog: CatalogSeen,
  pages: readonly ProductPageSeen[],
  about: Disagreement | 'price',
): boolean {
  if (about !== 'price') return compareCatalog(catalog, pages, about).differences.length > 0
  const { mismatch, major_units } = comparePrices(catalog, pages)
  return mismatch.length + major_units.length > 0
}

/** Where the catalog lists the one product of a feed, and what it calls it; null if nowhere. */
export function listedAs(
  feed: FeedSeen,
  catalog: CatalogSeen,
): { where: string; names: (string | null)[] } | null {
  const [offer] = matchOffers(feed, catalog)
  return offer === undefined ? null : { where: offer.where, names: offer.names }
}

interface MatchedOffer {
  item: FeedItem
  stated: StatedProduct
  said: StatedProduct
  /** Of the product, and of its variant. */
  names: (string | null)[]
  /** `products[3].variants[0] on https://…` */
  where: string
}

const known = new WeakMap<FeedSeen, WeakMap<CatalogSeen, readonly MatchedOffer[]>>()

/** Items and offers of one id that neither side has twice, and no two addresses contradict. */
function matchOffers(feed: FeedSeen, catalog: CatalogSeen): readonly MatchedOffer[] {
  const ofFeed = known.get(feed) ?? new WeakMap<CatalogSeen, readonly MatchedOffer[]>()
  const matched = ofFeed.get(catalog) ?? findMatches(feed, catalog)
  known.set(feed, ofFeed.set(catalog, matched))
  return matched
}

function findMatches(feed: FeedSeen, catalog: CatalogSeen): MatchedOffer[] {
  const offers = Map.groupBy(listedProducts(catalog).flatMap(offersOf), ({ id }) => id)
  const items = Map.groupBy(feed.items, ({ id }) => id)
  const keys = linkKeysOf(feed)
  const pageOf = (key: string | null | undefined) => key?.split('\n').slice(0, 2).join('\n')
  return [...items].flatMap(([id, [item, again]]) => {
    const [offer, second] = (id === null ? undefined : offers.get(id)) ?? []
    if (item === undefined || again || offer === undefined || second) return []
    const { url, said, names, where } = offer
    const isOther =
      item.link !== null &&
      url !== null &&
      pageOf(keys.get(item)) !== pageOf(linkKey(url, baseOf(feed)))
    return isOther ? [] : [{ item, stated: statementOfItems([item]), said, names, where }]
  })
}

/** What can be bought of a listed product: its variants, or itself. */
function offersOf({ product, where }: ListedProduct) {
  const variants = field(product, 'variants')
  const parts = Array.isArray(variants) ? variants.filter(isRecord) : []
  const url = textOf(product, 'url')
  const offer = (part: unknown, place: string) => ({
    id: textOf(part, 'id'),
    url,
    said: statementOfPart(part),
    names: [textOf(part, 'name'), textOf(product, 'name')],
    where: place,
  })
  if (parts.length === 0) return [offer(product, where)]
  return parts.map((part, n) => offer(part, where.replace(/(?= on )/, `.variants[${n}]`)))
}

const textOf = (part: unknown, name: string): string | null => {
  const value = field(part, name)
  return typeof value === 'string' ? value : null
}

const arePricesComparable = (one: StatedProduct, other: StatedProduct): boolean =>
  one.offers.some(({ price }) =>
    other.offers.some((offer) => price !== null && offer.price?.currency === price.currency),
  )

/** A feed states the price with and without a sale: the catalog has one of them. */
function priceOf(item: FeedItem, stated: StatedProduct, said: StatedProduct) {
  const regular =
    item.sale_price === null ? [] : statementOfItems([{ ...item, sale_price: null }]).offers
  const prices = [...stated.offers, ...regular].flatMap(({ price }) => price ?? [])
  const listed = said.offers.flatMap(({ price }) => price ?? [])
  const isSame = prices.some((one) =>
    listed.some(
      (other) =>
        one.currency === other.currency && isSameAmount(one.decimal, other.decimal, one.currency),
    ),
  )
  const [one, other] = [prices[0], listed[0]]
  if (isSame || one === undefined || other === undefined) return null
  const text = ({ decimal, currency }: typeof one) => `${decimal} ${currency}`
  return { what: 'price', one: text(one), other: text(other) }
}
