import { listedProducts } from '../../../commerce/catalog/listing.ts'
import { field } from '../../../web/json/json.ts'
import { englishCount } from '../../../web/text/english-count.ts'
import type { CatalogSeen } from '../../evidence.ts'
import { shareOf } from './share.ts'

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
