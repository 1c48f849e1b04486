import { exponentOf } from '../../../commerce/iso.ts'
import { formatMoney, Money } from '../../../commerce/product.ts'
import { allOffers, type ProductMarkup } from '../../../markup/products.ts'
import { field } from '../../../web/json/json.ts'
import type { CatalogSeen, ProductPageSeen } from '../../evidence.ts'
import { mayDifferByTax } from '../agreement.ts'
import { matchCatalogPages } from './match-pages.ts'

/**
 * `major_units`: the page's price is the catalog's amount times the currency's factor, such as 25
 * for 25.00 USD. `mismatch`: any other difference.
 */
export type PriceFault = 'major_units' | 'mismatch'

/** How the catalog's prices compare with the markup of the same products' pages. */
interface PriceComparison extends Record<PriceFault, string[]> {
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
  for (const { listed, markup, url } of matchCatalogPages(catalog, pages)) {
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
    const detail = `${listed[0]?.where} costs ${formatMoney(price)} (amount ${price.amount}), ${url} says ${formatMoney(statedPrice)}`
    const scale = 10 ** exponentOf(price.currency)
    const inMajorUnits = scale > 1 && amounts.has(price.amount * scale)
    comparison[inMajorUnits ? 'major_units' : 'mismatch'].push(detail)
  }
  return comparison
}

const isByTax = (one: Money, other: Money): boolean =>
  one.currency === other.currency && mayDifferByTax(one.amount, other.amount)

/** The product's price and its variants', those that can be read. */
function pricesOf(product: Record<string, unknown>): Money[] {
  const variants = field(product, 'variants')
  return [product, ...(Array.isArray(variants) ? variants.slice(0, 200) : [])].flatMap((offer) => {
    const read = Money.safeParse(field(offer, 'price'))
    return read.success ? [read.data] : []
  })
}

/** What the page's markup charges, where it says both amount and currency without ambiguity. */
const statedPrices = (product: ProductMarkup): (Money & { states_tax: boolean })[] =>
  allOffers(product).flatMap(({ minor, currency, states_tax }) =>
    minor === null || currency === null
      ? []
      : [{ amount: minor, currency: currency.toUpperCase(), states_tax }],
  )
