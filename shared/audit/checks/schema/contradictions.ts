import { isSameAmount } from '../../../commerce/price-text.ts'
import type { Availability } from '../../../commerce/product.ts'
import type { Page } from '../../../markup/page.ts'
import { mainProduct } from '../../../markup/products.ts'
import {
  type StatedPrice,
  type Statement,
  type Statements,
  statementsOf,
} from '../../../markup/statements.ts'
import { shown } from '../../../web/json/json.ts'
import type { ProductPageSeen } from '../../evidence.ts'
import type { Verdict } from '../../rule.ts'
import { mayDifferByTax } from '../agreement.ts'
import { isOtherTitle } from './other-title.ts'
import { judgePages, type PageFaults, unlessOptional } from './product-pages.ts'

/** What one voice states, of which a page of variants has several values. */
type Judge = (markup: Statements, other: Statements, page: Page) => PageFaults

/** Compares the markup with its other voices; null where no two of them state anything. */
const compare =
  (judge: Judge) =>
  (page: Page): PageFaults => {
    const all = statementsOf(page)
    if (all === null) return null
    const found = [...all.others, all.open_graph].flatMap((other) => {
      const faults = judge(all.markup, other, page)
      return faults === null ? [] : [faults]
    })
    return found.length === 0 ? null : found.flat()
  }

/** Judges each page by what its voices say of one thing; of most pages, one alone speaks. */
export const judgeVoices = (
  pages: readonly ProductPageSeen[],
  faultsOf: (page: Page) => PageFaults,
  what: string,
): Verdict => {
  const alone = `no second ${what} on the pages to compare with`
  return unlessOptional(judgePages(pages, faultsOf, alone), alone)
}

/**
 * Faults of a page whose voices state no price in common, in the same currency. One price that both
 * state is enough: pages have variants, list prices and sales. A price with a word on taxes may be
 * the other's without them.
 */
export const contradictedPrices = compare((markup, other) => {
  const known = different(markup.prices)
  const witnesses = different(other.prices)
  const pairs = witnesses.flatMap((theirs) =>
    known.filter((ours) => isSameCurrency(ours, theirs)).map((ours) => ({ ours, theirs })),
  )
  const [first] = pairs
  if (first === undefined) return null
  const agrees = pairs.some(
    ({ ours, theirs }) => isSamePrice(ours, theirs) || isByTax(ours, theirs),
  )
  return agrees ? [] : [differ('price', priced(first.ours), priced(first.theirs))]
})

/** Each readable price once, and not more of them than are worth comparing with each other. */
function different(prices: readonly StatedPrice[]): StatedPrice[] {
  const readable = prices.filter(({ decimals }) => decimals.some((each) => Number(each) > 0))
  const unique = new Map(
    readable.map((each) => [`${each.value} ${each.currency}`, each] as const).reverse(),
  )
  return [...unique.values()].reverse().slice(0, MAX_VALUES)
}

const isSameCurrency = (ours: StatedPrice, theirs: StatedPrice): boolean =>
  ours.currency === null || theirs.currency === null || ours.currency === theirs.currency

const isByTax = (ours: StatedPrice, theirs: StatedPrice): boolean =>
  (ours.states_tax || theirs.states_tax) &&
  inSomeReading(ours, theirs, (a, b) => mayDifferByTax(Number(a), Number(b)))

function isSamePrice(ours: StatedPrice, theirs: StatedPrice): boolean {
  const currency = ours.currency ?? theirs.currency
  if (inSomeReading(ours, theirs, (a, b) => isSameAmount(a, b, currency))) return true
  return isWithin(ours, theirs) || isWithin(theirs, ours)
}

/** `1.299` may be 1299: prices that agree in one of the two readings do not contradict. */
const inSomeReading = (
  ours: StatedPrice,
  theirs: StatedPrice,
  holds: (a: string, b: string) => boolean,
): boolean => ours.decimals.some((a) => theirs.decimals.some((b) => holds(a, b)))

/** A price between the ends of a range. */
const isWithin = ({ decimals, up_to }: StatedPrice, price: StatedPrice): boolean =>
  (up_to ?? []).some((high) =>
    price.decimals.some(
      (each) => Number(each) <= Number(high) && decimals.some((low) => Number(each) >= Number(low)),
    ),
  )

const priced = ({ value, currency, where }: StatedPrice): Statement => ({
  value: currency !== null && /^[\d.,\s]+$/.test(value) ? `${value} ${currency}` : value,
  where,
})

/** Faults of a page whose voices name no currency in common. */
export const contradictedCurrencies = compare((markup, other) =>
  disjoint('currency', markup.currencies, other.currencies),
)

/**
 * Faults of a page of which one voice says that it can be bought now and the other that it cannot,
 * of every variant. Preorder and backorder go with both.
 */
export const contradictedAvailabilities = compare((markup, other) => {
  const [ours, theirs] = [markup, other].map(({ availabilities }) => availabilities)
  const [a, b] = [ours?.[0], theirs?.[0]]
  if (!ours || !theirs || !a || !b) return null
  const all = (list: typeof ours, stock: Availability) => list.every((each) => each.stock === stock)
  const isOpposite =
    (all(ours, 'in_stock') && all(theirs, 'out_of_stock')) ||
    (all(ours, 'out_of_stock') && all(theirs, 'in_stock'))
  return isOpposite ? [differ('availability', a, b)] : []
})

/**
 * Faults of a page whose voices give its product other numbers, or whose `og:title` is that of
 * another product. A shop may number its feed otherwise than its products: what Open Graph calls
 * the retailer's id is compared only where it looks like the sku.
 */
export const contradictedIdentifiers = compare((markup, other, page) => {
  const isWitness = other.source === 'open_graph'
  const numbers = [
    disjoint('GTIN', markup.gtins, other.gtins),
    isWitness ? otherRetailerId(markup, other) : otherSku(markup, other),
    disjoint('mpn', markup.mpns, other.mpns),
    isWitness ? otherTitle(page) : null,
  ].filter((faults) => faults !== null)
  return numbers.length === 0 ? null : numbers.flat()
})

/** One value in common is enough, and so is one that holds the other: `B-1` and `B-1-red`. */
function disjoint(
  what: string,
  ours: readonly Statement[],
  theirs: readonly Statement[],
): PageFaults {
  const [a, b] = [ours[0], theirs[0]]
  if (a === undefined || b === undefined) return null
  return agree(ours, theirs) ? [] : [differ(what, a, b)]
}

function agree(ours: readonly Statement[], theirs: readonly Statement[]): boolean {
  const own = [...new Set(ours.map(({ value }) => plain(value)))].slice(0, MAX_VALUES)
  const others = [...new Set(theirs.map(({ value }) => plain(value)))].slice(0, MAX_VALUES)
  return own.some((one) =>
    others.some((two) => one === two || one.includes(two) || two.includes(one)),
  )
}

/** Variants have values of their own; this many are compared with each other. */
const MAX_VALUES = 200

const plain = (value: string): string => value.toLowerCase().replace(/^sku:/, '').trim()

/**
 * One template's productID may be the other's sku: it shows that they agree, never that they
 * differ.
 */
const otherSku = (markup: Statements, other: Statements): PageFaults =>
  agree(numbersOf(markup), numbersOf(other)) ? [] : disjoint('sku', markup.skus, other.skus)

const numbersOf = ({ skus, product_ids }: Statements): Statement[] => [...skus, ...product_ids]

function otherRetailerId(markup: Statements, other: Statements): PageFaults {
  const known = [...markup.product_ids, ...markup.mpns, ...markup.gtins]
  const alike = other.skus.filter(({ value }) =>
    markup.skus.some((sku) => shapeOf(sku.value) === shapeOf(value)),
  )
  const isTold = alike.some(({ value }) => /\D/.test(value) && value.length >= 5)
  return isTold ? disjoint('product number', [...markup.skus, ...known], alike) : null
}

/**
 * `AB-1234` as `AA-0000`: numbers of two systems rarely look alike, unless they are digits alone.
 */
const shapeOf = (value: string): string =>
  value.replace(/\p{L}/gu, 'A').replace(/\d/g, '0').replace(/\s+/g, ' ')

function otherTitle(page: Page): PageFaults {
  const name = mainProduct(page)?.name ?? null
  const title = page.meta.find(({ key }) => key === 'og:title')?.content ?? null
  if (name === null || title === null) return null
  const product = mainProduct(page)
  return isOtherTitle(page, name, title)
    ? [
        differ(
          'name',
          { value: name, where: product?.where ?? '' },
          { value: title, where: 'og:title' },
        ),
      ]
    : []
}

/** Both values and where they stand. */
const differ = (what: string, ours: Statement, theirs: Statement): string =>
  `${what} is ${shown(ours.value)} (${ours.where}) and ${shown(theirs.value)} (${theirs.where})`
