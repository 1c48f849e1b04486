import { withoutEndSlashes } from '../web/uri.ts'
import type { Budget } from './budget.ts'
import type { MarkupNode } from './node.ts'
import {
  createOfferReader,
  type GtinMarkup,
  type OfferMarkup,
  placeOf,
  readGtins,
  word,
} from './offers.ts'
import { firstText, hasValue, isNode, nodesOf, urlsOf } from './values.ts'
import { PRODUCT_TYPES } from './vocabulary.ts'

/** A product as a page's markup states it. Texts as written on one line, null where not stated. */
export interface ProductMarkup {
  where: string
  type: 'Product' | 'ProductGroup'
  name: string | null
  description: string | null
  /** The first three, absolute where they can be made so, and so is `url`. */
  images: string[]
  brand: string | null
  sku: string | null
  /** `productID`: a number of the shop's own, where `sku` is often not stated. */
  product_id: string | null
  mpn: string | null
  gtins: GtinMarkup[]
  url: string | null
  offers: OfferMarkup[]
  /** Of a ProductGroup, as they are stated: see `variantsOf` for what they inherit. */
  variants: ProductMarkup[]
  has_return_policy: boolean
}

const isProduct = (node: MarkupNode): boolean => node.types.some((type) => PRODUCT_TYPES.has(type))

/** https://schema.org/ProductGroup: what the variants of a product have in common. */
const isGroup = (node: MarkupNode): boolean => node.types.includes('ProductGroup')

/** What a page's nodes say of products. */
export interface ProductReading {
  /** Every product that the page marks up, variants within their groups, in document order. */
  products: ProductMarkup[]
  /** The index of the product that the page is about; null where there is none. */
  main_product: number | null
}

/**
 * Reads the products of a page. It is about the `mainEntity` of its WebPage, else the one with
 * offers, the page's address and the most properties. Products of lists, or that others refer to,
 * count only if there is just one product. `addresses` are those that the page goes by, its own
 * first.
 */
export function readProducts(
  nodes: readonly MarkupNode[],
  addresses: readonly (string | null)[],
  budget: Budget,
): ProductReading {
  const [base] = addresses
  const own = addresses.map((address) => addressOf(address, base ?? ''))
  const found = findProducts(nodes, base ?? '', budget)
  const ranked = found.flatMap(({ product, role, size }, index) => {
    if (role === 'mentioned' && found.length > 1) return []
    const address = addressRank(addressOf(product.url, base ?? ''), own)
    const hasOffers = [product, ...product.variants].some(({ offers }) => offers.length > 0)
    const rank = [Number(role === 'main'), Number(address > 0), Number(hasOffers), address, size]
    return [{ index, rank }]
  })
  // The criteria in the order of what they prove: a stated address beats a long list of properties,
  // which products in a slider have as well.
  ranked.sort((a, b) => compareRanks(b.rank, a.rank))
  return { products: found.map(({ product }) => product), main_product: ranked[0]?.index ?? null }
}

/** The product that a page is about, or null. */
export const mainProduct = ({ products, main_product }: ProductReading): ProductMarkup | null =>
  (main_product === null ? undefined : products[main_product]) ?? null

/**
 * The variants of a group, with what they inherit: what a group states holds for its variants,
 * unless they say otherwise. Offers and identifiers do not: each variant has its own.
 */
export const variantsOf = (group: ProductMarkup): ProductMarkup[] =>
  group.variants.map((variant) => ({
    ...variant,
    name: variant.name ?? group.name,
    description: variant.description ?? group.description,
    images: variant.images.length > 0 ? variant.images : group.images,
    brand: variant.brand ?? group.brand,
    has_return_policy: variant.has_return_policy || group.has_return_policy,
  }))

/** Criterion by criterion, the first difference decides. Positive when `a` ranks higher. */
function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) {
    const difference = value - (b[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** What is compared of an address: the host differs between mobile, regional and staging sites. */
interface Address {
  path: string
  query: string
}

/** Null for no address, and for one that cannot be read. */
const addressOf = (url: string | null, base: string): Address | null => {
  const parsed = url === null ? null : URL.parse(url, base)
  return parsed && { path: withoutEndSlashes(parsed.pathname), query: parsed.search }
}

/**
 * How well a product's address fits the page: 3 its own address, 2 the same but for the query, 1 not
 * stated, 0 the address of another page.
 */
function addressRank(stated: Address | null, own: readonly (Address | null)[]): number {
  if (stated === null) return 1
  const matches = own.flatMap((address) => {
    if (address === null || address.path !== stated.path) return []
    return address.query === stated.query ? 3 : 2
  })
  return Math.max(0, ...matches)
}

/** A product with what decides whether the page is about it. */
interface Found {
  product: ProductMarkup
  role: Role
  /** Properties stated, those of the offers included. */
  size: number
}

/**
 * `main`: a WebPage names it as `mainEntity`. `mentioned`: a list, a review or a relation refers to
 * it.
 */
type Role = 'main' | 'plain' | 'mentioned'

/**
 * Every product outside of a group, with its variants. Variants do not stand alone: agents would
 * take them for products of their own. Each node is read once, whatever refers to it; the first
 * product that does not fit into the budget ends the list.
 */
function findProducts(nodes: readonly MarkupNode[], base: string, budget: Budget): Found[] {
  const products = nodes.filter(isProduct)
  const groups = groupVariants(products)
  const grouped = new Set([...groups.values()].flatMap((variants) => [...variants]))
  const roles = rolesOf(nodes)
  const offers = createOfferReader()
  const known = new Map<MarkupNode, { product: ProductMarkup; size: number }>()
  const found: Found[] = []

  // Null when it does not fit. A variant of several groups is read once, and counts in each.
  const read = (node: MarkupNode): ProductMarkup | null => {
    let entry = known.get(node)
    if (entry === undefined) {
      const product = readProduct(node, base, offers(node))
      entry = { product, size: textSize(product) }
      known.set(node, entry)
    }
    const { product, size } = entry
    const fits =
      budget.take('entries', 1 + product.offers.length) && budget.take('entry_characters', size)
    return fits ? product : null
  }
  for (const node of products) {
    if (grouped.has(node)) continue
    const own = read(node)
    if (own === null) return found
    const variants: ProductMarkup[] = []
    const size = node.props.size + nodesOf(node, 'offers').length
    found.push({ product: { ...own, variants }, role: roles.get(node) ?? 'plain', size })
    for (const member of groups.get(node) ?? []) {
      if (!saysMoreThanAddress(member)) continue
      const variant = read(member)
      if (variant === null) return found
      variants.push(variant)
    }
  }
  return found
}

/** What an object costs beside its texts. */
const OBJECT_SIZE = 20

/** Characters of all texts in a product and its offers, to keep the page small. */
function textSize(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, each) => sum + textSize(each), OBJECT_SIZE)
}

/**
 * Google allows a group whose variants have pages of their own to name them by `url` alone; such a
 * variant states nothing that could be judged here.
 */
const saysMoreThanAddress = ({ props }: MarkupNode): boolean =>
  props.size > 1 || (props.size === 1 && !props.has('url'))

/**
 * The variants of each group. Google documents three ways to join them: `hasVariant` on the group,
 * `isVariantOf` on the variant, and `inProductGroupWithID` with the group's `productGroupID`
 * (https://developers.google.com/search/docs/appearance/structured-data/product-variants).
 */
function groupVariants(nodes: readonly MarkupNode[]): Map<MarkupNode, Set<MarkupNode>> {
  const groups = new Map<MarkupNode, Set<MarkupNode>>()
  const byGroupId = new Map<string, Set<MarkupNode>>()
  for (const group of nodes) {
    if (!isGroup(group)) continue
    const variants = new Set(nodesOf(group, 'hasVariant').filter((node) => !isGroup(node)))
    groups.set(group, variants)
    const id = firstText(group, 'productGroupID')
    if (id !== null) byGroupId.set(id, variants)
  }
  for (const node of nodes) {
    if (isGroup(node)) continue
    for (const group of nodesOf(node, 'isVariantOf')) groups.get(group)?.add(node)
    byGroupId.get(firstText(node, 'inProductGroupWithID') ?? '')?.add(node)
  }
  return groups
}

/** Rules ask whether there is an image, and people look at one or two. */
const MAX_IMAGES = 3

/** Characters of what is shown of a product; only whether there is a description is judged. */
const MAX_NAME = 300
const MAX_DESCRIPTION = 160

/** Longer addresses lead nowhere (https://www.sitemaps.org/protocol.html allows 2,048). */
const MAX_ADDRESS = 2_048

/** One node as a product, without its variants. Addresses are resolved against the page. */
function readProduct(node: MarkupNode, base: string, offers: OfferMarkup[]): ProductMarkup {
  const resolve = (url: string) =>
    url.length > MAX_ADDRESS ? url.slice(0, MAX_ADDRESS) : (URL.parse(url, base)?.href ?? url)
  const [url] = urlsOf(node, 'url', 1)
  return {
    where: placeOf(node),
    type: isGroup(node) ? 'ProductGroup' : 'Product',
    name: firstText(node, 'name')?.slice(0, MAX_NAME) ?? null,
    description: firstText(node, 'description')?.slice(0, MAX_DESCRIPTION) ?? null,
    images: urlsOf(node, 'image', MAX_IMAGES).map(resolve),
    brand: word(firstText(node, 'brand')),
    sku: word(firstText(node, 'sku')),
    product_id: word(firstText(node, 'productID')),
    mpn: word(firstText(node, 'mpn')),
    gtins: readGtins(node),
    url: url === undefined ? null : resolve(url),
    offers,
    variants: [],
    has_return_policy: hasValue(node, 'hasMerchantReturnPolicy'),
  }
}

/**
 * Properties through which a page mentions a product that it is not about, such as a list of
 * similar ones (https://schema.org/Product).
 */
const MENTIONS = new Set(
  (
    'itemListElement item itemReviewed itemOffered isRelatedTo isSimilarTo isConsumableFor ' +
    'isAccessoryOrSparePartFor hasPart mentions knowsAbout owns makesOffer'
  ).split(' '),
)

/**
 * A review or a list that names a product by `@id` says nothing about whose page it is. Nodes are
 * nested as deep as the budget allows, so the way up is short.
 */
function isDescribedIn(value: MarkupNode, node: MarkupNode): boolean {
  if (value.syntax === 'microdata') return true
  for (let { parent } = value; parent !== null; parent = parent.parent) {
    if (parent === node) return true
  }
  return false
}

/**
 * How other nodes refer to each product. A product that is the main one for one node is the main
 * one, even if other nodes only mention it.
 */
function rolesOf(nodes: readonly MarkupNode[]): Map<MarkupNode, Role> {
  const roles = new Map<MarkupNode, Role>()
  for (const node of nodes) {
    const isPage = node.types.some((type) => type === 'WebPage' || type.endsWith('Page'))
    for (const [name, values] of node.props) {
      const isMain = name === 'mainEntity' && isPage
      if (!isMain && !MENTIONS.has(name)) continue
      for (const value of values) {
        if (!isNode(value) || !isProduct(value) || value === node) continue
        if (isMain) roles.set(value, 'main')
        else if (!roles.has(value) && isDescribedIn(value, node)) roles.set(value, 'mentioned')
      }
    }
  }
  return roles
}
