import type { CatalogSeen, Endpoint, ManifestSeen } from '../../../shared/audit/evidence.ts'
import type { CatalogDialectName } from '../../../shared/commerce/catalog/dialect.ts'
import { dialectOf, productsOfPage } from '../../../shared/commerce/catalog/listing.ts'
import { SPEC_CATALOG } from '../../../shared/commerce/catalog/spec.ts'
import { Pagination } from '../../../shared/commerce/product.ts'
import { declared } from '../../../shared/manifest/inspect.ts'
import type { JsonSeen } from '../../../shared/web/http/fetched.ts'
import { jsonOf } from '../../../shared/web/http/presence.ts'
import { field } from '../../../shared/web/json/json.ts'
import { BODY_CAPS } from './fetch/request.ts'
import type { EndpointFound } from './manifest.ts'
import { once } from './once.ts'
import { type AuditSession, notAsked, requestJson } from './session.ts'
import type { CatalogReader } from './whole-catalog.ts'

/** Pages of the catalog that are read beyond the first. */
const MAX_NEXT_PAGES = 2

/** A catalog whose first page was asked for. */
export interface OpenCatalog {
  dialect: CatalogDialectName
  /** From it other probes take their products. */
  first: JsonSeen
  /** Reads the pages after it, once however often it is called. */
  listed: () => Promise<ListedPages>
  /** Reads what the first page leads to; to be called once. */
  more: () => Promise<CatalogSeen>
  /** Asks for one thing by its id, in each way that the catalog has; null without any. */
  again: ((id: string) => Promise<AskedAgain[]>) | null
  /** Asks for all of its pages in another session; null where the catalog has no address. */
  reader: ((session: AuditSession) => CatalogReader) | null
}

/** One thing of a catalog, asked for by its id: `Look-up`, and the products of the answer. */
export interface AskedAgain {
  name: string
  seen: JsonSeen
  products: Record<string, unknown>[] | null
}

/** Pages whose products the store lists without being asked for any. */
export type ListedPages = Pick<CatalogSeen, 'dialect' | 'first' | 'next' | 'middle'>

const SPOKEN = { dialect: 'spec' } as const

/** A catalog that is not asked for anything, and why. */
export function closedCatalog(dialect: CatalogDialectName, reason: string): OpenCatalog {
  const first = notAsked(reason)
  const pages = { dialect, first, next: [] }
  return {
    dialect,
    first,
    listed: async () => pages,
    again: null,
    more: async () => ({
      ...{ ...pages, endpoint: null, again: first },
      ...{ search: null, filters: null, official: null },
    }),
    reader: null,
  }
}

/** Asks for the first page of the specification's catalog. */
export async function openSpecCatalog(
  session: AuditSession,
  endpoint: EndpointFound,
  manifest: ManifestSeen,
): Promise<OpenCatalog> {
  if ('reason' in endpoint) return closedCatalog('spec', endpoint.reason)
  const first = await askPage(session, endpoint.url)
  const listed = once(() => readRow(session, endpoint, first))
  return {
    ...SPOKEN,
    first,
    listed,
    again: null,
    more: () => readOn(session, endpoint, manifest, { first, listed }),
    reader: (other) => readerOf(other, endpoint.url),
  }
}

const askPage = (session: AuditSession, url: string): Promise<JsonSeen> =>
  requestJson(session, { url, maxBytes: BODY_CAPS.catalog })

const readerOf = (session: AuditSession, url: string): CatalogReader => ({
  first: () => askPage(session, url),
  next: (key) => askPage(session, key),
  close: async () => {},
})

/**
 * What the first page leads to: the next ones, one from the middle, and whether search and filters
 * do anything. One request each, so that even a large catalog costs a handful.
 */
async function readOn(
  session: AuditSession,
  endpoint: Endpoint,
  manifest: ManifestSeen,
  { first, listed }: Pick<OpenCatalog, 'first' | 'listed'>,
): Promise<CatalogSeen> {
  const row = listed()
  const products = productsOfPage(SPOKEN, first) ?? []
  const capability = declared(jsonOf(manifest) ?? jsonOf(manifest.www), 'product_catalog')
  const q = field(capability, 'supports_search') === true ? searchWord(products) : null
  const params = filterParams(field(capability, 'supports_filters'), products)
  const ask = (query: Record<string, string>) => askPage(session, withQuery(endpoint.url, query))
  const [pages, search, filters, again] = await Promise.all([
    row,
    q === null ? null : ask({ q }).then((seen) => ({ q, seen })),
    params === null ? null : ask(params).then((seen) => ({ params, seen })),
    // A search or a filter lists products once more anyway, with which ids can be compared.
    q !== null || params !== null || products.length === 0
      ? notAsked('another response already shows whether ids are stable')
      : ask({}),
  ])
  return { ...pages, endpoint, again, search, filters, official: null }
}

/** The pages that follow the first, and one from the middle. */
async function readRow(
  session: AuditSession,
  { url }: Endpoint,
  first: JsonSeen,
): Promise<ListedPages> {
  const host = first.fetched.kind === 'answer' ? new URL(first.fetched.final_url).host : ''
  const isOurs = (page: string) => page !== url && new URL(page).host === host
  const half = middlePage(first, 1 + MAX_NEXT_PAGES)
  const [next, middle] = await Promise.all([
    followPages(SPOKEN, first, MAX_NEXT_PAGES, async (key) =>
      isOurs(key) ? askPage(session, key) : null,
    ),
    half !== null && isOurs(half) ? askPage(session, half) : null,
  ])
  return { ...SPOKEN, first, next, ...(middle !== null && { middle }) }
}

/**
 * Follows what each page says comes next, as agents do, up to a limit and never in a circle. `ask`
 * gives null for a page that must not be asked for.
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
  const product = leastSeen(products)
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

/**
 * A product of the category that the fewest have: what shares it is mostly elsewhere in the
 * catalog. The first product where they name none.
 */
function leastSeen(products: readonly unknown[]): unknown {
  const byCategory = Map.groupBy(products.slice(0, 200), (each) => textOf(each, 'category'))
  byCategory.delete('')
  const [rarest] = [...byCategory.values()].sort((one, other) => one.length - other.length)
  return rarest?.[0] ?? products[0]
}

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
