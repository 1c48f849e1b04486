import { isCurrency } from '../commerce/iso.ts'
import { type Availability, toMinor } from '../commerce/product.ts'
import { readAvailability, toCatalogAvailability } from './availability.ts'
import type { MarkupNode } from './node.ts'
import { firstText, isNode, nodesOf, oneLineText, textsOf, valuesOf } from './values.ts'

export interface GtinMarkup {
  property: string
  value: string
}

export interface OfferMarkup {
  where: string
  /** An AggregateOffer: a range over several offers, which cannot be bought as such. */
  aggregate: boolean
  /** As written in `price`, a `priceSpecification`, or an aggregate's `lowPrice`. */
  price: string | null
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

const MAX_OFFERS = 500

/** The offers of a product, those within its AggregateOffers included. */
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

const isAggregate = (node: MarkupNode): boolean => node.types.includes('AggregateOffer')

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

/** Not the struck-through price, the price per kilogram or the one for members. */
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

/** Stated, and not as empty text. */
export const hasValue = (node: MarkupNode, name: string): boolean =>
  valuesOf(node, name).some((value) => isNode(value) || oneLineText(value) !== null)

const GTIN_PROPERTIES = ['gtin', 'gtin8', 'gtin12', 'gtin13', 'gtin14', 'isbn']

export const readGtins = (node: MarkupNode): GtinMarkup[] =>
  GTIN_PROPERTIES.flatMap((property) =>
    textsOf(node, property).map((value) => ({ property, value })),
  )
