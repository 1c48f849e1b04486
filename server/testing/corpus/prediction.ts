import { readPriceText } from '../../../shared/commerce/price-text.ts'
import type { GtinMarkup, OfferMarkup } from '../../../shared/markup/offers.ts'
import type { Page } from '../../../shared/markup/page.ts'
import { mainProduct, type ProductMarkup } from '../../../shared/markup/products.ts'

/**
 * What a page states about its product: the price as people see it, the rest and what they do not
 * see by its markup. Null where nothing can be read.
 */
export interface Prediction {
  price: string | null
  currency: string | null
  availability: 'InStock' | 'OutOfStock' | null
  sku: string | null
  brand: string | null
  gtin: string | null
}

export const NOTHING: Prediction = {
  price: null,
  currency: null,
  availability: null,
  sku: null,
  brand: null,
  gtin: null,
}

export function predict(page: Page): Prediction {
  const product = mainProduct(page)
  const seen = seenOn(page)
  if (product === null) return { ...NOTHING, ...seen }
  const offers = [product, ...product.variants].flatMap((each) => each.offers)
  const priced = offers.find(({ price }) => price !== null && priceOfText(price) !== null)
  return {
    price: seen.price ?? (priced?.price ? priceOfText(priced.price) : null),
    currency:
      priced?.currency ??
      offers.find(({ currency }) => currency !== null)?.currency ??
      seen.currency,
    availability: stockOf(offers),
    sku: skuOf(page, product),
    brand: stated(product.brand) ?? stated(product.variants[0]?.brand ?? null),
    gtin: gtinOf(page, product),
  }
}

/** The price that people see, where its text can only mean one. */
function seenOn({ visible }: Page): Pick<Prediction, 'price' | 'currency'> {
  const { decimals, currency } = readPriceText(visible.price ?? '')
  const [price, other] = decimals
  return other === undefined ? { price: price ?? null, currency } : { price: null, currency }
}

/** A product is in stock when one of its offers is, and out of stock when all of them are. */
function stockOf(offers: readonly OfferMarkup[]): Prediction['availability'] {
  if (offers.some(({ stock }) => stock === 'in_stock')) return 'InStock'
  const isOut = offers.length > 0 && offers.every(({ stock }) => stock === 'out_of_stock')
  return isOut ? 'OutOfStock' : null
}

/**
 * Of the numbers that the markup states, the one in the page's address, else the product's own.
 * Several products of one name are sizes and colors: then none of their numbers is the product's.
 */
function skuOf(page: Page, product: ProductMarkup): string | null {
  const offered = new Set(product.offers.flatMap(({ sku }) => sku ?? []))
  const numbers = [product.sku, product.product_id, ...(offered.size === 1 ? offered : [])]
    .filter((sku) => sku !== null)
    .map((sku) => sku.replace(/^(sku|mpn):/i, ''))
  const address = (URL.parse(page.url)?.pathname ?? '').toLowerCase()
  const inAddress = numbers.find((sku) => sku.length > 3 && address.includes(sku.toLowerCase()))
  if (inAddress !== undefined) return inAddress
  const skus = new Set(ofOneName(page, product).flatMap(({ sku }) => sku ?? []))
  return skus.size > 1 ? null : (numbers[0] ?? null)
}

/** Products of the page and variants that share its name: sizes and colors. */
const ofOneName = (page: Page, product: ProductMarkup): ProductMarkup[] =>
  [...page.products, ...product.variants].filter(({ name }) => name === product.name)

/** The product's own, else the one of all that its sizes and colors and their offers state. */
function gtinOf(page: Page, product: ProductMarkup): string | null {
  const own = gtinsOf(ofOneName(page, product))
  const [first, ...others] = own.size > 0 ? own : gtinsOf([...product.variants, ...product.offers])
  return others.length === 0 ? (first ?? null) : null
}

/** The different ones, as digits; zeros alone do not count. */
const gtinsOf = (stating: readonly { gtins: readonly GtinMarkup[] }[]): Set<string> =>
  new Set(
    stating
      .flatMap(({ gtins }) => gtins.map(({ value }) => value.replace(/[\s-]/g, '')))
      .filter((value) => !/^0*$/.test(value)),
  )

/**
 * A text that a template left behind states nothing: `$brand`, `{{ brand }}`, `%brand%`, `null`.
 */
const stated = (text: string | null): string | null =>
  text !== null && /^(\$\w+|\{\{.*\}\}|\$\{.*\}|%\w+%|null|undefined|n\/?a)$/i.test(text)
    ? null
    : text

/**
 * A price as a decimal, where the text can only mean one: a number with a currency or without,
 * whose last separator has two digits behind it, as `26,00 €`, `1.299,95` and `$1,299.00`; or no
 * separator at all. Of `1.299`, which is either, the point of the markup is a decimal point.
 */
export function priceOfText(text: string): string | null {
  const number = text.trim().replace(/^\p{L}{0,3}\p{Sc}?\s*|\s*\p{Sc}?\p{L}{0,3}\.?$/gu, '')
  if (/^\d+(\.\d+)?$/.test(number)) return number
  const match = /^(\d{1,3}(?:[\s.,'’]\d{3}){0,4}|\d{1,9})[.,](\d{2})$/.exec(number)
  const [, whole, cents] = match ?? []
  return whole === undefined ? null : `${whole.replace(/\D/g, '')}.${cents}`
}
