import { dialectOf, isTooLong, productsOn } from '../../../commerce/catalog/listing.ts'
import type { CatalogSeen } from '../../evidence.ts'
import type { CatalogShare } from '../../result.ts'
import { answersElsewhere, seenProducts } from './seen-products.ts'

/**
 * How much of the catalog was read; null where it lists nothing. What the store says of its size is
 * believed only where it can be true: a whole number, and no less than was read.
 */
export function shareOf(catalog: CatalogSeen): CatalogShare | null {
  const products = seenProducts(catalog).length
  const row = [catalog.first, ...catalog.next]
  const pages = [...row, ...answersElsewhere(catalog)].filter(
    (page) => productsOn(catalog, page).length > 0,
  ).length
  if (products === 0) return null
  const { whole } = catalog
  if (whole !== undefined && whole.products >= products) {
    return {
      products: whole.products,
      of: whole.of,
      pages: whole.pages,
      ...(whole.stopped !== null && { stopped: whole.stopped }),
    }
  }
  const last = row.at(-1) ?? catalog.first
  const isAll =
    catalog.word === undefined &&
    dialectOf(catalog).nextOf(last).is === 'none' &&
    dialectOf(catalog).productsOf(last) !== null &&
    !row.some((page) => isTooLong(catalog, page))
  const said = catalog.word === undefined ? dialectOf(catalog).totalOf(catalog.first) : null
  return {
    products,
    of: totalFrom(said, products) ?? (isAll ? products : null),
    pages,
    ...(whole?.stopped && { stopped: whole.stopped }),
  }
}

/** What a store says that it has in all, where that can be true. */
export const totalFrom = (said: unknown, read: number): number | null =>
  typeof said === 'number' && Number.isSafeInteger(said) && said >= read ? said : null

/** Behind a pass that was seen on a part of the products; undefined where all were read. */
export function noteOnShare(catalog: CatalogSeen): string | undefined {
  const share = shareOf(catalog)
  if (share === null || share.of === share.products) return undefined
  return share.of === null
    ? `Seen on the ${counted(share.products)} products that were read.`
    : `Seen on ${counted(share.products)} of ${counted(share.of)} products.`
}

const counted = (count: number): string => count.toLocaleString('en')
