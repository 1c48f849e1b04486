import type { CatalogDialectName } from '../../../commerce/catalog/dialect.ts'
import {
  type ListedProduct,
  summarise,
  summariseCounted,
} from '../../../commerce/catalog/listing.ts'
import { ADVISED_DESCRIPTION, MIN_DESCRIPTION } from '../../../commerce/product.ts'
import type { CatalogSeen } from '../../evidence.ts'
import { gap, pass, type Verdict } from '../../rule.ts'
import { clashingVariants, duplicateIds } from './ids.ts'
import { type ProductFault, productFaults } from './product-faults.ts'
import { seenProducts } from './seen-products.ts'
import { noteOnShare } from './share.ts'

/** What can be wrong with single products, and ids that several of them share. */
export type Finding = ProductFault | 'description_brief' | 'variants_clash' | 'ids_duplicate'

/** All that is wrong with each product by itself, as sentences by what it is. */
export function findingsIn(
  dialect: CatalogDialectName,
  products: readonly ListedProduct[],
): Map<Finding, string[]> {
  const found = new Map<Finding, string[]>(productFaults(dialect, products))
  found.set('description_brief', briefDescriptions(products))
  found.set('variants_clash', clashingVariants(products))
  return found
}

const known = new WeakMap<CatalogSeen, Map<Finding, string[]>>()

/** What is wrong with all products that were seen. Computed once per catalog. */
function findingsOf(catalog: CatalogSeen): Map<Finding, string[]> {
  const found = known.get(catalog) ?? findingsIn(catalog.dialect, seenProducts(catalog))
  // Pages in a row list no product twice; a search lists again what they list.
  if (!known.has(catalog)) found.set('ids_duplicate', duplicateIds(catalog))
  known.set(catalog, found)
  return found
}

/**
 * A gap with the first findings of this kind, over all pages where they were read; otherwise a pass
 * that says how much was seen.
 */
export function judgeFindings(catalog: CatalogSeen, wanted: Finding): Verdict {
  const counted = catalog.whole?.findings[wanted]
  if (counted !== undefined && counted.count > 0) return gap(summariseCounted(counted))
  const sentences = findingsOf(catalog).get(wanted) ?? []
  return sentences.length === 0 ? pass(noteOnShare(catalog)) : gap(summarise(sentences))
}

const briefDescriptions = (products: readonly ListedProduct[]): string[] =>
  products.flatMap(({ product, where }) => {
    const text = product.description
    if (typeof text !== 'string' || text.length < MIN_DESCRIPTION) return []
    return text.length < ADVISED_DESCRIPTION ? [`${text.length} characters for ${where}`] : []
  })
