import { dialectOf, productsOfPage } from '../../../commerce/catalog/listing.ts'
import { MAX_UNPAGED_PRODUCTS } from '../../../commerce/product.ts'
import { describeFetch, type JsonSeen } from '../../../web/fetched.ts'
import { shown } from '../../../web/json.ts'
import { presenceOf } from '../../../web/presence.ts'
import type { CatalogSeen } from '../../evidence.ts'

/**
 * A sentence when one page has more products than the spec allows without pagination (spec,
 * Product: 100), else null. A page that was cut counts: its size alone shows that it should be
 * split.
 */
export function missingPagination(catalog: CatalogSeen): string | null {
  const { first } = catalog
  if (isCut(first))
    return `${describeFetch(first.fetched)} with a page that is too large to be read completely.`
  const count = productsOfPage(catalog, first)?.length ?? 0
  if (count <= MAX_UNPAGED_PRODUCTS) return null
  const fault = dialectOf(catalog).pagingFault(first)
  return fault === null ? null : `${count} products on one page, and ${fault}.`
}

/** Our limit on bytes ended the page, so that what it lists is not known. */
const isCut = ({ fetched }: JsonSeen) => fetched.kind === 'answer' && fetched.truncated

/** Ways in which following `pagination.next` fails. */
export type NextFault = 'broken' | 'loops' | 'leaves_host'

/**
 * Why following `pagination.next` fails; null when it reaches the last page, when there is none,
 * and when an answer leaves it open. Another host is a fault because agents trust the host that the
 * manifest names.
 */
export function nextFault(catalog: CatalogSeen): { fault: NextFault; detail: string } | null {
  const dialect = dialectOf(catalog)
  const first = presenceOf(catalog.first.fetched)
  const host = first.is === 'present' ? URL.parse(first.answer.final_url)?.host : undefined
  // A page of the specification's catalog is named by its URL, one of official UCP by a cursor.
  const seen = new Set(first.is === 'present' ? [first.answer.url] : [])
  for (const page of [catalog.first, ...catalog.next]) {
    const presence = dialect.presenceOf(page)
    if (presence.is === 'unknown' || isCut(page)) return null
    if (presence.is !== 'present' || productsOfPage(catalog, page) === null) {
      return { fault: 'broken', detail: `${describeFetch(page.fetched)}, not a page of products.` }
    }
    const here = presence.answer.url
    const next = dialect.nextOf(page)
    if (next.is === 'none') return null
    if (next.is === 'wrong') return { fault: 'broken', detail: `On ${here} ${next.said}.` }
    const { key, url } = next
    if (seen.has(key)) {
      return { fault: 'loops', detail: `On ${here} the next page leads back to ${shown(key)}.` }
    }
    seen.add(key)
    if (url !== undefined && url.host !== host) {
      return {
        fault: 'leaves_host',
        detail: `pagination.next on ${here} leads to another host: ${key}.`,
      }
    }
  }
  return null
}
