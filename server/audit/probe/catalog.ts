import type { CatalogSeen, ManifestSeen } from '../../../shared/audit/evidence.ts'
import type { CatalogDialectName } from '../../../shared/commerce/catalog/dialect.ts'
import { dialectOf, productsOfPage } from '../../../shared/commerce/catalog/listing.ts'
import { declared } from '../../../shared/manifest/inspect.ts'
import type { JsonSeen } from '../../../shared/web/fetched.ts'
import { field } from '../../../shared/web/json.ts'
import { jsonOf } from '../../../shared/web/presence.ts'
import type { EndpointFound } from './endpoints.ts'
import { BODY_CAPS } from './fetch/request.ts'
import { notAsked, requestJson } from './json.ts'
import type { AuditSession } from './session.ts'

/** Pages of the catalog that are read beyond the first. */
const MAX_NEXT_PAGES = 2

/** A catalog whose first page was asked for. */
export interface OpenCatalog {
  dialect: CatalogDialectName
  /** From it other probes take their products. */
  first: JsonSeen
  /** Reads what the first page leads to; to be called once. */
  more: () => Promise<CatalogSeen>
}

const SPOKEN = { dialect: 'spec' } as const

/** Asks for the first page of the specification's catalog. */
export async function openSpecCatalog(
  session: AuditSession,
  endpoint: EndpointFound,
  manifest: ManifestSeen,
): Promise<OpenCatalog> {
  const first =
    'reason' in endpoint
      ? notAsked(endpoint.reason)
      : await requestJson(session, { url: endpoint.url, maxBytes: BODY_CAPS.catalog })
  return { ...SPOKEN, first, more: () => readOn(session, endpoint, manifest, first) }
}

/**
 * What the first page leads to: the next ones, and whether search and filters do anything. One
 * request each, so that even a large catalog costs a handful.
 */
async function readOn(
  session: AuditSession,
  endpoint: EndpointFound,
  manifest: ManifestSeen,
  first: JsonSeen,
): Promise<CatalogSeen> {
  const url = 'reason' in endpoint ? '' : endpoint.url
  const products = productsOfPage(SPOKEN, first) ?? []
  const capability = declared(jsonOf(manifest) ?? jsonOf(manifest.www), 'product_catalog')
  const q = field(capability, 'supports_search') === true ? searchWord(products) : null
  const params = filterParams(field(capability, 'supports_filters'), products)
  const ask = (query: Record<string, string>) =>
    requestJson(session, { url: withQuery(url, query), maxBytes: BODY_CAPS.catalog })
  const host = first.fetched.kind === 'answer' ? new URL(first.fetched.final_url).host : ''

  const [next, search, filters, again] = await Promise.all([
    followPages(SPOKEN, first, MAX_NEXT_PAGES, async (key) =>
      key === url || new URL(key).host !== host
        ? null
        : requestJson(session, { url: key, maxBytes: BODY_CAPS.catalog }),
    ),
    q === null ? null : ask({ q }).then((seen) => ({ q, seen })),
    params === null ? null : ask(params).then((seen) => ({ params, seen })),
    // A search or a filter lists products once more anyway, with which ids can be compared.
    q !== null || params !== null || products.length === 0
      ? notAsked('another response already shows whether ids are stable')
      : ask({}),
  ])
  const asked = 'reason' in endpoint ? null : endpoint
  return { ...SPOKEN, endpoint: asked, first, again, next, search, filters, official: null }
}

/**
 * Follows what each page says comes next, as agents do, at most so many times and never in a
 * circle. `ask` gives null for a page that must not be asked for.
 */
export async function followPages(
  catalog: { dialect: CatalogDialectName },
  first: JsonSeen,
  most: number,
  ask: (key: string) => Promise<JsonSeen | null>,
): Promise<JsonSeen[]> {
  const pages: JsonSeen[] = []
  const seen = new Set<string>()
  let page = first
  while (pages.length < most) {
    const next = dialectOf(catalog).nextOf(page)
    if (next.is !== 'page' || seen.has(next.key)) break
    seen.add(next.key)
    const found = await ask(next.key)
    if (found === null) break
    page = found
    pages.push(page)
  }
  return pages
}

/** The endpoint with parameters; those that it already has stay. */
function withQuery(url: string, query: Record<string, string>): string {
  const target = new URL(url)
  for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value)
  return target.href
}

/** A text of a product, empty where there is none. */
const textOf = (product: unknown, key: string): string => {
  const value = field(product, key)
  return typeof value === 'string' ? value : ''
}

/**
 * The word in the fewest product names: a search for it has to leave out the most products, or to
 * list them last, so that it is one of the last product. Null without a word of four letters.
 */
export function searchWord(products: readonly unknown[]): string | null {
  const counts = new Map<string, number>()
  for (const product of products.slice(0, 200).toReversed()) {
    for (const word of new Set(textOf(product, 'name').match(/\p{L}{4,30}/gu))) {
      counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  }
  return [...counts].sort((a, b) => a[1] - b[1])[0]?.[0] ?? null
}

/** One request that carries every declared filter, set so that a listed product matches all. */
export function filterParams(
  supported: unknown,
  products: readonly unknown[],
): Record<string, string> | null {
  const names = Array.isArray(supported) ? supported.filter((name) => typeof name === 'string') : []
  const product = products[0]
  const amount = field(field(product, 'price'), 'amount')
  const params: Record<string, string> = {}
  const category = textOf(product, 'category')
  if (category !== '' && names.includes('category')) params.category = category
  if (Number.isInteger(amount) && names.some((name) => name.includes('price'))) {
    params.min_price = String(amount)
    params.max_price = String(amount)
  }
  const availability = textOf(product, 'availability')
  if (availability !== '' && names.includes('availability')) params.availability = availability
  return Object.keys(params).length === 0 ? null : params
}
