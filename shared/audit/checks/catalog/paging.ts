import { productsOfPage } from '../../../commerce/catalog-page.ts'
import { MAX_UNPAGED_PRODUCTS, Pagination } from '../../../commerce/product.ts'
import { describeFetch, type JsonSeen } from '../../../web/fetched.ts'
import { field, shown } from '../../../web/json.ts'
import { jsonOf, presenceOf } from '../../../web/presence.ts'
import type { CatalogSeen } from '../../evidence.ts'

/**
 * A sentence when one page has more products than the spec allows without pagination (spec,
 * Product: 100), else null. A page that was cut counts: its size alone shows that it should be
 * split.
 */
export function missingPagination({ first }: CatalogSeen): string | null {
  if (isCut(first))
    return `${describeFetch(first.fetched)} with a page that is too large to be read completely.`
  const count = productsOfPage(first)?.length ?? 0
  if (count <= MAX_UNPAGED_PRODUCTS) return null
  const read = Pagination.safeParse(field(jsonOf(first), 'pagination'))
  if (read.success) return null
  const issue = read.error.issues[0]
  return `${count} products on one page, and pagination is invalid: ${issue?.path.join('.') || 'pagination'} ${issue?.message}.`
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
  const pages = [catalog.first, ...catalog.next]
  const seen = new Set<string>()
  for (const page of pages) {
    const presence = presenceOf(page.fetched)
    if (presence.is === 'unknown' || isCut(page)) return null
    if (presence.is !== 'present' || productsOfPage(page) === null) {
      return { fault: 'broken', detail: `${describeFetch(page.fetched)}, not a page of products.` }
    }
    const here = presence.answer.url
    const host = URL.parse(presence.answer.final_url)?.host
    seen.add(here)
    const raw = field(field(jsonOf(page), 'pagination'), 'next')
    if (raw === undefined || raw === null) return null
    const next = nextUrl(page)
    if (next === null) {
      return {
        fault: 'broken',
        detail: `pagination.next on ${here} is ${shown(raw)}, not a valid URL.`,
      }
    }
    if (seen.has(next)) {
      return { fault: 'loops', detail: `pagination.next on ${here} leads back to ${next}.` }
    }
    if (URL.parse(next)?.host !== host) {
      return {
        fault: 'leaves_host',
        detail: `pagination.next on ${here} leads to another host: ${next}.`,
      }
    }
  }
  return null
}

/** The address of the next page, resolved; null when there is none or it is not an http(s) URL. */
export function nextUrl(page: JsonSeen): string | null {
  const raw = field(field(jsonOf(page), 'pagination'), 'next')
  if (typeof raw !== 'string' || raw === '' || page.fetched.kind !== 'answer') return null
  const url = URL.parse(raw, page.fetched.final_url)
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null
}
