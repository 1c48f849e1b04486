import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { CHECK_NAMES, type CheckName, DEFAULT_CHECKS } from '../../../shared/audit/vocabulary.ts'
import { createStore } from '../../store/app.ts'
import { testDeps } from '../../store/testing/store.ts'
import { DomainUnreadable } from '../audit-domain.ts'
import { auditHere } from '../testing/audit-here.ts'
import { connectFailure } from './fetch/failure.ts'
import type { Fetcher } from './fetch/fetch.ts'
import { DEFAULT_LIMITS } from './fetch/session.ts'
import { fetcherTo } from './testing/fetcher.ts'

const PRODUCT = `<script type="application/ld+json">{"@context":"https://schema.org",
  "@type":"Product","name":"Lamp","offers":{"@type":"Offer","price":"20.00","priceCurrency":"EUR"}}</script>`

const page = (body: string) => `<!doctype html><title>Lamps</title>${body}`

/** A shop of no protocol: product pages are found by markup, sitemap and links. */
const plain = new Hono()
  .get('/', (c) =>
    c.html(
      page(`<script type="application/ld+json">{"@context":"https://schema.org","@type":"ItemList",
        "itemListElement":[{"@type":"Product","name":"Lamp","url":"/products/from-markup"}]}</script>
        <a href="/products/from-link">Lamp</a><a href="/about">About</a>
        <a href="https://elsewhere.example/products/x">Elsewhere</a>`),
    ),
  )
  .get('/robots.txt', (c) => c.text('Sitemap: https://plain.example/sitemap-index.xml'))
  .get('/sitemap-index.xml', (c) =>
    c.body(
      `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <sitemap><loc>https://plain.example/pages.xml</loc></sitemap>
        <sitemap><loc>https://plain.example/products.xml</loc></sitemap></sitemapindex>`,
      200,
      { 'content-type': 'application/xml' },
    ),
  )
  .get('/products.xml', (c) =>
    c.body(
      `<urlset><url><loc>https://plain.example/products/from-sitemap</loc></url>
        <url><loc>https://plain.example/about</loc></url>`,
      200,
      { 'content-type': 'application/xml' },
    ),
  )
  .get('/products/:name', (c) => c.html(page(PRODUCT)))

const CHECKOUT_TOOLS = ['create', 'get', 'update', 'complete', 'cancel'].map(
  (name) => `${name}_checkout`,
)
const payment_handlers = {
  'com.example.pay': [{ id: 'pay', version: '2026-04-08', schema: 'https://example.com/pay.json' }],
}

const official = (services: unknown, capabilities: unknown) =>
  new Hono()
    .get('/', (c) => c.html(page('')))
    .get('/.well-known/ucp', (c) =>
      c.json({ ucp: { version: '2026-04-08', services, capabilities, payment_handlers } }, 200, {
        'cache-control': 'public, max-age=300',
      }),
    )
    .post('/mcp', async (c) => {
      const { id, method } = await c.req.json()
      if (method === 'initialize') {
        return c.json({ jsonrpc: '2.0', id, result: { protocolVersion: '2025-06-18' } }, 200, {
          'mcp-session-id': 'one',
        })
      }
      const isOurs = c.req.header('mcp-session-id') === 'one'
      const tools = isOurs ? ['search_catalog', ...CHECKOUT_TOOLS] : []
      const result = { tools: tools.map((name) => ({ name })) }
      const text = JSON.stringify({ jsonrpc: '2.0', id, result })
      return c.body(`event: message\ndata: ${text}\n\n`, 200, {
        'content-type': 'text/event-stream',
      })
    })

const entry = (schema: string, more = {}) => [
  {
    version: '2026-04-08',
    spec: 'https://ucp.dev/2026-04-08/specification/overview/',
    schema: `https://ucp.dev/2026-04-08/${schema}.json`,
    ...more,
  },
]
const CHECKOUT = { 'dev.ucp.shopping.checkout': entry('schemas/shopping/checkout') }

/** As a large platform publishes it: MCP alone, without keys, no 1.0 field. */
const platform = official(
  {
    'dev.ucp.shopping': entry('services/shopping/mcp.openrpc', {
      transport: 'mcp',
      endpoint: 'https://platform.example/mcp',
    }),
  },
  { ...CHECKOUT, 'dev.ucp.shopping.catalog.search': entry('schemas/shopping/catalog_search') },
)

/**
 * Leads from the bare name to www, and only there to https, as rules that were added one by one do.
 */
const apex = new Hono()
  .use(async (c, next) => {
    const [host, proto] = [c.req.header('host'), c.req.header('x-forwarded-proto')]
    const path = new URL(c.req.url).pathname
    if (host === 'apex.example') return c.redirect(`http://www.apex.example${path}`, 301)
    return proto === 'http' ? c.redirect(`https://www.apex.example${path}`, 301) : next()
  })
  .get('/', (c) => c.html(page('<a href="/products/lamp">Lamp</a>')))
  .get('/robots.txt', (c) => c.text('User-agent: *'))
  .get('/products/lamp', (c) => c.html(page(PRODUCT)))

/** The home page sets a cookie and comes back to itself; all else is served. */
const looping = new Hono()
  .get('/', (c) => c.redirect('/', 302))
  .get('/robots.txt', (c) => c.text('Sitemap: https://looping.example/sitemap.xml'))
  .get('/sitemap.xml', (c) => c.text('https://looping.example/products/lamp'))
  .get('/products/lamp', (c) => c.html(page(PRODUCT)))

/** A catalog in which one product has an address beyond any that leads somewhere. */
const long = new Hono()
  .get('/', (c) => c.html(page('')))
  .get('/.well-known/ucp', (c) =>
    c.json({
      version: '1.0',
      domain: 'long.example',
      capabilities: { product_catalog: { endpoint: 'https://long.example/catalog' } },
    }),
  )
  .get('/catalog', (c) => {
    const url = (name: string) => `https://long.example/products/${name}`
    return c.json({ products: [{ url: url('-p111'.repeat(500)) }, { url: url('lamp') }] })
  })
  .get('/products/:name', (c) => c.html(page(PRODUCT)))

/** As Imperva answers robots: with 200, and a frame instead of the page. */
const CHALLENGE =
  '<html style="height:100%"><head></head><body><iframe src="/_Incapsula_Resource?SWUDNSAI=31"></iframe>'

/** Its pages of products are challenged. */
const guarded = new Hono()
  .get('/', (c) => c.html(page('<a href="/products/lamp">Lamp</a><p>Lamps and shades.</p>')))
  .get('/sitemap.xml', (c) => c.text('https://guarded.example/products/lamp'))
  .get('/products/lamp', (c) => c.html(CHALLENGE))

/** All of it stands behind a page that asks for something first; `to` is where that is. */
const walled = (to: string) =>
  new Hono()
    .get('/sitemap.xml', (c) => c.text('https://walled.example/products/lamp'))
    .get('/', (c) => c.redirect(to, 302))
    .get('/products/lamp', (c) => c.redirect(to, 302))
    .get('*', (c) => c.html(page('<h1>Welcome</h1><form><input type="password"></form>')))
let wall = walled('/')

const apps: Record<string, Hono> = {
  'guarded.example': guarded,
  'challenged.example': new Hono().all('*', (c) => c.html(CHALLENGE, 200)),
  'long.example': long,
  'apex.example': apex,
  'looping.example': looping,
  'plain.example': plain,
  'platform.example': platform,
  'marker.example': official({}, {}),
  'gate.example': new Hono().all('*', (c) => c.text('', 403)),
}
const store = createStore({ ...(await testDeps({ now: () => new Date() })), faults: [] })

interface Seen {
  method: string
  path: string
  body: string
}
let seen: Seen[] = []
let running = 0
let mostAtOnce = 0

const front = new Hono<{ Bindings: HttpBindings }>()
front.all('*', async (c) => {
  const url = new URL(c.req.url)
  running += 1
  mostAtOnce = Math.max(mostAtOnce, running)
  const body = c.req.method === 'GET' ? '' : await c.req.raw.clone().text()
  seen.push({ method: c.req.method, path: url.pathname, body })
  await sleep(5)
  const host = c.req.header('host')?.replace(/^www\./, '') ?? ''
  const app = host === 'walled.example' ? wall : (apps[host] ?? store)
  const response = await app.fetch(c.req.raw, c.env)
  running -= 1
  return response
})

let fetcher: Fetcher

beforeAll(async () => {
  fetcher = await fetcherTo(front, { hosts: 'dead.example=http://127.0.0.1:9,' })
})

beforeEach(() => {
  seen = []
  mostAtOnce = 0
})

const audit = (domain: string, checks: readonly CheckName[] = DEFAULT_CHECKS) =>
  auditHere({ domain, checks }, { fetcher })

test('nothing is sent to a merchant that could create anything', async () => {
  await audit('shop.example', CHECK_NAMES)
  const sent = seen.filter(({ method }) => method !== 'GET')
  expect(sent.length).toBeGreaterThan(5)
  for (const { path, body } of sent) {
    if (path === '/ucp/checkout') expect(JSON.parse(body)).toMatchObject({ dry_run: true })
    else if (path === '/acp/mcp') expect(JSON.parse(body)).toMatchObject({ method: 'tools/list' })
    else {
      expect(path).toMatch(
        /^\/acp\/(checkout\/(create|aisle-unknown-session\/(update|complete))|checkout_sessions|carts)$/,
      )
      // Nothing can be read in it as a product.
      expect(JSON.parse(body).line_items ?? [[]]).toEqual([[]])
    }
  }
})

test('an audit stays within its budget and two requests at a time', async () => {
  await audit('shop.example', CHECK_NAMES)
  expect(seen.length).toBeLessThanOrEqual(DEFAULT_LIMITS.perAudit)
  expect(mostAtOnce).toBe(DEFAULT_LIMITS.perHost)
})

test('a subset asks only for what it judges', async () => {
  await audit('shop.example', ['attribution'])
  expect(seen.map(({ path }) => path)).not.toContain('/ucp/products')
  expect(seen.some(({ method }) => method !== 'GET')).toBe(false)
})

test('product pages are found by markup, sitemap and links, on the site alone', async () => {
  await audit('plain.example', ['schema'])
  const read = seen.filter(({ path }) => path.startsWith('/products/')).map(({ path }) => path)
  expect(read.sort()).toEqual([
    '/products/from-link',
    '/products/from-markup',
    '/products/from-sitemap',
  ])
})

test('an address beyond 2,048 characters is not asked for', async () => {
  await audit('long.example', ['schema'])
  const read = seen.filter(({ path }) => path.startsWith('/products/')).map(({ path }) => path)
  expect(read).toEqual(['/products/lamp'])
})

test.each(['apex.example', 'looping.example'])('%s serves https, and is read', async (domain) => {
  const { gaps, passed } = await audit(domain)
  expect(gaps.map(({ id }) => id)).not.toContain('https_missing')
  expect(passed).toContain('https_enabled')
  expect(passed).toContain('product_schema_present')
  expect(seen.map(({ path }) => path)).toContain('/products/lamp')
})

test("a platform's profile has no critical or high gap, and is asked in its own way", async () => {
  const { gaps, passed } = await audit('platform.example')
  const worst = gaps.filter(
    ({ check, severity }) => check === 'well_known' && ['critical', 'high'].includes(severity),
  )
  expect(worst).toEqual([])
  expect(gaps.filter(({ check }) => check === 'checkout')).toEqual([])
  expect(passed).toEqual(
    expect.arrayContaining(['ucp_shoppable', 'ucp_endpoint_reachable', 'ucp_checkout_tools']),
  )
  expect(seen.map(({ path }) => path)).not.toContain('/ucp/checkout')
})

test('an empty profile is valid, sells nothing, and costs checkout its points', async () => {
  const { gaps, breakdown, passed, score } = await audit('marker.example')
  expect(passed).toContain('well_known_valid')
  expect(gaps.map(({ id }) => id)).toContain('ucp_not_shoppable')
  expect(breakdown.checkout).toBe(0)
  expect(score).toBeLessThan(60)
})

test('a site that blocks our requests gets no score: there is nothing to judge', async () => {
  await expect(audit('gate.example')).rejects.toMatchObject({
    code: 'domain_blocked',
    message: expect.stringContaining('answered 403'),
  })
})

test('a bot challenge is not read as a page under any status', async () => {
  await expect(audit('challenged.example')).rejects.toMatchObject({
    code: 'domain_blocked',
    message: expect.stringContaining('answered 200 with a bot challenge (Imperva), so there is'),
  })
  const { gaps, skipped } = await audit('guarded.example')
  expect(gaps.map(({ check }) => check)).not.toContain('schema')
  const { reason } = skipped.find(({ id }) => id === 'product_schema_missing') ?? {}
  expect(reason).toContain(
    'https://guarded.example/products/lamp: GET https://guarded.example/products/lamp answered 200 with a bot challenge (Imperva)',
  )
})

const WALL = 'https://walled.example'
test.each([
  '/account/login',
  '/consent?return=%2F',
  '/age-verification',
  '/country-selector',
  '/maintenance.html',
  '/queue/waiting',
  '/password',
])('a home page that leads to %s is not judged by that page', async (to) => {
  wall = walled(to)
  const { gaps, skipped } = await audit('walled.example')
  expect(gaps.filter(({ check }) => ['schema', 'entity', 'attribution'].includes(check))).toEqual(
    [],
  )
  const reasons = new Map(skipped.map(({ id, reason }) => [id, reason]))
  for (const id of ['organization_missing', 'dark_traffic_untracked']) {
    expect(reasons.get(id)).toBe(`the home page could not be read: it leads to ${WALL}${to}`)
  }
})

test('an address of a product that leads to a login says so', async () => {
  wall = walled('/account/login')
  const { skipped } = await audit('walled.example')
  expect(skipped.find(({ id }) => id === 'product_schema_missing')?.reason).toContain(
    `(${WALL}/products/lamp: it leads to ${WALL}/account/login, and its address is one of another kind of page)`,
  )
})

test.each(['/en/', '/shop', '/login-bags'])('one that leads to %s is judged', async (to) => {
  wall = walled(to)
  const { gaps } = await audit('walled.example', ['entity', 'attribution'])
  expect(gaps.map(({ id }) => id)).toEqual(['organization_missing', 'dark_traffic_untracked'])
})

test('a dead host and a refused one are the same error', async () => {
  await expect(audit('dead.example')).rejects.toThrow(DomainUnreadable)
  const closed = connectFailure(Object.assign(new Error(), { code: 'ECONNREFUSED' })).message
  const say = (domain: string) => audit(domain).catch((error: Error) => error.message)
  expect(await say('metadata.google.internal')).toBe(
    `GET https://metadata.google.internal/ gave no answer: ${closed}.`,
  )
})

const home = (link: string) =>
  page(`<script type="application/ld+json">{"@context":"https://schema.org","@type":"Organization",
    "name":"Kiln","url":"https://brandshop.example/"}</script><a href="${link}">Shop</a>`)

/** Hosts whose home pages lead to the shop on another host. */
const hosts = new Hono()
  .get('/products/oak-table', (c) => c.html(page(PRODUCT)))
  .get('/', (c) => {
    const host = c.req.header('host')?.split(':')[0]
    if (host === 'moved.example') return c.redirect('https://brandshop.example/', 301)
    if (host === 'corp.example') return c.html(home('https://shop.corp.example/'))
    return c.html(home('/products/oak-table'))
  })

const auditHost = async (domain: string) =>
  auditHere(
    { domain, checks: ['schema', 'entity'] },
    {
      fetcher: await fetcherTo(hosts),
    },
  )

test("a shop on a host of its own is found from the company's domain", async () => {
  const { product_pages } = await auditHost('corp.example')
  expect(product_pages?.map(({ url }) => url)).toEqual([
    'https://shop.corp.example/products/oak-table',
  ])
})

test('a domain that leads to another one says which to audit', async () => {
  const { gaps, skipped } = await auditHost('moved.example')
  expect(gaps.map(({ id }) => id)).not.toContain('organization_url_mismatch')
  expect(skipped.find(({ id }) => id === 'product_schema_missing')?.reason).toBe(
    'no product page was found: moved.example leads to brandshop.example, which is another domain; audit that',
  )
})
