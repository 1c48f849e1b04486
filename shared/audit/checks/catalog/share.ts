import {
  dialectOf,
  isTooLong,
  type ListedProduct,
  nonEmptyText,
  productsOn,
} from '../../../commerce/catalog/listing.ts'
import { englishCount } from '../../../web/text/english-count.ts'
import type { CatalogSeen } from '../../evidence.ts'
import type { CatalogShare } from '../../result/result.ts'
import { answersElsewhere, seenProducts } from './seen-products.ts'

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
