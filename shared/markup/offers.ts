import { isCurrency } from '../commerce/iso.ts'
import { type Availability, toMinor } from '../commerce/product.ts'
import { readAvailability, toCatalogAvailability } from './availability.ts'
import { LIMITS } from './budget.ts'
import type { MarkupNode } from './node.ts'
import { type PolicyFaults, policyFaultsOf } from './policies.ts'
import {
  firstText,
  hasValue,
  isNode,
  nodesOf,
  oneLineText,
  placeOf,
  textsOf,
  valuesOf,
} from './values.ts'

/**
 * A GTIN with the property that states it, as written: neither its digits nor its length are
 * checked.
 */
export interface GtinMarkup {
  property: string
  value: string
}

/** Longer numbers, prices and codes are ignored. */
const MAX_WORD = 100

/** A number, price or code as it is kept. */
export const word = (text: string | null): string | null => text?.slice(0, MAX_WORD) ?? null

/**
 * One https://schema.org/Offer as a page states it; null for what it does not state. Sources of the
 * shapes accepted: Google's merchant listing documentation, Shopify's filter and WooCommerce's
 * markup.
 */
export interface OfferMarkup extends PolicyFaults {
  where: string
  /**
   * An AggregateOffer: a range over several offers, which cannot be bought as such. Google accepts
   * it for product snippets, but not for merchant listings.
   */
  aggregate: boolean
  /** As written in `price`, a `priceSpecification`, or an aggregate's `lowPrice`. */
  price: string | null
  /** An aggregate's `highPrice`, as written. */
  high_price: string | null
  /** Other prices that it states, as written: the struck-through one, or the one per kilogram. */
  other_prices: string[]
  /**
   * The prices that its `priceSpecification` gives to everyone at any time, where the offer has a
   * `price` as well: they should be that.
   */
  specified: { price: string; currency: string | null; states_tax: boolean }[]
  /** The only stated price is the one of a kilogram or a metre. */
  per_unit: boolean
  /** Whether it says that taxes are included, or that they are not. */
  states_tax: boolean
  /** There are offers within it, which are judged if it says nothing itself. */
  has_inner: boolean
  /** As written in `priceCurrency`; not checked against ISO 4217. */
  currency: string | null
  /** The price in the smallest unit, if price and currency can be read without guessing. */
  minor: number | null
  /** As written. */
  availability: string | null
  /** Null if it is not stated or not a name of schema.org. */
  stock: Availability | null
  sku: string | null
  mpn: string | null
  gtins: GtinMarkup[]
  /** `priceValidUntil` as written. */
  valid_until: string | null
  has_return_policy: boolean
  has_shipping: boolean
}

/** More offers than can be kept of a page: then it does not fit. */
const MAX_OFFERS = LIMITS.entries + 1

/**
 * A reader of products' offers, those within AggregateOffers included, in document order. A Demand
 * is not an offer but a request to buy. Each node is read once: many products may share one.
 */
export function createOfferReader(): (product: MarkupNode) => OfferMarkup[] {
  const read = new Map<MarkupNode, OfferMarkup>()
  const listed = new Map<MarkupNode, MarkupNode[]>()
  // Each once and last first, as a stack needs them.
  const inherited = new Map<MarkupNode, string | null>()
  const listOf = (node: MarkupNode): MarkupNode[] => {
    const known = listed.get(node)
    if (known !== undefined) return known
    const nodes = nodesOf(node, 'offers').filter(({ types }) => !types.includes('Demand'))
    const list = [...new Set(nodes)].reverse()
    listed.set(node, list)
    return list
  }

  return (product) => {
    const offers: OfferMarkup[] = []
    const seen = new Set<MarkupNode>()
    const pending = [...listOf(product)]
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (offers.length === MAX_OFFERS) break
      if (seen.has(node)) continue
      seen.add(node)
      const inner = listOf(node)
      const offer = read.get(node) ?? readOffer(node, inherited.get(node) ?? null, inner.length > 0)
      read.set(node, offer)
      offers.push(offer)
      for (const each of inner) {
        pending.push(each)
        if (!inherited.has(each)) inherited.set(each, offer.currency)
      }
    }
    return offers
  }
}

/** https://schema.org/AggregateOffer */
const isAggregate = (node: MarkupNode): boolean => node.types.includes('AggregateOffer')

/**
 * WooCommerce puts the price of a simple product into `priceSpecification[]` and not into `price`.
 * An availability may be an object that has only an `@id`. An offer within another one inherits its
 * currency.
 */
function readOffer(
  node: MarkupNode,
  outerCurrency: string | null,
  has_inner: boolean,
): OfferMarkup {
  const specifications = nodesOf(node, 'priceSpecification')
    .slice(0, MAX_SPECIFICATIONS)
    .filter(isOfThing)
  const selling = specifications.filter(isSellingPrice)
  // The price outside of sales is the one that is charged if no other is stated.
  const [current, regular] = [false, true].map((is) =>
    selling.filter((each) => isOfType(each, /RegularPrice$/) === is),
  )
  const priced = [node, ...(current ?? []), ...(regular ?? [])]
  const sold = firstOf(priced, 'price') ?? (isAggregate(node) ? firstText(node, 'lowPrice') : null)
  // Goods by weight state what a kilogram costs, and nothing else.
  const unit = sold === null ? firstOf(specifications.filter(isPerUnit), 'price') : null
  const price = word(sold ?? unit)
  const currency = word(firstOf([node, ...specifications], 'priceCurrency') ?? outerCurrency)
  const [written] = valuesOf(node, 'availability')
  const availability = word(
    written !== undefined && isNode(written) ? written.id : oneLineText(written),
  )
  const name = availability === null ? null : readAvailability(availability)
  // A code in lower case has a gap of its own, and is read anyway.
  const code = currency?.toUpperCase() ?? ''
  const canRead = price !== null && unit === null && isCurrency(code)
  return {
    where: placeOf(node),
    aggregate: isAggregate(node),
    price,
    high_price: word(firstText(node, 'highPrice')),
    other_prices: specifications
      .flatMap((each) => word(firstText(each, 'price')) ?? [])
      .filter((each) => each !== price),
    specified:
      firstText(node, 'price') === null
        ? []
        : specifications.flatMap(specifiedOf).slice(0, MAX_SPECIFIED),
    per_unit: unit !== null,
    states_tax: priced.some((each) => valuesOf(each, 'valueAddedTaxIncluded').length > 0),
    has_inner,
    currency,
    // `1.299` is 1.30 in one country and 1299 in another: `toMinor` reads only what is unambiguous.
    minor: canRead ? toMinor(price, code) : null,
    availability,
    stock: name === null ? null : toCatalogAvailability(name),
    sku: word(firstText(node, 'sku')),
    mpn: word(firstText(node, 'mpn')),
    gtins: readGtins(node),
    valid_until: word(firstText(node, 'priceValidUntil')),
    has_return_policy: hasValue(node, 'hasMerchantReturnPolicy'),
    has_shipping: hasValue(node, 'shippingDetails'),
    ...policyFaultsOf(node),
  }
}

/** An offer states one or two of them; this many are compared. */
const MAX_SPECIFICATIONS = 10

/**
 * What a specification says that holds for everyone: none that is of a type, a time, a quantity, a
 * place or a group of buyers, nor one of several parts.
 */
function specifiedOf(specification: MarkupNode) {
  const price = word(firstText(specification, 'price'))
  if (
    price === null ||
    specification.props.size > PLAIN.size ||
    [...specification.props.keys()].some((name) => !PLAIN.has(name.toLowerCase()))
  )
    return []
  return [
    {
      price,
      currency: word(firstText(specification, 'priceCurrency')),
      states_tax: valuesOf(specification, 'valueAddedTaxIncluded').length > 0,
    },
  ]
}

/** WooCommerce writes `validThrough` into each: it does not make a price conditional. */
const PLAIN = new Set(['price', 'pricecurrency', 'valueaddedtaxincluded', 'validthrough'])

/** More are a price list. */
const MAX_SPECIFIED = 3

/** Google: the price of a unit is one with a `referenceQuantity`. */
const isPerUnit = (specification: MarkupNode): boolean =>
  valuesOf(specification, 'referenceQuantity').length > 0

/**
 * A `priceSpecification` may also state the struck-through price, the price per kilogram or the one
 * for members. Google tells them by `priceType`, `referenceQuantity` and `validForMemberTier`.
 */
const isSellingPrice = (specification: MarkupNode): boolean =>
  !isOfType(specification, /(?:ListPrice|SRP|StrikethroughPrice|MSRP|InvoicePrice)$/) &&
  !isPerUnit(specification) &&
  valuesOf(specification, 'validForMemberTier').length === 0

/**
 * What the thing costs: not its delivery or a way to pay, nor what a maker lets stores advertise.
 */
const isOfThing = (specification: MarkupNode): boolean =>
  !specification.types.some((type) => /^(?:Delivery|Payment)ChargeSpecification$/.test(type)) &&
  !isOfType(specification, /MinimumAdvertisedPrice$/)

const isOfType = (specification: MarkupNode, type: RegExp): boolean =>
  type.test(firstText(specification, 'priceType') ?? '')

function firstOf(nodes: readonly MarkupNode[], name: string): string | null {
  for (const node of nodes) {
    const text = firstText(node, name)
    if (text !== null) return text
  }
  return null
}

/**
 * The properties that hold a GTIN, https://schema.org/gtin and its length-specific siblings. An
 * ISBN of 13 digits is a GTIN as well.
 */
const GTIN_PROPERTIES = ['gtin', 'gtin8', 'gtin12', 'gtin13', 'gtin14', 'isbn']

/**
 * Every GTIN that a product or an offer states, in the order of the properties above, without
 * duplicates.
 */
export function readGtins(node: MarkupNode): GtinMarkup[] {
  return GTIN_PROPERTIES.flatMap((property) =>
    [...new Set(textsOf(node, property))].map((value) => ({
      property,
      value: value.slice(0, MAX_WORD),
    })),
  )
}
