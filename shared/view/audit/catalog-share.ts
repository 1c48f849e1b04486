import type { CatalogShare } from '../../audit/result/result.ts'
import { formatNumber } from '../format.ts'
import type { TextKey, TextOf } from '../texts.ts'

/** How much of the catalog was read, as sentences. */
export function catalogShare(
  { products, of, stopped }: CatalogShare,
  text: TextOf<TextKey>,
  locale = 'en',
): string[] {
  const read = formatNumber(products, locale)
  const isAll = of === products
  return [
    of === null
      ? text('catalog_read_unknown', read)
      : text('catalog_read', read, formatNumber(of, locale)),
    ...(isAll ? [] : [text('catalog_read_part')]),
    ...(stopped === undefined ? [] : [text('catalog_read_stopped', stopped)]),
  ]
}
