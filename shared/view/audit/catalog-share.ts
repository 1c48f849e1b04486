import type { CatalogShare } from '../../audit/result/result.ts'
import { formatNumber } from '../format.ts'

/** How much of the catalog was read, as sentences. */
export function catalogShare({ products, of, stopped }: CatalogShare, locale = 'en'): string[] {
  const read = formatNumber(products, locale)
  const isAll = of === products
  return [
    of === null
      ? `${read} products were read; how many there are is not known.`
      : `${read} of ${formatNumber(of, locale)} products were read.`,
    ...(isAll ? [] : ['Catalog checks cover only these products.']),
    ...(stopped === undefined ? [] : [`The reading ended early: ${stopped}.`]),
  ]
}
