import type { MarkupNode } from './node.ts'
import { type GtinMarkup, hasValue, type OfferMarkup, readGtins, readOffers } from './offers.ts'
import type { Page } from './page.ts'
import { firstText, isNode, nodesOf, urlsOf, valuesOf } from './values.ts'
import { PRODUCT_TYPES } from './vocabulary.ts'

/** A product as a page's markup states it. Texts as written on one line, null where not stated. */
export interface ProductMarkup {
  where: string
  type: 'Product' | 'ProductGroup'
  name: string | null
  description: string | null
  /** Absolute where they can be made so, and so is `url`. */
  images: string[]
  brand: string | null
  sku: string | null
  /** `productID`: a number of the shop's own, where `sku` is often not stated. */
  product_id: string | null
  mpn: string | null
  gtins: GtinMarkup[]
  url: string | null
  offers: OfferMarkup[]
  /** Of a ProductGroup, with what they inherit from it. */
  variants: ProductMarkup[]
  has_return_policy: boolean
}

/** Products of one page that are read; list pages of shops hold a few dozen. */
const MAX_PRODUCTS = 1_000

const isProduct = (node: MarkupNode): boolean => node.types.some((type) => PRODUCT_TYPES.has(type))

/** https://schema.org/ProductGroup: what the variants of a product have in common. */
const isGroup = (node: MarkupNode): boolean => node.types.includes('ProductGroup')

/** Every product that the page marks up, variants within their groups, in document order. */
export const readProducts = (page: Page): ProductMarkup[] =>
  findProducts(page).map(({ product }) => product)

/**
 * The product that the page is about: the `mainEntity` of its WebPage, else the one with offers,
 * the page's address and the most properties. Products of lists, or that others refer to, count
 * only if there is just one product.
 */
export function mainProduct(page: Page): ProductMarkup | null {
  const own = pageAddresses(page)
  const found = findProducts(page)
  const ranked = found
    .filter(({ role }) => role !== 'mentioned' || found.length === 1)
    .map(({ product, role, size }) => {
      const address = addressRank(product.url, own)
      const hasOffers = [product, ...product.variants].some(({ offers }) => offers.length > 0)
      return {
        product,
        rank: [Number(role === 'main'), Number(address > 0), Number(hasOffers), address, size],
      }
    })
  // The criteria in the order of what they prove: a stated address beats a long list of properties,
  // which products in a slider have as well.
  ranked.sort((a, b) => compareRanks(b.rank, a.rank))
  return ranked[0]?.product ?? null
}

/** Criterion by criterion, the first difference decides. Positive when `a` ranks higher. */
function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) {
    const difference = value - (b[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/**
 * What is compared of an address: path and query. The host differs between a shop's mobile,
 * regional and staging sites. Null for no address, and for one that cannot be read.
 */
const addressOf = (url: string | null, base: string): { path: string; query: string } | null => {
  const parsed = url === null ? null : URL.parse(url, base)
  return parsed && { path: parsed.pathname.replace(/\/+$/, ''), query: parsed.search }
}

/** The addresses that a page goes by: its own first, then those of `rel=canonical` and `og:url`. */
function pageAddresses(page: Page): (string | null)[] {
  const canonical = page.links.find(({ rel }) => rel.includes('canonical'))?.href ?? null
  const shared = page.meta.find(({ key }) => key === 'og:url')?.content ?? null
  return [page.url, canonical, shared]
}

/**
 * How well a product's `url` fits the page: 3 its own address, 2 the same but for the query, 1 not
 * stated, 0 the address of another page.
 */
function addressRank(url: string | null, own: readonly (string | null)[]): number {
  const [page] = own
  const stated = addressOf(url, page ?? '')
  if (stated === null) return 1
  const matches = own.flatMap((each) => {
    const address = addressOf(each, page ?? '')
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
 * take them for products of their own.
 */
function findProducts(page: Page): Found[] {
  const nodes = page.nodes.filter(isProduct).slice(0, MAX_PRODUCTS)
  const groups = groupVariants(nodes)
  const grouped = new Set([...groups.values()].flatMap((variants) => [...variants]))
  const roles = rolesOf(page)
  return nodes
    .filter((node) => !grouped.has(node))
    .map((node) => {
      const product = readProduct(node, page.url)
      const variants = [...(groups.get(node) ?? [])].filter(saysMoreThanAddress)
      product.variants = variants.map((variant) => inherit(readProduct(variant, page.url), product))
      const size = node.props.size + nodesOf(node, 'offers').length
      return { product, role: roles.get(node) ?? 'plain', size }
    })
}

/**
 * Google allows a group whose variants have pages of their own to name them by `url` alone; such a
 * variant states nothing that could be judged here.
 */
const saysMoreThanAddress = (variant: MarkupNode): boolean =>
  [...variant.props.keys()].some((name) => name !== 'url')

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

/**
 * What a group states holds for its variants, unless they say otherwise. Offers and identifiers do
 * not: each variant has its own.
 */
function inherit(variant: ProductMarkup, group: ProductMarkup): ProductMarkup {
  return {
    ...variant,
    name: variant.name ?? group.name,
    description: variant.description ?? group.description,
    images: variant.images.length > 0 ? variant.images : group.images,
    brand: variant.brand ?? group.brand,
    has_return_policy: variant.has_return_policy || group.has_return_policy,
  }
}

/** One node as a product, without its variants. Addresses are resolved against the page. */
function readProduct(node: MarkupNode, base: string): ProductMarkup {
  const resolve = (url: string) => URL.parse(url, base)?.href ?? url
  const [url] = urlsOf(node, 'url')
  return {
    where: node.where,
    type: isGroup(node) ? 'ProductGroup' : 'Product',
    name: firstText(node, 'name'),
    description: firstText(node, 'description'),
    images: urlsOf(node, 'image').map(resolve),
    brand: firstText(node, 'brand'),
    sku: firstText(node, 'sku'),
    product_id: firstText(node, 'productID'),
    mpn: firstText(node, 'mpn'),
    gtins: readGtins(node),
    url: url === undefined ? null : resolve(url),
    offers: readOffers(node),
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

/** A review or a list that names a product by `@id` says nothing about whose page it is. */
const isDescribedIn = (value: MarkupNode, node: MarkupNode): boolean =>
  value.syntax === 'microdata' || value.where.startsWith(`${node.where}.`)

/**
 * How other nodes refer to each product. A product that is the main one for one node is the main
 * one, even if other nodes only mention it.
 */
function rolesOf(page: Page): Map<MarkupNode, Role> {
  const roles = new Map<MarkupNode, Role>()
  for (const node of page.nodes) {
    const isPage = node.types.some((type) => type === 'WebPage' || type.endsWith('Page'))
    for (const [name] of node.props) {
      const isMain = name === 'mainEntity' && isPage
      if (!isMain && !MENTIONS.has(name)) continue
      for (const value of valuesOf(node, name)) {
        if (!isNode(value) || !isProduct(value) || value === node) continue
        if (isMain) roles.set(value, 'main')
        else if (!roles.has(value) && isDescribedIn(value, node)) roles.set(value, 'mentioned')
      }
    }
  }
  return roles
}
