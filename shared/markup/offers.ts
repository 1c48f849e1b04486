import { isCurrency } from '../commerce/iso.ts'
import { type Availability, toMinor } from '../commerce/product.ts'
import { readAvailability, toCatalogAvailability } from './availability.ts'
import type { MarkupNode } from './node.ts'
import { firstText, isNode, nodesOf, oneLineText, textsOf, valuesOf } from './values.ts'

/**
 * A GTIN with the property that states it, as written: neither its digits nor its length are
 * checked.
 */
export interface GtinMarkup {
  property: string
  value: string
}

/**
 * One https://schema.org/Offer as a page states it, null where it says nothing. Sources of the
 * shapes accepted: Google's merchant listing documentation, Shopify's filter and WooCommerce's
 * markup.
 */
export interface OfferMarkup {
  where: string
  /**
   * An AggregateOffer: a range over several offers, which cannot be bought as such. Google accepts
   * it for product snippets, but not for merchant listings.
   */
  aggregate: boolean
  /** As written in `price`, a `priceSpecification`, or an aggregate's `lowPrice`. */
  price: string | null
  /** As written in `priceCurrency`; not checked against ISO 4217. */
  currency: string | null
  /** The price in the smallest unit, when price and currency can be read without guessing. */
  minor: number | null
  /** As written. */
  availability: string | null
  /** Null when it is not stated or no name of schema.org. */
  stock: Availability | null
  /** As written. */
  url: string | null
  sku: string | null
  gtins: GtinMarkup[]
  has_return_policy: boolean
  has_shipping: boolean
}

/**
 * Offers of one product that are read. Shops mark up some dozens; a hostile page could have
 * millions.
 */
const MAX_OFFERS = 500

/**
 * The offers of a product, those within its AggregateOffers included, in document order. A Demand
 * is what somebody wants to buy, and no offer.
 */
export function readOffers(product: MarkupNode): OfferMarkup[] {
  const offers: OfferMarkup[] = []
  const seen = new Set<MarkupNode>()
  const pending = nodesOf(product, 'offers').reverse()
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (seen.has(node) || offers.length === MAX_OFFERS || node.types.includes('Demand')) continue
    seen.add(node)
    offers.push(readOffer(node))
    pending.push(...nodesOf(node, 'offers').slice(0, MAX_OFFERS).reverse())
  }
  return offers
}

/** https://schema.org/AggregateOffer */
const isAggregate = (node: MarkupNode): boolean => node.types.includes('AggregateOffer')

/**
 * WooCommerce puts the price of a simple product into `priceSpecification[]` and not into `price`.
 * An availability may be an object that has an `@id` alone.
 */
function readOffer(node: MarkupNode): OfferMarkup {
  const priced = [node, ...nodesOf(node, 'priceSpecification').filter(isSellingPrice)]
  const price = firstOf(priced, 'price') ?? (isAggregate(node) ? firstText(node, 'lowPrice') : null)
  const currency = firstOf(priced, 'priceCurrency')
  const [written] = valuesOf(node, 'availability')
  const availability = written !== undefined && isNode(written) ? written.id : oneLineText(written)
  const name = availability === null ? null : readAvailability(availability)
  return {
    where: node.where,
    aggregate: isAggregate(node),
    price,
    currency,
    // `1.299` is 1.30 in one country and 1299 in another: `toMinor` reads only what is unambiguous.
    minor:
      price !== null && currency !== null && isCurrency(currency) ? toMinor(price, currency) : null,
    availability,
    stock: name === null ? null : toCatalogAvailability(name),
    url: firstText(node, 'url'),
    sku: firstText(node, 'sku'),
    gtins: readGtins(node),
    has_return_policy: hasValue(node, 'hasMerchantReturnPolicy'),
    has_shipping: hasValue(node, 'shippingDetails'),
  }
}

/**
 * A `priceSpecification` may also state the struck-through price, the price per kilogram or the one
 * for members. Google tells them by `priceType`, `referenceQuantity` and `validForMemberTier`.
 */
function isSellingPrice(specification: MarkupNode): boolean {
  const type = firstText(specification, 'priceType') ?? ''
  return (
    !/(ListPrice|SRP|StrikethroughPrice|MSRP|InvoicePrice)$/.test(type) &&
    valuesOf(specification, 'referenceQuantity').length === 0 &&
    valuesOf(specification, 'validForMemberTier').length === 0
  )
}

function firstOf(nodes: readonly MarkupNode[], name: string): string | null {
  for (const node of nodes) {
    const text = firstText(node, name)
    if (text !== null) return text
  }
  return null
}

/**
 * Stated, and not as empty text: Shopify's themes write `""` for what the shop has not filled in.
 */
export const hasValue = (node: MarkupNode, name: string): boolean =>
  valuesOf(node, name).some((value) => isNode(value) || oneLineText(value) !== null)

/**
 * The properties that hold a GTIN, https://schema.org/gtin and its length-specific siblings. An
 * ISBN of 13 digits is a GTIN as well.
 */
const GTIN_PROPERTIES = ['gtin', 'gtin8', 'gtin12', 'gtin13', 'gtin14', 'isbn']

/** Every GTIN that a product or an offer states, in the order of the properties above. */
export const readGtins = (node: MarkupNode): GtinMarkup[] =>
  GTIN_PROPERTIES.flatMap((property) =>
    textsOf(node, property).map((value) => ({ property, value })),
  )
