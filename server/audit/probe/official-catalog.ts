import type { CatalogSeen, OptionSelected, PageSeen } from '../../../shared/audit/evidence.ts'
import { OLDER_VERSION } from '../../../shared/audit/rule.ts'
import { productsOfPage } from '../../../shared/commerce/catalog/listing.ts'
import { OFFICIAL_CATALOG, refusalOf } from '../../../shared/commerce/catalog/official.ts'
import type { ProfileInspection } from '../../../shared/manifest/ucp/profile.ts'
import { readAddress, wordsOfAddress } from '../../../shared/markup/page-signs/address.ts'
import { mcpBody, toolNames } from '../../../shared/protocols/mcp-answer.ts'
import { LOOKUP, SEARCH } from '../../../shared/protocols/ucp/names.ts'
import { UCP } from '../../../shared/protocols/ucp/versions.ts'
import type { JsonSeen } from '../../../shared/web/http/fetched.ts'
import { jsonOf } from '../../../shared/web/http/presence.ts'
import { field, isRecord } from '../../../shared/web/json/json.ts'
import type { SealedPage } from '../judging/sealed-page.ts'
import {
  type AskedAgain,
  closedCatalog,
  filterParams,
  followPages,
  type ListedPages,
  type OpenCatalog,
  searchWord,
} from './catalog.ts'
import { BODY_CAPS } from './fetch/request.ts'
import { callTool, type OpenedMcp } from './mcp.ts'
import { once } from './once.ts'
import { type AuditSession, notAsked } from './session.ts'
import { askUcpRest, serviceOf, type UcpStore } from './ucp.ts'
import type { CatalogReader } from './whole-catalog.ts'

/** An id that no store has. */
const UNKNOWN_PRODUCT = 'aisle-unknown-product'

/** Stores clamp it to what they can (UCP, Pagination). */
const PAGE = 50

const SPOKEN = { dialect: 'ucp' } as const

/** Pages that are read beyond the first: search, look-up and services are asked as well. */
const MAX_NEXT_PAGES = 1

/** Where each question goes over REST (UCP source/services/shopping/rest.openapi.json). */
const PATHS = {
  search_catalog: '/catalog/search',
  lookup_catalog: '/catalog/lookup',
  get_product: '/catalog/product',
} as const
type Question = keyof typeof PATHS

/** One way to ask; each answer is the body as REST has it. */
interface Asker {
  transport: 'rest' | 'mcp'
  endpoint: string
  ask: (question: Question, body: object) => Promise<JsonSeen>
}

/** What a catalog of official UCP is read with. */
interface OfficialStore extends Omit<UcpStore, 'close'> {
  homePage: PageSeen<SealedPage>
}

/**
 * Asks the catalog of an official profile for products: over REST where it is offered and answers,
 * else over MCP. Reads only.
 */
export async function openOfficialCatalog(
  session: AuditSession,
  store: OfficialStore,
): Promise<OpenCatalog> {
  const { profile } = store
  const refusal = whyNotAsked(profile)
  if (refusal !== null) return closedCatalog('ucp', refusal)
  const askers = askersOf(session, store)
  let found: (Listed & { by: Asker }) | null = null
  for (const by of askers) {
    const listed = await listProducts(by, wordOfHome(store.homePage))
    const isThere = OFFICIAL_CATALOG.presenceOf(listed.first).is === 'present'
    if (found === null || isThere) found = { ...listed, by }
    if (isThere) break
  }
  if (found === null) return closedCatalog('ucp', 'the profile names no service for its catalog')
  const { by, first, sought } = found
  // REST comes first; an MCP service whose tools cannot be listed is asked for nothing more.
  const next = askers[askers.indexOf(by) + 1]
  const other = next !== undefined && (await store.mcp())?.seen.how ? next : undefined
  const listed = once(async (): Promise<ListedPages> => {
    const next = await followPages(SPOKEN, first, MAX_NEXT_PAGES, (cursor) =>
      by.ask('search_catalog', { ...sought, pagination: { limit: PAGE, cursor } }),
    )
    return { ...SPOKEN, first, next }
  })
  return {
    dialect: 'ucp',
    first,
    listed,
    again: profile.capabilities.includes(LOOKUP) ? (id) => askAgain(by, id) : null,
    more: () => readOn({ store, by, other: other ?? null, first, sought, listed }),
    reader: (session) => readerOf(session, store, by.transport, sought),
  }
}

async function askAgain(by: Asker, id: string): Promise<AskedAgain[]> {
  const found = await by.ask('lookup_catalog', { ids: [id] })
  const shown = await by.ask('get_product', { id })
  const product = field(jsonOf(shown), 'product')
  const listOf = (raw: readonly unknown[]) => raw.filter(isRecord).map(OFFICIAL_CATALOG.toProduct)
  const products = OFFICIAL_CATALOG.productsOf(found)
  return [
    { name: 'The look-up', seen: found, products: products && listOf(products) },
    {
      name: 'The product',
      seen: shown,
      products: product === undefined ? null : listOf([product]),
    },
  ]
}

/** Asks for the pages of a search, over the transport that answered. */
function readerOf(
  session: AuditSession,
  store: OfficialStore,
  transport: Asker['transport'],
  sought: Sought,
): CatalogReader {
  let opened: Promise<OpenedMcp | null> | undefined
  const mcp = () => {
    opened ??= store.mcpIn(session)
    return opened
  }
  const by = askersOf(session, { ...store, mcp }).find((each) => each.transport === transport)
  const ask = (pagination: object) =>
    by?.ask('search_catalog', { ...sought, pagination }) ??
    Promise.resolve(notAsked('the profile names no service for its catalog'))
  return {
    first: () => ask({ limit: PAGE }),
    next: (cursor) => ask({ limit: PAGE, cursor }),
    close: async () => (await opened)?.close(),
  }
}

/** What a search is for: all products, or those that a word finds. */
type Sought = { filters: { price: { min: number } } } | { query: string }

/** The first page of what was sought. */
interface Listed {
  first: JsonSeen
  sought: Sought
}

/** Why a profile's catalog is not asked for anything; null where it is. */
function whyNotAsked({ dialect, capabilities }: ProfileInspection): string | null {
  if (UCP.isKnown(dialect) && !UCP.of(dialect).hasCatalog) return OLDER_VERSION
  return capabilities.includes(SEARCH) ? null : 'the profile offers no catalog search'
}

function askersOf(session: AuditSession, { profile, agent, mcp }: OfficialStore): Asker[] {
  const rest = serviceOf(profile, 'rest')
  const overMcp = serviceOf(profile, 'mcp')
  return [
    ...(rest === null ? [] : [overRest(session, rest, agent)]),
    ...(overMcp === null ? [] : [overTools(overMcp, mcp)]),
  ]
}

const overRest = (session: AuditSession, endpoint: string, agent: string): Asker => ({
  transport: 'rest',
  endpoint,
  ask: (question, json) =>
    askUcpRest(session, { endpoint, agent }, PATHS[question], {
      method: 'POST',
      json,
      maxBytes: BODY_CAPS.catalog,
    }),
})

const overTools = (endpoint: string, mcp: OfficialStore['mcp']): Asker => ({
  transport: 'mcp',
  endpoint,
  ask: async (question, catalog) => {
    const opened = await mcp()
    if (opened === null) return notAsked('the profile offers no MCP service')
    const names = toolNames(opened.seen)
    return names !== null && !names.includes(question)
      ? notAsked(`the MCP service has no tool ${question}`)
      : asRest(await callTool(opened, question, { catalog }))
  },
})

/** What a tool said as REST would have it; a JSON-RPC error as UCP's error body. */
function asRest(seen: JsonSeen): JsonSeen {
  const { fetched } = seen
  const said = mcpBody(seen)
  if ('body' in said) return { fetched, json: { ok: true, value: said.body } }
  if ('problem' in said) {
    // The text of a tool that failed is for people, and may be about the caller or the moment.
    if (field(field(jsonOf(seen), 'result'), 'isError') === true) return notAsked(said.problem)
    return {
      fetched,
      json: fetched.kind === 'answer' ? { ok: false, problem: said.problem } : null,
    }
  }
  const { code, message, data } = said.error
  const value = { code: field(data, 'code') ?? String(code), content: message }
  return { fetched, json: { ok: true, value } }
}

/** A word that most stores have, for those whose home page tells none. */
const ANY_WORD = 'new'

/**
 * All products, as far as a store lists them: those of any price. A store that wants words gets one
 * of its own home page; it may (UCP, Catalog Search, Search Inputs).
 */
async function listProducts(by: Asker, word: string | null): Promise<Listed> {
  const pagination = { limit: PAGE }
  const everything = { filters: { price: { min: 0 } } }
  const all = await by.ask('search_catalog', { ...everything, pagination })
  const given: Listed = { first: all, sought: everything }
  const { is } = OFFICIAL_CATALOG.presenceOf(all)
  const isRefused = is === 'absent' && refusalOf(all) !== null
  const mayWantWords = is === 'absent' || (is === 'present' && isEmpty(all))
  const query = word ?? (isRefused ? ANY_WORD : null)
  if (!mayWantWords || query === null) return given
  const some = await by.ask('search_catalog', { query, pagination })
  if (OFFICIAL_CATALOG.presenceOf(some).is !== 'present') return given
  // What it lists for other words is not known.
  const first =
    isRefused && isEmpty(some)
      ? notAsked(`the catalog wants words to search by, and has nothing for "${query}"`)
      : some
  return { first, sought: { query } }
}

const isEmpty = (seen: JsonSeen): boolean => OFFICIAL_CATALOG.productsOf(seen)?.length === 0

/** The longest word that the addresses of products have on the home page; null without any. */
function wordOfHome({ page }: PageSeen<SealedPage>): string | null {
  if (page === null) return null
  const urls = [
    ...page.products,
    ...page.anchors.filter((url) => readAddress(url).is === 'product').slice(0, 20),
  ]
  const words = urls.flatMap((url) =>
    wordsOfAddress(url).filter((word) => /^\p{L}{4,}$/u.test(word)),
  )
  return words.toSorted((one, other) => other.length - one.length)[0] ?? null
}

/**
 * What the first page leads to. Where both transports are offered the other one is asked for the
 * search and the product, so that each is seen to work and to say the same.
 */
async function readOn({
  store,
  by,
  other,
  first,
  sought,
  listed,
}: {
  store: OfficialStore
  by: Asker
  other: Asker | null
  listed: OpenCatalog['listed']
} & Listed): Promise<CatalogSeen> {
  const products = productsOfPage(SPOKEN, first) ?? []
  const raw = (OFFICIAL_CATALOG.productsOf(first) ?? []).filter(isRecord)
  const aside = other ?? by
  const pagination = { limit: PAGE }
  const q = searchWord(products)
  const params = filterParams(['category', 'price'], products)
  const lookup = store.profile.capabilities.includes(LOOKUP) ? lookupOf(raw) : null
  const detail = lookup === null ? null : detailOf(raw)
  const [{ next }, search, filters, found, shown] = await Promise.all([
    listed(),
    q === null
      ? null
      : aside.ask('search_catalog', { query: q, pagination }).then((seen) => ({ q, seen })),
    params === null
      ? null
      : by
          .ask('search_catalog', { ...sought, filters: filtersOf(params), pagination })
          .then((seen) => ({ params, seen })),
    lookup === null
      ? null
      : by
          .ask('lookup_catalog', { ids: [lookup.product, lookup.variant, UNKNOWN_PRODUCT] })
          .then((seen) => ({ ...lookup, seen })),
    detail === null
      ? null
      : aside
          .ask('get_product', {
            id: detail.product,
            ...(detail.selected.length > 0 && { selected: detail.selected }),
          })
          .then((seen) => ({ ...detail, seen })),
  ])
  return {
    dialect: 'ucp',
    endpoint: { url: by.endpoint, declared: true },
    first,
    again: notAsked('another response already shows whether ids are stable'),
    next,
    search,
    filters,
    ...('query' in sought && { word: sought.query }),
    official: {
      version: store.profile.dialect,
      transport: by.transport,
      other: other?.transport ?? null,
      lookup: found,
      detail: shown,
    },
  }
}

/** The specification's names of filters, as UCP has them. */
const filtersOf = ({ category, min_price, max_price }: Record<string, string>): object => ({
  ...(category !== undefined && { categories: [category] }),
  ...(min_price !== undefined && {
    price: { min: Number(min_price), max: Number(max_price ?? min_price) },
  }),
})

const idOf = (part: unknown): string | null => {
  const id = field(part, 'id')
  return typeof id === 'string' && id !== '' ? id : null
}

const variantsOf = (product: unknown): unknown[] => {
  const variants = field(product, 'variants')
  return Array.isArray(variants) ? variants.slice(0, 100) : []
}

/** A product by its own id, and a variant of another. */
function lookupOf(products: readonly unknown[]): { product: string; variant: string } | null {
  const product = idOf(products[0])
  const variant = idOf(variantsOf(products[1] ?? products[0]).at(-1))
  return product === null || variant === null ? null : { product, variant }
}

/** The last variant of the first product that has several, by what it is chosen by. */
function detailOf(
  products: readonly unknown[],
): { product: string; variant: string; selected: OptionSelected[] } | null {
  const chosen = products.find((each) => variantsOf(each).length > 1) ?? products[0]
  const last = variantsOf(chosen).at(-1)
  const [product, variant] = [idOf(chosen), idOf(last)]
  const options = field(last, 'options')
  const selected = (Array.isArray(options) ? options.slice(0, 20) : []).flatMap((option) => {
    const [name, label] = [field(option, 'name'), field(option, 'label')]
    return typeof name === 'string' && typeof label === 'string' ? [{ name, label }] : []
  })
  return product === null || variant === null ? null : { product, variant, selected }
}
