import {
  type CatalogPages,
  type ListedProduct,
  listedProducts,
  nameOf,
  nonEmptyText,
  productsOn,
} from '../../../commerce/catalog/listing.ts'
import type { CatalogSeen } from '../../evidence.ts'

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
export const answersElsewhere = ({ middle, search, filters }: CatalogSeen) =>
  [middle, search?.seen, filters?.seen].flatMap((seen) => seen ?? [])

/** Ids may change between requests, and names may be shared: either tells that it was seen. */
function keysOf({ product }: ListedProduct): string[] {
  const [id, name] = [nonEmptyText(product, 'id'), nameOf(product)]
  return [...(id === null ? [] : [`id ${id}`]), ...(name === null ? [] : [`name ${name}`])]
}
