import { Hono } from 'hono'
import { beforeEach, expect, test } from 'vitest'
import { rulesOf } from '../../../shared/audit/checks/index.ts'
import type { ManifestSeen } from '../../../shared/audit/evidence.ts'
import { runRules } from '../../../shared/audit/rule.ts'
import { JUDGES_HERE } from '../judging/testing/judges-here.ts'
import { auditSession, notAsked, requestJson } from './session.ts'
import { fetcherTo } from './testing/fetcher.ts'
import { openUcpStore, probeUcp } from './ucp.ts'

const VERSION = '2026-08-25'
const CAPABILITIES = ['checkout', 'cart', 'order', 'catalog.search', 'catalog.lookup']
const ofEach = (noun: string, ...verbs: string[]) => verbs.map((verb) => `${verb}_${noun}`)
const TOOLS = [
  ...ofEach('checkout', 'create', 'get', 'update', 'complete', 'cancel'),
  ...ofEach('cart', 'create', 'get', 'update', 'cancel'),
  ...['get_order', 'search_catalog', 'lookup_catalog', 'get_product'],
]

const entry = (name: string, schema: string, more = {}) => ({
  version: VERSION,
  spec: `https://ucp.dev/${VERSION}/specification/${name}`,
  schema: `https://ucp.dev/${VERSION}/${schema}.json`,
  ...more,
})
const profileOf = (host: string, transports: string[], names: string[]) => ({
  ucp: {
    version: VERSION,
    services: {
      'dev.ucp.shopping': transports.map((transport) =>
        entry('overview', `services/shopping/${transport}`, {
          transport,
          endpoint: `https://${host}/${transport}`,
        }),
      ),
    },
    capabilities: Object.fromEntries(
      names.map((name) => [
        `dev.ucp.shopping.${name}`,
        [entry(name, `schemas/shopping/${name.replace('.', '_')}`)],
      ]),
    ),
    payment_handlers: {},
  },
})

const JSON_TYPE = { 'content-type': 'application/json' }
const html = (status: number) =>
  new Response('<!doctype html><title>Shop</title>', {
    status,
    headers: { 'content-type': 'text/html' },
  })
const plain = (status: number, body = '') => new Response(body, { status })
const json = (status: number, body: unknown, headers = {}) =>
  new Response(JSON.stringify(body), { status, headers: { ...JSON_TYPE, ...headers } })

const unknownIn = (version: string) => ({
  ucp: { version, status: 'error' },
  messages: [{ type: 'error', code: 'not_found', content: 'None.', severity: 'unrecoverable' }],
})
const refused = (code: string) => ({ code, content: 'No.' })
const inMessages = (code: string) => ({
  ...unknownIn(VERSION),
  messages: [{ type: 'error', code }],
})

interface Rpc {
  id?: number
  method: string
}
/** How a store answers each request; left out: as it should. */
interface Store {
  post?: () => Response
  get?: () => Response
  rpc?: (rpc: Rpc, request: Request) => Response | undefined
  tools?: string[]
  transports?: string[]
  /** Of its profile. */
  version?: string
}

const result = (id: unknown, value: object) => json(200, { jsonrpc: '2.0', id, result: value })
const error = (status: number, code: number, data?: object) =>
  json(status, { jsonrpc: '2.0', id: 1, error: { code, message: 'No.', data } })

const overMcp = ({ rpc: answer, tools = TOOLS }: Store, rpc: Rpc, request: Request): Response =>
  answer?.(rpc, request) ??
  (rpc.method === 'tools/list'
    ? result(rpc.id, { tools: tools.map((name) => ({ name })) })
    : result(rpc.id, { structuredContent: unknownIn(VERSION) }))

const onCall = (answer: (rpc: Rpc) => Response) => (rpc: Rpc) =>
  rpc.method === 'tools/call' ? answer(rpc) : undefined
const always = (answer: () => Response): Store => ({ post: answer, get: answer, rpc: answer })
const moved = () => new Response(null, { status: 308, headers: { location: '/elsewhere' } })

/** What is wrong with each store, over each transport. */
const FAULTY: Record<string, [Store, string[]]> = {
  'both-gone': [always(() => html(404)), ['ucp_endpoint_unreachable']],
  'both-catch-all': [always(() => html(200)), ['ucp_endpoint_unreachable']],
  'gone-in-the-new-form': [
    { version: '2026-01-11', ...always(() => html(404)) },
    ['ucp_endpoint_unreachable'],
  ],
  'rest-alone-gone': [
    { transports: ['rest'], ...always(() => html(404)) },
    ['ucp_endpoint_unreachable'],
  ],
  'rest-gone': [{ post: () => html(404), get: () => plain(404) }, ['ucp_transport_unreachable']],
  'mcp-gone': [{ rpc: () => html(404) }, ['ucp_transport_unreachable']],
  'mcp-takes-no-post': [{ rpc: () => plain(405) }, ['ucp_transport_unreachable']],
  'rest-moved': [{ post: moved }, ['ucp_post_redirected']],
  'mcp-moved': [{ rpc: moved }, ['ucp_post_redirected']],
  'no-update': [
    { tools: TOOLS.filter((name) => name !== 'update_checkout') },
    ['ucp_checkout_tools_missing'],
  ],
  'no-product': [
    { tools: TOOLS.filter((name) => name !== 'get_product') },
    ['ucp_catalog_tools_missing'],
  ],
  'no-order': [{ tools: TOOLS.filter((name) => name !== 'get_order') }, ['ucp_tools_missing']],
  'streams-only': [
    {
      rpc: (_, { headers }) =>
        headers.get('accept')?.includes('event-stream') ? undefined : error(406, -32000),
    },
    ['ucp_accept_refused'],
  ],
  'rest-old-version': [{ get: () => json(200, unknownIn('2026-04-08')) }, ['ucp_version_mismatch']],
  'mcp-old-version': [
    { rpc: onCall(({ id }) => result(id, { structuredContent: unknownIn('2026-01-23') })) },
    ['ucp_version_mismatch'],
  ],
  'rest-as-text': [
    { get: () => json(200, unknownIn(VERSION), { 'content-type': 'text/html' }) },
    ['ucp_wrong_content_type'],
  ],
  'mcp-as-text': [
    {
      rpc: onCall(({ id }) => {
        const { status, body } = result(id, { structuredContent: unknownIn(VERSION) })
        return new Response(body, { status, headers: { 'content-type': 'text/plain' } })
      }),
    },
    ['ucp_wrong_content_type'],
  ],
  'rest-error-page': [{ post: () => html(422) }, ['ucp_error_body_invalid']],
  'mcp-error-text': [
    { rpc: onCall(({ id }) => json(200, { jsonrpc: '2.0', id, error: 'not found' })) },
    ['ucp_error_body_invalid'],
  ],
  'mcp-error-code': [
    {
      rpc: onCall(({ id }) =>
        json(200, { jsonrpc: '2.0', id, error: { code: 'x', message: 'No.' } }),
      ),
    },
    ['ucp_error_body_invalid'],
  ],
}

/** Stores that differ without being wrong: by what is unknown of them, as a part of a reason. */
const INNOCENT: Record<string, [Store, unknown?: RegExp]> = {
  right: [{}],
  'rest-only': [{ transports: ['rest'] }],
  'mcp-only': [{ transports: ['mcp'] }],
  embedded: [{ transports: ['embedded'] }, /neither REST nor MCP/],
  'bare-400': [{ post: () => plain(400) }],
  'detail-422': [{ post: () => json(422, { detail: [{ msg: 'Input should be a list' }] }) }],
  'unprocessed-200': [{ post: () => json(200, unknownIn(VERSION)) }],
  'crashes-500': [{ post: () => plain(500) }],
  'json-404': [{ get: () => json(404, refused('not_found')) }],
  'bare-404': [{ get: () => plain(404) }],
  'closed-rest': [{ post: () => json(401, {}) }, /closed to strangers.*401/],
  'closed-mcp': [{ rpc: () => error(401, -32000) }, /closed to strangers.*401/],
  'forbidden-mcp': [{ rpc: () => html(403) }, /closed to strangers.*403/],
  'closed-tools': [{ rpc: onCall(() => error(401, -32000)) }],
  'all-closed': [always(() => plain(401)), /closed to strangers/],
  'framework-404': [
    {
      post: () => json(404, { detail: 'Not Found' }),
      get: () => json(404, { detail: 'Not Found' }),
    },
    /answered 404/,
  ],
  maintenance: [always(() => html(503)), /answered 503/],
  limited: [always(() => plain(429)), /answered 429/],
  greets: [
    {
      rpc: ({ id, method }, { headers }) => {
        if (method === 'initialize') return result(id, { protocolVersion: '2025-11-25' })
        return headers.get('mcp-protocol-version') === '2025-11-25' ? undefined : error(400, -32000)
      },
    },
  ],
  'calls-only': [
    { rpc: ({ method }) => (method === 'tools/call' ? undefined : error(200, -32601)) },
    /tools could not be read/,
  ],
  'not-found-as-error': [{ rpc: onCall(() => error(200, -32602, refused('not_found'))) }],
  'prose-of-a-tool': [
    {
      rpc: onCall(({ id }) =>
        result(id, { isError: true, content: [{ type: 'text', text: 'No.' }] }),
      ),
    },
  ],
  'many-pages': [
    {
      rpc: ({ id, method }) =>
        method === 'tools/list'
          ? result(id, { tools: [{ name: 'a' }], nextCursor: 'b' })
          : undefined,
    },
    /more pages of tools/,
  ],
  'older-version': [
    {
      version: '2026-01-23',
      tools: ofEach('checkout', 'create', 'get', 'update', 'complete', 'cancel'),
      get: () => json(200, unknownIn('2026-01-23')),
      rpc: onCall(({ id }) => result(id, unknownIn('2026-01-23'))),
    },
  ],
  'first-version-in-the-new-form': [
    {
      version: '2026-01-11',
      tools: ofEach('checkout', 'create', 'get', 'update', 'complete', 'cancel'),
      get: () => json(200, unknownIn('2026-01-11')),
      rpc: onCall(({ id }) => result(id, unknownIn('2026-01-11'))),
    },
  ],
  // It answers an unknown checkout as a canceled one, without an error.
  'canceled-mcp': [
    { rpc: onCall(({ id }) => result(id, { structuredContent: { status: 'canceled' } })) },
  ],
  'greets-with-404': [
    {
      rpc: ({ id, method }, { headers }) => {
        if (method === 'initialize') return result(id, { protocolVersion: '2025-06-18' })
        return headers.has('mcp-protocol-version') ? undefined : error(404, -32001)
      },
    },
  ],
  'more-capabilities': [{ tools: [...TOOLS, 'book_table'] }],
  'profile-unreachable': [
    {
      post: () => json(424, refused('profile_unreachable')),
      get: () => json(424, refused('profile_unreachable')),
    },
    /could not read our agent profile at https:\/\/\S+\/ucp-agent \(.+ 424, profile_unreachable\): set BASE_URL/,
  ],
  'profile-unreachable-mcp': [
    { rpc: onCall(() => error(424, -32001, refused('profile_unreachable'))) },
    /set BASE_URL to the public https address/,
  ],
  'profile-url': [
    { rpc: onCall(() => error(400, -32001, refused('invalid_profile_url'))), transports: ['mcp'] },
    /invalid_profile_url\): set BASE_URL/,
  ],
  'version-refused': [
    { get: () => json(422, refused('version_unsupported')) },
    /does not answer the agent of .+version_unsupported/,
  ],
  'nothing-in-common': [
    { get: () => json(200, inMessages('capabilities_incompatible')) },
    /capabilities_incompatible/,
  ],
}

const STORES: Record<string, Store> = Object.fromEntries(
  Object.entries({ ...FAULTY, ...INNOCENT }).map(([name, [store]]) => [name, store]),
)

let asked: { path: string; method: string; body: string; agent: string | undefined }[] = []
const front = new Hono().all('*', async (c) => {
  const { hostname, pathname } = new URL(c.req.url)
  const store = STORES[hostname.split('.')[0] ?? ''] ?? {}
  const body = await c.req.raw.clone().text()
  if (pathname === '/.well-known/ucp') {
    const { transports = ['rest', 'mcp'], version = VERSION } = store
    // Orders were there before the catalog, as webhooks alone.
    const names = version === VERSION ? CAPABILITIES : ['checkout', 'order']
    const text = JSON.stringify(profileOf(hostname, transports, names))
    return c.body(text.replaceAll(VERSION, version), 200, JSON_TYPE)
  }
  asked.push({ path: pathname, method: c.req.method, body, agent: c.req.header('ucp-agent') })
  if (pathname === '/mcp') return overMcp(store, JSON.parse(body), c.req.raw)
  return c.req.method === 'POST'
    ? (store.post?.() ?? json(400, refused('invalid_request')))
    : (store.get?.() ?? json(200, unknownIn(VERSION)))
})
const fetcher = await fetcherTo(front)

beforeEach(() => {
  asked = []
})

async function judge(name: string) {
  const session = auditSession(fetcher.open(), JUDGES_HERE)
  const url = `https://${name}.example/.well-known/ucp`
  const seen = await requestJson(session, { url, maxBytes: 1 << 18 })
  const manifest: ManifestSeen = { ...seen, www: notAsked('not needed') }
  const store = await openUcpStore(session, manifest)
  const ucp = await probeUcp(session, manifest, store)
  await store?.close()
  const rules = rulesOf(['well_known', 'catalog', 'checkout']).filter(
    ({ reads }) => reads.includes('ucp') && !reads.includes('catalog') && !reads.includes('access'),
  )
  const outcomes = runRules(rules, { manifest, ucp })
  return {
    gaps: outcomes.flatMap(({ rule, verdict }) => (verdict.kind === 'gap' ? [rule.gap] : [])),
    passed: outcomes.flatMap(({ rule, verdict }) => (verdict.kind === 'pass' ? [rule.passed] : [])),
    unknown: outcomes.flatMap(({ verdict }) => (verdict.kind === 'skip' ? [verdict.reason] : [])),
    ucp,
  }
}

test.each(Object.entries(FAULTY))('%s', async (name, [, gaps]) => {
  expect((await judge(name)).gaps).toEqual(gaps)
})

test.each(Object.entries(INNOCENT))('%s is not wrong', async (name, [, reason]) => {
  const { gaps, unknown } = await judge(name)
  expect(gaps).toEqual([])
  if (reason !== undefined) expect(unknown.join('\n')).toMatch(reason)
})

test('a store that is right passes all', async () => {
  const { unknown, passed } = await judge('right')
  expect(unknown).toEqual([])
  expect(passed).toEqual(expect.arrayContaining(['ucp_version_negotiated', 'ucp_agent_answered']))
})

test.each(Object.keys(STORES))(
  '%s is asked little, and nothing that could create',
  async (name) => {
    const { ucp } = await judge(name)
    const overRest = asked.filter(({ path }) => path !== '/mcp')
    expect(overRest.length).toBeLessThanOrEqual(2)
    for (const { method, body, agent } of overRest) {
      expect(agent).toBe(`profile="${ucp.agent}"`)
      if (method === 'POST') expect(JSON.parse(body)).toEqual({ line_items: [[]], currency: 0 })
    }
    const rpcs = asked.filter(({ path }) => path === '/mcp').map(({ body }) => JSON.parse(body))
    expect(rpcs.length).toBeLessThanOrEqual(4)
    for (const { method, params } of rpcs) {
      if (method !== 'tools/call') expect(method).toMatch(/^(tools\/list|initialize)$/)
      else
        expect([params.name, params.arguments.id]).toEqual([
          'get_checkout',
          'aisle-unknown-session',
        ])
    }
  },
)
