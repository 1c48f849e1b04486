import { MAX_ADDRESS, withoutEndSlashes } from '../web/address/uri.ts'
import type { Budget } from './budget.ts'
import type { MarkupNode } from './node.ts'
import { createOfferReader, type GtinMarkup, type OfferMarkup, readGtins, word } from './offers.ts'
import { wordsIn } from './page-signs/address.ts'
import { pageKeyOf } from './page-signs/card-links.ts'
import type { Card } from './page-signs/owner.ts'
import { type PolicyFaults, policyFaultsOf } from './policies.ts'
import { firstText, hasValue, isNode, isWithin, nodesOf, placeOf, urlsOf } from './values.ts'
import { isProduct, MENTIONS } from './vocabulary.ts'

/** A product as a page's markup states it. Texts as written on one line, null if not stated. */
export interface ProductMarkup extends PolicyFaults {
  where: string
  syntax: MarkupNode['syntax']
  type: 'Product' | 'ProductGroup'
  name: string | null
  description: string | null
  /** The first three, absolute if they can be resolved, and so is `url`. */
  images: string[]
  brand: string | null
  sku: string | null
  /** `productID`: the store's own number, often used instead of `sku`. */
  product_id: string | null
  mpn: string | null
  gtins: GtinMarkup[]
  url: string | null
  offers: OfferMarkup[]
  /**
   * Of a ProductGroup, as stated: see `variantsOf` for what they inherit. Of a Product, its
   * siblings: stores mark up one Product per size under one name.
   */
  variants: ProductMarkup[]
  has_return_policy: boolean
}

/** https://schema.org/ProductGroup: what the variants of a product have in common. */
const isGroup = (node: MarkupNode): boolean => node.types.includes('ProductGroup')

/** What a page's nodes say about products. */
export interface ProductReading {
  /** Every product that the page marks up, variants within their groups, in document order. */
  products: ProductMarkup[]
  /** The index of the product that the page is about; null if there is none. */
  main_product: number | null
  /**
   * The indexes of other descriptions of that product: in microdata next to JSON-LD, or in the
   * Product that an app adds, each with its own values.
   */
  same_product: number[]
}

/** The identity of a page. */
interface PageIdentity {
  /** Its own address first. */
  addresses: readonly (string | null)[]
  /** Its title and its headings. */
  titles: readonly (string | null)[]
  /** Products of other pages that it shows, as cards do. */
  shows: readonly Card[]
}

/**
 * Reads the products of a page. It is about the `mainEntity` of its WebPage, else the one with
 * offers, the page's address, the name in its titles and the most properties. Products of lists, or
 * with references to them, count only if there is just one product, and those of cards never do.
 */
export function readProducts(
  nodes: readonly MarkupNode[],
  { addresses, titles, shows }: PageIdentity,
  budget: Budget,
): ProductReading {
  const [base] = addresses
  const called = titles.map((title) => new Set(wordsIn(title ?? '')))
  const own = addresses.map((address) => addressOf(address, base ?? ''))
  const found = findProducts(nodes, base ?? '', budget)
  const isShown = shownBy(shows, called, base ?? '')
  const ranked = found.flatMap(({ product, role, size }, index) => {
    if (role === 'mentioned' && found.length > 1) return []
    const address = addressRank(addressOf(product.url, base ?? ''), own)
    if (role !== 'main' && isShown(product)) return []
    const hasOffers = allOffers(product).length > 0
    const named = found.length > 1 ? nameRank(product.name, called) : 0
    const isMain = Number(role === 'main')
    return [{ index, rank: [isMain, Number(address > 0), Number(hasOffers), address, named, size] }]
  })
  // The criteria, the strongest first: a stated address beats a long list of properties, which
  // products in a slider have as well.
  ranked.sort((a, b) => compareRanks(b.rank, a.rank))
  const main = ranked[0]?.index ?? null
  if (main === null) return { products: found.map(productIn), main_product: null, same_product: [] }
  const families = familiesOf(found, main, base ?? '', own)
  // A sibling is listed as a variant alone, as those of a group are.
  const kept = [...found.entries()].filter(([index]) => !families.siblings.has(index))
  const indexOf = new Map(kept.map(([index], position) => [index, position]))
  return {
    products: kept.map(([index, { product }]) => ({
      ...product,
      variants: [...product.variants, ...(families.of.get(index) ?? [])],
    })),
    main_product: indexOf.get(main) ?? null,
    same_product: families.same.flatMap((index) => indexOf.get(index) ?? []),
  }
}

/**
 * Whether a product is one of another page: the page has a card that leads to its address, or has
 * its name, while its own titles do not.
 */
function shownBy(
  shows: readonly Card[],
  called: readonly ReadonlySet<string>[],
  base: string,
): (product: ProductMarkup) => boolean {
  const keyOf = (url: string) => {
    const parsed = URL.parse(url, base)
    return parsed === null ? [] : [pageKeyOf(parsed)]
  }
  const pages = new Set(shows.flatMap(({ url }) => keyOf(url)))
  const names = new Set(shows.map(({ name }) => nameKey(name)).filter((name) => name !== ''))
  return ({ url, name }) => {
    if (url !== null) return keyOf(url).some((key) => pages.has(key))
    const words = wordsIn(name ?? '')
    return (
      names.has(nameKey(name)) && !called.some((title) => words.every((each) => title.has(each)))
    )
  }
}

const productIn = ({ product }: Found): ProductMarkup => product

/**
 * The products that are the same as the main one. In its own syntax they are its siblings, or
 * describe it again; in another syntax the first is a second description of it, with its own
 * siblings.
 */
function familiesOf(
  found: readonly Found[],
  main: number,
  base: string,
  addresses: readonly (Address | null)[],
) {
  const siblings = new Set<number>()
  const of = new Map<number, ProductMarkup[]>()
  const same: number[] = []
  const own = found[main]
  if (own === undefined) return { siblings, of, same }
  const here = [...addresses, addressOf(own.product.url, base)]
  const counts = new Map<MarkupNode['syntax'], number>()
  for (const { product, role } of found) {
    if (role === 'mentioned') continue
    counts.set(product.syntax, (counts.get(product.syntax) ?? 0) + 1)
  }
  const heads = new Map([[own.product.syntax, own]])
  const positions = new Map([[own, main]])
  for (const [index, each] of found.entries()) {
    if (index === main || each.role === 'mentioned') continue
    const { syntax } = each.product
    const head = heads.get(syntax)
    if (head === undefined) {
      const isOnly =
        counts.get(syntax) === 1 && addressRank(addressOf(each.product.url, base), here) > 0
      if (!isSameThing(own.product, each.product, isOnly)) continue
      heads.set(syntax, each)
      positions.set(each, index)
      same.push(index)
    } else if (isAddition(head, each) || isRepetition(head, each, base)) {
      same.push(index)
    } else if (isSibling(head, each)) {
      siblings.add(index)
      const position = positions.get(head) ?? main
      const list = of.get(position)
      if (list === undefined) of.set(position, [each.product])
      else list.push(each.product)
    }
  }
  return { siblings, of, same }
}

/**
 * In two syntaxes: the same name, or the same number. The only product of its syntax may leave its
 * name out, or spell it with the brand, unless it states the address of another page: a card of an
 * accessory may have a similar name.
 */
function isSameThing(one: ProductMarkup, other: ProductMarkup, isOnly: boolean): boolean {
  const [a, b] = [nameKey(one.name), nameKey(other.name)]
  if (a === b) return true
  if (sharesNumber(one, other)) return true
  return isOnly && (a === '' || b === '' || (Math.min(a.length, b.length) > 3 && contains(a, b)))
}

function sharesNumber(one: ProductMarkup, other: ProductMarkup): boolean {
  const [own, others] = [one, other].map(({ sku, gtins }) => [
    sku,
    ...gtins.map(({ value }) => value),
  ])
  return own?.some((number) => number !== null && others?.includes(number)) ?? false
}

const contains = (a: string, b: string): boolean => a.includes(b) || b.includes(a)

/**
 * A second node of the same product: with its name, and nothing that could be bought or told apart.
 * Review apps add one with only the rating (https://schema.org/aggregateRating).
 */
function isAddition(head: Found, { product, varies }: Found): boolean {
  const name = nameKey(product.name)
  const isOfItsOwn =
    varies || product.offers.length > 0 || product.sku !== null || product.gtins.length > 0
  return name !== '' && name === nameKey(head.product.name) && !isOfItsOwn
}

/**
 * The same product again, as a theme and an app each print it: with one number, and neither another
 * size or colour, nor another sku, nor another address. If they differ, agents cannot tell which is
 * right.
 */
function isRepetition(head: Found, each: Found, base: string): boolean {
  const [one, other] = [head.product, each.product]
  if (each.varies || one.type !== 'Product' || other.type !== 'Product') return false
  const [here, there] = [addressOf(one.url, base), addressOf(other.url, base)]
  // A theme states the address with the shown variant, and an app without.
  const isElsewhere =
    here !== null &&
    there !== null &&
    (here.path !== there.path ||
      (here.query !== '' && there.query !== '' && here.query !== there.query))
  const isOther = one.sku !== null && other.sku !== null && one.sku !== other.sku
  return !isElsewhere && !isOther && sharesNumber(one, other)
}

/**
 * One Product per size or colour: with one name, or with names that begin alike and state the size
 * or colour.
 */
function isSibling(head: Found, each: Found): boolean {
  if (head.product.type !== 'Product' || each.product.type !== 'Product') return false
  const [a, b] = [nameKey(head.product.name), nameKey(each.product.name)]
  if (a === b) return a !== ''
  if (!head.varies || !each.varies || head.product.brand !== each.product.brand) return false
  const shorter = Math.min(a.length, b.length)
  let alike = 0
  while (alike < shorter && a[alike] === b[alike]) alike += 1
  return alike > 3 && alike >= shorter * 0.6
}

/** Letters and digits: case, blanks and punctuation differ between the templates of one page. */
const nameKey = (name: string | null): string =>
  (name ?? '').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/** The product that a page is about, or null. */
export const mainProduct = ({ products, main_product }: ProductReading): ProductMarkup | null =>
  (main_product === null ? undefined : products[main_product]) ?? null

/** The offers of a product and of its variants. */
export const allOffers = ({ offers, variants }: ProductMarkup): OfferMarkup[] => [
  ...offers,
  ...variants.flatMap((variant) => variant.offers),
]

/**
 * The variants of a group or the siblings of a product, with what they inherit: what a group states
 * holds for its variants, unless they say otherwise. Offers and identifiers do not: each has its
 * own.
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

/** Compares criterion by criterion; the first difference decides. Positive if `a` ranks higher. */
function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) {
    const difference = value - (b[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/**
 * The part of an address to compare: the host differs between mobile, regional and staging sites.
 */
interface Address {
  path: string
  query: string
}

/** Null for no address, and for an invalid one. */
const addressOf = (url: string | null, base: string): Address | null => {
  const parsed = url === null ? null : URL.parse(url, base)
  return parsed && { path: withoutEndSlashes(parsed.pathname), query: parsed.search }
}

/**
 * How well a product's address fits the page: 3 its own address, 2 the same but for the query, 1
 * not stated, 0 the address of another page.
 */
function addressRank(stated: Address | null, own: readonly (Address | null)[]): number {
  if (stated === null) return 1
  const matches = own.flatMap((address) => {
    if (address === null || address.path !== stated.path) return []
    return address.query === stated.query ? 3 : 2
  })
  return Math.max(0, ...matches)
}

/**
 * How much a name and the title nearest to it have in common, from 0 to 1: the share of their
 * words.
 */
function nameRank(name: string | null, titles: readonly ReadonlySet<string>[]): number {
  const words = [...new Set(wordsIn(name ?? ''))]
  const shares = titles.map((title) => {
    const shared = words.filter((word) => title.has(word)).length
    return (2 * shared) / Math.max(1, words.length + title.size)
  })
  return Math.max(0, ...shares)
}

/** A product with what decides whether the page is about it. */
interface Found {
  product: ProductMarkup
  role: Role
  /** Properties stated, those of the offers included. */
  size: number
  /** It says which size or colour it is. */
  varies: boolean
}

/**
 * `main`: a WebPage names it as `mainEntity`. `mentioned`: a list, a review or a relation refers to
 * it.
 */
type Role = 'main' | 'plain' | 'mentioned'

/**
 * Every product outside of a group, with its variants. Variants are not listed alone: agents would
 * take them for products of their own. Each node is read once; the first product that does not fit
 * into the budget ends the list.
 */
function findProducts(nodes: readonly MarkupNode[], base: string, budget: Budget): Found[] {
  const products = nodes.filter(isProduct)
  const groups = groupVariants(products)
  const grouped = new Set([...groups.values()].flatMap((variants) => [...variants]))
  const roles = rolesOf(nodes)
  const offers = createOfferReader()
  const known = new Map<MarkupNode, { product: ProductMarkup; size: number }>()
  const found: Found[] = []

  // Null if it does not fit. A variant of several groups is read once, and counts in each.
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
    const varies = hasValue(node, 'size') || hasValue(node, 'color')
    found.push({ product: { ...own, variants }, role: roles.get(node) ?? 'plain', size, varies })
    for (const member of groups.get(node) ?? []) {
      if (!saysMoreThanAddress(member)) continue
      const variant = read(member)
      if (variant === null) return found
      variants.push(variant)
    }
  }
  return found
}

/** What an object costs in addition to its texts. */
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
const MAX_PLACEHOLDERS = 7

/** Characters of what is shown of a product; only whether there is a description is judged. */
const MAX_NAME = 300
const MAX_DESCRIPTION = 160

/** One node as a product, without its variants. Addresses are resolved against the page. */
function readProduct(node: MarkupNode, base: string, offers: OfferMarkup[]): ProductMarkup {
  const resolve = (url: string) =>
    url.length > MAX_ADDRESS ? url.slice(0, MAX_ADDRESS) : (URL.parse(url, base)?.href ?? url)
  const [url] = urlsOf(node, 'url', 1)
  return {
    where: placeOf(node),
    syntax: node.syntax,
    type: isGroup(node) ? 'ProductGroup' : 'Product',
    name: firstText(node, 'name')?.slice(0, MAX_NAME) ?? null,
    description: firstText(node, 'description')?.slice(0, MAX_DESCRIPTION) ?? null,
    // A placeholder that a script replaces is written into the page itself.
    images: urlsOf(node, 'image', MAX_IMAGES + MAX_PLACEHOLDERS)
      .filter((image) => !/^data:/i.test(image))
      .slice(0, MAX_IMAGES)
      .map(resolve),
    brand: word(firstText(node, 'brand')),
    sku: word(firstText(node, 'sku')),
    product_id: word(firstText(node, 'productID')),
    mpn: word(firstText(node, 'mpn')),
    gtins: readGtins(node),
    url: url === undefined ? null : resolve(url),
    offers,
    variants: [],
    has_return_policy: hasValue(node, 'hasMerchantReturnPolicy'),
    ...policyFaultsOf(node),
  }
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
        // A review or a list that names a product by its id says nothing about whose page it is.
        else if (!roles.has(value) && isWithin(value, node)) roles.set(value, 'mentioned')
      }
    }
  }
  return roles
}
