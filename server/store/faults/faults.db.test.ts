import { expect, test } from 'vitest'
import { TRANSPORTS, type Transport } from '../dialects/ucp/testing/agent.ts'
import { ADDRESS, AGENT_META, testStore } from '../testing/store.ts'
import { FAULTS } from './faults.ts'
import { PLATFORMS, purchaseAcp, purchaseSpec, purchaseUcp } from './testing/purchases.ts'

const { ask, send, order } = await testStore({ platforms: PLATFORMS })

const JACKET = { product_id: 'ao-1001', variant_id: 'ao-1001-s-pine', quantity: 1 }

const callMcp = (
  method: string,
  host: string,
  params: object = {},
  accept = 'application/json, text/event-stream',
  path = '/ucp/mcp',
) =>
  ask(path, host, {
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
  acp_carts: (host) => send('POST', '/acp/carts', {}, host),
  acp_tools: (host) => callMcp('tools/list', host, {}, 'application/json', '/acp/mcp'),
  leaf: (host) => ask('/.well-known/ucp/2026-04-08', host),
  tools: (host) => callMcp('tools/list', host),
  json_only: (host) => callMcp('tools/list', host, {}, 'application/json'),
  rest: (host) => ask('/ucp/v1/checkout-sessions', host, { method: 'OPTIONS' }),
} satisfies Record<string, (host: string) => Promise<Answer>>

const askCatalog = (question: string, json: object) => (host: string) =>
  send('POST', `/ucp/v1/catalog/${question}`, json, host)

/** What the faults of official UCP's catalog are seen in: they are in nothing that is bought. */
const CATALOG_PROBES = {
  ucp_listed: askCatalog('search', { filters: { price: { min: 0 } }, pagination: { limit: 20 } }),
  ucp_next: askCatalog('search', { filters: { price: { min: 0 } }, pagination: { cursor: '20' } }),
  ucp_found: askCatalog('search', { query: 'merino', pagination: { limit: 20 } }),
  ucp_cheap: askCatalog('search', { filters: { price: { min: 1500, max: 2000 } } }),
  ucp_looked_up: askCatalog('lookup', { ids: ['ao-1001', 'ao-1002-l-charcoal'] }),
  ucp_shown: askCatalog('product', {
    id: 'ao-1001',
    selected: [
      { name: 'size', label: 'L' },
      { name: 'color', label: 'Slate' },
    ],
  }),
  ucp_over_mcp: (host: string) =>
    callMcp('tools/call', host, {
      name: 'lookup_catalog',
      arguments: { meta: AGENT_META, catalog: { ids: ['ao-1101'] } },
    }),
} satisfies Record<string, (host: string) => Promise<Answer>>

/** The hosts that have such a fault, and the one that has none. */
const LISTS =
  /^(ucp|ucp-(catalog-(?!undeclared|tools|currency)|description|lookup|product-|transports).*)\.example$/

type UcpStep = keyof Awaited<ReturnType<typeof purchaseUcp>>
type AcpStep = keyof Awaited<ReturnType<typeof purchaseAcp>>
type SpecStep = keyof Awaited<ReturnType<typeof purchaseSpec>>
type Probe =
  | keyof typeof PROBES
  | keyof typeof CATALOG_PROBES
  | `ucp_${Transport}_${UcpStep}`
  | `acp_${Transport}_${AcpStep}`
  | `spec_${SpecStep}`

const PRODUCTS: Probe[] = ['product', 'as_agent', 'as_crawler', 'variants']
const PAGES: Probe[] = ['home', ...PRODUCTS]
const SEARCHED: Probe[] = ['ucp_listed', 'ucp_next', 'ucp_found', 'ucp_cheap']
const OVER_REST: Probe[] = [...SEARCHED, 'ucp_looked_up', 'ucp_shown']
const LISTED: Probe[] = [...OVER_REST, 'ucp_over_mcp']
const LISTINGS: Probe[] = ['catalog', 'page_2', 'search', 'filters']
const CHECKOUT: Probe[] = ['cart', 'bad_address', 'bad_variant']
const over = (transport: Transport, ...steps: UcpStep[]): Probe[] =>
  steps.map((step): Probe => `ucp_${transport}_${step}`)
const inUcp = (...steps: UcpStep[]): Probe[] =>
  TRANSPORTS.flatMap((transport) => over(transport, ...steps))
const inAcp = (...steps: AcpStep[]): Probe[] =>
  TRANSPORTS.flatMap((transport) => steps.map((step): Probe => `acp_${transport}_${step}`))
const inSpec = (...steps: SpecStep[]): Probe[] => steps.map((step): Probe => `spec_${step}`)
const SPEC_CARTS: SpecStep[] = ['create', 'variant', 'abroad']
/** Without a session nothing comes of these. */
const SPEC_LATER: SpecStep[] = ['revived', 'update', 'declined', 'complete', 'order']
const BASKETS: UcpStep[] = ['cart', 'variant']
const OPENED = ['create', 'get', 'update', 'complete', 'completed', 'escalated'] as const
const SHOWN: UcpStep[] = ['search', 'listed', 'abroad', ...BASKETS, ...OPENED]
const SHOWN_BY_ACP: AcpStep[] = ['variant', ...OPENED]
const ALL_OF_ACP = inAcp('abroad', ...SHOWN_BY_ACP)
const inAcpOverMcp = (...steps: AcpStep[]): Probe[] => steps.map((step): Probe => `acp_mcp_${step}`)
const ACP: Probe[] = ['acp_create', 'acp_update', 'acp_complete', 'acp_carts', 'acp_tools']

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
  'product-pages-not-indexed': PRODUCTS,
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
  'acp-complete-unreachable': [
    'acp_complete',
    'acp_rest_complete',
    'acp_rest_completed',
    'acp_rest_escalated',
  ],
  'acp-error-body-invalid': [...ACP, ...ALL_OF_ACP],
  'acp-wrong-content-type': [...ACP, ...ALL_OF_ACP],
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
  'ucp-well-known-wrong-content-type': ['manifest'],
  'ucp-well-known-redirected': ['manifest'],
  'ucp-well-known-invalid': ['manifest'],
  'ucp-well-known-not-cacheable': ['manifest'],
  'ucp-private-key-published': ['manifest'],
  'ucp-parts-dropped': ['manifest'],
  'ucp-supported-versions-broken': ['leaf'],
  'ucp-catalog-undeclared': ['manifest'],
  'ucp-catalog-tools-missing': ['tools', 'json_only', ...over('mcp', 'search', 'listed', 'abroad')],
  'ucp-not-shoppable': ['manifest'],
  'ucp-endpoint-unreachable': ['tools', 'rest', 'json_only', ...inUcp(...SHOWN, 'again')],
  'ucp-transport-unreachable': ['tools', 'json_only', ...over('mcp', ...SHOWN, 'again')],
  'ucp-post-redirected': ['rest', ...over('rest', 'again', ...OPENED)],
  'ucp-checkout-tools-missing': ['tools', 'json_only', ...over('mcp', 'again', ...OPENED)],
  'ucp-tools-missing': ['tools', 'json_only'],
  'ucp-wrong-content-type': [
    'rest',
    'tools',
    'json_only',
    ...over('rest', ...OPENED),
    ...over('mcp', ...SHOWN),
  ],
  // Only invalid requests show it: the audit sends one.
  'ucp-error-body-invalid': [],
  'ucp-version-outdated': ['manifest', ...inUcp(...SHOWN)],
  'ucp-form-departs': ['manifest'],
  'ucp-names-unknown': ['manifest'],
  'ucp-spec-addresses-wrong': ['manifest'],
  'ucp-agent-card-invalid': ['manifest'],
  'ucp-keys-unusable': ['manifest'],
  'ucp-webhook-keys-missing': ['manifest'],
  'ucp-payment-handler-unusable': ['manifest'],
  'ucp-complete-fails': inUcp('complete', 'completed'),
  'ucp-payment-handlers-missing': ['manifest', 'leaf', ...inUcp(...OPENED)],
  'ucp-continue-url-missing': inUcp('escalated'),
  'ucp-price-mismatch': inUcp(...BASKETS, ...OPENED),
  'ucp-currency-mismatch': inUcp(...BASKETS, ...OPENED),
  'ucp-shipping-options-missing': inUcp('create', 'get', 'update', 'complete', 'completed'),
  'ucp-totals-wrong': inUcp(...BASKETS, ...OPENED),
  'ucp-variant-unavailable': inUcp('variant'),
  'ucp-foreign-currency-fails': inUcp('abroad'),
  'ucp-idempotency-ignored': inUcp('again'),
  'ucp-version-mismatch': inUcp(...SHOWN),
  'ucp-accept-refused': ['json_only', ...over('mcp', ...SHOWN, 'again')],
  'ucp-catalog-currency-invalid': inUcp(...SHOWN),
  // Nobody asks for webhooks: webhooks.db.test.ts receives them.
  'ucp-webhooks-unsigned': [],
  'ucp-dry-run-failed': inUcp('again', ...OPENED),
  'ucp-invalid-shape': inUcp(...OPENED),
  // Nothing tells how long these took; that refusals are not slow, the walk shows.
  'ucp-slow': [],
  'ucp-lines-wrong': inUcp(...OPENED),
  'ucp-expiry-invalid': inUcp(...OPENED),
  'ucp-never-ready': inUcp('create', 'get', 'update'),
  // What should be refused is bought by walks alone, as are the next ones.
  'ucp-accepts-sold-out': [],
  'ucp-accepts-unknown-variant': [],
  'ucp-accepts-invalid-address': [],
  'ucp-abroad-fails': [],
  'ucp-checkout-error-body-invalid': [],
  'ucp-cancel-fails': [],
  'ucp-decline-fails': [],
  'ucp-order-unreadable': [],
  'ucp-paid-twice': inUcp('completed'),
  // Nobody here comes back, or has another mind.
  'ucp-canceled-reopens': [],
  'ucp-basket-locked': [],
  'ucp-shipping-choice-ignored': inUcp('create', 'get', 'update', 'complete', 'completed'),
  'ucp-sign-in-without-url': inUcp('create', 'get', 'update'),
  'ucp-coupon-ignored': ['manifest'],
  'ucp-agents-kept-out': inUcp('again', ...OPENED),
  'ucp-agents-throttled': inUcp('again', ...OPENED),
  'ucp-catalog-unreachable': SEARCHED,
  'ucp-catalog-wrong-content-type': OVER_REST,
  'ucp-catalog-not-json': SEARCHED,
  'ucp-catalog-empty': SEARCHED,
  'ucp-catalog-product-fields-invalid': LISTED,
  'ucp-catalog-price-not-integer': LISTED,
  'ucp-catalog-price-major-units': LISTED,
  'ucp-catalog-availability-invalid': LISTED,
  'ucp-catalog-description-short': LISTED,
  'ucp-catalog-description-brief': LISTED,
  'ucp-catalog-images-invalid': LISTED,
  'ucp-catalog-ids-duplicate': ['ucp_listed'],
  'ucp-catalog-ids-unstable': [...SEARCHED, 'ucp_looked_up'],
  'ucp-catalog-variants-invalid': LISTED,
  'ucp-catalog-variants-clash': ['ucp_listed', 'ucp_found', 'ucp_cheap'],
  'ucp-catalog-pagination-missing': ['ucp_listed', 'ucp_next'],
  'ucp-catalog-next-broken': ['ucp_listed', 'ucp_next'],
  'ucp-catalog-next-loops': ['ucp_next'],
  'ucp-catalog-filters-ineffective': ['ucp_cheap'],
  'ucp-catalog-page-identifiers-mismatch': LISTED,
  'ucp-catalog-search-ineffective': ['ucp_found'],
  'ucp-description-invalid': LISTED,
  'ucp-lookup-broken': ['ucp_looked_up', 'ucp_over_mcp'],
  'ucp-product-unresolved': ['ucp_shown'],
  'ucp-transports-differ': ['ucp_over_mcp'],
  'ucp-catalog-page-price-mismatch': [...PAGES, 'feed'],
  'ucp-catalog-page-availability-mismatch': [...PRODUCTS, 'feed'],
  'ucp-catalog-page-currency-mismatch': [...PRODUCTS, 'feed'],
  'acp-discovery-not-cacheable': ['acp_discovery'],
  'acp-carts-missing': ['acp_carts'],
  'acp-error-type-invalid': ['acp_rest_abroad'],
  'acp-tools-missing': ['acp_tools', ...inAcpOverMcp('complete', 'completed', 'escalated')],
  'acp-cancel-tool-missing': ['acp_tools'],
  'acp-services-missing': ['acp_discovery'],
  'acp-complete-fails': inAcp('complete', 'completed', 'escalated'),
  'acp-payment-handlers-missing': inAcp(...SHOWN_BY_ACP),
  'acp-continue-url-missing': inAcp('escalated'),
  'acp-price-mismatch': inAcp(...SHOWN_BY_ACP),
  'acp-currency-mismatch': inAcp(...SHOWN_BY_ACP),
  'acp-shipping-options-missing': inAcp(...SHOWN_BY_ACP),
  'acp-totals-wrong': inAcp(...SHOWN_BY_ACP),
  'acp-variant-unavailable': inAcp('variant'),
  'acp-foreign-currency-fails': inAcp('abroad'),
  'acp-idempotency-ignored': inAcp('again'),
  'acp-version-mismatch': ['acp_discovery', ...inAcp(...SHOWN_BY_ACP)],
  'acp-currency-invalid': inAcp(...SHOWN_BY_ACP),
  'acp-webhooks-unsigned': [],
  'acp-dry-run-failed': [...inAcp(...SHOWN_BY_ACP), 'acp_rest_again'],
  'acp-invalid-shape': inAcp(...SHOWN_BY_ACP),
  'acp-slow': [],
  // The one that buys here changes no items.
  'acp-lines-wrong': [],
  'acp-expiry-invalid': inAcp(...SHOWN_BY_ACP),
  'acp-never-ready': inAcp('update'),
  'acp-accepts-sold-out': [],
  'acp-accepts-unknown-variant': [],
  'acp-accepts-invalid-address': [],
  'acp-abroad-fails': [],
  'acp-checkout-error-body-invalid': [],
  'acp-cancel-fails': [],
  'acp-decline-fails': [],
  'acp-paid-twice': inAcp('completed'),
  'acp-canceled-reopens': [],
  'acp-basket-locked': [],
  'acp-shipping-choice-ignored': inAcp('update', 'complete', 'completed', 'escalated'),
  'acp-sign-in-without-url': inAcp('update'),
  'acp-coupon-ignored': ['acp_discovery'],
  'acp-agents-kept-out': [...inAcp(...SHOWN_BY_ACP), 'acp_rest_again'],
  'acp-agents-throttled': [...inAcp(...SHOWN_BY_ACP), 'acp_rest_again'],
  'spec-ucp-paid-twice': inSpec('confirmed_twice'),
  'spec-acp-variant-unavailable': inSpec('variant'),
  'spec-acp-dry-run-failed': inSpec(...SPEC_CARTS, ...SPEC_LATER),
  'spec-acp-invalid-shape': inSpec(...SPEC_CARTS),
  'spec-acp-slow': inSpec(...SPEC_CARTS),
  'spec-acp-currency-mismatch': inSpec(...SPEC_CARTS, 'update', 'complete'),
  'spec-acp-price-mismatch': inSpec(...SPEC_CARTS),
  'spec-acp-lines-wrong': inSpec('abroad', 'create', 'update', 'complete', 'order'),
  'spec-acp-totals-wrong': inSpec('update'),
  'spec-acp-expiry-invalid': inSpec(...SPEC_CARTS),
  'spec-acp-shipping-options-missing': inSpec(...SPEC_CARTS),
  'spec-acp-accepts-sold-out': inSpec('sold_out'),
  'spec-acp-accepts-unknown-variant': inSpec('unknown'),
  'spec-acp-accepts-invalid-address': inSpec('nowhere'),
  'spec-acp-abroad-fails': inSpec('abroad'),
  'spec-acp-error-body-invalid': inSpec('sold_out'),
  'spec-acp-idempotency-ignored': inSpec('again'),
  'spec-acp-complete-fails': inSpec('complete', 'declined', 'order'),
  'spec-acp-decline-fails': inSpec('declined'),
  'spec-acp-order-unreadable': inSpec('order'),
  'spec-acp-paid-twice': inSpec('twice'),
  'spec-acp-canceled-reopens': inSpec('revived'),
  'spec-acp-updates-fail': inSpec('revived', 'update'),
  'spec-acp-shipping-choice-ignored': inSpec('update', 'complete', 'order'),
  'spec-acp-agents-kept-out': inSpec(...SPEC_CARTS, ...SPEC_LATER),
  'spec-acp-agents-throttled': inSpec(...SPEC_CARTS, ...SPEC_LATER),
}

type Portrait = Record<string, string>

/** A purchase costs much, and only these hosts have anything of their own to say in it. */
const BUYS =
  /^(shop|ucp|(ucp|acp)-(?!well-known|catalog-(?!currency|undeclared|tools)|description|lookup|product-|transports).*)\.example$/

/**
 * The hosts with a fault of a purchase of the specification's dialects, and the one that has none.
 */
const BUYS_SPEC = /^(shop|spec-.*)\.example$/

/** All that a host says, with its name and the ids of its carts, checkouts and orders taken out. */
async function portraitOf(host: string): Promise<Portrait> {
  const portrait: Portrait = {}
  const keep = (probe: string, { status, headers, body, waited }: Answer) => {
    // Each answer has an id of its own.
    headers.delete('x-request-id')
    // It is of the body, in which the host stands.
    headers.delete('etag')
    // Signatures are random, and of bodies with random ids.
    for (const name of ['signature', 'signature-input', 'content-digest']) {
      if (headers.has(name)) headers.set(name, 'signed')
    }
    portrait[probe] = JSON.stringify([status, [...headers], body, waited])
      .replaceAll(host, 'HOST')
      .replaceAll(host.split('.').reverse().join('.'), 'TSOH')
      // As 2026-04-08 spells it: whoever owns that name vouches for no schema of this host.
      .replaceAll(host.replaceAll('-', '_').split('.').reverse().join('.'), 'TSOH')
      .replaceAll(/\\"schema\\":\\"https:\/\/HOST\/ucp\/handlers[^"]*",/g, '')
      .replaceAll(/(?:cart|checkout|order)_[\w]{8}-[\w-]+/g, 'ID')
      .replaceAll(/AO-[0-9A-Z]{4}-[0-9A-Z]{4}|receipts\/[\w-]+/g, 'NUMBER')
  }
  for (const [probe, see] of Object.entries(PROBES)) keep(probe, await see(host))
  if (LISTS.test(host)) {
    for (const [probe, see] of Object.entries(CATALOG_PROBES)) keep(probe, await see(host))
  }
  if (BUYS_SPEC.test(host)) {
    for (const [step, { text, ...answer }] of Object.entries(await purchaseSpec(send, host))) {
      keep(`spec_${step}`, { waited: [], ...answer, body: text })
    }
  }
  if (!BUYS.test(host)) return portrait
  for (const transport of TRANSPORTS) {
    const bought = {
      ucp: await purchaseUcp(send, host, transport),
      acp: await purchaseAcp(send, host, transport),
    }
    for (const [protocol, steps] of Object.entries(bought)) {
      for (const [step, { text, status, headers }] of Object.entries(steps)) {
        headers.delete('idempotency-key')
        keep(`${protocol}_${transport}_${step}`, { status, headers, body: text, waited: [] })
      }
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
  for (const { fault, gap, needsWalk, shows } of FAULTS) {
    expect(fault).toMatch(/^[a-z]+(-[a-z0-9]+)+$/)
    // Named after what is wrong: another fault has the name of its gap.
    if (gap === null || shows !== undefined) continue
    // In a store that speaks official UCP, a gap that others can have too.
    const names = [gap, `ucp_${gap}`]
    // Of a purchase in an official dialect.
    const short = gap.replace(/^(?:checkout|acp)_/, '')
    if (needsWalk) {
      names.push(`acp_${gap}`, `ucp_${short}`, `acp_${short}`, `spec_acp_${short}`)
    }
    expect(names).toContain(fault.replaceAll('-', '_'))
  }
  // The one that has no answer at all is seen on a real port, in app.db.test.ts.
  expect(FAULTS.map(({ fault }) => fault)).toEqual(['https-missing', ...Object.keys(SHOWS_IN)])
})

test.each(Object.entries(SHOWS_IN))('%s shows in %j', async (fault, probes) => {
  const portrait = await portraitOf(`${fault}.example`)
  const right = fault.startsWith('ucp-') ? official : whole
  expect(differences(portrait, right).sort()).toEqual([...probes].sort())
})

test('no other host shows any of it', async () => {
  for (const host of ['www.shop.example', 'catalog-empty.com', 'no-fault.example']) {
    expect(differences(await portraitOf(host), whole)).toEqual([])
  }
})

test('a host of official UCP differs in its manifest, its services, and the links that they serve', () => {
  const services = ['manifest', 'leaf', 'tools', 'json_only', 'rest', ...inUcp(...SHOWN, 'again')]
  // Pages of products lead to permalinks, which robots.txt keeps crawlers from.
  const pages = ['product', 'variants', 'as_agent', 'as_crawler', 'robots']
  const bought = differences(official, whole).filter((probe) => !(probe in CATALOG_PROBES))
  expect(bought.sort()).toEqual([...services, ...pages].sort())
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

test('the faults that prove each rule are told (written anew with vitest -u)', async () => {
  const proving = FAULTS.flatMap(({ fault, gap, needsWalk = false }) =>
    gap === null ? [] : [{ gap, fault: { fault, needs_walk: needsWalk } }],
  )
  const byGap = [...Map.groupBy(proving, ({ gap }) => gap)].map(
    ([gap, all]) => [gap, all.map(({ fault }) => fault)] as const,
  )
  await expect(`${JSON.stringify(Object.fromEntries(byGap), null, 2)}\n`).toMatchFileSnapshot(
    '../../../shared/audit/proof-faults.json',
  )
})
