import { Hono } from 'hono'

/** A store with a large catalog, made as it is asked for: nothing of it is kept. */
export interface LargeCatalog {
  dialect: 'spec' | 'ucp'
  products: number
  /** What it says that it has, instead of how many it has; nothing with `undefined`. */
  says?: unknown
  /** The product whose price is a decimal. */
  faultAt?: number
  /** Products that have the id of the one before. */
  copyAt?: number
  /** What its next pages are named by: a number, or what only the store understands. */
  names?: 'page' | 'opaque'
  /** Every page leads on to another, for ever. */
  endless?: boolean
  /** Products that a page shows again, as one does that moved while the catalog was read. */
  overlap?: number
  /** Official UCP over this transport instead of REST. */
  transport?: 'rest' | 'mcp'
  /** It lists only what a word finds: `tent` finds everything. */
  wantsWords?: boolean
  /** Answers in place of a page, by how many were asked for before. */
  instead?: (asked: number) => Response | null
}

export const PER_PAGE = { spec: 100, ucp: 50 } as const

const TEXT = 'A tent of tightly woven cotton that stands in wind and rain for many years. '.repeat(
  3,
)

const idOf = ({ copyAt }: LargeCatalog, n: number): string =>
  `p-${n === copyAt && n > 0 ? n - 1 : n}`

const amountOf = ({ faultAt }: LargeCatalog, n: number): number =>
  n === faultAt ? 19.99 : 1_000 + (n % 400) * 25

/** Of every 40 neighbours one is of each category. */
const categoryOf = (n: number): string => `Category ${n % 40}`

function specProduct(store: LargeCatalog, host: string, n: number) {
  return {
    id: idOf(store, n),
    name: `Tent ${wordOf(n)}`,
    description: TEXT,
    price: { amount: amountOf(store, n), currency: 'USD' },
    availability: 'in_stock',
    category: categoryOf(n),
    sku: `sku-${n}`,
    url: `https://${host}/products/tent-${n}`,
  }
}

function officialProduct(store: LargeCatalog, host: string, n: number) {
  const price = { amount: amountOf(store, n), currency: 'USD' }
  return {
    id: idOf(store, n),
    title: `Tent ${wordOf(n)}`,
    description: { plain: TEXT },
    url: `https://${host}/products/tent-${n}`,
    categories: [{ value: categoryOf(n), taxonomy: 'merchant' }],
    price_range: { min: price, max: price },
    variants: [
      {
        id: `v-${n}`,
        title: 'Default',
        description: { plain: TEXT },
        price,
        availability: { available: true },
      },
    ],
  }
}

/** A word of letters, of its own for each of some hundred neighbours. */
const wordOf = (n: number): string => `kind${String.fromCharCode(97 + (n % 26), 97 + (n % 25))}`

/** The pages of one product: its markup says what the catalog says. */
const pageOf = (store: LargeCatalog, n: number): string => {
  const offer = {
    '@type': 'Offer',
    price: (Math.floor(amountOf(store, n)) / 100).toFixed(2),
    priceCurrency: 'USD',
    availability: 'https://schema.org/InStock',
  }
  const markup = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: `Tent ${wordOf(n)}`,
    sku: `sku-${n}`,
    offers: offer,
  }
  return `<!doctype html><title>Tent</title><script type="application/ld+json">${JSON.stringify(markup)}</script><h1>Tent</h1>`
}

const entry = (name: string, more = {}) => [
  {
    version: '2026-04-08',
    spec: 'https://ucp.dev/2026-04-08/specification/overview/',
    schema: `https://ucp.dev/2026-04-08/${name}.json`,
    ...more,
  },
]

/** Stores by their host. `pathsOf` tells what one was asked for, in order. */
export function largeCatalogs(stores: Record<string, LargeCatalog>) {
  const asked = new Map<string, string[]>()
  const pathsOf = (host: string): string[] => {
    const known = asked.get(host) ?? []
    asked.set(host, known)
    return known
  }
  const listings = new Map<string, number>()
  const app = new Hono().all('*', async (c) => {
    const host = c.req.header('host') ?? ''
    const { pathname, search } = new URL(c.req.url)
    pathsOf(host).push(pathname + search)
    const store = stores[host]
    if (store === undefined) return c.text('', 404)
    const product = /^\/products\/tent-(\d+)$/.exec(pathname)
    if (product !== null) return c.html(pageOf(store, Number(product[1])))
    if (pathname === '/') return c.html(HOME)
    if (pathname === '/.well-known/ucp') return c.json(manifestOf(store, host))
    if (pathname === '/mcp') return c.json(rpcAnswer(store, host, await c.req.json()))
    if (pathname === '/ucp/products' || pathname === '/api/catalog/search') {
      const before = listings.get(host) ?? 0
      listings.set(host, before + 1)
      const instead = store.instead?.(before)
      if (instead) return instead
    }
    if (store.dialect === 'spec' && pathname === '/ucp/products') {
      return c.json(specPage(store, host, new URL(c.req.url).searchParams))
    }
    if (store.dialect === 'ucp' && pathname === '/api/catalog/search') {
      return c.json(officialPage(store, host, await c.req.json()))
    }
    if (store.dialect === 'ucp' && pathname === '/api/catalog/lookup') {
      const { ids } = (await c.req.json()) as { ids: string[] }
      const numbers = ids.flatMap((id) => /^[pv]-(\d+)$/.exec(id)?.[1] ?? [])
      const products = [...new Set(numbers)].map((n) => officialProduct(store, host, Number(n)))
      return c.json({ ucp: UCP, products })
    }
    if (store.dialect === 'ucp' && pathname === '/api/catalog/product') {
      const { id } = (await c.req.json()) as { id: string }
      return c.json({ ucp: UCP, product: officialProduct(store, host, Number(id.slice(2))) })
    }
    return c.text('', 404)
  })
  return { app, pathsOf }
}

const HOME = '<!doctype html><title>Tents</title><h1>Tents</h1><a href="/products/tent-1">Tent</a>'

const UCP = { version: '2026-04-08', status: 'success' }

function manifestOf({ dialect, transport = 'rest' }: LargeCatalog, host: string): object {
  if (dialect === 'ucp') {
    return {
      ucp: {
        version: '2026-04-08',
        services: {
          'dev.ucp.shopping': entry(
            `services/shopping/${transport === 'mcp' ? 'mcp.openrpc' : 'rest.openapi'}`,
            { transport, endpoint: `https://${host}/${transport === 'mcp' ? 'mcp' : 'api'}` },
          ),
        },
        capabilities: {
          'dev.ucp.shopping.catalog.search': entry('schemas/shopping/catalog_search'),
          ...(transport === 'rest' && {
            'dev.ucp.shopping.catalog.lookup': entry('schemas/shopping/catalog_lookup'),
          }),
        },
        payment_handlers: {},
      },
    }
  }
  return {
    version: '1.0',
    domain: host,
    generated_at: '2026-11-20T00:00:00Z',
    capabilities: {
      product_catalog: {
        endpoint: `https://${host}/ucp/products`,
        format: 'json',
        version: '1.0',
        supports_search: true,
        supports_filters: ['category', 'min_price', 'max_price'],
      },
    },
  }
}

/** The numbers of the products of a page, the `page`th from 1. */
function numbersOn({ products, endless, overlap = 0 }: LargeCatalog, page: number, size: number) {
  const start = (endless ? 0 : (page - 1) * size) - (page > 1 ? overlap : 0)
  const end = Math.min(products, endless ? size : page * size)
  return Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index)
}

/** The first few that a search or filters find. */
function found({ products }: LargeCatalog, isFound: (n: number) => boolean): number[] {
  const numbers: number[] = []
  for (let n = 0; n < products && numbers.length < 20; n += 1) if (isFound(n)) numbers.push(n)
  return numbers
}

const totalOf = (store: LargeCatalog): unknown => ('says' in store ? store.says : store.products)

function specPage(store: LargeCatalog, host: string, query: URLSearchParams): object {
  const product = (n: number) => specProduct(store, host, n)
  const [q, category] = [query.get('q'), query.get('category')]
  if (q !== null || category !== null) {
    const price = Number(query.get('min_price'))
    const numbers = found(store, (n) =>
      q === null ? categoryOf(n) === category && amountOf(store, n) === price : wordOf(n) === q,
    )
    return { products: numbers.map(product) }
  }
  const page = Number(query.get('page') ?? query.get('after')?.slice(1) ?? 1)
  const numbers = numbersOn(store, page, PER_PAGE.spec)
  const more = store.endless || page * PER_PAGE.spec < store.products
  const name = store.names === 'opaque' ? `after=x${page + 1}` : `page=${page + 1}`
  return {
    products: numbers.map(product),
    pagination: {
      page,
      per_page: PER_PAGE.spec,
      total: totalOf(store),
      next: more ? `https://${host}/ucp/products?${name}` : null,
    },
  }
}

/** MCP without sessions, with one tool. */
function rpcAnswer(store: LargeCatalog, host: string, { id, method, params }: Rpc): object {
  const tools = [{ name: 'search_catalog', inputSchema: { type: 'object' } }]
  if (method === 'tools/list') return { jsonrpc: '2.0', id, result: { tools } }
  const structuredContent = officialPage(store, host, params?.arguments?.catalog ?? {})
  const content = [{ type: 'text', text: JSON.stringify(structuredContent) }]
  return { jsonrpc: '2.0', id, result: { content, structuredContent } }
}

interface Rpc {
  id: number
  method: string
  params?: { arguments?: { catalog?: Search } }
}

interface Search {
  query?: string
  filters?: { categories?: string[]; price?: { min: number; max?: number } }
  pagination?: { cursor?: string }
}

function officialPage(store: LargeCatalog, host: string, body: Search): object {
  const product = (n: number) => officialProduct(store, host, n)
  const { filters: { categories, price } = {} } = body
  const query = store.wantsWords && body.query === 'tent' ? undefined : body.query
  if (store.wantsWords && body.query === undefined) {
    return { ucp: UCP, products: [], pagination: { has_next_page: false } }
  }
  if (query !== undefined || categories !== undefined) {
    const numbers = found(store, (n) =>
      query === undefined
        ? categories?.[0] === categoryOf(n) && amountOf(store, n) === price?.min
        : wordOf(n) === query,
    )
    return { ucp: UCP, products: numbers.map(product), pagination: { has_next_page: false } }
  }
  const page = Number(body.pagination?.cursor?.slice(1) ?? 1)
  const more = store.endless || page * PER_PAGE.ucp < store.products
  return {
    ucp: UCP,
    products: numbersOn(store, page, PER_PAGE.ucp).map(product),
    pagination: {
      has_next_page: more,
      total_count: totalOf(store),
      ...(more && { cursor: `c${page + 1}` }),
    },
  }
}
