import {
  type CatalogPages,
  dialectOf,
  isTooLong,
  type ListedProduct,
  listedProducts,
  nameOf,
  nonEmptyText,
  productsOn,
} from '../../../commerce/catalog/listing.ts'
import { field } from '../../../web/json/json.ts'
import { englishCount } from '../../../web/text/english-count.ts'
import type { CatalogSeen } from '../../evidence.ts'
import type { CatalogShare } from '../../result/result.ts'

/** As many products as are judged of the pages in a row. */
const MAX_ELSEWHERE = 1000

const known = new WeakMap<CatalogPages, readonly ListedProduct[]>()

/**
 * Every product that was seen, each once: those of the pages in a row, and what the page from the
 * middle, the search and the filters brought from other parts of the catalog.
 */
export function seenProducts(catalog: CatalogSeen): readonly ListedProduct[] {
  const seen = known.get(catalog) ?? [...listedProducts(catalog), ...elsewhere(catalog)]
  known.set(catalog, seen)
  return seen
}

function elsewhere(catalog: CatalogSeen): ListedProduct[] {
  const listed = listedProducts(catalog)
  const keys = new Set(listed.flatMap(keysOf))
  const found: ListedProduct[] = []
  for (const page of answersElsewhere(catalog)) {
    for (const each of productsOn(catalog, page)) {
      const own = keysOf(each)
      // One without an id, a name or an address cannot be distinguished from those that were seen.
      const isNew = own.length > 0 && !own.some((key) => keys.has(key))
      if (!isNew || found.length === MAX_ELSEWHERE) continue
      for (const key of own) keys.add(key)
      found.push(each)
    }
  }
  return found
}

/** The answers that may list products of other parts. */
const answersElsewhere = ({ middle, search, filters }: CatalogSeen) =>
  [middle, search?.seen, filters?.seen].flatMap((seen) => seen ?? [])

/** Ids may change between requests, and names may be shared: either tells that it was seen. */
function keysOf({ product }: ListedProduct): string[] {
  const [id, name] = [nonEmptyText(product, 'id'), nameOf(product)]
  return [...(id === null ? [] : [`id ${id}`]), ...(name === null ? [] : [`name ${name}`])]
}

/**
 * How much of the catalog was read; null where it lists nothing. What the store says of its size is
 * believed only where it can be true: a whole number, and no less than was read.
 */
export function shareOf(catalog: CatalogSeen): CatalogShare | null {
  const { whole, word } = catalog
  const products = Math.max(distinct(seenProducts(catalog)), whole?.products ?? 0)
  if (products === 0) return null
  const row = [catalog.first, ...catalog.next]
  const pages = [...row, ...answersElsewhere(catalog)].filter(
    (page) => productsOn(catalog, page).length > 0,
  ).length
  // The total of what a word finds is not that of the catalog.
  const said = word === undefined ? dialectOf(catalog).totalOf(catalog.first) : null
  const isAll = whole === undefined ? isRowWhole(catalog) : whole.stopped === null
  return {
    products,
    of: totalFrom(whole?.of ?? said, products) ?? (isAll ? products : null),
    pages: Math.max(pages, whole?.pages ?? 0),
    ...(whole?.stopped && { stopped: whole.stopped }),
  }
}

/** Whether the pages in a row are all that there are. */
function isRowWhole(catalog: CatalogSeen): boolean {
  const row = [catalog.first, ...catalog.next]
  const last = row.at(-1) ?? catalog.first
  const { nextOf, productsOf } = dialectOf(catalog)
  return (
    catalog.word === undefined &&
    nextOf(last).is === 'none' &&
    productsOf(last) !== null &&
    !row.some((page) => isTooLong(catalog, page))
  )
}

/** How many they are, each id once. */
function distinct(products: readonly ListedProduct[]): number {
  const ids = products.flatMap(({ product }) => nonEmptyText(product, 'id') ?? [])
  return new Set(ids).size + products.length - ids.length
}

/** What a store says that it has in all, where that can be true. */
export const totalFrom = (said: unknown, read: number): number | null =>
  typeof said === 'number' && Number.isSafeInteger(said) && said >= read ? said : null

/** Behind a pass that was seen on a part of the products; undefined where all were read. */
export function noteOnShare(catalog: CatalogSeen): string | undefined {
  const share = shareOf(catalog)
  if (share === null || share.of === share.products) return undefined
  return share.of === null
    ? `Seen on the ${englishCount(share.products)} products that were read.`
    : `Seen on ${englishCount(share.products)} of ${englishCount(share.of)} products.`
}

/** Fewer sold-out products of a catalog that was read in part may be chance. */
const MANY = 10

/**
 * Why nothing of a catalog can be bought now, as a sentence; null where something can, or where too
 * little was read to say.
 */
export function nothingInStock(catalog: CatalogSeen): string | null {
  const products = listedProducts(catalog)
  if (products.length === 0 || !products.every(({ product }) => isSoldOut(product))) return null
  const share = shareOf(catalog)
  const isWhole = share?.of === products.length
  if (!isWhole && products.length < MANY) return null
  const count = englishCount(products.length)
  return isWhole
    ? `All ${count} products of the catalog are out_of_stock.`
    : `All ${count} products that were read are out_of_stock.`
}

/** A product is sold out where each of its variants is. */
function isSoldOut(product: Record<string, unknown>): boolean {
  const { availability, variants } = product
  const parts = Array.isArray(variants) && variants.length > 0 ? variants : [{ availability }]
  return parts.every((part) => field(part, 'availability') === 'out_of_stock')
}
