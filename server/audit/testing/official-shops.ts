import {
  acpAt,
  inDiscovery,
  officialAcpOnly,
  withoutAcp,
  withoutUcp,
} from './official-shops/acp.ts'
import {
  assortmentOf,
  basketInItsMoney,
  inManyCurrencies,
  listedBy,
  OPAQUE,
  productInItsMoney,
} from './official-shops/catalog.ts'
import {
  at,
  type Change,
  changed,
  eachOf,
  type Front,
  gone,
  type Json,
  jsonOf,
  patch,
  withBody,
  without,
} from './official-shops/front.ts'
import { compressed, inTitleCase, untagged, validated } from './official-shops/http.ts'
import {
  asStream,
  inPages,
  onlyStateless,
  withOAuth,
  withoutInitialize,
  withoutTools,
  withSessions,
} from './official-shops/mcp.ts'
import { ROUTERS, type RouterName, routedBy } from './official-shops/routers.ts'
import {
  agentsOf,
  everyCall,
  inAnswers,
  inCapabilities,
  inEndpoints,
  inProducts,
  inServices,
  inUcp,
  mcpOnly,
  oneSlash,
  onlyNewest,
  onlyOlder,
  restOnly,
  servicesAt,
  slashAtEnd,
  withAccounts,
} from './official-shops/ucp.ts'

// Whole stores that speak official UCP or ACP. Each differs from the reference store, which stands
// behind it, in what the protocols leave open, and none of them is wrong.

/** One request to a store, and what shows that the store is what its name says. */
export interface Sign {
  method?: 'GET' | 'POST' | 'OPTIONS' | 'DELETE'
  /** A path of the store, or the address of a host that it also has. */
  at: string
  headers?: Record<string, string>
  json?: unknown
  status: number
  /** What the body is or has in it. */
  says?: string | RegExp
  has?: Record<string, string>
}

/**
 * The domain of a store: its name without hyphens, which 2026-04-08 allows in no name of a payment
 * handler, and so in no domain that is reversed in one.
 */
export const domainOf = ({ name }: Pick<OfficialShop, 'name'>): string =>
  `${name.replaceAll('-', '')}.example`

/** A store, with what it is called in tests. */
export interface OfficialShop {
  name: string
  /** Other hosts that it answers on. */
  hosts?: string[]
  /** What stands before the reference store, the outermost first. */
  fronts: Front[]
  signs: Sign[]
  /** Gaps that are true of it, each with its reason. */
  gaps?: Record<string, string>
}

const AGENT = { 'ucp-agent': 'profile="https://agent.example/2026-08-25.json"' }
const META = { 'ucp-agent': { profile: 'https://agent.example/2026-08-25.json' } }
const BOTH = { accept: 'application/json, text/event-stream' }

const SESSIONS = '/ucp/v1/checkout-sessions'
const MCP = '/ucp/mcp'
const PROFILE = '/.well-known/ucp'

const search = (catalog: object, says: RegExp, more: Partial<Sign> = {}): Sign => ({
  method: 'POST',
  at: '/ucp/v1/catalog/search',
  headers: AGENT,
  json: catalog,
  status: 200,
  says,
  ...more,
})

const inCatalog = (operation: string, json: object): Sign => ({
  method: 'POST',
  at: `/ucp/v1/catalog/${operation}`,
  headers: AGENT,
  json,
  status: 200,
})

const rpc = (method: string, says: string | RegExp, more: Partial<Sign> = {}): Sign => ({
  method: 'POST',
  at: MCP,
  headers: BOTH,
  json: { jsonrpc: '2.0', id: 7, method },
  status: 200,
  says,
  ...more,
})

const callTool = (name: string, given: object, says: RegExp): Sign =>
  rpc('tools/call', says, {
    json: {
      jsonrpc: '2.0',
      id: 8,
      method: 'tools/call',
      params: { name, arguments: { meta: META, ...given } },
    },
  })

const profile = (says: RegExp, more: Partial<Sign> = {}): Sign => ({
  at: PROFILE,
  status: 200,
  says,
  ...more,
})

/** Its checkout is alive, however it answers other methods: nothing to buy is refused. */
const refusesNothing = (at: string = SESSIONS): Sign => ({
  method: 'POST',
  at,
  headers: AGENT,
  json: {},
  status: 400,
  says: /line_items/,
})

/** It sells: a checkout of one piece is opened. */
const opened = (id: string, at: string = SESSIONS): Sign => ({
  method: 'POST',
  at,
  headers: AGENT,
  json: { line_items: [{ item: { id }, quantity: 1 }] },
  status: 201,
  says: /"status":"incomplete"/,
})

/** Everything is found, however many pages it takes. */
const EVERYTHING = { filters: { price: { min: 0 } } }

/** What frameworks say to GET and OPTIONS where a store has POST alone. */
const SAY: Record<RouterName, { get: [number, string | RegExp]; options: [number, string] }> = {
  'express-4': {
    get: [404, /^<!DOCTYPE html>[\s\S]*<pre>Cannot GET \/ucp\/v1\/checkout-sessions<\/pre>/],
    options: [200, 'POST'],
  },
  'express-5': {
    get: [404, /^<!DOCTYPE html>[\s\S]*<pre>Cannot GET \/ucp\/v1\/checkout-sessions<\/pre>/],
    options: [200, 'POST'],
  },
  fastify: {
    get: [
      404,
      '{"message":"Route GET:/ucp/v1/checkout-sessions not found","error":"Not Found","statusCode":404}',
    ],
    options: [
      404,
      '{"message":"Route OPTIONS:/ucp/v1/checkout-sessions not found","error":"Not Found","statusCode":404}',
    ],
  },
  hapi: {
    get: [404, '{"statusCode":404,"error":"Not Found","message":"Not Found"}'],
    options: [404, '{"statusCode":404,"error":"Not Found","message":"Not Found"}'],
  },
  hono: { get: [404, '404 Not Found'], options: [404, '404 Not Found'] },
  koa: { get: [404, 'Not Found'], options: [404, 'Not Found'] },
  'koa-allowed-methods': { get: [405, 'Method Not Allowed'], options: [200, ''] },
  fastapi: {
    get: [405, '{"detail":"Method Not Allowed"}'],
    options: [405, '{"detail":"Method Not Allowed"}'],
  },
  flask: {
    get: [405, /^<!doctype html>\n<html lang=en>\n<title>405 Method Not Allowed<\/title>/],
    options: [200, ''],
  },
  django: { get: [405, ''], options: [405, ''] },
  rails: {
    get: [404, '{"status":404,"error":"Not Found"}'],
    options: [404, '{"status":404,"error":"Not Found"}'],
  },
  'spring-boot': {
    get: [
      405,
      /^\{"timestamp":"[^"]+","status":405,"error":"Method Not Allowed","path":"\/ucp\/v1\/checkout-sessions"\}$/,
    ],
    options: [200, ''],
  },
  laravel: {
    get: [
      405,
      '{\n    "message": "The GET method is not supported for route ucp/v1/checkout-sessions. Supported methods: POST."\n}',
    ],
    options: [200, ''],
  },
  go: { get: [405, 'Method Not Allowed\n'], options: [405, 'Method Not Allowed\n'] },
  nginx: {
    get: [405, /<center><h1>405 Not Allowed<\/h1><\/center>\r\n<hr><center>nginx/],
    options: [405, /<center><h1>405/.source],
  },
}

/**
 * An application of each framework, over REST alone: its router is all that GET and OPTIONS meet.
 */
const ROUTED: OfficialShop[] = (Object.keys(ROUTERS) as RouterName[]).map((name) => {
  const { get, options } = SAY[name]
  const asked = (method: 'GET' | 'OPTIONS', [status, says]: [number, string | RegExp]): Sign => ({
    method,
    at: SESSIONS,
    headers: { accept: 'application/json' },
    status,
    says,
  })
  return {
    name: `by-${name}`,
    fronts: [routedBy(name), restOnly],
    signs: [
      asked('GET', get),
      asked('OPTIONS', name === 'nginx' ? get : options),
      refusesNothing(),
      search({ query: 'tent' }, /"products":\[\{/),
      opened('ao-1101'),
    ],
  }
})

const MCP_SHOPS: OfficialShop[] = [
  {
    name: 'mcp-only',
    fronts: [mcpOnly],
    signs: [
      profile(/"transport":"mcp"/),
      { at: SESSIONS, status: 404 },
      callTool('search_catalog', { catalog: { query: 'tent' } }, /"products":\[\{/),
    ],
  },
  {
    name: 'mcp-only-by-express',
    fronts: [routedBy('express-5'), mcpOnly],
    signs: [{ at: MCP, status: 404, says: /Cannot GET \/ucp\/mcp/ }, rpc('tools/list', /tools/)],
  },
  {
    name: 'mcp-without-initialize',
    fronts: [mcpOnly, withoutInitialize],
    signs: [
      rpc('initialize', /"code":-32601,"message":"Method not found"/, { status: 404 }),
      rpc('tools/list', /"search_catalog"/),
    ],
  },
  {
    name: 'mcp-with-sessions',
    fronts: [mcpOnly, withSessions()],
    signs: [
      rpc('tools/list', /Mcp-Session-Id header is required/, { status: 400 }),
      rpc('tools/list', /Session not found/, {
        status: 404,
        headers: { ...BOTH, 'mcp-session-id': 'gone' },
      }),
      rpc('initialize', /"protocolVersion":"2025-06-18"/, {
        has: { 'mcp-session-id': 'session-1' },
        json: {
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: {
            protocolVersion: '2025-06-18',
            capabilities: {},
            clientInfo: { name: 'test', version: '1' },
          },
        },
      }),
      rpc('tools/list', /"search_catalog"/, {
        headers: { ...BOTH, 'mcp-session-id': 'session-1' },
      }),
    ],
  },
  {
    name: 'mcp-2026-07-28-only',
    fronts: [mcpOnly, onlyStateless],
    signs: [
      rpc('tools/list', /-32022/, { status: 400 }),
      rpc('tools/list', /-32022/, {
        status: 400,
        headers: { ...BOTH, 'mcp-protocol-version': '2025-06-18' },
      }),
      rpc('tools/list', /"search_catalog"/, {
        headers: { ...BOTH, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' },
        json: {
          jsonrpc: '2.0',
          id: 7,
          method: 'tools/list',
          params: {
            _meta: {
              'io.modelcontextprotocol/protocolVersion': '2026-07-28',
              'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
              'io.modelcontextprotocol/clientCapabilities': {},
            },
          },
        },
      }),
    ],
  },
  {
    name: 'mcp-by-stream',
    fronts: [mcpOnly, asStream],
    signs: [
      rpc('tools/list', /^event: message\ndata: \{"jsonrpc"/, {
        has: { 'content-type': 'text/event-stream' },
      }),
      rpc('tools/list', /^\{"jsonrpc"/, { headers: { accept: 'application/json' } }),
    ],
  },
  {
    name: 'mcp-in-pages',
    fronts: [mcpOnly, inPages(4)],
    signs: [
      rpc('tools/list', /"nextCursor":"4"/),
      rpc('tools/list', /^(?!.*nextCursor).*"name"/, {
        json: { jsonrpc: '2.0', id: 7, method: 'tools/list', params: { cursor: '12' } },
      }),
    ],
  },
  {
    name: 'mcp-with-oauth',
    fronts: [mcpOnly, withOAuth],
    signs: [
      rpc('tools/list', /invalid_token/, {
        status: 401,
        has: {
          'www-authenticate':
            'Bearer resource_metadata="https://mcpwithoauth.example/.well-known/oauth-protected-resource/ucp/mcp"',
        },
      }),
      { at: '/.well-known/oauth-protected-resource/ucp/mcp', status: 200, says: /authorization/ },
    ],
  },
]

const busy = () =>
  Response.json(
    { code: 'rate_limit_exceeded', content: 'Please slow down.' },
    { status: 429, headers: { 'retry-after': '30' } },
  )
const inMaintenance = () =>
  new Response('<html><title>We will be back soon</title></html>', {
    status: 503,
    headers: { 'content-type': 'text/html', 'retry-after': '600' },
  })

const WHO_MAY_CALL: OfficialShop[] = [
  {
    name: 'rest-only',
    fronts: [restOnly],
    signs: [profile(/"transport":"rest"/), rpc('tools/list', /.*/, { status: 404 })],
  },
  {
    name: 'agents-only',
    fronts: [restOnly],
    signs: [
      profile(/^(?!.*"transport":"mcp").*"transport":"rest"/),
      refusesNothing(),
      { ...refusesNothing(), headers: {}, says: /invalid_profile_url/ },
      search({ query: 'tent' }, /invalid_profile_url/, { status: 400, headers: {} }),
    ],
  },
  {
    name: 'open-to-anyone',
    fronts: [agentsOf('2026-08-25', true)],
    signs: [search({ query: 'tent' }, /"products":\[\{/, { headers: {} })],
  },
  {
    name: 'accounts-only',
    fronts: [withAccounts],
    signs: [
      profile(/2026-08-25/),
      search({ query: 'tent' }, /"code":"unauthorized"/, { status: 401 }),
      rpc('tools/list', /unauthorized/, { status: 401 }),
    ],
  },
  {
    name: 'busy',
    fronts: [everyCall(busy)],
    signs: [{ ...refusesNothing(), status: 429, says: /slow down/, has: { 'retry-after': '30' } }],
  },
  {
    name: 'in-maintenance',
    fronts: [everyCall(inMaintenance)],
    signs: [{ ...refusesNothing(), status: 503, says: /back soon/, has: { 'retry-after': '600' } }],
  },
]

/** ACP is only for who asks by name; a store without it has three true gaps. */
const NO_UCP = 'It has no UCP of any kind, and agents that speak nothing else find nothing.'

const ACP_SHOPS: OfficialShop[] = [
  {
    name: 'ucp-alone',
    fronts: [withoutAcp],
    signs: [{ at: '/.well-known/acp.json', status: 404 }],
  },
  {
    name: 'acp-beside-ucp',
    fronts: [officialAcpOnly],
    signs: [
      { at: '/.well-known/acp.json', status: 200, says: /acpbesideucp\.example\/acp"/ },
      {
        method: 'POST',
        at: '/acp/checkout_sessions',
        headers: { 'api-version': '2026-04-17' },
        json: {},
        status: 401,
      },
      { method: 'POST', at: '/acp/checkout/create', json: {}, status: 404 },
    ],
  },
  {
    name: 'acp-by-express',
    fronts: [routedBy('express-5'), officialAcpOnly],
    signs: [
      { at: '/acp/checkout_sessions', status: 404, says: /Cannot GET \/acp\/checkout_sessions/ },
      {
        method: 'POST',
        at: '/acp/checkout/create',
        json: {},
        status: 404,
        says: /Cannot POST/,
      },
      {
        method: 'POST',
        at: '/acp/checkout_sessions',
        headers: { 'api-version': '2026-04-17' },
        json: {},
        status: 401,
      },
    ],
  },
  {
    name: 'acp-alone',
    fronts: [officialAcpOnly, withoutUcp],
    signs: [
      { at: PROFILE, status: 404 },
      { at: 'https://www.acpalone.example/.well-known/ucp', status: 404 },
      {
        method: 'POST',
        at: '/acp/checkout_sessions',
        headers: { 'api-version': '2026-04-17' },
        json: {},
        status: 401,
      },
    ],
    gaps: {
      well_known_missing: NO_UCP,
    },
  },
  {
    name: 'acp-elsewhere',
    hosts: ['api.acpelsewhere.example'],
    fronts: [acpAt('https://api.acpelsewhere.example/v1'), officialAcpOnly],
    signs: [
      { at: '/.well-known/acp.json', status: 200, says: /api\.acpelsewhere\.example\/v1"/ },
      { method: 'POST', at: '/acp/checkout_sessions', json: {}, status: 404 },
      {
        method: 'POST',
        at: 'https://api.acpelsewhere.example/v1/checkout_sessions',
        headers: { 'api-version': '2026-04-17' },
        json: {},
        status: 401,
      },
    ],
  },
  {
    name: 'acp-base-with-slash',
    fronts: [
      officialAcpOnly,
      inDiscovery((document) => ({ ...document, api_base_url: `${document.api_base_url}/` })),
      gone(/^\/acp\/\//),
    ],
    signs: [
      { at: '/.well-known/acp.json', status: 200, says: /\.example\/acp\/"/ },
      { method: 'POST', at: '/acp//checkout_sessions', json: {}, status: 404 },
    ],
  },
  {
    name: 'acp-checkout-only',
    fronts: [
      officialAcpOnly,
      inDiscovery((document) =>
        patch({ ...document, transports: ['rest'] }, 'capabilities', (all) => ({
          ...all,
          services: ['checkout'],
        })),
      ),
      gone(/^\/acp\/(carts|mcp)(\/|$)/),
    ],
    signs: [
      { at: '/.well-known/acp.json', status: 200, says: /"services":\["checkout"\]/ },
      { method: 'POST', at: '/acp/carts', json: {}, status: 404 },
      { method: 'POST', at: '/acp/mcp', json: {}, status: 404 },
    ],
  },
  {
    name: 'acp-2026-04-17-only',
    fronts: [
      officialAcpOnly,
      inDiscovery((document) =>
        patch(document, 'protocol', (protocol) => ({
          ...protocol,
          supported_versions: ['2026-04-17'],
        })),
      ),
    ],
    signs: [
      { at: '/.well-known/acp.json', status: 200, says: /"supported_versions":\["2026-04-17"\]/ },
    ],
  },
]

const dropped = (...names: string[]) =>
  inCapabilities((all) => without(all, ...names.map((name) => `dev.ucp.shopping.${name}`)))

const added = (of: (version: string) => Json) =>
  inCapabilities((all, { version }) => ({ ...all, ...of(String(version)) }))

const extension = (version: string, file: string, ...parents: string[]) => [
  {
    version,
    spec: `https://ucp.dev/${version}/specification/overview`,
    schema: `https://ucp.dev/${version}/schemas/${file}.json`,
    extends: parents.map((name) => `dev.ucp.shopping.${name}`),
  },
]

const AUTHENTICATION = 'dev.ucp.common.payment.authentication'

/** As the text stood shortly before its release: what a payment needs was part of shopping. */
const asBeforeTheCut: Front = inCapabilities((all, { version }) =>
  version === '2026-08-25'
    ? {
        ...without(all, AUTHENTICATION),
        'dev.ucp.shopping.payment_authentication': extension(
          version,
          'shopping/payment_authentication',
          'checkout',
        ),
        'dev.ucp.shopping.payment_terms': extension(version, 'shopping/payment_terms', 'checkout'),
        'dev.ucp.shopping.split_payments': extension(
          version,
          'shopping/split_payments',
          'checkout',
        ),
        'dev.ucp.shopping.ap2_mandate': extension(version, 'shopping/ap2_mandate', 'checkout'),
      }
    : all,
)

const asReleased: Front = inCapabilities((all, { version }) =>
  version === '2026-08-25'
    ? {
        ...all,
        'dev.ucp.common.payment.terms': extension(version, 'common/payment_terms', 'checkout'),
        'dev.ucp.common.payment.split_payments': extension(
          version,
          'common/payment_split_payments',
          'checkout',
        ),
        'dev.ucp.common.payment.ap2_mandate': extension(
          version,
          'common/payment_ap2_mandate',
          'checkout',
        ),
        'dev.ucp.common.location.search': [
          { version, schema: `https://ucp.dev/${version}/schemas/common/location_search.json` },
        ],
      }
    : all,
)

const ownHandlers = inUcp((ucp, { host }) => ({
  ...ucp,
  payment_handlers: {
    [`${host.split('.').toReversed().join('.')}.vouchers`]: [
      {
        id: 'vouchers',
        version: '2025-11-30',
        schema: `https://${host}/ucp/handlers/vouchers.json`,
        available_instruments: [{ type: 'voucher' }],
        config: { environment: 'live', balance_check: true },
      },
    ],
    'example.kilnpay.wallet': [
      {
        id: 'kilnpay',
        version: '2026-02-14',
        spec: 'https://docs.kilnpay.example/ucp',
        schema: 'https://kilnpay.example/ucp/wallet.json',
        available_instruments: [{ type: 'kilnpay_wallet' }, { type: 'card' }],
        config: { merchant: 'm_4711', nested: { currencies: ['USD'] } },
      },
    ],
  },
}))

const loyalty = added(() => ({
  'example.vendor.loyalty': [
    {
      version: '2026-03-01',
      spec: 'https://docs.vendor.example/loyalty',
      schema: 'https://vendor.example/loyalty/2026-03-01.json',
      extends: ['dev.ucp.shopping.checkout', 'dev.ucp.shopping.cart'],
      config: { programme: 'summit' },
    },
  ],
  'example.vendor.gift_registry': [
    { version: '2025-12-24', schema: 'https://vendor.example/registry/2025-12-24.json' },
  ],
}))

/** Another service of the same profile, before UCP's own, with other operations. */
const withStockService = inUcp((ucp, { host }) => ({
  ...ucp,
  services: {
    'example.vendor.stock': [
      {
        version: '2026-03-01',
        transport: 'rest',
        endpoint: `https://${host}/stock`,
        schema: 'https://vendor.example/stock/openapi.json',
      },
      {
        version: '2026-03-01',
        transport: 'mcp',
        endpoint: `https://${host}/stock/mcp`,
        schema: 'https://vendor.example/stock/openrpc.json',
      },
    ],
    ...Object(ucp.services),
  },
}))

const moreTransports = inServices((entries, { host }) => {
  const [{ version, spec } = {}] = entries
  const about = { version, spec }
  return [
    {
      ...about,
      transport: 'embedded',
      schema: `https://ucp.dev/${version}/services/shopping/embedded.openrpc.json`,
    },
    { ...about, transport: 'a2a', endpoint: `https://${host}/.well-known/agent-card.json` },
    ...entries.toReversed(),
  ]
})

/** A card as A2A has it since 1.0. */
const withAgentCard: Front = at(/^\/\.well-known\/agent-card\.json$/, ({ host }) =>
  Response.json({
    name: 'Alder & Oak',
    description: 'Sells outdoor gear.',
    version: '2.1.0',
    supportedInterfaces: [
      { url: `https://${host}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    ],
    capabilities: { streaming: false },
    defaultInputModes: ['application/json'],
    defaultOutputModes: ['application/json'],
    skills: [{ id: 'buy', name: 'Buy', description: 'Sells what is in stock.', tags: [] }],
  }),
)

const NOTE = { 'x-note': 'ours', 'example.vendor.trace': { id: 'f00', hops: [1, 2] } }
const noted: Change = (holder) => ({ ...holder, ...NOTE })
const notedProduct: Change = (product) => noted(eachOf(product, 'variants', noted))
const notedEverywhere: Front[] = [
  inUcp((ucp) => {
    const entries = (all: Json) =>
      Object.keys(all).reduce((changed, name) => eachOf(changed, name, noted), all)
    return patch(patch(noted(ucp), 'services', entries), 'capabilities', entries)
  }),
  at(/^\/\.well-known\/ucp/, async (asked, ask) =>
    changed(await ask(asked), (all) => eachOf(noted(all), 'keys', noted)),
  ),
  inAnswers((body) =>
    noted(
      patch(
        patch(eachOf(body, 'products', notedProduct), 'product', notedProduct),
        'pagination',
        noted,
      ),
    ),
  ),
]

const PROFILES: OfficialShop[] = [
  {
    name: 'older',
    fronts: [agentsOf('2026-04-08'), onlyOlder],
    signs: [
      profile(/"version":"2026-04-08"/),
      { at: `${PROFILE}/2026-04-08`, status: 404 },
      search({ query: 'tent' }, /"version":"2026-04-08"/),
    ],
  },
  {
    name: 'refusing',
    fronts: [agentsOf('2099-01-01'), onlyOlder],
    signs: [
      profile(/"version":"2026-04-08"/),
      search({ query: 'tent' }, /version_unsupported/, { status: 422 }),
      { ...callTool('search_catalog', { catalog: { query: 'tent' } }, /-32001/), status: 422 },
    ],
  },
  {
    name: 'only-2026-08-25',
    fronts: [onlyNewest],
    signs: [
      profile(/^(?!.*supported_versions).*"version":"2026-08-25"/),
      { at: `${PROFILE}/2026-04-08`, status: 404 },
    ],
  },
  {
    name: 'as-before-the-cut',
    fronts: [asBeforeTheCut],
    signs: [profile(/2026-08-25\/schemas\/shopping\/payment_authentication\.json/)],
  },
  {
    name: 'as-released',
    fronts: [asReleased],
    signs: [profile(/2026-08-25\/schemas\/common\/payment_terms\.json/)],
  },
  {
    name: 'on-a-platform',
    hosts: ['platform.example'],
    fronts: servicesAt('https://platform.example/kiln'),
    signs: [
      profile(/"endpoint":"https:\/\/platform\.example\/kiln\/ucp\/v1"/),
      { ...refusesNothing(), status: 404, says: /<html/ },
      refusesNothing('https://platform.example/kiln/ucp/v1/checkout-sessions'),
      opened('ao-1101', 'https://platform.example/kiln/ucp/v1/checkout-sessions'),
      rpc('tools/list', /search_catalog/, { at: 'https://platform.example/kiln/ucp/mcp' }),
    ],
  },
  {
    name: 'with-trailing-slash',
    fronts: [
      routedBy('express-5'),
      inEndpoints((path, { host }) => `https://${host}${path}/`),
      slashAtEnd,
      oneSlash,
    ],
    signs: [
      profile(/\/ucp\/v1\/"/),
      { ...refusesNothing('/ucp/v1//checkout-sessions'), status: 404, says: /Cannot/ },
      refusesNothing(),
      rpc('tools/list', /search_catalog/, { at: '/ucp/mcp/' }),
    ],
  },
  {
    name: 'upper-case-host',
    hosts: ['api.uppercasehost.example'],
    fronts: [inEndpoints((path) => `https://API.UpperCaseHost.EXAMPLE${path}`)],
    signs: [
      profile(/API\.UpperCaseHost\.EXAMPLE\/ucp\/v1/),
      refusesNothing('https://API.UpperCaseHost.EXAMPLE/ucp/v1/checkout-sessions'),
    ],
  },
  {
    name: 'own-handlers',
    fronts: [ownHandlers],
    signs: [profile(/"example\.ownhandlers\.vouchers"/)],
  },
  {
    name: 'no-handlers',
    fronts: [inUcp((ucp) => ({ ...ucp, payment_handlers: {} }))],
    signs: [profile(/"payment_handlers":\{\}/)],
    gaps: {
      ucp_payment_handlers_missing: 'it names none, and buyers pay on its own page',
    },
  },
  {
    name: 'vendor-capability',
    fronts: [loyalty],
    signs: [profile(/"example\.vendor\.loyalty"/)],
  },
  {
    name: 'vendor-service',
    fronts: [withStockService],
    signs: [
      profile(/"services":\{"example\.vendor\.stock"/),
      { method: 'POST', at: '/stock/checkout-sessions', json: {}, status: 404 },
    ],
  },
  {
    name: 'many-transports',
    fronts: [withAgentCard, moreTransports],
    signs: [
      profile(/"transport":"embedded".*"transport":"a2a".*"transport":"mcp".*"rest"/),
      { at: '/.well-known/agent-card.json', status: 200, says: /"protocolBinding":"JSONRPC"/ },
    ],
  },
  {
    name: 'card-for-members',
    fronts: [
      at(/^\/\.well-known\/agent-card\.json$/, () => new Response('', { status: 401 })),
      moreTransports,
    ],
    signs: [{ at: '/.well-known/agent-card.json', status: 401 }],
  },
  {
    name: 'fewer-capabilities',
    fronts: [
      dropped('cart', 'order', 'permalink'),
      gone(/^\/ucp\/v1\/(carts|orders)(\/|$)/),
      withoutTools(/_(cart|order)$/),
    ],
    signs: [
      profile(/^(?!.*shopping\.(cart|order|permalink)").*shopping\.checkout"/),
      rpc('tools/list', /^(?!.*"(get_order|create_cart)").*"create_checkout"/),
    ],
  },
  {
    name: 'search-without-lookup',
    fronts: [
      dropped('catalog.lookup'),
      gone(/^\/ucp\/v1\/catalog\/(lookup|product)$/),
      withoutTools(/^(lookup_catalog|get_product)$/),
    ],
    signs: [
      profile(/^(?!.*catalog\.lookup).*catalog\.search/),
      { method: 'POST', at: '/ucp/v1/catalog/lookup', json: { ids: ['ao-1101'] }, status: 404 },
    ],
  },
  {
    name: 'digital-goods',
    fronts: [dropped('fulfillment')],
    signs: [profile(/^(?!.*shopping\.fulfillment)/)],
  },
  {
    // A generator that knows no other way to say that there is nothing.
    name: 'with-nulls',
    fronts: [
      inCapabilities((all) =>
        eachOf(all, 'dev.ucp.shopping.checkout', (entry) => ({
          ...entry,
          extends: null,
          config: null,
        })),
      ),
    ],
    signs: [profile(/"extends":null,"config":null/)],
    gaps: { ucp_form_departs: 'agents that hold the profile to its schema refuse it' },
  },
  {
    name: 'with-notes',
    fronts: notedEverywhere,
    signs: [
      profile(/"x-note":"ours"/),
      search({ query: 'tent' }, /"products":\[\{.*"x-note":"ours"/),
      callTool('search_catalog', { catalog: { query: 'tent' } }, /x-note/),
    ],
  },
]

/** A variant with what every variant must have, and in a look-up by which id it was found. */
const bareVariant = ({ id, title, description, price, inputs }: Json): Json => ({
  id,
  title,
  description,
  price,
  ...(inputs !== undefined && { inputs }),
})
const bareProduct = (product: Json): Json => {
  const { id, title, description, price_range } = product
  return eachOf(
    { id, title, description, price_range, variants: product.variants },
    'variants',
    bareVariant,
  )
}

/** Products of which nothing can be chosen: one variant, without a word on options. */
const PLAIN_IDS = /^ao-11\d\d$/

const writtenAs =
  (write: (plain: string) => Json): Change =>
  (product) => {
    const rewritten: Change = (holder) =>
      patch(holder, 'description', ({ plain }) => write(String(plain)))
    return eachOf(rewritten(product), 'variants', rewritten)
  }

/** A look-up in an order of its own, that leaves out silently what it does not know. */
const inAnyOrder: Change = (body) => {
  const { products } = body
  const isLookUp = Array.isArray(products) && JSON.stringify(products).includes('"inputs"')
  return isLookUp ? { ...without(body, 'messages'), products: products.toReversed() } : body
}

/** A search that takes words and, with them, filters; never filters alone. */
const wantsWords: Front = (asked, ask) =>
  typeof jsonOf(asked).query === 'string'
    ? ask(asked)
    : Response.json({ code: 'query_required', content: 'Say what you seek.' }, { status: 400 })

const TENT_ALONE = /^\{(?=.*"id":"ao-1101")(?!.*"id":"ao-(?!1101))/

const CATALOGS: OfficialShop[] = [
  {
    name: 'one-product',
    fronts: [assortmentOf((id) => id === 'ao-1101')],
    signs: [
      search(EVERYTHING, TENT_ALONE),
      { at: '/products/ao-1102', status: 404 },
      { at: '/', status: 200, says: /^(?![\s\S]*\/products\/ao-1001)[\s\S]*\/products\/ao-1101/ },
      { at: '/feeds/google.xml', status: 200, says: /^(?![\s\S]*ao-1102)[\s\S]*ao-1101/ },
      callTool('search_catalog', { catalog: EVERYTHING }, /"total_count":1\b/),
    ],
  },
  {
    name: 'many-currencies',
    fronts: [inManyCurrencies, inProducts(productInItsMoney), inAnswers(basketInItsMoney)],
    signs: [
      search(EVERYTHING, /(?=.*"JPY")(?=.*"EUR").*"USD"/),
      { at: '/products/ao-1102', status: 200, says: /^(?![\s\S]*USD)[\s\S]*"EUR"[\s\S]*€379\.00</ },
      { at: '/products/ao-1103', status: 200, says: /"44900",\n\s*"priceCurrency": "JPY"/ },
      { ...opened('ao-1102'), says: /"currency":"EUR"/ },
      { at: '/feeds/google.xml', status: 200, says: /(?=[\s\S]*\d\.00 USD)[\s\S]*44900 JPY/ },
    ],
  },
  {
    name: 'without-options',
    fronts: [
      assortmentOf((id) => PLAIN_IDS.test(id)),
      inProducts((product) =>
        eachOf(without(product, 'options'), 'variants', (variant) => without(variant, 'options')),
      ),
    ],
    signs: [search(EVERYTHING, /^(?!.*"options")/)],
  },
  {
    name: 'titles-alone',
    fronts: [
      inProducts((product) =>
        eachOf(without(product, 'options'), 'variants', (variant) =>
          without(variant, 'options', 'sku', 'barcodes'),
        ),
      ),
    ],
    signs: [search(EVERYTHING, /^(?!.*"(options|sku)").*"title":"[^"]+, S, [^"]+"/)],
  },
  {
    name: 'bare-products',
    fronts: [inProducts(bareProduct)],
    signs: [search({ query: 'tent' }, /^(?!.*"(availability|url|media|sku)").*"price"/)],
  },
  {
    name: 'html-descriptions',
    fronts: [inProducts(writtenAs((plain) => ({ html: `<p>${plain}</p>` })))],
    signs: [search({ query: 'tent' }, /^(?!.*"plain").*"description":\{"html":"<p>/)],
  },
  {
    name: 'markdown-descriptions',
    fronts: [inProducts(writtenAs((plain) => ({ markdown: `**${plain}**` })))],
    signs: [search({ query: 'tent' }, /^(?!.*"plain").*"description":\{"markdown":"\*\*/)],
  },
  {
    name: 'uncounted',
    fronts: [listedBy({ counts: false })],
    signs: [search(EVERYTHING, /^(?!.*total_count).*"has_next_page":true/)],
  },
  {
    name: 'five-at-most',
    fronts: [listedBy({ size: (limit = 5) => Math.min(limit, 5) })],
    signs: [
      search(
        { ...EVERYTHING, pagination: { limit: 20 } },
        /^(?:(?!"price_range").)*(?:"price_range"(?:(?!"price_range").)*){5}$/,
      ),
    ],
  },
  {
    name: 'limit-ignored',
    fronts: [listedBy({ size: () => 10 })],
    signs: [search({ ...EVERYTHING, pagination: { limit: 1 } }, /(?:"price_range".*){10}/)],
  },
  {
    name: 'two-to-a-page',
    fronts: [listedBy({ size: () => 2, cursor: OPAQUE, counts: false })],
    signs: [search(EVERYTHING, /"cursor":"[\w-]{16,}"/)],
  },
  {
    name: 'by-meaning',
    fronts: [
      listedBy({
        counts: false,
        list: async ({ request, found, all }) => {
          // Filters are exact (UCP, Catalog Search): only words are taken by their meaning.
          if (request.query === undefined) return found
          const ids = new Set(found.map(({ id }) => id))
          const near = (await all()).filter(({ id }) => !ids.has(id))
          return [...found, ...near.slice(0, 12)]
        },
      }),
    ],
    signs: [
      search({ query: 'Skarn Rain Jacket' }, /"products":\[\{"id":"ao-1001".*"id":"ao-1101"/),
      callTool('search_catalog', { catalog: { query: 'no such thing' } }, /"id":"ao-1001"/),
    ],
  },
  {
    // The nearest come first, and all the others after them.
    name: 'by-nearness',
    fronts: [
      listedBy({
        list: async ({ request, found, all }) => {
          if (request.query === undefined) return found
          const ids = new Set(found.map(({ id }) => id))
          return [...found, ...(await all()).filter(({ id }) => !ids.has(id))]
        },
      }),
    ],
    signs: [search({ query: 'Skarn Rain Jacket' }, /"products":\[\{"id":"ao-1001"/)],
  },
  {
    // UCP, Catalog Search, leaves it to a store what it can search by.
    name: 'words-alone',
    fronts: [
      restOnly,
      at(/\/catalog\/search$/, wantsWords),
      listedBy({ size: () => 2, cursor: OPAQUE }),
    ],
    signs: [
      search(EVERYTHING, /query_required/, { status: 400 }),
      search({ query: 'tent' }, /"id"/),
    ],
  },
  {
    // The same, with a word on its home page to search by, and a cursor for each search.
    name: 'words-at-home',
    fronts: [
      restOnly,
      at(/\/catalog\/search$/, wantsWords),
      at(/^\/$/, async (asked, ask) => {
        const answer = await ask(asked)
        const link = '<li><a href="/products/jacket">Jackets</a></li>'
        return withBody(answer, (await answer.text()).replace('</ul>', `${link}</ul>`))
      }),
      at(/^\/products\/jacket$/, (asked, ask) => ask({ ...asked, path: '/products/ao-1001' })),
      listedBy({ size: () => 2, cursor: OPAQUE }),
    ],
    signs: [
      search(EVERYTHING, /query_required/, { status: 400 }),
      { at: '/', status: 200, says: /products\/jacket/ },
    ],
  },
  {
    // Several share a name, and none has a page.
    name: 'namesakes',
    fronts: [
      inProducts((product) => ({
        ...without(product, 'url'),
        title: `${String(product.title).split(' ').at(-1)} of the season`,
      })),
      listedBy({ size: () => 3 }),
    ],
    signs: [search(EVERYTHING, /of the season/)],
  },
  {
    // A list that has grown between two pages: what was the last of one is the first of the next.
    name: 'growing-list',
    fronts: [listedBy({ size: () => 5, cursor: { write: (n) => `${n - 1}`, read: Number } })],
    signs: [search(EVERYTHING, /"cursor":"4"/)],
  },
  {
    // Each service is for a country of its own.
    name: 'two-moneys',
    fronts: [
      at(
        /^\/ucp\/mcp$/,
        inProducts((product) =>
          jsonOf({
            text: JSON.stringify(product).replaceAll(
              /"amount":(\d+),"currency":"USD"/g,
              (_, amount) => `"amount":${Number(amount) * 2},"currency":"EUR"`,
            ),
          }),
        ),
      ),
    ],
    signs: [callTool('search_catalog', { catalog: { query: 'tent' } }, /"EUR"/)],
  },
  {
    // The text of a tool that failed is for people (MCP, Tools, Error Handling).
    name: 'tools-for-members',
    fronts: [
      mcpOnly,
      at(/^\/ucp\/mcp$/, (asked, ask) =>
        jsonOf(asked).method === 'tools/call'
          ? Response.json({
              jsonrpc: '2.0',
              id: jsonOf(asked).id,
              result: { isError: true, content: [{ type: 'text', text: 'Please sign in first.' }] },
            })
          : ask(asked),
      ),
    ],
    signs: [callTool('search_catalog', { catalog: { query: 'tent' } }, /sign in/)],
  },
  {
    name: 'in-any-order',
    fronts: [inAnswers(inAnyOrder)],
    signs: [
      {
        ...inCatalog('lookup', { ids: ['ao-1001', 'ao-1101', 'ao-1001-s-pine', 'none'] }),
        says: /^(?!.*"messages").*"inputs":\[\{"id":"ao-1101".*"inputs":\[\{"id":"ao-1001","match":"featured"\}/,
      },
    ],
  },
]

const OVER_HTTP: OfficialShop[] = [
  {
    name: 'compressed',
    fronts: [compressed],
    signs: [
      profile(/2026-08-25/, { has: { 'content-encoding': 'gzip' } }),
      rpc('tools/list', /search_catalog/, { has: { 'content-encoding': 'gzip' } }),
    ],
  },
  { name: 'title-case', fronts: [inTitleCase], signs: [profile(/2026-08-25/)] },
  {
    name: 'validated',
    fronts: [validated],
    signs: [profile(/2026-08-25/)],
  },
  { name: 'untagged', fronts: [untagged], signs: [profile(/2026-08-25/)] },
  {
    name: 'behind-a-cdn',
    fronts: [routedBy('nginx')],
    signs: [{ at: '/nobody/knows', status: 404, says: /<center>nginx<\/center>/ }],
  },
]

export const OFFICIAL_SHOPS: OfficialShop[] = [
  ...ROUTED,
  ...MCP_SHOPS,
  ...WHO_MAY_CALL,
  ...ACP_SHOPS,
  ...PROFILES,
  ...CATALOGS,
  ...OVER_HTTP,
]

/** What is held to the protocols' schemas where it is answered, whatever the store. */
export const MEASURED: Sign[] = [
  { at: PROFILE, status: 200 },
  { at: `${PROFILE}/2026-04-08`, status: 200 },
  { at: '/.well-known/acp.json', status: 200 },
  inCatalog('search', EVERYTHING),
  inCatalog('lookup', { ids: ['ao-1001', 'ao-1001-s-pine', 'ao-1101', 'none'] }),
  inCatalog('product', { id: 'ao-1101' }),
  opened('ao-1101'),
  callTool('search_catalog', { catalog: EVERYTHING }, /./),
]
