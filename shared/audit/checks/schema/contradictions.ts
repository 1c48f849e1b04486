import { currenciesOf, isSameAmount, readPriceText } from '../../../commerce/price-text.ts'
import type { Availability } from '../../../commerce/product.ts'
import type { OfferMarkup } from '../../../markup/offers.ts'
import type { Page } from '../../../markup/page.ts'
import { findPrices } from '../../../markup/page-signs/prices.ts'
import { allOffers, mainProduct } from '../../../markup/products.ts'
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
import { judgePages, type PageFaults, unlessOptional } from '../pages.ts'

/** What one voice states, of which a page of variants has several values. */
type Judge = (markup: Statements, other: Statements, page: Page) => PageFaults

/**
 * Compares the markup with its other voices, and each offer with itself; null where no two of them
 * state anything.
 */
const compare =
  (judge: Judge, inOffer: (offer: OfferMarkup) => PageFaults = () => null) =>
  (page: Page): PageFaults => {
    const all = statementsOf(page)
    const product = mainProduct(page)
    if (all === null || product === null) return null
    const within = allOffers(product).flatMap((offer) => {
      const faults = inOffer(offer)
      return faults === null ? [] : [faults]
    })
    const found = [...all.others, all.open_graph, all.visible].flatMap((other) => {
      const faults = judge(all.markup, other, page)
      return faults === null ? [] : [faults]
    })
    const every = [...within, ...found]
    return every.length === 0 ? null : every.flat()
  }

/** The price of an offer, and those of its `priceSpecification` in the same money. */
function specifiedPrices({ price, currency, specified, states_tax, where }: OfferMarkup) {
  const stated = (written: string, of: string | null): StatedPrice => {
    const text = readPriceText(written)
    const code = of?.toUpperCase() ?? text.currency
    return { value: written, where, ...text, currency: code, up_to: null, states_tax }
  }
  if (price === null) return []
  const own = stated(price, currency)
  return specified
    .map((each) => ({
      own,
      other: { ...stated(each.price, each.currency ?? currency), where: `its priceSpecification` },
    }))
    .filter(({ other }) =>
      [own, other].every(({ decimals }) => decimals.some((each) => Number(each) > 0)),
    )
}

/** An offer whose own price none of its specifications has. */
function priceInOffer(offer: OfferMarkup): PageFaults {
  const pairs = specifiedPrices(offer).filter(({ own, other }) => isSameCurrency(own, other))
  const [first] = pairs
  if (first === undefined) return null
  const agrees = pairs.some(({ own, other }) => isSamePrice(own, other) || isByTax(own, other))
  return agrees ? [] : [differ('price', priced(first.own), priced(first.other))]
}

/** An offer whose specifications have its number in other money. */
function currencyInOffer(offer: OfferMarkup): PageFaults {
  const pairs = specifiedPrices(offer).filter(({ own, other }) =>
    inSomeReading(own, other, (a, b) => Number(a) === Number(b)),
  )
  const [first] = pairs
  if (first === undefined) return null
  return pairs.some(({ own, other }) => isSameCurrency(own, other))
    ? []
    : [differ('currency', priced(first.own), priced(first.other))]
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
  // Of what people see, the first is the product's own: others may have it, but not a tax on it.
  const mayBeNet = ({ theirs }: typeof first) =>
    other.source !== 'visible' || theirs === witnesses[0]
  const agrees = pairs.some(
    (pair) =>
      isSamePrice(pair.ours, pair.theirs) || (mayBeNet(pair) && isByTax(pair.ours, pair.theirs)),
  )
  return agrees ? [] : [differ('price', priced(first.ours), priced(first.theirs))]
}, priceInOffer)

/** Each readable price once, in order, and not more of them than are worth comparing. */
function different(prices: readonly StatedPrice[]): StatedPrice[] {
  const known = new Set<string>()
  const unique = prices.filter(({ value, currency, decimals }) => {
    const key = `${value} ${currency}`
    const isNew = !known.has(key) && decimals.some((each) => Number(each) > 0)
    if (isNew) known.add(key)
    return isNew
  })
  return unique.slice(0, MAX_VALUES)
}

function isSameCurrency(ours: StatedPrice, theirs: StatedPrice): boolean {
  const [own, others] = [currenciesOf(ours), currenciesOf(theirs)]
  return own.length === 0 || others.length === 0 || own.some((each) => others.includes(each))
}

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
export const contradictedCurrencies = compare(
  (markup, other) => disjoint('currency', markup.currencies, other.currencies),
  currencyInOffer,
)

/**
 * Faults of a page of which one voice says that it can be bought now and the other that it cannot,
 * of every variant. Preorder and backorder go with both.
 */
export const contradictedAvailabilities = compare((markup, other, page) => {
  const [ours, theirs] = [markup, other].map(({ availabilities }) => availabilities)
  const [a, b] = [ours?.[0], theirs?.[0]]
  if (!ours || !theirs || !a || !b) return null
  const all = (list: typeof ours, stock: Availability) => list.every((each) => each.stock === stock)
  const isOpposite =
    (all(ours, 'in_stock') && all(theirs, 'out_of_stock')) ||
    (all(ours, 'out_of_stock') && all(theirs, 'in_stock'))
  if (other.source === 'visible' && !isOfAll(ours, page)) return null
  return isOpposite ? [differ('availability', a, b)] : []
})

/**
 * Whether what people see of the chosen variant speaks against the markup: it does not where that
 * has one offer for all of them, or sells in branches alone.
 */
const isOfAll = (ours: Statements['availabilities'], { visible }: Page): boolean =>
  (visible.none_left || !(visible.has_choice && ours.length === 1)) &&
  !ours.some(({ value }) => /InStoreOnly$/i.test(value))

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

/**
 * Hidden text that leads those who read the HTML elsewhere than those who see the page: it speaks
 * to agents, or says of the product what neither the page nor its markup says.
 */
export function misleadingText(page: Page): PageFaults {
  const { hidden, sold_out, price } = page.visible
  const all = statementsOf(page)
  const isSold = all?.markup.availabilities.every(({ stock }) => stock === 'in_stock') === true
  const known = all === null || price === null ? [] : [...all.markup.prices, ...all.visible.prices]
  const faults = hidden.flatMap(({ text, says }) => {
    if (says === 'instruction') return [`hidden text speaks to agents: ${shown(text)}`]
    if (says === 'stock') {
      const isOther = isSold && sold_out === null && (all?.markup.availabilities.length ?? 0) > 0
      return isOther ? [`hidden text says ${shown(text)}, and the markup InStock`] : []
    }
    const hiddenPrice = priceIn(text)
    const alike = known.filter((each) => isSameCurrency(each, hiddenPrice))
    const isOther =
      alike.length > 0 &&
      (hiddenPrice.currency !== null || signOf(hiddenPrice.value) === signOf(price ?? '')) &&
      Number(hiddenPrice.decimals[0] ?? 0) > 0 &&
      !alike.some((each) => isSamePrice(each, hiddenPrice))
    return isOther ? [`hidden text says ${shown(text)}, and the page ${shown(price)}`] : []
  })
  // Without markup there is little to mislead by, and nothing is proved by its silence.
  return all === null && faults.length === 0 ? null : faults
}

/** `$` may be of any dollars, but not of euros. */
const signOf = (price: string): string => price.replace(/[\p{Nd}.,\s]/gu, '')

function priceIn(text: string): StatedPrice {
  const [found] = findPrices(text, 1)
  const value = found?.text ?? ''
  return { value, where: '', ...readPriceText(value), up_to: null, states_tax: false }
}

/** Both values and where they stand. */
const differ = (what: string, ours: Statement, theirs: Statement): string =>
  `${what} is ${shown(ours.value)} (${ours.where}) and ${shown(theirs.value)} (${theirs.where})`

/**
 * Whether `og:title` is clearly the name of another product than `name`: Open Graph says that it
 * speaks of a product, no word of the title is in the name, the page's own title agrees with the
 * name alone, and its markup names another product so. Without that, a title may be a slogan or a
 * translation.
 */
function isOtherTitle(page: Page, name: string, title: string): boolean {
  const type = page.meta
    .find(({ key }) => key === 'og:type')
    ?.content.trim()
    .toLowerCase()
  if (type !== 'product' && type !== 'og:product' && type !== 'product.item') return false
  const [named, titled, own] = [name, title, page.title ?? ''].map(wordsOf)
  if (!named || !titled || !own || titled.size === 0) return false
  if (!overlaps(named, own) || overlaps(titled, own) || overlaps(titled, named)) return false
  return page.products.some((product) => {
    const other = wordsOf(product.name ?? '')
    return other.size === titled.size && [...other].every((word) => titled.has(word))
  })
}

const MAX_TEXT = 1_000

/** Words of three letters or more, and numbers. */
const wordsOf = (text: string): Set<string> =>
  new Set(
    text
      .slice(0, MAX_TEXT)
      .toLowerCase()
      .match(/\p{L}{3,}|\d+/gu) ?? [],
  )

const overlaps = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  [...one].some((word) => other.has(word))
