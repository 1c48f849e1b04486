import { field, isRecord, isStorable } from '../../web/json/json.ts'
import { visibleText } from '../../web/text/invisible.ts'
import { seenProducts } from '../checks/catalog/seen-products.ts'
import type { Evidence } from '../evidence.ts'

/** A product, or a variant of one, and what the store calls it. */
export interface ProductTitle {
  product_id: string
  title: string
}

// Unspecified: an audit names 2,000 products at most, and a domain has as many names: the report
// lists some dozens a month.
export const MAX_TITLES = 2_000

/** Longer ids are too long for a report. */
const MAX_ID = 200

/** Characters of a title; feeds may have 150. */
const MAX_TITLE = 120

/** Variants of one product. */
const MAX_VARIANTS = 100

/**
 * What the catalog and the feed call the products that were read, each id once. A merchant's events
 * name products by the ids of either, or by those of variants: products come first, and where the
 * two differ the catalog is right, which agents buy from. The texts are a stranger's, shortened to
 * one line each.
 */
export function titlesOf({
  catalog,
  feed,
}: Partial<Pick<Evidence, 'catalog' | 'feed'>>): ProductTitle[] {
  const products = (catalog === undefined ? [] : seenProducts(catalog)).map(
    ({ product }) => product,
  )
  const found = new Map<string, string>()
  const add = (id: unknown, title: unknown, more = '') => {
    const key = idOf(id)
    if (key === null || found.size === MAX_TITLES || found.has(key)) return
    const name = titleFrom(title)
    if (name === null) return
    found.set(key, more === '' ? name : (titleFrom(`${name} (${more})`) ?? name))
  }
  for (const product of products) add(product.id, product.name)
  for (const { id, title } of feed?.items ?? []) add(id, title)
  for (const product of products) {
    const { variants } = product
    if (!Array.isArray(variants)) continue
    for (const variant of variants.slice(0, MAX_VARIANTS)) {
      // An only variant is the product.
      add(field(variant, 'id'), product.name, variants.length > 1 ? attributesOf(variant) : '')
    }
  }
  return [...found].map(([product_id, title]) => ({ product_id, title }))
}

/** Numbers are read too: events have the same as text. */
function idOf(id: unknown): string | null {
  const text = typeof id === 'number' ? String(id) : id
  if (typeof text !== 'string' || text === '' || text.length > MAX_ID) return null
  return isStorable(text) ? text : null
}

/** In one line; null where nothing of it can be read. */
function titleFrom(text: unknown): string | null {
  if (typeof text !== 'string') return null
  // A title may have megabytes. Reports show it, and models read it: nothing may hide in it.
  const line = visibleText(text.slice(0, 10 * MAX_TITLE))
    .replace(/\s+/g, ' ')
    .trim()
  if (line === '') return null
  if (line.length <= MAX_TITLE) return line
  const characters = [...line]
  return characters.length > MAX_TITLE ? `${characters.slice(0, MAX_TITLE - 1).join('')}…` : line
}

/** What tells a variant from the others, such as `M, red`. */
function attributesOf(variant: unknown): string {
  const attributes = field(variant, 'attributes')
  if (!isRecord(attributes)) return ''
  return Object.values(attributes)
    .filter((value) => typeof value === 'string')
    .slice(0, 5)
    .map((value) => value.slice(0, MAX_TITLE))
    .join(', ')
}
