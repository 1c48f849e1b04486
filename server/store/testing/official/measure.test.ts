import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Exchange } from './exchange.ts'
import { officialMeasure } from './measure.ts'

const folder = await mkdtemp(join(tmpdir(), 'schemas-'))
afterAll(() => rm(folder, { recursive: true }))

/**
 * Schemas of our own that are made as the published ones are, `$id`s that lead nowhere included.
 */
async function publish(place: string, schema: object): Promise<void> {
  const file = join(folder, place)
  await mkdir(dirname(file), { recursive: true })
  const $schema = 'https://json-schema.org/draft/2020-12/schema'
  await writeFile(file, JSON.stringify({ $schema, $id: 'https://wrong.invalid/x.json', ...schema }))
}

const UCP = 'ucp/2026-08-25/schemas'
const text = { type: 'string' }
await publish(`${UCP}/shopping/checkout.json`, {
  name: 'dev.ucp.shopping.checkout',
  required: ['id', 'line_items'],
  properties: {
    id: { ...text, ucp_request: 'omit' },
    line_items: { type: 'array', ucp_request: { create: 'required', complete: 'omit' } },
    payment: { $ref: 'types/payment.json', ucp_request: { complete: 'required' } },
  },
})
await publish(`${UCP}/shopping/types/payment.json`, {
  properties: { token: { ...text, ucp_request: 'required', ucp_response: 'omit' } },
  additionalProperties: false,
})
await publish(`${UCP}/shopping/discount.json`, {
  name: 'dev.ucp.shopping.discount',
  $defs: {
    'dev.ucp.shopping.checkout': {
      allOf: [{ $ref: 'checkout.json' }, { properties: { discounts: { type: 'object' } } }],
    },
  },
})
await publish(`${UCP}/shopping/catalog_search.json`, {
  name: 'dev.ucp.shopping.catalog.search',
  $defs: {
    search_request: { properties: { query: text } },
    search_response: { required: ['products'] },
  },
})
await publish(`${UCP}/shopping/order.json`, {
  name: 'dev.ucp.shopping.order',
  required: ['checkout_id'],
})
await publish(`${UCP}/common/types/error_response.json`, { required: ['messages'] })
await publish(`${UCP}/profile.json`, { $defs: { business_schema: { required: ['keys'] } } })
// No schema of a document: a service names its operations.
await publish('ucp/2026-08-25/services/shopping/rest.openapi.json', { type: 'openapi' })

const ACP = 'acp/2026-04-17/json-schema'
await publish(`${ACP}/schema.agentic_checkout.json`, {
  $defs: {
    CheckoutSession: { required: ['status'] },
    CheckoutSessionWithOrder: { required: ['status', 'order'], properties: { order: text } },
    CheckoutSessionCreateRequest: { required: ['currency'] },
    CheckoutSessionCompleteRequest: {},
    DiscoveryResponse: { required: ['api_base_url'] },
    Order: { required: ['permalink_url'] },
    Error: { required: ['message'] },
  },
})
await publish(`${ACP}/schema.cart.json`, {
  $defs: { Cart: { properties: { items: { $ref: 'schema.agentic_checkout.json#/$defs/Order' } } } },
})

await publish('acp/2026-01-30/openapi/openapi.agentic_checkout_webhook.yaml', {
  components: {
    schemas: {
      WebhookEvent: { properties: { data: { $ref: '#/components/schemas/EventDataOrder' } } },
      EventDataOrder: { required: ['status'] },
    },
  },
})

const ucp = { version: '2026-08-25', capabilities: { 'dev.ucp.shopping.checkout': [] } }
const discounted = { ...ucp, capabilities: { 'dev.ucp.shopping.discount': [] } }
const checkout = { ucp, id: 'c', line_items: [] }
const failed = { ucp: { version: '2026-08-25', status: 'error' } }
const SESSIONS = '/ucp/v1/checkout-sessions'
const tool = (name: string, given: object, structuredContent: unknown): Partial<Exchange> => ({
  path: '/ucp/mcp',
  sent: { method: 'tools/call', params: { name, arguments: given } },
  received: { result: { structuredContent } },
})
const acp = { headers: new Headers({ 'api-version': '2026-04-17' }) }
const acpTool = (result: object) => ({
  ...tool(
    'create_checkout_session',
    { meta: { api_version: '2026-04-17' }, payload: { currency: 'usd' } },
    result,
  ),
  path: '/acp/mcp',
})

const measure = officialMeasure(folder)
const judge = (exchange: Partial<Exchange>) =>
  measure?.exchange({
    method: 'POST',
    path: SESSIONS,
    headers: new Headers(),
    sent: { line_items: [] },
    status: 200,
    received: checkout,
    ...exchange,
  })

test.each<[string, Partial<Exchange>]>([
  ['an answer and a request that are right', {}],
  ['a request that names what only answers have', { sent: { line_items: [], id: 7 } }],
  [
    'an update, whose items are optional by no rule of their own',
    { method: 'PUT', path: `${SESSIONS}/c` },
  ],
  [
    'a completion with what it needs alone',
    { path: `${SESSIONS}/c/complete`, sent: { payment: { token: 't' } } },
  ],
  ['a failure', { received: { ...failed, messages: [] } }],
  [
    'a request that was refused',
    { sent: {}, received: { ...checkout, ucp: { ...ucp, status: 'error' } } },
  ],
  ['a protocol error', { status: 400, received: {} }],
  ['a tool', tool('search_catalog', { catalog: { query: 'x' } }, { ucp, products: [] })],
  ['a list of tools', { path: '/ucp/mcp', sent: { method: 'tools/list' } }],
  ['another dialect', { path: '/ucp/checkout', received: { ucp: { version: '1.0' } } }],
  [
    'another version of ACP',
    { path: '/acp/checkout_sessions', headers: new Headers({ 'api-version': '2026-01-30' }) },
  ],
  [
    'an ACP session with its order',
    {
      ...acp,
      path: '/acp/checkout_sessions/c/complete',
      received: { status: 'completed', order: 'o' },
    },
  ],
])('%s is well', async (_, exchange) => {
  await expect(judge(exchange)).resolves.toBeUndefined()
})

test.each<[string, Partial<Exchange>, RegExp]>([
  [
    'an answer',
    { received: { ...checkout, id: 7 } },
    /create_checkout, answer: \/id must be string/,
  ],
  ['a request', { sent: {} }, /create_checkout, request: \/ must have .* 'line_items'/],
  [
    'a credential in an answer',
    { received: { ...checkout, payment: { token: 't' } } },
    /answer: \/payment must NOT have additional properties/,
  ],
  [
    'a completion without payment',
    { path: `${SESSIONS}/c/complete`, sent: {} },
    /complete_checkout, request: .* 'payment'/,
  ],
  [
    'what a file says that another refers to',
    { path: `${SESSIONS}/c/complete`, sent: { payment: {} } },
    /request: \/payment must have .* 'token'/,
  ],
  [
    'an extension that both have',
    { received: { ...checkout, ucp: discounted, discounts: 1 } },
    /answer: \/discounts must be object/,
  ],
  ['a failure', { received: failed }, /create_checkout, error: .* 'messages'/],
  [
    'a tool',
    tool('search_catalog', { catalog: { query: 7 } }, { ucp, products: [] }),
    /search_catalog, request: \/query must be string/,
  ],
  [
    'a profile',
    { method: 'GET', path: '/.well-known/ucp', received: { ucp } },
    /profile: .* 'keys'/,
  ],
  [
    'a version whose schemas are not there',
    { received: { ucp: { version: '2030-01-01' } } },
    /no folder ucp\/2030-01-01/,
  ],
  [
    'an ACP request',
    {
      ...acp,
      path: '/acp/checkout_sessions',
      sent: {},
      status: 201,
      received: { status: 'incomplete' },
    },
    /By acp\/2026-04-17:\n {2}create, request: .* 'currency'/,
  ],
  [
    'an ACP error',
    { ...acp, path: '/acp/checkout_sessions/c', status: 404, received: {} },
    /update, error: .* 'message'/,
  ],
  ['an ACP tool', acpTool({}), /create, answer: .* 'status'/],
  ['an error of an ACP tool', acpTool({ type: 'invalid_request' }), /create, error: .* 'message'/],
  [
    'an ACP cart, by another file',
    { ...acp, method: 'GET', path: '/acp/carts/c', received: { items: {} } },
    /get cart, answer: \/items must have .* 'permalink_url'/,
  ],
  [
    'the discovery of ACP',
    { path: '/.well-known/acp.json', received: { protocol: { name: 'acp' } } },
    /discovery: .* 'api_base_url'/,
  ],
])('%s is held to the schemas', async (_, exchange, fault) => {
  await expect(judge(exchange)).rejects.toThrow(fault)
})

test.each<[unknown, RegExp]>([
  [{ ucp }, /order webhook: .* 'checkout_id'/],
  [{ type: 'order_update', data: {} }, /order webhook: .* 'permalink_url'/],
  [
    { type: 'order_update', data: { refunds: [] } },
    /By acp\/2026-01-30:\n {2}order webhook: \/data .* 'status'/,
  ],
])('the webhook %j is held to the schemas', async (body, fault) => {
  await expect(measure?.webhook(body)).rejects.toThrow(fault)
})

test('without a folder nothing is measured', () => {
  expect(officialMeasure(undefined)).toBeNull()
  expect(officialMeasure('')).toBeNull()
})
