import { beforeEach, expect, test } from 'vitest'
import { AttributionEvent } from '../../../shared/attribution/events.ts'
import { AGENT_META, NOON, testStore } from '../testing/store.ts'
import { whoLooked } from './product-views.ts'

const { ask, send, reported } = await testStore()
beforeEach(() => {
  reported.length = 0
})

const CHATGPT = 'Mozilla/5.0; compatible; ChatGPT-User/1.0; +https://openai.com/bot'
const CRAWLER = 'Mozilla/5.0; compatible; OAI-SearchBot/1.3; +https://openai.com/searchbot'
const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const JACKET = 'ao-1001'
const ONE = 'q=merino%20base'

type Sent = Record<string, string>
const agent = { 'user-agent': CHATGPT }
const get = (path: string, headers: Sent, method = 'GET') =>
  ask(path, 'shop.example', { method, headers })
const catalog = (operation: string, body: object, headers: Sent = agent) =>
  send('POST', `/ucp/v1/catalog/${operation}`, body, 'ucp.example', headers)
const tool = (path: string, host: string, name: string, given: object, headers: Sent = agent) =>
  send(
    'POST',
    path,
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
    host,
    {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  )

const [{ id: only }] = JSON.parse((await get(`/ucp/products?${ONE}`, {})).body).products
const { id: varied, variants } = JSON.parse((await get('/ucp/products', {})).body).products.find(
  (product: { variants?: unknown[] }) => (product.variants ?? []).length > 1,
)
const [variant, second] = variants.map(({ id }: { id: string }) => id)

test.each<[string, () => Promise<{ status: number }>, object]>([
  ['UCP', () => get(`/ucp/products?${ONE}`, agent), { source: 'ucp' }],
  ['ACP', () => get(`/acp/products/search?${ONE}`, agent), { source: 'acp' }],
  [
    'MCP',
    () => tool('/mcp', 'shop.example', 'search_products', { q: 'merino base' }),
    { source: 'acp' },
  ],
  [
    'official MCP',
    () =>
      tool('/ucp/mcp', 'ucp.example', 'search_catalog', {
        meta: AGENT_META,
        catalog: { query: 'merino base' },
      }),
    { source: 'ucp', domain: 'ucp.example' },
  ],
  [
    'official UCP',
    () => catalog('search', { query: 'merino base' }),
    { source: 'ucp', domain: 'ucp.example' },
  ],
])('a search over %s that finds one product is a view', async (_, look, event) => {
  expect((await look()).status).toBe(200)
  expect(reported).toEqual([
    {
      event: 'ai_product_viewed',
      domain: 'shop.example',
      session_id: expect.stringMatching(/^view_[\da-f-]{36}$/),
      ai_surface: 'chatgpt',
      properties: { product_id: only },
      timestamp: NOON.toISOString(),
      ...event,
    },
  ])
  expect(AttributionEvent.safeParse(reported[0]).error).toBeUndefined()
})

test.each<[string, () => Promise<unknown>, object]>([
  ['one product', () => catalog('lookup', { ids: [varied] }), {}],
  ['one variant', () => catalog('lookup', { ids: [variant, 'none'] }), { variant_id: variant }],
  ['two variants', () => catalog('lookup', { ids: [variant, second] }), {}],
  ['the detail', () => catalog('product', { id: varied }), {}],
  ['the detail of a variant', () => catalog('product', { id: variant }), { variant_id: variant }],
  [
    'the detail over MCP',
    () =>
      tool('/ucp/mcp', 'ucp.example', 'get_product', {
        meta: AGENT_META,
        catalog: { id: variant },
      }),
    { variant_id: variant },
  ],
])('official UCP, %s: one view, and the variant if one was asked for', async (_, look, more) => {
  await look()
  expect(reported.map(({ properties }) => properties)).toEqual([{ product_id: varied, ...more }])
})

test.each<[string, () => Promise<{ status: number }>, number]>([
  ['the list', () => get('/ucp/products', agent), 200],
  ['four products', () => get('/acp/products/search?q=merino', agent), 200],
  ['no product', () => get('/ucp/products?q=no+such+thing', agent), 200],
  ['a query that is wrong', () => get(`/ucp/products?${ONE}&min_price=x`, agent), 400],
  ['a page of one', () => catalog('search', { query: 'merino', pagination: { limit: 1 } }), 200],
  ['two products', () => catalog('lookup', { ids: [JACKET, only, varied] }), 200],
  ['an unknown id', () => catalog('product', { id: 'none' }), 200],
  ['a list over MCP', () => tool('/mcp', 'shop.example', 'search_products', {}), 200],
  ['HEAD', () => get(`/ucp/products?${ONE}`, agent, 'HEAD'), 200],
  ['nobody known', () => get(`/ucp/products?${ONE}`, { 'user-agent': 'curl/8.0' }), 200],
  ['a crawler', () => get(`/ucp/products?${ONE}`, { 'user-agent': CRAWLER }), 200],
  ['a made-up surface', () => get(`/ucp/products?${ONE}&ai_surface=my_bot`, {}), 200],
  ['the home page', () => get('/', agent), 200],
  ['a page that is missing', () => get('/products/none', agent), 404],
  ['HEAD of a page', () => get(`/products/${varied}`, agent, 'HEAD'), 200],
])('%s is not a view', async (_, look, status) => {
  expect((await look()).status).toBe(status)
  expect(reported).toEqual([])
})

test.each<[string, string, Sent, string]>([
  ['its User-Agent', '', { 'user-agent': CHATGPT }, 'chatgpt'],
  ['its Signature-Agent', '', { 'signature-agent': '"https://chatgpt.com"' }, 'chatgpt'],
  ['the declared surface', '&ai_surface=perplexity', {}, 'perplexity'],
])('an agent is known by %s', async (_, query, headers, surface) => {
  await get(`/ucp/products?${ONE}${query}`, headers)
  expect(reported).toMatchObject([{ ai_surface: surface }])
})

test('search_products takes the surface as an argument', async () => {
  await tool(
    '/mcp',
    'shop.example',
    'search_products',
    { q: 'merino base', ai_surface: 'claude' },
    {},
  )
  expect(reported).toMatchObject([{ source: 'acp', ai_surface: 'claude' }])
})

test.each<[string, string, Sent, string]>([
  [
    'a link in an answer',
    '',
    { referer: 'https://chatgpt.com/', 'user-agent': BROWSER },
    'chatgpt',
  ],
  ['a tagged link', '?utm_source=chatgpt.com', { 'user-agent': BROWSER }, 'chatgpt'],
  ['an agent', '', { 'user-agent': CHATGPT }, 'chatgpt'],
])('a product page opened by %s is a view', async (_, query, headers, surface) => {
  await get(`/products/${varied}${query}`, headers)
  const [event] = reported
  expect(reported).toMatchObject([
    { event: 'ai_product_viewed', source: 'web', ai_surface: surface, domain: 'shop.example' },
  ])
  expect(event?.properties).toEqual({ product_id: varied })
  expect(AttributionEvent.safeParse(event).error).toBeUndefined()
})

test.each<[string, string, Sent]>([
  ['a browser', '', { 'user-agent': BROWSER }],
  ['a search engine', '', { 'user-agent': BROWSER, referer: 'https://www.google.com/' }],
  ['a page of the shop', '', { 'user-agent': BROWSER, referer: 'http://shop.example/' }],
  ['a newsletter', '?utm_source=newsletter', { 'user-agent': BROWSER }],
  ['a crawler of an index', '?utm_source=chatgpt.com', { 'user-agent': CRAWLER }],
  ['another crawler', '?utm_source=chatgpt.com', { 'user-agent': 'YandexBot/3.0' }],
  ['a query that names a surface', '?ai_surface=chatgpt', { 'user-agent': BROWSER }],
])('a product page opened by %s is not', async (_, query, headers) => {
  expect((await get(`/products/${varied}${query}`, headers)).status).toBe(200)
  expect(reported).toEqual([])
})

test('a signed crawler is a crawler, and a broken header is nobody', () => {
  const who = (headers: Sent) =>
    whoLooked({ headers: new Headers(headers), url: 'https://shop.example/products/x' })
  const signed = { 'signature-agent': '"https://chatgpt.com"' }
  expect(who(signed)).toBe('chatgpt')
  expect(who({ ...signed, 'user-agent': CRAWLER })).toBeNull()
  expect(who({ referer: '%%%', 'signature-agent': '"', 'user-agent': 'x'.repeat(9000) })).toBeNull()
})
