import type { FeedItem } from '../../../commerce/feed.ts'
import { isSameAmount, readFeedPrice } from '../../../commerce/price-text.ts'
import { formatMoney, type Money, toMajor } from '../../../commerce/product.ts'
import { stockOf } from '../../../markup/availability.ts'
import { canonicalOf } from '../../../markup/page-signs/address.ts'
import { allOffers, mainProduct, type ProductMarkup } from '../../../markup/products.ts'
import { linkKey, pageAddress } from '../../../web/address/link-key.ts'
import { shown } from '../../../web/json/json.ts'
import type { FeedSeen, ProductPageSeen } from '../../evidence.ts'
import {
  compareStatements,
  type Disagreement,
  mayDifferByTax,
  type StatedOffer,
  type StatedProduct,
  statementOf,
} from '../agreement.ts'

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

/** How the feed compares with the pages. */
export interface FeedComparison {
  /** Product pages that the feed lists too, with values that can be compared. */
  compared: number
  /** One sentence each. */
  differences: string[]
  /** Why a page that the feed lists could not be compared, as a reason of a skip; null if none. */
  why: string | null
}

/** A page and the items of the feed that list its product. */
interface MatchedPage {
  items: FeedItem[]
  product: ProductMarkup
  /** Prices on it are converted from the money of the shop. */
  converted: boolean
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

const keys = new WeakMap<FeedSeen, ReadonlyMap<FeedItem, string | null>>()

/** What the addresses in a feed are relative to. */
export const baseOf = ({ fetched, url }: FeedSeen): string =>
  fetched.kind === 'answer' ? fetched.final_url : (url ?? '')

/** The key of each item's link, read once for all rules; null without one. */
export function linkKeysOf(feed: FeedSeen): ReadonlyMap<FeedItem, string | null> {
  const base = baseOf(feed)
  const found =
    keys.get(feed) ??
    new Map(feed.items.map((item) => [item, item.link === null ? null : linkKey(item.link, base)]))
  keys.set(feed, found)
  return found
}

function findMatches(feed: FeedSeen, pages: Pages): MatchedPage[] {
  const base = baseOf(feed)
  const listed = [...linkKeysOf(feed)].map(([item, key]) => ({ item, key }))
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
    return items.length === 0 ? [] : [{ items, product, converted: page.converted, url }]
  })
}

/**
 * Compares the feed with the markup of the product pages that were read. A page of variants has
 * several prices, and a feed several items for it: one that they share is enough. A price with a
 * word on taxes may be the feed's without them. A list without currencies is in the one that its
 * pages state.
 */
export function compareFeedPrices(
  feed: FeedSeen,
  pages: readonly ProductPageSeen[],
): FeedComparison {
  const comparison: FeedComparison = { compared: 0, differences: [], why: null }
  const matched = matchPages(feed, pages)
  const money = moneyOf(matched)
  for (const { items, product, url } of matched) {
    const verdict = judge(items, product, money)
    if (verdict.is === 'unknown') comparison.why ??= verdict.why.replace('%s', () => url)
    else comparison.compared += 1
    if (verdict.is === 'mismatch') comparison.differences.push(`${verdict.text} on ${url}`)
  }
  return comparison
}

/** The currency of a list that states none, or why it is not known. */
type ListMoney = { currency: string } | { why: string }

function moneyOf(matched: readonly MatchedPage[]): ListMoney {
  if (matched.some(({ converted }) => converted)) {
    return { why: 'the list states no currency, and %s converts its prices' }
  }
  const stated = new Set(matched.flatMap(({ product }) => [...pricesIn(product).keys()]))
  const [currency, other] = stated
  if (currency === undefined) return { why: '%s states no price that can be read' }
  return other === undefined
    ? { currency }
    : { why: `the list states no currency, and its pages state ${currency} and ${other}` }
}

/** A link with more parameters than the page's own address preselects one of its variants. */
const leadsTo = (link: string | null, page: string | null): boolean =>
  link !== null && page !== null && (link === page || link.startsWith(`${page}\n`))

const hostIn = (key: string | null): string | null => key?.split('\n', 1)[0] ?? null

/** The prices of a page that can be read, by their currency. */
function pricesIn(product: ProductMarkup) {
  const stated = allOffers(product).flatMap(({ minor, currency, states_tax }) =>
    minor === null || currency === null
      ? []
      : [{ amount: minor, currency: currency.toUpperCase(), states_tax }],
  )
  return Map.groupBy(stated, ({ currency }) => currency)
}

type Judged = { is: 'equal' } | { is: 'mismatch'; text: string } | { is: 'unknown'; why: string }

/** Unknown where nothing can be compared; `%s` in the reason stands for the page. */
function judge(items: readonly FeedItem[], product: ProductMarkup, money: ListMoney): Judged {
  const stated = pricesIn(product)
  const isEqual = (decimal: string, currency: string) =>
    stated.get(currency)?.some(({ states_tax, ...price }) => {
      const major = toMajor(price)
      return (
        isSameAmount(decimal, major, currency) ||
        (states_tax && mayDifferByTax(Number(decimal), Number(major)))
      )
    })
  let different: { item: FeedItem; written: string; offer: Money } | null = null
  let why: string | null = stated.size === 0 ? '%s states no price that can be read' : null
  for (const item of items) {
    for (const written of [item.sale_price, item.price]) {
      if (written === null) continue
      const price = readFeedPrice(written)
      // What is paid by the month costs nothing here, and on its page perhaps the rate.
      const decimals = price.decimals.filter((each) => Number(each) > 0)
      if (decimals.length === 0) continue
      const currencies = price.currency === null ? [...stated.keys()] : [price.currency]
      if (currencies.some((currency) => decimals.some((each) => isEqual(each, currency)))) {
        return { is: 'equal' }
      }
      // A sign such as $ is of several currencies.
      const isBare = price.currency === null && /^[\d.,'\s]+$/.test(written)
      const currency = isBare && 'currency' in money ? money.currency : price.currency
      const [offer] = currency === null ? [] : (stated.get(currency) ?? [])
      if (offer !== undefined) different ??= { item, written, offer }
      else if (currency !== null) why ??= `the feed has ${currency}, and %s another currency`
      else why ??= isBare && 'why' in money ? money.why : `the feed does not say in which currency`
    }
  }
  if (different === null) {
    return { is: 'unknown', why: why ?? 'the feed states no price of %s that can be read' }
  }
  if (allOffers(product).some(({ aggregate }) => aggregate)) {
    return { is: 'unknown', why: '%s states a range of prices' }
  }
  const { item, written, offer } = different
  const feedSays = `row ${item.row} (id ${item.id ?? 'none'}) costs ${written} in the feed`
  return { is: 'mismatch', text: `${feedSays} and ${formatMoney(offer)}` }
}
