import { SPEC_CATALOG } from '../../../shared/commerce/catalog/spec.ts'
import { Pagination } from '../../../shared/commerce/product.ts'
import type { JsonSeen } from '../../../shared/web/http/fetched.ts'
import { jsonOf } from '../../../shared/web/http/presence.ts'
import { field } from '../../../shared/web/json/json.ts'

/** What stores call the parameter that counts pages. */
const COUNTS_PAGES = /^(?:p|pg|page|paged|page[_-]?(?:no|num|number))$/i

// Unspecified: in addition to the pages that `next` leads to, an audit asks for one from the middle
// of a large catalog, and for one product page less.
/**
 * The address of a page half-way through a catalog of the specification, where the address of the
 * second page says `page=2` and the catalog has more pages than `read`; null otherwise: an address
 * of any other form cannot be made up.
 */
export function middlePage(first: JsonSeen, read: number): string | null {
  const next = SPEC_CATALOG.nextOf(first)
  const said = Pagination.safeParse(field(jsonOf(first), 'pagination'))
  if (next.is !== 'page' || next.url === undefined || !said.success) return null
  const { page, per_page, total } = said.data
  const last = Math.ceil(total / per_page)
  if (page !== 1 || last <= read) return null
  const names = [...next.url.searchParams.keys()].filter((name) => COUNTS_PAGES.test(name))
  const [name] = names
  if (name === undefined || names.length > 1 || next.url.searchParams.get(name) !== '2') return null
  const url = new URL(next.url)
  url.searchParams.set(name, String(Math.max(read + 1, Math.ceil((last + 1) / 2))))
  return url.href
}
