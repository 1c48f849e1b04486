import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, describe, expect, test } from 'vitest'
import { onLoopback } from '../../../testing/on-loopback.ts'
import { createStore } from '../../app.ts'
import { platformsWith } from '../../testing/platforms.ts'
import { AGENT_META, testDeps, testStore } from '../../testing/store.ts'
import { payBy } from './testing/agent.ts'
import { Checkout, Detail, Products, UcpErrorResponse } from './testing/schemas.ts'

const TOOLS = [
  'search_catalog',
  'lookup_catalog',
  'get_product',
  'create_cart',
  'get_cart',
  'update_cart',
  'cancel_cart',
  'create_checkout',
  'get_checkout',
  'update_checkout',
  'complete_checkout',
  'cancel_checkout',
  'get_order',
]

const store = createStore({
  ...(await testDeps()),
  faults: [],
  official: true,
  platforms: platformsWith(),
})
const server = await onLoopback(store)

async function connect(mode: 'legacy' | { pin: string }): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.origin}/ucp/mcp`)))
  return client
}
const clients = {
  'that shakes hands': await connect('legacy'),
  'of the revision without handshakes': await connect({ pin: '2026-07-28' }),
}

afterAll(async () => {
  await Promise.all(Object.values(clients).map((client) => client.close()))
  await server.close()
})

const meta = { ...AGENT_META, 'idempotency-key': 'key' }
const freshMeta = () => ({ ...AGENT_META, 'idempotency-key': crypto.randomUUID() })

describe.each(Object.entries(clients))('a client %s', (_, client) => {
  /**
   * The payload, which the text of the answer repeats. Its URLs are given the host of the shapes.
   */
  async function call(name: string, given: object): Promise<unknown> {
    const result = await client.callTool({ name, arguments: { meta: freshMeta(), ...given } })
    expect(result.isError).toBeUndefined()
    const [{ text }] = result.content as unknown as [{ text: string }]
    expect(JSON.parse(text)).toEqual(result.structuredContent)
    return JSON.parse(text.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'https://ucp.example'))
  }

  test('a client lists the tools, each with what it takes', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(TOOLS)
    expect(
      tools.map(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}).join(', ')),
    ).toEqual([
      'meta, catalog',
      'meta, catalog',
      'meta, catalog',
      'meta, cart',
      'meta, id',
      'meta, id, cart',
      'meta, id',
      'meta, checkout',
      'meta, id',
      'meta, id, checkout',
      'meta, id, checkout',
      'meta, id',
      'meta, id',
    ])
    for (const { inputSchema } of tools) expect(inputSchema.required).toContain('meta')
  })

  test('a client finds a product, opens a checkout for it, and gives it up', async () => {
    const found = Products.parse(await call('search_catalog', { catalog: { query: 'tent' } }))
    const [product] = found.products
    const read = Products.parse(await call('lookup_catalog', { catalog: { ids: [product?.id] } }))
    expect(read.products[0]?.id).toBe(product?.id)
    const shown = Detail.parse(await call('get_product', { catalog: { id: product?.id } }))
    const variant = shown.product.variants[0]?.id

    const line_items = [{ item: { id: variant }, quantity: 1 }]
    const made = Checkout.parse(await call('create_checkout', { checkout: { line_items } }))
    expect(made.line_items[0]?.item.id).toBe(variant)
    const { id } = made
    expect(Checkout.parse(await call('get_checkout', { id }))).toEqual(made)
    const buyer = { email: 'ada@example.com' }
    const updated = await call('update_checkout', { id, checkout: { line_items, buyer } })
    expect(Checkout.parse(updated).buyer).toEqual(buyer)
    const unready = await call('complete_checkout', { id, checkout: payBy('tok_visa') })
    expect(Checkout.parse(unready).status).toBe('incomplete')
    expect(Checkout.parse(await call('cancel_checkout', { id })).status).toBe('canceled')
  })

  test('what the business refuses is an answer, what cannot be read is an error', async () => {
    const none = await call('get_checkout', { id: 'x' })
    expect(UcpErrorResponse.parse(none).messages).toMatchObject([{ code: 'not_found' }])
    await expect(call('create_checkout', { checkout: {} })).rejects.toThrow(/line_items/)
  })
})

const { ask } = await testStore()

const call = (name: unknown, given: object = {}, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: { meta, ...given } },
})
const post = (body: string, headers: Record<string, string> = {}) =>
  ask('/ucp/mcp', 'ucp.example', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })

describe('a client that sends nothing before', () => {
  const tent = { catalog: { query: 'tent', filters: {} } }
  test.each<[string, unknown, Record<string, string>]>([
    ['accepts JSON alone', 7, { accept: 'application/json' }],
    ['does not say what it accepts', 'seven', {}],
    ['accepts something else', '', { accept: 'text/html' }],
    ['names the revision of 2025-06', 0, { 'mcp-protocol-version': '2025-06-18' }],
    ['names the revision of 2025-11', 'x', { 'mcp-protocol-version': '2025-11-25' }],
    [
      'has a header of the revision without handshakes beside',
      9,
      { 'mcp-protocol-version': '2025-11-25', 'mcp-method': 'any' },
    ],
  ])('and %s', async (_, id, headers) => {
    const protocolVersion = '2025-11-25'
    const handshake = { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } }
    for (const [message, expected] of [
      [{ jsonrpc: '2.0', id, method: 'initialize', params: handshake }, { protocolVersion }],
      [{ jsonrpc: '2.0', id, method: 'tools/list' }, { tools: expect.any(Array) }],
      [call('search_catalog', tent, id), { structuredContent: { products: expect.any(Array) } }],
      [{ jsonrpc: '2.0', id, method: 'ping' }, {}],
    ]) {
      const answer = await post(JSON.stringify(message), headers)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
      expect(JSON.parse(answer.body)).toMatchObject({ jsonrpc: '2.0', id, result: expected })
    }
  })

  const PREFIX = 'io.modelcontextprotocol'
  const envelope = {
    [`${PREFIX}/protocolVersion`]: '2026-07-28',
    [`${PREFIX}/clientInfo`]: { name: 'test', version: '1' },
    [`${PREFIX}/clientCapabilities`]: {},
  }
  test('in the revision without handshakes, there is nothing to subscribe to', async () => {
    const params = { notifications: { toolsListChanged: true }, _meta: envelope }
    const listen = { jsonrpc: '2.0', id: 5, method: 'subscriptions/listen', params }
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': listen.method }
    const { status, body } = await post(JSON.stringify(listen), headers)
    expect([status, JSON.parse(body)]).toMatchObject([404, { id: 5, error: { code: -32601 } }])
  })

  const stateless = (tool: string, name = tool) =>
    post(
      JSON.stringify({
        ...call(tool, { checkout: {} }, 'id-1'),
        params: { name: tool, arguments: { meta, checkout: {} }, _meta: envelope },
      }),
      {
        accept: 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': name,
      },
    )
  test('in the revision without handshakes, an error has the same status and code', async () => {
    const { status, body } = await stateless('create_checkout')
    expect([status, JSON.parse(body)]).toMatchObject([
      400,
      { id: 'id-1', error: { code: -32602, data: { code: 'invalid_request' } } },
    ])
    const other = await stateless('create_checkout', 'get_checkout')
    expect([other.status, JSON.parse(other.body).error?.code]).toEqual([400, expect.any(Number)])
  })
})

describe('what cannot be answered gets an error all the same', () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
  const MANY = Array.from({ length: 21 }, (_, n) => `x-${n}`)
  const lines = { line_items: [{ item: { id: 'ao-1101' }, quantity: 1 }] }
  const withoutMeta = { meta: undefined, catalog: { query: 'tent' } }
  const withoutKey = { meta: AGENT_META, id: 'x' }

  test.each<[string, unknown, Record<string, string>, number, number, unknown]>([
    ['nothing', '', {}, 400, -32700, null],
    ['no JSON', '{', {}, 400, -32700, null],
    ['null', 'null', {}, 400, -32600, null],
    ['an empty object', '{}', {}, 400, -32600, null],
    ['__proto__', '{"__proto__":{"method":"tools/list"}}', {}, 400, -32600, null],
    ['20,000 brackets', '['.repeat(20_000) + ']'.repeat(20_000), {}, 400, -32700, null],
    ['an empty batch', '[]', {}, 400, -32600, null],
    ['a batch that cancels itself', [list, cancel], {}, 400, -32600, null],
    ['an object as id', { ...list, id: {} }, {}, 400, -32600, null],
    ['a version of JSON-RPC before', { ...list, jsonrpc: '1.0' }, {}, 400, -32600, 1],
    ['an unknown method', { ...list, method: 'x', id: 'x' }, {}, 200, -32601, 'x'],
    ['a subscription', { ...list, method: 'subscriptions/listen' }, {}, 404, -32601, 1],
    ['another media type', list, { 'content-type': 'text/plain' }, 415, -32600, 1],
    ['an unknown revision', list, { 'mcp-protocol-version': '1999-01-01' }, 400, -32600, 1],
    ['an unknown tool', call('toString'), {}, 400, -32602, 1],
    ['a number as tool', call(7), {}, 400, -32602, 1],
    ['a call of nothing', { ...list, method: 'tools/call' }, {}, 400, -32602, 1],
    ['a call without meta', call('search_catalog', withoutMeta, 'a'), {}, 400, -32602, 'a'],
    ['too many ids', call('lookup_catalog', { catalog: { ids: MANY } }), {}, 400, -32602, 1],
    ['a search for nothing', call('search_catalog', { catalog: {} }), {}, 400, -32602, 1],
    ['wrong arguments', call('get_product', { catalog: { id: 7 } }), {}, 400, -32602, 1],
    [
      'an id inside the checkout',
      call('create_checkout', { checkout: { ...lines, id: 'x' } }),
      {},
      400,
      -32602,
      1,
    ],
    ['a cancellation without a key', call('cancel_checkout', withoutKey), {}, 400, -32602, 1],
    ['a completion without a key', call('complete_checkout', withoutKey), {}, 400, -32602, 1],
    [
      'a key that is not a string',
      call('get_checkout', { ...withoutKey, meta: { ...meta, 'idempotency-key': 7 } }),
      {},
      400,
      -32602,
      1,
    ],
    [
      'NUL in what is not read',
      call('create_checkout', { checkout: lines, x: 'a\u0000' }),
      {},
      400,
      -32602,
      1,
    ],
    [
      'half a surrogate pair in a name that is not read',
      call('create_checkout', { checkout: lines, 'x\ud800': 1 }),
      {},
      400,
      -32602,
      1,
    ],
    [
      'a number beyond all numbers',
      JSON.stringify(call('create_checkout', { checkout: { ...lines, x: 'X' } })).replace(
        '"X"',
        '1e999',
      ),
      {},
      400,
      -32602,
      1,
    ],
    [
      '65 levels',
      call('create_checkout', {
        checkout: { ...lines, x: JSON.parse('['.repeat(65) + ']'.repeat(65)) },
      }),
      {},
      400,
      -32602,
      1,
    ],
  ])('%s', async (_, body, headers, status, code, id) => {
    const answer = await post(typeof body === 'string' ? body : JSON.stringify(body), headers)
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([
      status,
      { jsonrpc: '2.0', id, error: { code } },
    ])
  })

  test('a notification is taken, and nothing is said', async () => {
    const answer = await post(JSON.stringify(cancel))
    expect([answer.status, answer.body]).toEqual([202, ''])
  })
})
