import { type CatalogPages, dialectOf, productsOfPage } from '../../../commerce/catalog/listing.ts'
import { hashOf } from '../../../commerce/known-texts.ts'
import { MAX_UNPAGED_PRODUCTS } from '../../../commerce/product.ts'
import { type Answer, describeFetch, type JsonSeen } from '../../../web/http/fetched.ts'
import { presenceOf } from '../../../web/http/presence.ts'
import { shown } from '../../../web/json/json.ts'
import type { CatalogSeen, NextFault } from '../../evidence.ts'

/**
 * A sentence when one page has more products than the spec allows without pagination (spec,
 * Product: 100), else null. A page that was cut counts: its size alone shows that it should be
 * split.
 */
export function missingPagination(catalog: CatalogSeen): string | null {
  const { first } = catalog
  if (isCut(first) && !(first.fetched.kind === 'answer' && isOtherList(first.fetched)))
    return `${describeFetch(first.fetched)} with a page that is too large to be read completely.`
  const count = productsOfPage(catalog, first)?.length ?? 0
  if (count <= MAX_UNPAGED_PRODUCTS) return null
  const fault = dialectOf(catalog).pagingFault(first)
  return fault === null ? null : `${count} products on one page, and ${fault}.`
}

/** Whether a text begins as a list of other things than objects, which no catalog is. */
export const isOtherList = ({ body }: Pick<Answer, 'body'>): boolean => /^\s*\[\s*[^{\s]/.test(body)

/** Our limit on bytes ended the page, so that what it lists is not known. */
const isCut = ({ fetched }: JsonSeen) => fetched.kind === 'answer' && fetched.truncated

/**
 * Why following `pagination.next` fails; null when it reaches the last page, when there is none,
 * and when an answer leaves it open.
 */
export function nextFault(catalog: CatalogSeen): NextFault | null {
  const pager = createPager(catalog)
  for (const page of [catalog.first, ...catalog.next]) {
    const step = pager(page)
    if (step.is !== 'page') return step.is === 'fault' ? step : null
  }
  return null
}

/** What a page leads to: another, nothing, or a fault; `open` where its answer does not tell. */
type PageStep =
  | { is: 'page'; key: string }
  | { is: 'end' }
  | { is: 'open'; why: string }
  | ({ is: 'fault' } & NextFault)

/**
 * Follows the pages of a catalog from its first, as agents do: to be called with each page in turn.
 * Another host is a fault because agents trust the host that the manifest names.
 */
export function createPager(catalog: Pick<CatalogPages, 'dialect' | 'first'>) {
  const dialect = dialectOf(catalog)
  const first = presenceOf(catalog.first.fetched)
  const host = first.is === 'present' ? URL.parse(first.answer.final_url)?.host : undefined
  // A page of the specification's catalog is named by its URL, one of official UCP by a cursor. A
  // store chooses how long they are, so that only hashes are kept.
  const seen = new Set(first.is === 'present' ? [hashOf(first.answer.url)] : [])
  return (page: JsonSeen): PageStep => {
    const presence = dialect.presenceOf(page)
    if (presence.is === 'unknown') return { is: 'open', why: presence.why }
    if (isCut(page)) {
      return { is: 'open', why: `${describeFetch(page.fetched)} with more than is read of a page` }
    }
    if (presence.is !== 'present' || productsOfPage(catalog, page) === null) {
      const detail = `${describeFetch(page.fetched)}, not a page of products.`
      return { is: 'fault', fault: 'broken', detail }
    }
    const here = presence.answer.url
    const next = dialect.nextOf(page)
    if (next.is === 'none') return { is: 'end' }
    if (next.is === 'wrong') {
      return { is: 'fault', fault: 'broken', detail: `On ${here} ${next.said}.` }
    }
    const { key, url } = next
    const hash = hashOf(key)
    if (seen.has(hash)) {
      const detail = `On ${here} the next page leads back to ${shown(key)}.`
      return { is: 'fault', fault: 'loops', detail }
    }
    seen.add(hash)
    if (url !== undefined && url.host !== host) {
      const detail = `pagination.next on ${here} leads to another host: ${key}.`
      return { is: 'fault', fault: 'leaves_host', detail }
    }
    return { is: 'page', key }
  }
}
