import { Hono } from 'hono'
import { beforeAll, expect, test } from 'vitest'
import { buildManifest } from '../../shared/manifest/manifest.ts'
import { JUDGES_HERE } from './judging/testing/judges-here.ts'
import type { Fetcher } from './probe/fetch/fetch.ts'
import { auditSession } from './probe/session.ts'
import { fetcherTo } from './probe/testing/fetcher.ts'
import { validateDocument, validateUrl } from './validate-manifest.ts'

const CACHED = { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' }

const manifestFor = (host: string) =>
  buildManifest(
    {
      domain: host,
      catalog_endpoint: `https://${host}/products`,
      checkout_endpoint: `https://${host}/checkout`,
      shipping_endpoint: `https://${host}/shipping`,
      orders_endpoint: `https://${host}/orders`,
      supports_search: true,
      supports_filters: ['category'],
      supported_payment_methods: ['card'],
    },
    new Date(0),
  )

const published = (host: string) => {
  const { generated_at: _, ...manifest } = manifestFor(host)
  return JSON.stringify(manifest)
}

/** Requests other than safe ones, which must never come. */
const unsafe: string[] = []

const shop = new Hono()
shop.use(async (c, next) => {
  if (!['GET', 'HEAD', 'OPTIONS'].includes(c.req.method)) unsafe.push(c.req.method)
  await next()
})
shop.get('/.well-known/ucp', (c) => {
  const host = c.req.header('host') ?? ''
  switch (host.split('.')[0]) {
    case 'auth':
      return c.text('', 401, { 'www-authenticate': 'Basic' })
    case 'moved-auth':
      return c.redirect('/private.json')
    case 'gate':
      return c.text('', 403)
    case 'missing':
      return c.json({}, 404)
    case 'html':
      return c.html('<!doctype html><title>Shop</title>')
    case 'moved':
      return c.redirect('/manifest.json')
    case 'loop':
      return c.redirect('/.well-known/ucp')
    case 'plain':
      return c.text(published(host), 200, { 'cache-control': 'public, max-age=300' })
    case 'broken':
      return c.body(`${published(host)},`, 200, CACHED)
    case 'empty':
      return c.body('', 200, CACHED)
    case 'large':
      return c.body(JSON.stringify({ pad: 'x'.repeat(300_000) }), 200, CACHED)
    case 'endless':
      return c.body(
        new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(65_536).fill(32)) }),
        200,
        CACHED,
      )
    case 'uncached':
      return c.body(published(host), 200, { 'content-type': 'application/json' })
    case 'other':
      return c.body(published('shop.example'), 200, CACHED)
    case 'proto':
      return c.body('{"__proto__":{"version":"1.0"},"version":"1.0"}', 200, CACHED)
    case 'newest':
      return c.body(
        JSON.stringify(officialProfile(host)).replaceAll('2026-04-08', '2026-08-25'),
        200,
        CACHED,
      )
    case 'later':
      return c.json(laterProfile({ '2026-04-08': `https://${host}/todays-profile` }), 200, CACHED)
    case 'later-broken': {
      const older = ['2026-01-11', '2026-01-23', '2026-04-08'].map((version) => [
        version,
        `https://${host}/${version === '2026-04-08' ? 'nothing' : 'old-profile'}`,
      ])
      return c.json(laterProfile(Object.fromEntries(older)), 200, CACHED)
    }
    case 'later-leaf': {
      const { ucp } = officialProfile(host)
      const supported_versions = { [LATER]: `https://${host}/later-profile` }
      return c.json({ ucp: { ...ucp, supported_versions } }, 200, CACHED)
    }
    case 'official':
    case 'closed-service':
    case 'dead-service':
    case 'moved-service':
      return c.body(JSON.stringify(officialProfile(host)), 200, CACHED)
    default:
      return c.body(published(host), 200, CACHED)
  }
})
shop.get('/manifest.json', (c) => c.body(published(c.req.header('host') ?? ''), 200, CACHED))
shop.get('/todays-profile', (c) => c.json(officialProfile(c.req.header('host') ?? ''), 200, CACHED))
shop.get('/later-profile', (c) => c.json(laterProfile(), 200, CACHED))
shop.get('/private.json', (c) => c.text('', 401))
shop.get('/products', (c) => {
  const host = c.req.header('host') ?? ''
  if (host.startsWith('noshelf')) return c.html('<!doctype html><title>Not found</title>')
  return host.startsWith('failing') ? c.text('', 500) : c.json({ products: [] })
})
shop.on(['GET', 'OPTIONS'], ['/checkout', '/shipping', '/orders'], (c) => {
  const host = c.req.header('host') ?? ''
  if (/^(gone|post-only|hidden)/.test(host) && c.req.path === '/checkout') return c.text('', 404)
  if (host.startsWith('hidden') && c.req.path === '/orders') return c.text('', 404)
  if (host.startsWith('guarded') && c.req.path === '/checkout') return c.text('', 429)
  return c.json({ error: {} }, 405)
})

/** What was kept as a cart. */
const carts: unknown[] = []

// A checkout that knows POST alone: to anything else its router has no such path.
shop.post('/checkout', async (c) => {
  const host = c.req.header('host') ?? ''
  if (!host.startsWith('post-only')) return c.text('', 404)
  const { items } = await c.req.json()
  if (host.startsWith('post-only-brittle')) {
    return Array.isArray(items) ? c.text('', 500) : c.json({ error: {} }, 400)
  }
  // It knows no dry run, and reads a list leniently: only what is no item is refused.
  const isKept = !Array.isArray(items) || items.every((item) => item?.product_id ?? item === null)
  if (isKept) carts.push(items)
  return c.json(
    isKept ? { checkout_id: 'chk_1' } : { error: { code: 'invalid_request' } },
    isKept ? 200 : 422,
  )
})

// A service that knows POST alone, and JSON-RPC in it.
shop.post('/mcp', async (c) => {
  const host = c.req.header('host') ?? ''
  if (host.startsWith('closed')) return c.json({ error: 'unauthorized' }, 401)
  if (host.startsWith('dead')) return c.html('<h1>Not found</h1>', 404)
  if (host.startsWith('moved')) return c.redirect('/mcp/', 308)
  const { id } = await c.req.json()
  return c.json({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Unknown method' } })
})

const LATER = '2031-01-01'
/** A profile of a version that nobody here knows. */
const laterProfile = (supported_versions?: object) => ({
  ucp: { version: LATER, ...(supported_versions && { supported_versions }), agents: [] },
})

const officialProfile = (host: string) => ({
  ucp: {
    version: '2026-04-08',
    ...(host.startsWith('official') && {
      supported_versions: { '2026-01-23': `https://${host}/old-profile` },
    }),
    services: {
      'dev.ucp.shopping': [
        {
          version: '2026-04-08',
          transport: 'mcp',
          spec: 'https://ucp.dev/2026-04-08/specification/overview/',
          schema: 'https://ucp.dev/2026-04-08/services/shopping/mcp.openrpc.json',
          endpoint: `https://${host}/mcp`,
        },
      ],
    },
    capabilities: {
      'dev.ucp.shopping.checkout': [
        {
          version: '2026-04-08',
          spec: 'https://ucp.dev/2026-04-08/specification/checkout',
          schema: 'https://ucp.dev/2026-04-08/schemas/shopping/checkout.json',
        },
      ],
    },
    payment_handlers: {},
  },
})

let fetcher: Fetcher

beforeAll(async () => {
  fetcher = await fetcherTo(shop)
})

const validate = async (url: string) => {
  const session = fetcher.open()
  try {
    return await validateUrl(auditSession(session, JUDGES_HERE), url)
  } finally {
    await session.close()
  }
}
const at = (name: string) => validate(`https://${name}.example/.well-known/ucp`)

test('a manifest that is right, served right, with endpoints that live, is valid', async () => {
  expect(await at('shop')).toEqual({
    valid: true,
    dialect: '1.0',
    shoppable: true,
    shoppable_reason: expect.any(String),
    errors: [],
    warnings: [],
    reachability: {
      manifest_url: 'reachable',
      catalog_endpoint: 'reachable',
      checkout_endpoint: 'reachable',
      shipping_endpoint: 'reachable',
      orders_endpoint: 'reachable',
    },
  })
  expect(unsafe).toEqual([])
})

const UNREACHABLE = 'endpoint_unreachable'

test.each([
  ['auth', 'manifest_url', 'requires_auth', /401/],
  ['gate', 'manifest_url', UNREACHABLE, /GET https:\/\/gate\.example\/.+ answered 403/],
  ['missing', 'manifest_url', UNREACHABLE, /answered 404/],
  ['html', 'manifest_url', UNREACHABLE, /HTML page/],
  ['moved', 'manifest_url', 'redirected', /answers 302 and redirects to .+manifest\.json/],
  ['loop', 'manifest_url', 'redirected', /redirect/],
  ['plain', 'manifest_url', 'wrong_content_type', /text\/plain/],
  ['broken', 'manifest_url', 'not_json', /cannot be read/],
  ['empty', 'manifest_url', 'not_json', /empty/],
  ['large', 'manifest_url', 'too_large', /256 KiB/],
  ['endless', 'manifest_url', 'too_large', /256 KiB/],
  ['other', 'domain', 'domain_mismatch', /shop\.example/],
  ['noshelf', 'capabilities.product_catalog.endpoint', UNREACHABLE, /200 with an HTML page/],
  [
    'failing',
    'capabilities.product_catalog.endpoint',
    UNREACHABLE,
    /GET .+\/products answered 500/,
  ],
  ['moved-service', 'ucp.services.dev.ucp.shopping', UNREACHABLE, /POST .+\/mcp answered 308/],
  ['dead-service', 'ucp.services.dev.ucp.shopping', UNREACHABLE, /POST .+\/mcp answered 404/],
  ['official', 'ucp.supported_versions.2026-01-23', UNREACHABLE, /old-profile answered 404/],
])('%s.example: %s %s', async (name, field, code, message) => {
  const { valid, errors } = await at(name)
  expect(valid).toBe(false)
  expect(errors.map((error) => [error.field, error.code])).toEqual([[field, code]])
  expect(errors[0]?.message).toMatch(message)
})

test('of a profile that is newer than this code, the one of today is judged', async () => {
  expect(await at('later')).toEqual({
    valid: true,
    dialect: 'unknown',
    shoppable: true,
    shoppable_reason:
      'The profile is of UCP 2031-01-01, which is newer than this version of Aisle knows (2026-08-25). Of the one of 2026-04-08 in supported_versions: Agents reach the checkout over mcp.',
    errors: [],
    warnings: [expect.stringMatching(/newer than .+: its fields were not judged\.$/)],
    reachability: { manifest_url: 'reachable', mcp_endpoint: 'reachable' },
  })
})

test('the one of today is read first of all that a newer profile names', async () => {
  const { shoppable, warnings, errors } = await at('later-broken')
  expect(shoppable).toBe(false)
  expect(JSON.stringify([warnings, errors])).toContain('/nothing')
})

test('a profile of a later version that another one leads to is not called broken', async () => {
  const { valid, errors } = await at('later-leaf')
  expect({ valid, errors }).toEqual({ valid: true, errors: [] })
})

test.each([
  ['gate', 'manifest_url', 'blocked'],
  ['missing', 'manifest_url', 'unreachable'],
  ['guarded', 'checkout_endpoint', 'blocked'],
  ['gone', 'checkout_endpoint', 'unreachable'],
  ['post-only', 'checkout_endpoint', 'reachable'],
  ['hidden', 'orders_endpoint', 'not_checked'],
  ['official', 'mcp_endpoint', 'reachable'],
  ['closed-service', 'mcp_endpoint', 'blocked'],
  ['dead-service', 'mcp_endpoint', 'unreachable'],
])('%s.example: %s is %s', async (name, key, reach) => {
  expect((await at(name)).reachability[key]).toBe(reach)
})

test('a manifest that is moved to where nobody may read it is wrong in both ways', async () => {
  const { errors } = await at('moved-auth')
  expect(errors.map(({ code }) => code)).toEqual(['redirected', 'requires_auth'])
})

test('an endpoint that blocks our requests is no error', async () => {
  expect(await at('guarded')).toMatchObject({ valid: true, errors: [] })
})

test('a 404 to safe requests proves nothing about an endpoint that takes POST', async () => {
  const { errors, warnings } = await at('hidden')
  expect(errors.map(({ field }) => field)).not.toContain('capabilities.orders.endpoint')
  expect(warnings).toEqual([
    expect.stringMatching(/^capabilities\.orders\.endpoint: .+ answered 404, which does not show/),
  ])
})

test('a checkout is asked by a cart that cannot be, where safe requests do not tell', async () => {
  expect(await at('post-only')).toMatchObject({ valid: true, errors: [], warnings: [] })
  expect(await at('post-only-brittle')).toMatchObject({ valid: true, errors: [], warnings: [] })
  expect(carts).toEqual([])
  const { errors } = await at('gone')
  expect(errors).toEqual([
    expect.objectContaining({
      field: 'capabilities.checkout.endpoint',
      message: expect.stringMatching(/^POST .+ answered 404\.$/),
    }),
  ])
})

test('no agent reaches a private host, and passwords are not repeated', () => {
  const document = published('shop.example').replaceAll(
    'https://shop.example/checkout',
    'https://localhost/checkout',
  )
  const { valid, errors, reachability } = validateDocument(JSON.parse(document))
  expect([valid, reachability.checkout_endpoint]).toEqual([false, 'unreachable'])
  expect(errors).toMatchObject([
    {
      field: 'capabilities.checkout.endpoint',
      message: expect.stringMatching(/^No agent reaches localhost/),
    },
  ])
  const withUser = published('shop.example').replaceAll('https://', 'http://user:secret@')
  expect(JSON.stringify(validateDocument(JSON.parse(withUser)))).not.toContain('secret')
})

test('a file that cannot be cached is a warning', async () => {
  const { valid, warnings } = await at('uncached')
  expect(valid).toBe(true)
  expect(warnings).toEqual([expect.stringContaining('Cache-Control')])
})

test('what UCP advises of caching is said of a profile of the newest version alone', async () => {
  const advice = expect.stringMatching(/^UCP also asks for an ETag or Last-Modified/)
  expect((await at('official')).warnings).not.toContainEqual(advice)
  const { valid, warnings } = await at('newest')
  expect(valid).toBe(true)
  expect(warnings).toContainEqual(advice)
})

test('an own __proto__ key is no field', async () => {
  const { errors } = await at('proto')
  expect(errors.map(({ field }) => field)).toEqual(['domain', 'capabilities'])
})

test.each([
  'https://127.0.0.1/.well-known/ucp',
  'http://169.254.169.254/latest/meta-data',
  'https://[::1]/.well-known/ucp',
  'https://localhost/.well-known/ucp',
])('%s is as unreachable as a dead host', async (url) => {
  const { valid, errors, reachability } = await validate(url)
  expect(valid).toBe(false)
  expect(errors.map(({ code }) => code)).toEqual(['endpoint_unreachable'])
  expect(reachability).toEqual({ manifest_url: 'unreachable' })
})
