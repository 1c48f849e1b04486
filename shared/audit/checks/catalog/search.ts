import { nameOf, nonEmptyText, productsOfPage } from '../../../commerce/catalog/listing.ts'
import { describeFetch } from '../../../web/http/fetched.ts'
import { field, shown } from '../../../web/json/json.ts'
import type { CatalogSeen } from '../../evidence.ts'

/** Where a search may reasonably look; case does not matter. */
const mentions = (product: unknown, word: string): boolean =>
  ['name', 'description', 'category', 'brand', 'sku'].some((key) =>
    nonEmptyText(product, key)?.toLowerCase().includes(word.toLowerCase()),
  )

/**
 * What is wrong with the answer to `?q=`, or null when the search filters the catalog as far as one
 * request can tell. A search by meaning may return products without the word, all of them where it
 * ranks: strangers count only when nothing was left out and one of them comes first.
 */
export function searchFault(catalog: CatalogSeen): string | null {
  const { first, search } = catalog
  if (search === null) return null
  const request = describeFetch(search.seen.fetched)
  const found = productsOfPage(catalog, search.seen)
  if (found === null) return `${request}, not a list of products.`
  if (found.length === 0)
    return `${request} with no products, although a listed product has that name.`
  const unrelated = found.filter((product) => !mentions(product, search.q))
  const narrowed = found.length < (productsOfPage(catalog, first)?.length ?? 0)
  return unrelated[0] === found[0] && unrelated.length > 0 && !narrowed
    ? `${request} with all ${found.length} products, ${unrelated.length} of them without ${shown(search.q)}.`
    : null
}

/**
 * What is wrong with the answer to the declared filters, or null when each that was sent holds for
 * every product that came back. Names are those of the spec, Merchant-side UCP endpoints.
 */
export function filtersFault(catalog: CatalogSeen): string | null {
  const { filters } = catalog
  if (filters === null) return null
  const request = describeFetch(filters.seen.fetched)
  const found = productsOfPage(catalog, filters.seen)
  if (found === null) return `${request}, not a list of products.`
  if (found.length === 0) return `${request} with no products, although a listed product matches.`
  const params = Object.entries(filters.params)
  const ignored = params.flatMap(([name, wanted]) => {
    const stranger = found.find((product) => !matchesFilter(product, name, wanted))
    const others = params.filter(([other]) => other !== name)
    return stranger === undefined || (name === 'category' && narrows(catalog, found, others))
      ? []
      : [`${name}=${wanted} also returns ${shown(nameOf(stranger))}`]
  })
  return ignored.length === 0 ? null : `${request}: ${ignored.join('; ')}.`
}

/**
 * Whether the answer omits a product that matches the other filters. A category may also return
 * products of its subcategories, so this alone shows that it filters.
 */
function narrows(catalog: CatalogSeen, found: unknown[], others: [string, string][]): boolean {
  const names = new Set(found.map(nameOf))
  return (productsOfPage(catalog, catalog.first) ?? []).some(
    (product) =>
      others.every(([name, wanted]) => matchesFilter(product, name, wanted)) &&
      !names.has(nameOf(product)),
  )
}

/**
 * Whether a product passes one filter. A product with variants passes if one of them does: each has
 * its own price and availability.
 */
function matchesFilter(product: unknown, name: string, wanted: string): boolean {
  if (name === 'category')
    return nonEmptyText(product, 'category')?.toLowerCase() === wanted.toLowerCase()
  const variants = field(product, 'variants')
  const offers = [product, ...(Array.isArray(variants) ? variants : [])]
  return offers.some((offer) => {
    if (name === 'availability') return field(offer, 'availability') === wanted
    const said = field(field(offer, 'price'), 'amount')
    // An object that hides its own valueOf has no number, and would throw.
    const amount = typeof said === 'object' ? Number.NaN : Number(said)
    return name === 'min_price' ? amount >= Number(wanted) : amount <= Number(wanted)
  })
}
