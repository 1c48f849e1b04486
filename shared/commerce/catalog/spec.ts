import type { JsonSeen } from '../../web/http/fetched.ts'
import { jsonOf, presenceOf } from '../../web/http/presence.ts'
import { field, shown } from '../../web/json/json.ts'
import { Pagination } from '../product.ts'
import type { CatalogDialect, Next } from './dialect.ts'

/** The specification's catalog: `GET /ucp/products` answers with products and pagination. */
export const SPEC_CATALOG: CatalogDialect = {
  presenceOf: ({ fetched }) => presenceOf(fetched),
  productsOf(seen) {
    const products = field(jsonOf(seen), 'products')
    return Array.isArray(products) ? products : null
  },
  toProduct: (raw) => raw,
  nextOf,
  pagingFault,
  totalOf: (page) => field(field(jsonOf(page), 'pagination'), 'total'),
  isCacheable: true,
  hasPageUrls: true,
}

/** Spec, Product: `pagination.next` is a URL; agents follow it until it is absent or null. */
function nextOf(page: JsonSeen): Next {
  const raw = field(field(jsonOf(page), 'pagination'), 'next')
  if (raw === undefined || raw === null) return { is: 'none' }
  const wrong = { is: 'wrong', said: `pagination.next is ${shown(raw)}, not a valid URL` } as const
  if (typeof raw !== 'string' || raw === '' || page.fetched.kind !== 'answer') return wrong
  const url = URL.parse(raw, page.fetched.final_url)
  return url !== null && /^https?:$/.test(url.protocol) ? { is: 'page', key: url.href, url } : wrong
}

function pagingFault(page: JsonSeen): string | null {
  const issue = Pagination.safeParse(field(jsonOf(page), 'pagination')).error?.issues[0]
  return issue === undefined
    ? null
    : `pagination is invalid: ${issue.path.join('.') || 'pagination'} ${issue.message}`
}
