import { isRecord } from '../../../../shared/web/json/json.ts'
import {
  type Ask,
  type Asked,
  changed,
  eachOf,
  type Front,
  type Json,
  jsonOf,
  patch,
  withBody,
  without,
} from './front.ts'

// Catalogs that list the store's products by other rules than its own.

const SEARCH = '/ucp/v1/catalog/search'
const MCP = '/ucp/mcp'

/** What a search found, and what was asked. */
export interface Search {
  request: Json
  /** All that the store finds, on whatever page. */
  found: Json[]
  /** Every product of the store. */
  all: () => Promise<Json[]>
}

interface Listing {
  /** What of it this store lists; all that was found unless given. */
  list?: (search: Search) => Json[] | Promise<Json[]>
  /** Products of a page; `limit` is what was asked for, as it came. */
  size?: (limit: number | undefined) => number
  /** How a place in the list is written. */
  cursor?: { write: (from: number) => string; read: (cursor: string) => number }
  /** Whether it tells how many there are. */
  counts?: boolean
}

const PLAIN = { write: String, read: Number }

/** Opaque to a client, and not the number of anything that it could compute. */
export const OPAQUE = {
  write: (from: number) => Buffer.from(JSON.stringify({ v: 1, after: from })).toString('base64url'),
  read: (cursor: string) => {
    const { after } = jsonOf({ text: Buffer.from(cursor, 'base64url').toString() })
    return Number(after)
  },
}

/** A catalog whose searches list and page as `listing` says, over REST and MCP alike. */
export const listedBy =
  (listing: Listing): Front =>
  async (asked, ask) => {
    const call = jsonOf(asked)
    const catalog = searchIn(asked, call)
    if (catalog === null) return ask(asked)
    // The store itself knows only its own cursors.
    const answer = await ask({ ...asked, text: JSON.stringify(withoutPage(asked, call)) })
    const listed = async (body: Json): Promise<Json> =>
      // What the store refuses it refuses in its own words.
      Array.isArray(body.products)
        ? { ...body, ...(await pageOf(listing, catalog, searcher(asked, call, ask))) }
        : body
    const said = jsonOf({ text: await answer.text() })
    if (asked.path === SEARCH) return withBody(answer, JSON.stringify(await listed(said)))
    const body = await listed(inside(inside(said, 'result'), 'structuredContent'))
    const result = patch(said, 'result', (old) =>
      isRecord(old.structuredContent)
        ? {
            ...old,
            structuredContent: body,
            content: [{ type: 'text', text: JSON.stringify(body) }],
          }
        : old,
    )
    return withBody(answer, JSON.stringify(result))
  }

/** A search for the first page of what it asks for. */
const withoutPage = ({ path }: Asked, call: Json): Json =>
  path === SEARCH
    ? without(call, 'pagination')
    : patch(call, 'params', (params) =>
        patch(params, 'arguments', (given) =>
          patch(given, 'catalog', (catalog) => without(catalog, 'pagination')),
        ),
      )

const inside = (holder: Json, name: string): Json => {
  const value = holder[name]
  return isRecord(value) ? value : {}
}

/** The argument of a search; null where none is asked for. */
function searchIn({ method, path }: Asked, call: Json): Json | null {
  if (method !== 'POST') return null
  if (path === SEARCH) return call
  const { name, arguments: given } = inside(call, 'params')
  if (path !== MCP || call.method !== 'tools/call' || name !== 'search_catalog') return null
  return isRecord(given) ? inside(given, 'catalog') : null
}

/** Walks the pages of the store itself, whose cursors are numbers. */
const searcher = (asked: Asked, call: Json, ask: Ask) => async (request: Json) => {
  const meta = inside(inside(inside(call, 'params'), 'arguments'), 'meta')
  const profile = inside(meta, 'ucp-agent').profile
  const headers = new Headers(asked.headers)
  if (typeof profile === 'string') headers.set('ucp-agent', `profile="${profile}"`)
  const found: Json[] = []
  for (let cursor: unknown = '0'; cursor !== undefined; ) {
    const text = JSON.stringify({ ...request, pagination: { limit: 20, cursor } })
    const answer = await ask({ ...asked, method: 'POST', path: SEARCH, headers, text })
    const { products, pagination } = jsonOf({ text: await answer.text() })
    found.push(...(Array.isArray(products) ? products.filter(isRecord) : []))
    cursor = isRecord(pagination) ? pagination.cursor : undefined
  }
  return found
}

async function pageOf(
  { list = ({ found }) => found, size = (limit = 10) => limit, ...listing }: Listing,
  catalog: Json,
  search: (request: Json) => Promise<Json[]>,
): Promise<Json> {
  const { cursor: format = PLAIN, counts = true } = listing
  const request = without(catalog, 'pagination')
  const { cursor, limit } = inside(catalog, 'pagination')
  const all = () => search({ filters: { price: { min: 0 } } })
  const listed = await list({ request, found: await search(request), all })
  const from = typeof cursor === 'string' ? format.read(cursor) : 0
  const to = from + size(typeof limit === 'number' ? limit : undefined)
  const more = to < listed.length
  return {
    products: listed.slice(from, to),
    pagination: {
      has_next_page: more,
      ...(more && { cursor: format.write(to) }),
      ...(counts && { total_count: listed.length }),
    },
  }
}

/** Some of the store's products and no others: in the catalog, on pages, in sitemap and feeds. */
export const assortmentOf =
  (isSold: (id: string) => boolean): Front =>
  async (asked, ask) => {
    const [, page] = /^\/products\/([^/]+)$/.exec(asked.path) ?? []
    if (page !== undefined && !isSold(page)) return ask({ ...asked, path: '/products/none' })
    if (asked.path.startsWith('/ucp/v1/catalog/') || asked.path === MCP) {
      const listed = listedBy({ list: ({ found }) => found.filter(({ id }) => isSold(String(id))) })
      const look = async (each: Asked) =>
        asked.path === SEARCH
          ? ask(each)
          : changed(await ask(each), (body) => onlySold(body, isSold))
      return listed(asked, look)
    }
    const answer = await ask(asked)
    const part = PARTS.find(({ path }) => path.test(asked.path))?.part
    if (part === undefined || answer.status !== 200) return answer
    const text = await answer.text()
    const shown = text.replace(part, (each) => {
      const id = /products\/(ao-\d+)/.exec(each)?.[1]
      return id === undefined || isSold(id) ? each : ''
    })
    return withBody(answer, shown)
  }

/** What stands for one product in a text of the shop. */
const PARTS = [
  { path: /^\/$/, part: /<li><a href="\/products\/[\s\S]*?<\/li>\n/g },
  { path: /^\/sitemap\.xml$/, part: /<url>[\s\S]*?<\/url>\n?/g },
  { path: /^\/feeds\/google\.xml$/, part: /<item>[\s\S]*?<\/item>\n?/g },
  { path: /^\/feeds\/[^.]+\.(tsv|txt|jsonl)$/, part: /^.*\n/gm },
]

/** What is looked up and not sold is not found. */
const onlySold = (body: Json, isSold: (id: string) => boolean): Json => {
  const { products } = body
  if (!Array.isArray(products)) return body
  return { ...body, products: products.filter((each) => isRecord(each) && isSold(String(each.id))) }
}

/** The currency that a product is sold in, by the number in its id. */
export const currencyOf = (text: string): 'USD' | 'EUR' | 'JPY' =>
  (['USD', 'EUR', 'JPY'] as const)[Number(/ao-(\d+)/.exec(text)?.[1] ?? 0) % 3] ?? 'USD'

const SIGNS = { USD: '$', EUR: '€', JPY: '¥' }

/**
 * A text that tells of one product, in the money that it is sold in; the yen has no smaller unit.
 */
function inItsMoney(text: string, currency: 'USD' | 'EUR' | 'JPY'): string {
  const named = text.replaceAll('USD', currency).replaceAll(/\$(?=\d)/g, SIGNS[currency])
  return currency === 'JPY'
    ? named.replaceAll(/(?<=["¥>: \t])(\d+)\.(\d\d)(?=["<\s–-])/g, (_, whole, part) =>
        String(Number(whole + part)),
      )
    : named
}

/** A catalog, its pages and its feeds, with products of three currencies. */
export const inManyCurrencies: Front = async (asked, ask) => {
  const answer = await ask(asked)
  const { path } = asked
  const part = PARTS.find((each) => each.path.test(path))?.part
  if (path.startsWith('/products/')) {
    return withBody(answer, inItsMoney(await answer.text(), currencyOf(path)))
  }
  if (part !== undefined) {
    const text = await answer.text()
    return withBody(
      answer,
      text.replace(part, (each) => inItsMoney(each, currencyOf(each))),
    )
  }
  return answer
}

/** Every `currency` of a product, its variants' among them. */
export const productInItsMoney = (product: Json): Json => {
  const text = JSON.stringify(product)
  return jsonOf({ text: text.replaceAll('"USD"', `"${currencyOf(String(product.id))}"`) })
}

/** A cart or checkout is in the currency of its first line. */
export const basketInItsMoney = (body: Json): Json => {
  const lines = eachOf(body, 'line_items', (line) => line).line_items
  const [first] = Array.isArray(lines) ? lines : []
  const item = isRecord(first) ? inside(first, 'item') : {}
  return 'currency' in body ? { ...body, currency: currencyOf(String(item.id)) } : body
}
