import { type ListedProduct, nonEmptyText } from '../../../commerce/catalog/listing.ts'
import { exponentOf } from '../../../commerce/iso.ts'
import { Availability, formatMoney, Money, toMajor } from '../../../commerce/product.ts'
import { canonicalOf } from '../../../markup/page-signs/address.ts'
import { allOffers, mainProduct, type ProductMarkup } from '../../../markup/products.ts'
import { linkKey, pageAddress } from '../../../web/address/link-key.ts'
import { field, isRecord, shown } from '../../../web/json/json.ts'
import type { CatalogSeen, ProductPageSeen } from '../../evidence.ts'
import {
  compareStatements,
  type Disagreement,
  mayDifferByTax,
  type StatedOffer,
  type StatedProduct,
  statementOf,
} from '../agreement.ts'
import { seenProducts } from './seen-products.ts'

/** What the catalog and a page say differently of a product. */
export interface ProductDifference {
  sentence: string
  page: string
  /** Ids of the catalog's products that lead to the page. */
  products: string[]
}

const differenceAt = ({ url, listed }: MatchedPage, sentence: string): ProductDifference => ({
  sentence,
  page: url,
  products: listed.flatMap(({ product }) => nonEmptyText(product, 'id') ?? []),
})

/** Where the catalog and the pages of the same products contradict each other. */
export function compareCatalog(
  catalog: CatalogSeen,
  pages: readonly ProductPageSeen[],
  about: Disagreement,
): { compared: number; differences: ProductDifference[] } {
  const differences: ProductDifference[] = []
  let compared = 0
  for (const matched of matchCatalogPages(catalog, pages)) {
    const { listed, markup, url } = matched
    compared += 1
    const said = listed.map(({ product }) => statementOfProduct(product))
    const found = compareStatements[about](together(said), statementOf(markup))
    if (found === null) continue
    differences.push(
      differenceAt(
        matched,
        `${listed[0]?.where} has the ${found.what} ${shown(found.one)}, and ${url} says ${shown(found.other)}`,
      ),
    )
  }
  return { compared, differences }
}

/** A product with variants is what its variants are: its own price and stock sum them up. */
function statementOfProduct(product: unknown): StatedProduct {
  const variants = field(product, 'variants')
  const parts = Array.isArray(variants) ? variants.filter(isRecord).slice(0, MAX_VARIANTS) : []
  const said = [product, ...parts].map(statementOfPart)
  return { ...together(said), offers: (parts.length > 0 ? parts : [product]).map(offerOf) }
}

/** One variant, or a product aside from its variants. */
export function statementOfPart(part: unknown): StatedProduct {
  const texts = (name: string) => {
    const value = field(part, name)
    return typeof value === 'string' && value.trim() !== '' ? [value] : []
  }
  return { offers: [offerOf(part)], gtins: texts('gtin'), mpns: texts('mpn'), skus: texts('sku') }
}

const MAX_VARIANTS = 200

function offerOf(part: unknown): StatedOffer {
  const price = Money.safeParse(field(part, 'price'))
  const stock = Availability.safeParse(field(part, 'availability'))
  return {
    availability: stock.success ? stock.data : null,
    stock: stock.success ? stock.data : null,
    price: price.success ? { decimal: toMajor(price.data), currency: price.data.currency } : null,
  }
}

const together = (statements: readonly StatedProduct[]): StatedProduct => ({
  offers: statements.flatMap(({ offers }) => offers),
  gtins: statements.flatMap(({ gtins }) => gtins),
  mpns: statements.flatMap(({ mpns }) => mpns),
  skus: statements.flatMap(({ skus }) => skus),
})

/** A page that was read, its product, and the catalog's products that lead to it. */
interface MatchedPage {
  listed: readonly ListedProduct[]
  markup: ProductMarkup
  /** The page's address as it was asked for. */
  url: string
}

type ByPage = ReadonlyMap<string | null, readonly ListedProduct[]>
const known = new WeakMap<CatalogSeen, ByPage>()

/**
 * Pages that were read and whose products the catalog lists. A page is asked for over https and
 * without what follows a visit, so that its address need not be the one that the catalog writes.
 * One whose own address the catalog does not know stands for the page that it names as canonical,
 * which is then not read: the home page of a shop of one product. Where products differ only by the
 * variant that is chosen, a page speaks for its own; for all where none has its address.
 */
function matchCatalogPages(
  catalog: CatalogSeen,
  pages: readonly ProductPageSeen[],
): readonly MatchedPage[] {
  const byPage = known.get(catalog) ?? groupByPage(catalog)
  known.set(catalog, byPage)
  return pages.flatMap(({ fetched, page }) => {
    // A page that was cut may state other offers as well.
    if (fetched.kind !== 'answer' || page === null || page.truncated !== null) return []
    const { url } = fetched
    const at = (address: string) => byPage.get(linkKey(address))
    const found = at(url) ?? at(canonicalOf(page)) ?? []
    const address = pageAddress(url)
    const own = found.filter(({ product }) => pageAddress(String(product.url)) === address)
    const listed = own.length > 0 ? own : found
    const markup = mainProduct(page)
    return listed.length === 0 || markup === null ? [] : [{ listed, markup, url }]
  })
}

/** Several products may share a page; those whose address leads to none are left out. */
function groupByPage(catalog: CatalogSeen): ByPage {
  const byPage = Map.groupBy(seenProducts(catalog), ({ product: { url } }) =>
    typeof url === 'string' ? linkKey(url) : null,
  )
  byPage.delete(null)
  return byPage
}

/**
 * `major_units`: the page's price is the catalog's amount times the currency's factor, such as 25
 * for 25.00 USD. `mismatch`: any other difference.
 */
export type PriceFault = 'major_units' | 'mismatch'

/** How the catalog's prices compare with the markup of the same products' pages. */
interface PriceComparison extends Record<PriceFault, ProductDifference[]> {
  compared: number
}

/**
 * Compares products whose page was read. Prices in other currencies are not compared,
 * since shops show the visitor's. One price that both name is enough: a page of variants has
 * several. A page's price with a word on taxes may be the catalog's without them.
 */
export function comparePrices(
  catalog: CatalogSeen,
  pages: readonly ProductPageSeen[],
): PriceComparison {
  const comparison: PriceComparison = { compared: 0, major_units: [], mismatch: [] }
  for (const matched of matchCatalogPages(catalog, pages)) {
    const { listed, markup, url } = matched
    const prices = listed.flatMap(({ product }) => pricesOf(product))
    const currencies = new Set(prices.map(({ currency }) => currency))
    const stated = statedPrices(markup).filter(({ currency }) => currencies.has(currency))
    const amounts = new Set(stated.map(({ amount }) => amount))
    const taxed = stated.filter(({ states_tax }) => states_tax)
    if (prices.length === 0 || stated.length === 0) continue
    comparison.compared += 1
    const [price, statedPrice] = [prices[0], stated[0]]
    if (price === undefined || statedPrice === undefined) continue
    if (prices.some(({ amount }) => amounts.has(amount))) continue
    if (prices.some((each) => taxed.some((one) => isByTax(each, one)))) continue
    const said = `${listed[0]?.where} costs ${formatMoney(price)} (amount ${price.amount}), ${url} says ${formatMoney(statedPrice)}`
    const scale = 10 ** exponentOf(price.currency)
    const inMajorUnits = scale > 1 && amounts.has(price.amount * scale)
    comparison[inMajorUnits ? 'major_units' : 'mismatch'].push(differenceAt(matched, said))
  }
  return comparison
}

const isByTax = (one: Money, other: Money): boolean =>
  one.currency === other.currency && mayDifferByTax(one.amount, other.amount)

/** The product's price and its variants', those that can be read. */
function pricesOf(product: Record<string, unknown>): Money[] {
  const variants = field(product, 'variants')
  return [product, ...(Array.isArray(variants) ? variants.slice(0, MAX_VARIANTS) : [])].flatMap(
    (offer) => {
      const read = Money.safeParse(field(offer, 'price'))
      return read.success ? [read.data] : []
    },
  )
}

/** What the page's markup charges, where it says both amount and currency without ambiguity. */
const statedPrices = (product: ProductMarkup): (Money & { states_tax: boolean })[] =>
  allOffers(product).flatMap(({ minor, currency, states_tax }) =>
    minor === null || currency === null
      ? []
      : [{ amount: minor, currency: currency.toUpperCase(), states_tax }],
  )
