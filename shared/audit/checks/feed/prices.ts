import type { FeedItem } from '../../../commerce/feed.ts'
import { readFeedPrice } from '../../../commerce/feed-price.ts'
import { isSameAmount } from '../../../commerce/price-text.ts'
import { formatMoney, type Money, toMajor } from '../../../commerce/product.ts'
import { canonicalOf } from '../../../markup/canonical.ts'
import { allOffers, mainProduct, type ProductMarkup } from '../../../markup/products.ts'
import { linkKey, pageAddress } from '../../../web/address/link-key.ts'
import type { FeedSeen, ProductPageSeen } from '../../evidence.ts'
import { mayDifferByTax } from '../agreement.ts'

/** How the feed's prices compare with those of the pages. */
interface FeedPriceComparison {
  /** Product pages that the feed lists too, with prices that can be compared. */
  compared: number
  /** One sentence each. */
  mismatches: string[]
}

/** A page and the items of the feed that list its product. */
interface MatchedPage {
  items: FeedItem[]
  product: ProductMarkup
  /** The page's address as it was asked for. */
  url: string
}

type Pages = readonly ProductPageSeen[]
const known = new WeakMap<FeedSeen, WeakMap<Pages, readonly MatchedPage[]>>()

/**
 * Pages that were read and that the feed lists too, found by their links or, without one to this
 * site, by sku: an id such as 15 may be another product's sku. A page that no link leads to stands
 * for the one that it names as canonical, and one of a variant for the items with its own address
 * where there are any. Matched once for all rules.
 */
export function matchPages(feed: FeedSeen, pages: Pages): readonly MatchedPage[] {
  const ofFeed = known.get(feed) ?? new WeakMap<Pages, readonly MatchedPage[]>()
  const matched = ofFeed.get(pages) ?? findMatches(feed, pages)
  known.set(feed, ofFeed.set(pages, matched))
  return matched
}

function findMatches(feed: FeedSeen, pages: Pages): MatchedPage[] {
  const base = feed.fetched.kind === 'answer' ? feed.fetched.final_url : (feed.url ?? '')
  const listed = feed.items.map((item) => ({ item, key: item.link && linkKey(item.link, base) }))
  return pages.flatMap(({ fetched, page }) => {
    // A page that was cut may state other prices as well.
    if (fetched.kind !== 'answer' || page === null || page.truncated !== null) return []
    const product = mainProduct(page)
    if (product === null) return []
    const { url, final_url } = fetched
    const pageKeys = [linkKey(url, base), linkKey(final_url, base)]
    const leadingTo = (keys: readonly (string | null)[]) =>
      listed.filter(({ key }) => keys.some((page) => leadsTo(key, page)))
    const near = leadingTo(pageKeys)
    const address = pageAddress(url)
    const own = near.filter(({ item }) => item.link && pageAddress(item.link, base) === address)
    const linked =
      [own, near].find(({ length }) => length > 0) ?? leadingTo([linkKey(canonicalOf(page))])
    const skus = new Set([product, ...product.variants].map(({ sku }) => sku))
    const found =
      linked.length > 0
        ? linked
        : listed.filter(
            ({ item: { id }, key }) =>
              id && skus.has(id) && !pageKeys.some((page) => hostIn(page) === hostIn(key)),
          )
    const items = found.map(({ item }) => item)
    return items.length === 0 ? [] : [{ items, product, url }]
  })
}

/**
 * Compares the feed with the markup of the product pages that were read. A page of variants has
 * several prices, and a feed several items for it: one that they share is enough. A price with a
 * word on taxes may be the feed's without them.
 */
export function compareFeedPrices(
  feed: FeedSeen,
  pages: readonly ProductPageSeen[],
): FeedPriceComparison {
  const comparison: FeedPriceComparison = { compared: 0, mismatches: [] }
  for (const { items, product, url } of matchPages(feed, pages)) {
    const verdict = judge(items, product)
    if (verdict === null) continue
    comparison.compared += 1
    if (verdict.is === 'mismatch') comparison.mismatches.push(`${verdict.text} on ${url}`)
  }
  return comparison
}

/** A link with more parameters than the page's own address preselects one of its variants. */
const leadsTo = (link: string | null, page: string | null): boolean =>
  link !== null && page !== null && (link === page || link.startsWith(`${page}\n`))

const hostIn = (key: string | null): string | null => key?.split('\n', 1)[0] ?? null

/** Null where nothing can be compared: no price, other currencies, or a page that gives a range. */
function judge(
  items: readonly FeedItem[],
  product: ProductMarkup,
): { is: 'equal' } | { is: 'mismatch'; text: string } | null {
  const offers = allOffers(product)
  const stated = Map.groupBy(
    offers.flatMap(({ minor, currency, states_tax }) =>
      minor === null || currency === null
        ? []
        : [{ amount: minor, currency: currency.toUpperCase(), states_tax }],
    ),
    ({ currency }) => currency,
  )
  const isEqual = (decimal: string, currency: string) =>
    stated.get(currency)?.some(({ states_tax, ...money }) => {
      const major = toMajor(money)
      return (
        isSameAmount(decimal, major, currency) ||
        (states_tax && mayDifferByTax(Number(decimal), Number(major)))
      )
    })
  let different: { item: FeedItem; written: string; offer: Money } | null = null
  for (const item of items) {
    for (const written of [item.sale_price, item.price]) {
      if (written === null) continue
      const price = readFeedPrice(written)
      // What is paid by the month costs nothing here, and on its page perhaps the rate.
      const decimals = price.decimals.filter((each) => Number(each) > 0)
      if (decimals.length === 0) continue
      // Without a currency, a different price may be in another one: only an equal one says a
      // thing.
      const currencies = price.currency === null ? [...stated.keys()] : [price.currency]
      for (const currency of currencies) {
        if (decimals.some((each) => isEqual(each, currency))) return { is: 'equal' }
        const [offer] = price.currency === null ? [] : (stated.get(currency) ?? [])
        if (offer !== undefined) different ??= { item, written, offer }
      }
    }
  }
  if (different === null || offers.some(({ aggregate }) => aggregate)) return null
  const { item, written, offer } = different
  const feedSays = `row ${item.row} (id ${item.id ?? 'none'}) costs ${written} in the feed`
  return { is: 'mismatch', text: `${feedSays} and ${formatMoney(offer)}` }
}
