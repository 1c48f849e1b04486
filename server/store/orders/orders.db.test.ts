import { describe, expect, test } from 'vitest'
import { sessions } from '../db/tables.ts'
import { ADDRESS, acpAgent, testStore } from '../testing/store.ts'

const { ask, send, deps } = await testStore()
const { complete } = acpAgent(send)

const SPOON = { product_id: 'ao-1412', quantity: 2 }

test('shipping is priced without a cart', async () => {
  const before = await deps.db.$count(sessions)
  const body = { items: [SPOON], shipping_address: ADDRESS }
  const { status, body: said } = await send('POST', '/ucp/shipping', body)
  expect(status).toBe(200)
  expect(JSON.parse(said).shipping_options).toEqual([
    { id: 'standard', name: 'Standard (3 to 5 days)', cost: { amount: 600, currency: 'USD' } },
    { id: 'express', name: 'Express (next working day)', cost: { amount: 1800, currency: 'USD' } },
  ])
  expect((await send('POST', '/ucp/shipping', {})).status).toBe(422)
  const elsewhere = { ...body, shipping_address: { ...ADDRESS, country: 'ZZ' } }
  expect((await send('POST', '/ucp/shipping', elsewhere)).status).toBe(422)
  expect(await deps.db.$count(sessions)).toBe(before)
})

test("the history is that of the same Authorization, and nobody else's", async () => {
  const headers = { authorization: 'Bearer one' }
  const body = { items: [SPOON], shipping_address: ADDRESS, idempotency_key: 'history' }
  const created = await send('POST', '/acp/checkout/create', body, undefined, headers)
  const { checkout_id } = JSON.parse(created.body)
  const { said } = await complete(checkout_id)
  const history = async (authorization?: string) => {
    const init = authorization === undefined ? {} : { headers: { authorization } }
    const answer = await ask('/acp/orders/history', undefined, init)
    return { status: answer.status, body: JSON.parse(answer.body) }
  }
  const mine = await history('Bearer one')
  expect(mine.body.orders.map(({ order_id }: { order_id: string }) => order_id)).toEqual([
    said.order_id,
  ])
  expect((await history('Bearer two')).body).toEqual({ orders: [] })
  const stranger = await history()
  expect([stranger.status, stranger.body.code]).toEqual([401, 'unauthorized'])
  // A scheme is the same in any case (RFC 9110 §11.1).
  for (const same of ['bearer one', 'BEARER  one']) {
    expect((await history(same)).body).toEqual(mine.body)
  }
  expect((await history('bearer One')).body).toEqual({ orders: [] })
})

describe.each([
  '',
  ' ',
  'Bearer',
  'Bearer ',
  'bearer   ',
  'Bearer ""',
  'Basic ',
  'Basic Og==',
  'a-key-without-a-scheme',
])('Authorization: %j is not a caller, and its client is told', (authorization) => {
  const items = [SPOON]
  const acp = { items, shipping_address: ADDRESS, idempotency_key: 'empty' }
  const tool = { name: 'initiate_checkout', arguments: acp }
  const headers = { authorization, 'content-type': 'application/json' }
  test.each<[string, object | null]>([
    ['/acp/orders/history', null],
    ['/acp/checkout/create', acp],
    ['/ucp/checkout', { items, shipping_address: ADDRESS }],
    ['/ucp/shipping', { items, shipping_address: ADDRESS }],
    ['/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool }],
    ['/acp/checkout_sessions', {}],
  ])('%s', async (path, body) => {
    const given = { headers: { ...headers, 'api-version': '2026-04-17' } }
    const { status, ...answer } = body
      ? await send('POST', path, body, undefined, given.headers)
      : await ask(path, undefined, given)
    expect([status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(answer.body).toMatch(/unauthorized|"id":1,"error"/)
  })
})

test('the same caller, in whichever case it writes its scheme, has its keys', async () => {
  const body = { items: [SPOON], shipping_address: ADDRESS, idempotency_key: 'one-scheme' }
  const create = async (authorization: string) => {
    const answer = await send('POST', '/acp/checkout/create', body, undefined, { authorization })
    return JSON.parse(answer.body).checkout_id
  }
  const id = await create('Bearer one')
  expect(await create('bearer one')).toBe(id)
  expect(await create('Bearer two')).not.toBe(id)
})

test('search over ACP is the catalog, page by page', async () => {
  const { body } = await ask('/acp/products/search?q=jacket')
  expect(JSON.parse(body).products[0].id).toBe('ao-1001')
  const all = JSON.parse((await ask('/acp/products/search')).body)
  expect(all.pagination.next).toBe('https://shop.example/acp/products/search?page=2')
  const wrong = await ask('/acp/products/search?min_price=cheap')
  expect([wrong.status, JSON.parse(wrong.body).code]).toEqual([422, 'validation_error'])
})
