import { isCurrency } from '../commerce/iso.ts'
import { currenciesOf, readPriceText } from '../commerce/price-text.ts'
import type { Availability } from '../commerce/product.ts'
import { stockOf } from './availability.ts'
import type { MarkupNode } from './node.ts'
import type { OfferMarkup } from './offers.ts'
import type { Page } from './page.ts'
import { mainProduct, type ProductMarkup } from './products.ts'
import type { VisiblePage } from './visible/visible-page.ts'

/** A value with its place, both for people: `og:price:amount`, `JSON-LD block 1, $.offers`. */
export interface Statement {
  value: string
  where: string
}

/** A stated price and its possible meanings: text is read, but never guessed at. */
export interface StatedPrice extends Statement {
  /** Plain decimals, the likeliest first; empty if the text cannot be read. */
  decimals: readonly string[]
  /** The upper end of a range, in the same form; null for a single price. */
  up_to: readonly string[] | null
  /** An active code of ISO 4217, upper case; null if none is stated with it. */
  currency: string | null
  /** Whether the price says that taxes are included, or that they are not. */
  states_tax: boolean
}

/** What one source within a page says about its product. */
export interface Statements {
  source: MarkupNode['syntax'] | 'open_graph' | 'visible'
  /** Every price: those of variants, struck-through ones, and the ends of a range. */
  prices: StatedPrice[]
  currencies: Statement[]
  availabilities: (Statement & { stock: Availability })[]
  skus: Statement[]
  /** `productID`: another number of the store's own, such as that of a row of its database. */
  product_ids: Statement[]
  mpns: Statement[]
  /** Digits alone, with zeros in front as a GTIN-14 has them. */
  gtins: Statement[]
}

/**
 * What a page says about its product: its markup, the same in other syntaxes, Open Graph, and what
 * people see. Null without markup: the others alone do not make a product, they only confirm.
 */
export function statementsOf(
  page: Pick<Page, 'products' | 'main_product' | 'same_product' | 'meta' | 'visible'>,
): {
  markup: Statements
  others: Statements[]
  open_graph: Statements
  visible: Statements
} | null {
  const main = mainProduct(page)
  if (main === null) return null
  return {
    markup: ofProduct(main),
    others: page.same_product.flatMap((index) => {
      const product = page.products[index]
      return product === undefined ? [] : [ofProduct(product)]
    }),
    open_graph: ofOpenGraph(page.meta),
    visible: ofVisible(page.visible),
  }
}

/** A product with its variants, as one source. */
function ofProduct(product: ProductMarkup): Statements {
  const all = [product, ...product.variants]
  const offers = all.flatMap((each) => each.offers)
  const numbersOf = (read: (of: ProductMarkup | OfferMarkup) => (string | null)[]): Statement[] =>
    [...all, ...offers].flatMap((each) =>
      read(each).flatMap((value) => (value === null ? [] : [{ value, where: each.where }])),
    )
  return {
    source: product.syntax,
    prices: offers.flatMap(pricesOf),
    currencies: offers.flatMap(({ currency, where }) => currencyOf(currency, where)),
    availabilities: offers.flatMap(({ availability, stock, where }) =>
      availability === null || stock === null ? [] : [{ value: availability, stock, where }],
    ),
    skus: numbersOf(({ sku }) => [sku]),
    product_ids: numbersOf((each) => ('product_id' in each ? [each.product_id] : [])),
    mpns: numbersOf(({ mpn }) => [mpn]),
    gtins: numbersOf(({ gtins }) => gtins.map(({ value }) => gtinKey(value))),
  }
}

function pricesOf(offer: OfferMarkup): StatedPrice[] {
  const { where, price, high_price, other_prices, states_tax, per_unit } = offer
  // The price of a kilogram is not the price of the thing.
  if (price === null || per_unit) return []
  const text = readPriceText(price)
  const [stated] = currencyOf(offer.currency, where)
  const rest = { where, currency: stated?.value ?? text.currency, states_tax }
  const up_to = high_price === null ? null : readPriceText(high_price).decimals
  return [
    { ...rest, value: price, decimals: text.decimals, up_to },
    ...other_prices.map((other) => ({
      ...rest,
      value: other,
      decimals: readPriceText(other).decimals,
      up_to: null,
    })),
  ]
}

/** As a list of one or none: text that is not a currency does not count. */
function currencyOf(written: string | null, where: string): Statement[] {
  const code = written?.trim().toUpperCase() ?? ''
  return isCurrency(code) ? [{ value: code, where }] : []
}

/** Null if it does not have the length of a GTIN. */
function gtinKey(written: string): string | null {
  const digits = written.replace(/[\s-]/g, '')
  return /^\d+$/.test(digits) && [8, 12, 13, 14].includes(digits.length) && /[1-9]/.test(digits)
    ? digits.padStart(14, '0')
    : null
}

/** https://developers.facebook.com/docs/marketing-api/catalog/guides/microdata-tags */
const PRICES = ['product:price', 'og:price', 'product:sale_price']
/** Other prices besides the one that is charged. */
const OTHER_PRICES = ['product:original_price', 'product:pretax_price', 'og:price:standard']
const GTINS = ['product:gtin', 'product:ean', 'product:upc', 'product:isbn']

/** Meta elements may be repeated; this many of one name are read. */
const MAX_REPEATED = 20

/** What Open Graph says about a product; the n-th currency belongs to the n-th price. */
function ofOpenGraph(meta: Page['meta']): Statements {
  const all = (key: string): Statement[] =>
    meta
      .filter((each) => each.key === key && each.content.trim() !== '')
      .slice(0, MAX_REPEATED)
      .map(({ content }) => ({ value: content.trim().slice(0, 100), where: key }))
  const pricesIn = (name: string): StatedPrice[] => {
    const currencies = all(`${name}:currency`)
    const amounts = [...all(`${name}:amount`), ...all(`${name}_amount`)]
    return amounts.map(({ value, where }, index) => {
      const text = readPriceText(value)
      const [stated] = currencyOf((currencies[index] ?? currencies[0])?.value ?? null, where)
      return {
        value,
        where,
        decimals: text.decimals,
        up_to: null,
        currency: stated?.value ?? text.currency,
        states_tax: false,
      }
    })
  }
  const stocks = ['product:availability', 'og:availability'].flatMap(all)
  return {
    source: 'open_graph',
    prices: [...PRICES, ...OTHER_PRICES].flatMap(pricesIn),
    currencies: [...PRICES, 'og:price'].flatMap((name) =>
      all(`${name}:currency`).flatMap(({ value, where }) => currencyOf(value, where)),
    ),
    availabilities: stocks.flatMap(({ value, where }) => {
      const stock = stockOf(value)
      return stock === null ? [] : [{ value, stock, where }]
    }),
    skus: all('product:retailer_item_id'),
    product_ids: [],
    mpns: all('product:mfr_part_no'),
    gtins: GTINS.flatMap(all).flatMap(({ value, where }) => {
      const key = gtinKey(value)
      return key === null ? [] : [{ value: key, where }]
    }),
  }
}

/** Where people see it. */
const IN_TEXT = 'the text that people see'
const NONE_LEFT = { value: 'is_in_stock: false', where: 'all of data-product_variations' }
const IN_BUTTON = 'the button that people see'

/**
 * What people see of the product. Its price comes first; the others of the page show that the
 * markup may mean one of them, so that without its own none is stated.
 */
function ofVisible(visible: VisiblePage): Statements {
  const { price, range, without_tax, prices, sold_out, sells, none_left } = visible
  const state = (value: string, high?: string): StatedPrice => ({
    value: high === undefined ? value : `${value} – ${high}`,
    where: IN_TEXT,
    ...readPriceText(value),
    up_to: high === undefined ? null : readPriceText(high).decimals,
    states_tax: without_tax,
  })
  const own = price !== null ? state(price) : range && state(range.low, range.high)
  const stated = own === null ? [] : [own, ...prices.map((each) => state(each))]
  // Each has the same, or a sign of the same ones, of which the markup may have any.
  const money = new Set(stated.map((price) => currenciesOf(price).join(' ')))
  const [codes = ''] = money.size === 1 ? money : []
  return {
    source: 'visible',
    prices: stated,
    currencies: [
      ...(own !== null && codes.includes(' ') ? [{ value: own.value, where: IN_TEXT }] : []),
      ...codes.split(' ').flatMap((code) => currencyOf(code, IN_TEXT)),
    ],
    availabilities: [
      ...(sold_out === null
        ? []
        : [{ value: sold_out, stock: 'out_of_stock' as const, where: IN_TEXT }]),
      ...(none_left ? [{ ...NONE_LEFT, stock: 'out_of_stock' as const }] : []),
      ...(sells === null ? [] : [{ value: sells, stock: 'in_stock' as const, where: IN_BUTTON }]),
    ],
    skus: [],
    product_ids: [],
    mpns: [],
    gtins: [],
  }
}
