import { expect, test } from 'vitest'
import { capabilitiesOf, FULFILLMENT } from '../dialects/ucp/profile.ts'
import {
  payBy,
  READY,
  type Said,
  TRANSPORTS,
  type Transport,
  ucpAgent,
} from '../dialects/ucp/testing/agent.ts'
import { ADDRESS, platformsWith, testStore } from '../testing/store.ts'
import { FAULTS } from './faults.ts'
import { without } from './overrides.ts'

/** A platform that leaves delivery to the store's own page. */
const PLAIN_PROFILE = 'https://plain.example/ucp.json'
const [all, plain] = [
  platformsWith(),
  platformsWith('2026-08-25', without(capabilitiesOf('2026-08-25'), FULFILLMENT)),
]

const { ask, send, order } = await testStore({
  platforms: { find: (url) => (url === PLAIN_PROFILE ? plain : all).find(url) },
})

const JACKET = { product_id: 'ao-1001', variant_id: 'ao-1001-s-pine', quantity: 1 }

const callMcp = (
  method: string,
  host: string,
  params: object = {},
  accept = 'application/json, text/event-stream',
) =>
  ask('/ucp/mcp', host, {
    method: 'POST',
    headers: { accept, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })

const asAgent = (name: string) => ({ headers: { 'user-agent': `Mozilla/5.0; ${name}` } })

type Answer = Awaited<ReturnType<typeof ask>>

/** What a fault can be seen in. */
const PROBES = {
  manifest: (host) => ask('/.well-known/ucp', host),
  robots: (host) => ask('/robots.txt', host),
  home: (host) => ask('/', host),
  product: (host) => ask('/products/ao-1101', host),
  as_agent: (host) => ask('/products/ao-1101', host, asAgent('ChatGPT-User/1.0')),
  as_crawler: (host) => ask('/products/ao-1101', host, asAgent('OAI-SearchBot/1.4')),
  variants: (host) => ask('/products/ao-1001', host),
  feed: (host) => ask('/feeds/google.xml', host),
  catalog: (host) => ask('/ucp/products', host),
  page_2: (host) => ask('/ucp/products?page=2', host),
  search: (host) => ask('/ucp/products?q=merino', host),
  filters: (host) => ask('/ucp/products?max_price=2000', host),
  cart: (host) => order([JACKET], {}, host),
  bad_address: (host) => order([JACKET], { shipping_address: { ...ADDRESS, country: 'ZZ' } }, host),
  bad_variant: (host) => order([{ ...JACKET, variant_id: 'x' }], {}, host),
  acp_discovery: (host) => ask('/.well-known/acp.json', host),
  acp_create: (host) => send('POST', '/acp/checkout/create', {}, host),
  acp_update: (host) => send('PATCH', '/acp/checkout/x/update', {}, host),
  acp_complete: (host) => send('POST', '/acp/checkout/x/complete', {}, host),
  leaf: (host) => ask('/.well-known/ucp/2026-04-08', host),
  tools: (host) => callMcp('tools/list', host),
  json_only: (host) => callMcp('tools/list', host, {}, 'application/json'),
  rest: (host) => ask('/ucp/v1/checkout-sessions', host, { method: 'OPTIONS' }),
} satisfies Record<string, (host: string) => Promise<Answer>>

/** What is not JSON becomes a text in JSON, so that the agent can go on. */
const sendTo: typeof send = async (...call) => {
  const answer = await send(...call)
  const isJson = answer.body.startsWith('{')
  return { ...answer, body: isJson ? answer.body : JSON.stringify(answer.body) }
}

/** One purchase over official UCP: what each call is answered. */
async function purchase(host: string, transport: Transport) {
  const agent = ucpAgent(sendTo, transport, host)
  const line_items = [{ item: { id: 'ao-1101' }, quantity: 2 }]
  const body = { line_items, ...READY }
  const key = agent.newKey()
  const create = await agent.create(body, key)
  const again = await agent.create(body, key)
  const id = String(create.said.id)
  const said = {
    search: await agent.search({ query: 'merino' }),
    listed: await agent.product({ id: 'ao-1001' }),
    abroad: await agent.search({ query: 'tent', context: { currency: 'EUR' } }),
    cart: await agent.createCart({ line_items }),
    variant: await agent.createCart({
      line_items: [{ item: { id: 'ao-1001-s-pine' }, quantity: 1 }],
    }),
    create,
    // Only whether the key counted: all else is said above.
    again: { ...again, text: String(create.said.id === again.said.id), headers: new Headers() },
    get: await agent.get(id),
    update: await agent.update(id, body),
    escalated: await ucpAgent(sendTo, transport, host, PLAIN_PROFILE).create({ line_items }),
    complete: await agent.complete(id, payBy('tok_visa')),
    completed: await agent.get(id),
  } satisfies Record<string, Said>
  return said
}

type Step = keyof Awaited<ReturnType<typeof purchase>>
type Probe = keyof typeof PROBES | `${Transport}_${Step}`

const PRODUCTS: Probe[] = ['product', 'as_agent', 'as_crawler', 'variants']
const PAGES: Probe[] = ['home', ...PRODUCTS]
const LISTINGS: Probe[] = ['catalog', 'page_2', 'search', 'filters']
const CHECKOUT: Probe[] = ['cart', 'bad_address', 'bad_variant']
const over = (transport: Transport, ...steps: Step[]): Probe[] =>
  steps.map((step): Probe => `${transport}_${step}`)
const onBoth = (...steps: Step[]): Probe[] =>
  TRANSPORTS.flatMap((transport) => over(transport, ...steps))
const BASKETS: Step[] = ['cart', 'variant']
const SESSIONS: Step[] = ['create', 'get', 'update', 'escalated', 'complete', 'completed']
const ALL_STEPS: Step[] = ['search', 'listed', 'abroad', ...BASKETS, ...SESSIONS, 'again']
const ACP: Probe[] = ['acp_create', 'acp_update', 'acp_complete']

/** Where each fault shows: there, and nowhere else. */
const SHOWS_IN: Record<string, Probe[]> = {
  'well-known-missing': ['manifest'],
  'well-known-not-json': ['manifest'],
  'well-known-wrong-content-type': ['manifest'],
  'well-known-requires-auth': ['manifest'],
  'well-known-redirected': ['manifest'],
  'well-known-only-on-subdomain': ['manifest'],
  'well-known-invalid': ['manifest'],
  'catalog-undeclared': ['manifest'],
  'checkout-undeclared': ['manifest'],
  'well-known-domain-mismatch': ['manifest'],
  'well-known-generated-at': ['manifest'],
  'well-known-not-cacheable': ['manifest'],
  'robots-blocks-ai-agents': ['robots'],
  'content-signal-refuses-agents': ['robots'],
  'agents-refused-despite-robots': ['as_agent'],
  'agents-refused': ['robots', 'as_agent'],
  'agents-challenged': ['as_agent'],
  'agents-get-less': ['as_agent'],
  'ai-search-kept-out': ['as_crawler'],
  'catalog-unreachable': LISTINGS,
  'catalog-wrong-content-type': LISTINGS,
  'catalog-not-json': LISTINGS,
  'catalog-empty': LISTINGS,
  'catalog-product-fields-invalid': ['catalog', 'page_2', 'filters'],
  'catalog-price-not-integer': LISTINGS,
  'catalog-price-major-units': [...LISTINGS, 'cart'],
  'catalog-currency-invalid': LISTINGS,
  'catalog-availability-invalid': LISTINGS,
  'catalog-description-short': LISTINGS,
  'catalog-description-brief': LISTINGS,
  'catalog-images-invalid': LISTINGS,
  'catalog-ids-duplicate': ['catalog'],
  'catalog-ids-unstable': LISTINGS,
  'catalog-variants-invalid': LISTINGS,
  'catalog-variants-clash': LISTINGS,
  'catalog-pagination-missing': LISTINGS,
  'catalog-next-broken': ['catalog'],
  'catalog-next-loops': ['page_2'],
  'catalog-next-leaves-host': ['catalog'],
  'catalog-search-ineffective': ['search'],
  'catalog-filters-ineffective': ['filters'],
  'catalog-cached-too-long': LISTINGS,
  'catalog-page-price-mismatch': [...PAGES, 'feed'],
  'catalog-page-availability-mismatch': [...PRODUCTS, 'feed'],
  'catalog-page-currency-mismatch': [...PRODUCTS, 'feed'],
  'catalog-page-identifiers-mismatch': PRODUCTS,
  'checkout-unreachable': CHECKOUT,
  'checkout-redirected': CHECKOUT,
  'checkout-not-https': ['manifest'],
  'checkout-dry-run-failed': ['cart'],
  'checkout-invalid-shape': ['cart'],
  'checkout-slow': ['cart'],
  'checkout-price-mismatch': ['cart'],
  'checkout-accepts-invalid-address': ['bad_address'],
  'checkout-accepts-unknown-variant': ['bad_variant'],
  'checkout-error-body-invalid': ['bad_address', 'bad_variant'],
  'checkout-expiry-invalid': ['cart'],
  'checkout-expires-late': ['cart'],
  'acp-discovery-invalid': ['acp_discovery'],
  'acp-create-unreachable': ['acp_create'],
  'acp-update-unreachable': ['acp_update'],
  'acp-complete-unreachable': ['acp_complete'],
  'acp-error-body-invalid': ACP,
  'acp-wrong-content-type': ACP,
  'product-schema-missing': PRODUCTS,
  'product-schema-only-after-javascript': PRODUCTS,
  'product-schema-incomplete': PRODUCTS,
  'product-schema-no-offer': PRODUCTS,
  'product-schema-aggregate-offer-only': PRODUCTS,
  'product-schema-price-invalid': PRODUCTS,
  'product-schema-currency-invalid': PRODUCTS,
  'product-schema-currency-lower-case': PRODUCTS,
  'product-schema-price-contradicted': PRODUCTS,
  'product-schema-currency-contradicted': PRODUCTS,
  'product-schema-availability-contradicted': PRODUCTS,
  'product-schema-identifier-contradicted': PRODUCTS,
  'product-schema-price-valid-until-invalid': PRODUCTS,
  'product-schema-availability-invalid': PRODUCTS,
  'product-schema-gtin-invalid': PRODUCTS,
  'jsonld-broken': PRODUCTS,
  'product-schema-identifier-missing': PRODUCTS,
  'product-schema-sku-spaces': PRODUCTS,
  'product-vocabulary-retired': PRODUCTS,
  'product-schema-brand-missing': PRODUCTS,
  'product-schema-description-missing': PRODUCTS,
  'product-schema-return-policy-incomplete': PRODUCTS,
  'product-schema-shipping-incomplete': PRODUCTS,
  'product-schema-return-policy-missing': PAGES,
  'product-schema-shipping-missing': PAGES,
  'feed-missing': [...PAGES, 'feed'],
  'feed-unreadable': ['feed'],
  'feed-items-incomplete': ['feed'],
  'feed-gtin-invalid': ['feed'],
  'feed-duplicate-ids': ['feed'],
  'feed-price-mismatch': ['feed'],
  'feed-availability-mismatch': ['feed'],
  'feed-currency-mismatch': ['feed'],
  'feed-identifiers-mismatch': ['feed'],
  'feed-sale-price-invalid': ['feed'],
  'feed-variants-unclear': ['feed'],
  'feed-google-values-invalid': ['feed'],
  'feed-google-values-too-long': ['feed'],
  'feed-google-identifiers-missing': ['feed'],
  'feed-google-dates-invalid': ['feed'],
  'feed-openai-values-invalid': ['feed'],
  'feed-openai-values-too-long': ['feed'],
  'feed-openai-eligibility-contradictory': ['feed'],
  'dark-traffic-untracked': PAGES,
  'snippet-without-id': PAGES,
  'snippet-duplicated': PAGES,
  'snippet-not-in-head': PAGES,
  'snippet-blocked-by-csp': PAGES,
  'brand-name-inconsistent': PAGES,
  'organization-missing': ['home'],
  'organization-name-missing': ['home'],
  'organization-url-mismatch': ['home'],
  'organization-logo-invalid': ['home'],
  'organization-same-as-invalid': ['home'],
  'organization-names-conflict': ['home'],
  'ucp-private-key-published': ['manifest'],
  'ucp-parts-dropped': ['manifest'],
  'ucp-supported-versions-broken': ['leaf'],
  'ucp-catalog-undeclared': ['manifest'],
  'ucp-catalog-tools-missing': ['tools', 'json_only', ...over('mcp', 'search', 'listed', 'abroad')],
  'ucp-not-shoppable': ['manifest'],
  'ucp-endpoint-unreachable': ['tools', 'rest', 'json_only', ...onBoth(...ALL_STEPS)],
  'ucp-checkout-tools-missing': ['tools', 'json_only', ...over('mcp', 'again', ...SESSIONS)],
  'ucp-complete-fails': onBoth('complete', 'completed'),
  'ucp-payment-handlers-missing': ['manifest', 'leaf', ...onBoth(...SESSIONS)],
  'ucp-continue-url-missing': onBoth('escalated'),
  'ucp-price-mismatch': onBoth(...BASKETS, ...SESSIONS),
  'ucp-currency-mismatch': onBoth(...BASKETS, ...SESSIONS),
  'ucp-shipping-options-missing': onBoth('create', 'get', 'update', 'complete', 'completed'),
  'ucp-totals-wrong': onBoth(...BASKETS, ...SESSIONS),
  'ucp-variant-unavailable': onBoth('variant'),
  'ucp-foreign-currency-fails': onBoth('abroad'),
  'ucp-idempotency-ignored': onBoth('again'),
  'ucp-version-mismatch': onBoth(...ALL_STEPS.filter((step) => step !== 'again')),
  'ucp-accept-refused': ['json_only', ...over('mcp', ...ALL_STEPS)],
  'ucp-search-ineffective': onBoth('search', 'abroad'),
  'ucp-description-invalid': onBoth('search', 'listed', 'abroad'),
  'ucp-currency-invalid': onBoth(...ALL_STEPS.filter((step) => step !== 'again')),
}

type Portrait = Record<string, string>

/** All that a host says, with its name and the ids of its carts, checkouts and orders taken out. */
async function portraitOf(host: string): Promise<Portrait> {
  const portrait: Portrait = {}
  const keep = (probe: string, { status, headers, body, waited }: Answer) => {
    // Each answer has an id of its own.
    headers.delete('x-request-id')
    portrait[probe] = JSON.stringify([status, [...headers], body, waited])
      .replaceAll(host, 'HOST')
      .replaceAll(host.split('.').reverse().join('.'), 'TSOH')
      .replaceAll(/(?:cart|checkout|order)_[\w]{8}-[\w-]+/g, 'ID')
      .replaceAll(/AO-[0-9A-Z]{4}-[0-9A-Z]{4}|receipts\/[\w-]+/g, 'NUMBER')
  }
  for (const [probe, see] of Object.entries(PROBES)) keep(probe, await see(host))
  for (const transport of TRANSPORTS) {
    for (const [step, { text, ...said }] of Object.entries(await purchase(host, transport))) {
      keep(`${transport}_${step}`, { ...said, body: text, waited: [] })
    }
  }
  return portrait
}

const differences = (one: Portrait, other: Portrait): string[] =>
  Object.keys(one).filter((probe) => one[probe] !== other[probe])

const whole = await portraitOf('shop.example')
const official = await portraitOf('ucp.example')

test('names are unique, and the gap in kebab-case', () => {
  expect(new Set(FAULTS.map(({ fault }) => fault)).size).toBe(FAULTS.length)
  for (const { fault, gap } of FAULTS) {
    expect(fault).toMatch(/^[a-z]+(-[a-z0-9]+)+$/)
    if (gap !== null) expect(fault).toBe(gap.replaceAll('_', '-'))
  }
  // The one that has no answer at all is seen on a real port, in app.test.ts.
  expect(FAULTS.map(({ fault }) => fault)).toEqual(['https-missing', ...Object.keys(SHOWS_IN)])
})

test.each(Object.entries(SHOWS_IN))('%s shows in %j', async (fault, probes) => {
  const portrait = await portraitOf(`${fault}.example`)
  const right = fault.startsWith('ucp-') ? official : whole
  expect(differences(portrait, right).sort()).toEqual([...probes].sort())
})

test('no other host shows any of it', async () => {
  for (const host of [
    'shop.example',
    'www.shop.example',
    'catalog-empty.com',
    'no-fault.example',
  ]) {
    expect(differences(await portraitOf(host), whole)).toEqual([])
  }
})

test('a host of official UCP differs from the others in its manifest and its services', () => {
  const services = ['manifest', 'leaf', 'tools', 'json_only', 'rest', ...onBoth(...ALL_STEPS)]
  expect(differences(official, whole).sort()).toEqual(services.sort())
})

test('a store that speaks official UCP everywhere keeps the faults of the other manifest', async () => {
  const store = await testStore({ official: true })
  const declares = async (host: string) =>
    'ucp' in JSON.parse((await store.ask('/.well-known/ucp', host)).body)
  expect(await declares('shop.example')).toBe(true)
  expect(await declares('ucp-parts-dropped.example')).toBe(true)
  expect(await declares('well-known-invalid.example')).toBe(false)
})

test('www. has the fault as well, but for the one of the subdomain', async () => {
  const empty = await ask('/ucp/products', 'www.catalog-empty.example')
  expect(JSON.parse(empty.body).products).toEqual([])
  const only = 'well-known-only-on-subdomain.example'
  expect((await ask('/.well-known/ucp', only)).status).toBe(404)
  expect((await ask('/.well-known/ucp', `www.${only}`)).status).toBe(200)
})

test('faults of every host add up', async () => {
  const store = await testStore({ faults: ['catalog-empty', 'catalog-cached-too-long'] })
  const { headers, body } = await store.ask('/ucp/products')
  expect(JSON.parse(body).pagination.total).toBe(0)
  expect(headers.get('cache-control')).toBe('public, max-age=86400')
  const { body: home } = await store.ask('/', 'dark-traffic-untracked.example')
  expect(home).not.toContain('attribution.js')
})

test('a redirected manifest is right where it leads', async () => {
  const host = 'well-known-redirected.example'
  const { status, headers } = await ask('/.well-known/ucp', host)
  expect([status, headers.get('location')]).toEqual([302, '/ucp-manifest.json'])
  const { body } = await ask('/ucp-manifest.json', host)
  expect(JSON.parse(body).domain).toBe(host)
  expect((await ask('/ucp-manifest.json')).status).toBe(404)
})

test('ids that change are accepted by the checkout, and differ each time', async () => {
  const host = 'catalog-ids-unstable.example'
  const ids = async () =>
    JSON.parse((await ask('/ucp/products', host)).body).products.map(
      (product: { id: string }) => product.id,
    )
  const [first, again] = [await ids(), await ids()]
  expect(first[0]).not.toBe(again[0])
  expect((await order([{ ...JACKET, product_id: first[0] }], {}, host)).status).toBe(200)
})

test('prices in major units agree over catalog, filters and checkout, and not with the page', async () => {
  const host = 'catalog-price-major-units.example'
  const { body } = await ask('/ucp/products?min_price=179&max_price=179', host)
  expect(JSON.parse(body).products[0]).toMatchObject({
    id: 'ao-1001',
    price: { amount: 179, currency: 'USD' },
  })
  expect(JSON.parse((await order([JACKET], {}, host)).body).subtotal.amount).toBe(179)
  expect((await ask('/products/ao-1001', host)).body).toContain('"price": "179.00"')
})

test('a cart is slow, a refusal is not', async () => {
  const host = 'checkout-slow.example'
  expect((await order([JACKET], {}, host)).waited).toEqual([3200])
  expect((await order([], {}, host)).waited).toEqual([])
})
