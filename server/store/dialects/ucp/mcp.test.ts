import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createStore } from '../../app.ts'
import { testDeps, testStore } from '../../testing/store.ts'
import { Checkout, Detail, Products, UcpErrorResponse } from './testing/schemas.ts'

const TOOLS = [
  'search_catalog',
  'lookup_catalog',
  'get_product',
  'create_checkout',
  'get_checkout',
  'update_checkout',
  'complete_checkout',
  'cancel_checkout',
]

let server: ReturnType<typeof serve>
let client: Client

beforeAll(async () => {
  const store = createStore({ ...(await testDeps()), faults: [], official: true })
  server = await new Promise<ReturnType<typeof serve>>((resolve) => {
    const started = serve({ fetch: store.fetch, hostname: '127.0.0.1', port: 0 }, () =>
      resolve(started),
    )
  })
  const { port } = server.address() as AddressInfo
  client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/ucp/mcp`)),
  )
})

afterAll(async () => {
  await client.close()
  await new Promise((resolve) => server.close(resolve))
})

const meta = { 'ucp-agent': { profile: 'https://agent.example/.well-known/ucp' } }

/** The payload, which the text of the answer repeats. Its URLs are given the host of the shapes. */
async function call(name: string, given: object): Promise<unknown> {
  const result = await client.callTool({ name, arguments: { meta, ...given } })
  expect(result.isError).toBeUndefined()
  const [{ text }] = result.content as [{ text: string }]
  expect(JSON.parse(text)).toEqual(result.structuredContent)
  return JSON.parse(text.replaceAll(/https:\/\/127\.0\.0\.1:\d+/g, 'https://ucp.example'))
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
    'meta, checkout',
    'meta, id',
    'meta, id, checkout',
    'meta, id, checkout',
    'meta, id',
  ])
  for (const { inputSchema } of tools) expect(inputSchema.required).not.toContain('meta')
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
  const completed = await call('complete_checkout', { id, checkout: { payment: {} } })
  expect(UcpErrorResponse.parse(completed).messages).toMatchObject([{ code: 'payment_failed' }])
  expect(Checkout.parse(await call('cancel_checkout', { id })).status).toBe('canceled')
})

test('what the business refuses is an answer, what cannot be read is an error', async () => {
  const none = await call('get_checkout', { id: 'x' })
  expect(UcpErrorResponse.parse(none).messages).toMatchObject([{ code: 'not_found' }])
  const wrong = await client.callTool({ name: 'create_checkout', arguments: { checkout: {} } })
  expect(wrong.isError).toBe(true)
  expect(JSON.stringify(wrong.content)).toContain('line_items')
  const unknown = await client.callTool({ name: 'create_cart', arguments: {} })
  expect(unknown.isError).toBe(true)
})

const { ask } = await testStore()

describe('what is no message gets an answer all the same', () => {
  const post = (body: string, headers: Record<string, string> = {}) =>
    ask('/ucp/mcp', 'ucp.example', {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...headers,
      },
      body,
    })
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const cancel = {
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId: 1 },
  }

  test.each<[string, string, Record<string, string>, number]>([
    ['nothing', '', {}, 400],
    ['no JSON', '{', {}, 400],
    ['null', 'null', {}, 400],
    ['an empty object', '{}', {}, 400],
    ['__proto__', '{"__proto__":{"method":"tools/list"}}', {}, 400],
    ['20,000 brackets', '['.repeat(20_000) + ']'.repeat(20_000), {}, 400],
    ['an empty batch', '[]', {}, 400],
    ['a batch that cancels itself', JSON.stringify([list, cancel]), {}, 400],
    ['an unknown method', JSON.stringify({ ...list, method: 'x' }), {}, 200],
    ['a notification', JSON.stringify(cancel), {}, 202],
    ['another media type', JSON.stringify(list), { 'content-type': 'text/plain' }, 415],
    ['no wish for JSON', JSON.stringify(list), { accept: 'text/html' }, 406],
    ['an unknown revision', JSON.stringify(list), { 'mcp-protocol-version': '1999-01-01' }, 400],
  ])('%s', async (_, body, headers, status) => {
    const answer = await post(body, headers)
    expect(answer.status).toBe(status)
    if (status !== 202) expect(JSON.parse(answer.body)).toMatchObject({ jsonrpc: '2.0', error: {} })
  })

  test('a request needs no session and no handshake', async () => {
    const { body } = await post(JSON.stringify(list))
    expect(JSON.parse(body).result.tools).toHaveLength(TOOLS.length)
  })
})
