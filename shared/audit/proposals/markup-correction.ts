import { isCurrency } from '../../commerce/iso.ts'
import {
  availabilityJsonLd,
  brandJsonLd,
  offerJsonLd,
  returnPolicyJsonLd,
  shippingJsonLd,
} from '../../markup/build.ts'
import type { OfferMarkup } from '../../markup/offers.ts'
import type { Page } from '../../markup/page.ts'
import { allOffers, type ProductMarkup } from '../../markup/products.ts'
import { servedAt } from '../../web/http/fetched.ts'
import { isRecord } from '../../web/json/json.ts'
import { visibleText } from '../../web/text/invisible.ts'
import {
  currencyCaseFault,
  isOffer,
  otherVoices,
  priceFault,
  validUntilFault,
} from '../checks/schema/product-faults.ts'
import type { ProductPageSeen } from '../evidence.ts'
import type { KnownProduct } from './known-product.ts'

type JsonObject = Record<string, unknown>

/**
 * The JSON-LD block of a page's product as the page has it, with what is missing added and what is
 * wrong corrected, as far as that is known: `closed` are the gaps that it leaves no more. Null
 * where the product stands in no block that was kept.
 */
export function correctBlock(
  { page, fetched }: ProductPageSeen & { page: Page },
  main: ProductMarkup,
  gaps: readonly string[],
  known: KnownProduct,
): { block: number; json: unknown; closed: ReadonlySet<string> } | null {
  if (page.main_block === null) return null
  const { number, json } = page.main_block
  // Every block of a page that was read whole is valid JSON, nested at most a few levels deep.
  const root = cleaned(JSON.parse(json))
  const nodeAt = (where: string) => nodeIn(root, where, number)
  if (nodeAt(main.where) === null) return null
  const repeated = otherVoices(page).filter(({ syntax }) => syntax === main.syntax)
  const on: Correcting = {
    main,
    repeated,
    sole: repeated.length > 0 ? null : soleOffer(main),
    isSingle: main.type === 'Product' && main.variants.length === 0,
    nodeAt,
    known,
    seenAt: servedAt(fetched),
  }
  const closed = new Set(gaps.filter((gap) => CORRECTIONS[gap]?.(on) === true))
  return { block: number, json: root, closed }
}

interface Correcting {
  main: ProductMarkup
  /** The same product once more in the same syntax, with offers of its own. */
  repeated: ProductMarkup[]
  /** The only offer of the page's product, which one price and one availability are of. */
  sole: OfferMarkup | null
  /** The product has no variants. */
  isSingle: boolean
  nodeAt: (where: string) => JsonObject | null
  known: KnownProduct
  seenAt: number | null
}

function soleOffer({ type, variants, offers }: ProductMarkup): OfferMarkup | null {
  const [offer] = offers
  const isSole = type === 'Product' && variants.length === 0 && offers.length === 1
  return isSole && offer !== undefined && !offer.aggregate ? offer : null
}

/** Each says whether it has corrected all that the gap is about. */
const CORRECTIONS: Readonly<Record<string, (on: Correcting) => boolean>> = {
  product_schema_incomplete: (on) => {
    const { name, images } = on.known
    const named = addToEach(on, (product) => product.name === null, 'name', name)
    const image = images.length === 0 ? undefined : images
    const shown = addToEach(on, (product) => product.images.length === 0, 'image', image)
    return named && shown
  },
  product_schema_no_offer({ main, isSingle, nodeAt, known }) {
    const node = nodeAt(main.where)
    const { url, price, availability, shipping, returns } = known
    if (!isSingle || node === null || price === undefined || availability === undefined)
      return false
    const isShipped = shipping?.currency === price.currency
    const terms = { shipping: isShipped ? shipping : undefined, returns }
    put(node, 'offers', offerJsonLd({ url, ...price, availability, ...terms }))
    return true
  },
  product_schema_price_invalid: putPrice,
  product_schema_currency_invalid: putPrice,
  product_schema_currency_lower_case: ({ main, repeated, nodeAt }) =>
    [main, ...repeated]
      .flatMap(allOffers)
      .filter((offer) => currencyCaseFault(offer) !== null)
      .map(({ where }) => raiseCurrency(nodeAt(where)))
      .every((isRaised) => isRaised),
  product_schema_price_valid_until_invalid: ({ main, nodeAt, seenAt }) =>
    allOffers(main)
      .filter((offer) => validUntilFault(offer, seenAt) !== null)
      .map(({ where }) => remove(nodeAt(where), 'priceValidUntil'))
      .every((isRemoved) => isRemoved),
  product_schema_availability_invalid({ sole, nodeAt, known: { availability } }) {
    const node = sole && nodeAt(sole.where)
    if (node === null || availability === undefined) return false
    put(node, 'availability', availabilityJsonLd(availability))
    return true
  },
  product_schema_gtin_invalid({ main, isSingle, nodeAt, known: { gtin } }) {
    const stating = [main, ...main.offers].filter(({ gtins }) => gtins.length > 0)
    const [first] = stating
    const [stated] = first?.gtins ?? []
    if (!isSingle || stating.length !== 1 || first?.gtins.length !== 1) return false
    const node = nodeAt(first.where)
    if (node === null || stated === undefined || gtin === undefined) return false
    remove(node, stated.property)
    put(node, 'gtin', gtin)
    return true
  },
  product_schema_identifier_missing({ main, isSingle, nodeAt, known: { sku, gtin } }) {
    const node = nodeAt(main.where)
    if (!isSingle || node === null || (sku ?? gtin) === undefined) return false
    if (sku !== undefined) put(node, 'sku', sku)
    if (gtin !== undefined) put(node, 'gtin', gtin)
    return true
  },
  product_schema_sku_spaces({ main, isSingle, nodeAt, known: { sku } }) {
    const node = nodeAt(main.where)
    const isElsewhere = main.offers.some((offer) => /\s/.test(offer.sku ?? ''))
    if (!isSingle || isElsewhere || node === null || sku === undefined) return false
    put(node, 'sku', sku)
    return true
  },
  product_schema_brand_missing: (on) => {
    const { brand } = on.known
    const value = brand === undefined ? undefined : brandJsonLd(brand)
    return addToEach(on, (product) => product.brand === null, 'brand', value)
  },
  product_schema_description_missing: (on) =>
    addToEach(on, (product) => product.description === null, 'description', on.known.description),
  product_schema_return_policy_missing: ({ main, nodeAt, known: { returns } }) =>
    returns !== undefined &&
    allOffers(main)
      .filter(isOffer)
      .map(({ where }) => nodeAt(where))
      .map((node) => completePolicy(node, 'hasMerchantReturnPolicy', returnPolicyJsonLd(returns)))
      .every((isStated) => isStated),
  product_schema_return_policy_incomplete: ({ main, nodeAt, known: { returns } }) =>
    returns !== undefined &&
    [main, ...main.variants, ...allOffers(main)]
      .filter(({ return_policy_lacks }) => return_policy_lacks !== null)
      .map(({ where }) => nodeAt(where))
      .map((node) => completePolicy(node, 'hasMerchantReturnPolicy', returnPolicyJsonLd(returns)))
      .every((isStated) => isStated),
  product_schema_shipping_missing: (on) => putShipping(on, isOffer),
  product_schema_shipping_incomplete: (on) =>
    putShipping(on, ({ shipping_lacks }) => shipping_lacks !== null),
}

/**
 * Adds a property to what lacks it: to a group, whose variants inherit it, or to the product and
 * its siblings.
 */
function addToEach(
  { main, nodeAt }: Correcting,
  lacks: (product: ProductMarkup) => boolean,
  name: string,
  value: unknown,
): boolean {
  const holders = main.type === 'ProductGroup' ? [main] : [main, ...main.variants]
  return holders.filter(lacks).every(({ where }) => {
    const node = nodeAt(where)
    if (node === null || value === undefined) return false
    put(node, name, value)
    return true
  })
}

/** Price and currency belong together: neither is taken from another source alone. */
function putPrice({ sole, nodeAt, known: { price: known } }: Correcting): boolean {
  const node = sole && nodeAt(sole.where)
  if (sole === null || node === null || known === undefined) return false
  // Which of several prices is charged is not known.
  if (holds(node, 'priceSpecification')) return false
  const isRight = priceFault(sole) === null && Number(sole.price) === Number(known.price)
  if (!isRight) put(node, 'price', known.price)
  put(node, 'priceCurrency', known.currency)
  return true
}

/** A rate is a rate in one currency: offers in another one have to state their own. */
function putShipping(
  { main, nodeAt, known: { shipping } }: Correcting,
  isToSay: (offer: OfferMarkup) => boolean,
): boolean {
  return (
    shipping !== undefined &&
    allOffers(main)
      .filter(isToSay)
      .map(
        ({ where, currency }) =>
          currency?.toUpperCase() === shipping.currency &&
          completePolicy(
            nodeAt(where),
            'shippingDetails',
            shippingJsonLd(shipping, shipping.currency),
          ),
      )
      .every((isStated) => isStated)
  )
}

/**
 * What the merchant states, and what else the page says of it already. False for several policies,
 * and for one that stands elsewhere.
 */
function completePolicy(node: JsonObject | null, name: string, stated: object): boolean {
  if (node === null) return false
  const present = node[name]
  if (Array.isArray(present) || (isRecord(present) && Object.hasOwn(present, '@id'))) return false
  const isNotPermitted = !('merchantReturnDays' in stated) && name === 'hasMerchantReturnPolicy'
  put(node, name, isRecord(present) && !isNotPermitted ? { ...present, ...stated } : stated)
  return true
}

/** Its own `priceCurrency` and those of its prices in capital letters. */
function raiseCurrency(offer: JsonObject | null): boolean {
  if (offer === null) return false
  for (const node of [offer, ...[offer.priceSpecification].flat()]) {
    const currency = isRecord(node) ? node.priceCurrency : undefined
    if (isRecord(node) && typeof currency === 'string' && isCurrency(currency.toUpperCase())) {
      node.priceCurrency = currency.toUpperCase()
    }
  }
  return true
}

const holds = (node: JsonObject, name: string): boolean =>
  Object.keys(node).some((key) => key.toLowerCase() === name.toLowerCase())

/** Writes a property, which may be there in another case as well. */
function put(node: JsonObject, name: string, value: unknown): void {
  remove(node, name)
  node[name] = value
}

function remove(node: JsonObject | null, name: string): boolean {
  if (node === null) return false
  for (const key of Object.keys(node)) {
    if (key.toLowerCase() === name.toLowerCase()) delete node[key]
  }
  return true
}

/**
 * The object at a place such as `JSON-LD block 2, $.@graph[1].offers`. Null where it stands in
 * another block, and where names have a prefix or the place is shortened: what is written there
 * could mean something else.
 */
function nodeIn(root: unknown, where: string, block: number): JsonObject | null {
  const start = `JSON-LD block ${block}, $`
  if (!where.startsWith(start)) return null
  const path = where.slice(start.length)
  if (!/^(?:\.[^.[\]…]+|\[\d+\])*$/.test(path)) return null
  let value = root
  for (const [step] of path.matchAll(/[^.[\]]+/g)) {
    value =
      (Array.isArray(value) || isRecord(value)) && Object.hasOwn(value, step)
        ? (value as Record<string, unknown>)[step]
        : undefined
  }
  const isPlain = isRecord(value) && Object.keys(value).every((key) => !key.includes(':'))
  return isPlain ? (value as JsonObject) : null
}

/** The same JSON without what is invisible in its texts; their line breaks stay. */
function cleaned(value: unknown): unknown {
  if (typeof value === 'string')
    return value
      .split(/\r\n|\r|\n/)
      .map(visibleText)
      .join('\n')
  if (Array.isArray(value)) return value.map(cleaned)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [visibleText(key), cleaned(each)]),
  )
}
