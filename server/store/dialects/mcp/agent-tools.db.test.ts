import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, expect, test } from 'vitest'
import { onLoopback } from '../../../testing/on-loopback.ts'
import { ASSISTANT_ERROR } from '../../http/refusals.ts'
import { ADDRESS, testStore } from '../../testing/store.ts'

const { store, bank, ask } = await testStore()
const server = await onLoopback(store)
const client = new Client({ name: 'test', version: '1.0.0' })
await client.connect(new StreamableHTTPClientTransport(new URL(`${server.origin}/mcp`)))
afterAll(async () => {
  await client.close()
  await server.close()
})

/** The payload, which the text of the answer repeats. */
async function call(name: string, given: object) {
  const result = await client.callTool({ name, arguments: { ...given } })
  const [first] = result.content as unknown as [{ text: string }]
  const text = result.structuredContent === undefined ? null : JSON.parse(first.text)
  expect(result.structuredContent ?? null).toEqual(text)
  return { isError: result.isError ?? false, said: text, text: first.text }
}

test('three tools, and the purchase demands an explicit confirmation', async () => {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name).sort()).toEqual([
    'confirm_purchase',
    'initiate_checkout',
    'search_products',
  ])
  const confirm = tools.find(({ name }) => name === 'confirm_purchase')
  expect(confirm?.description).toMatch(/user has explicitly confirmed this summary/)
  expect(confirm?.inputSchema.required).toEqual(
    expect.arrayContaining(['checkout_id', 'payment_method', 'idempotency_key']),
  )
  // Of an address all that is known is taken, and nothing of it is demanded.
  const initiate = tools.find(({ name }) => name === 'initiate_checkout')?.inputSchema
  expect(initiate?.required?.toSorted()).toEqual(['idempotency_key', 'items', 'shipping_address'])
  const address = initiate?.properties?.shipping_address as { properties: object; required?: [] }
  expect(Object.keys(address.properties)).toEqual(Object.keys(ADDRESS))
  expect(address.required).toBeUndefined()
})

test('an agent searches, opens a checkout and buys', async () => {
  const found = await call('search_products', { q: 'rain jacket', max_price: 20_000 })
  const [product] = found.said.products
  const variant = product.variants[0]
  const opened = await call('initiate_checkout', {
    items: [{ product_id: product.id, variant_id: variant.id, quantity: 1 }],
    shipping_address: ADDRESS,
    idempotency_key: 'agent-1',
  })
  expect(opened.said).toMatchObject({
    status: 'pending_confirmation',
    subtotal: variant.price,
  })
  const purchase = {
    checkout_id: opened.said.checkout_id,
    payment_method: { type: 'card', token: 'tok_visa' },
    shipping_option_id: opened.said.shipping_options[0].id,
    idempotency_key: 'agent-2',
  }
  const bought = await call('confirm_purchase', purchase)
  expect(bought).toMatchObject({ isError: false, said: { status: 'confirmed' } })
  expect((await call('confirm_purchase', purchase)).said).toEqual(bought.said)
  expect(bank.paid()).toHaveLength(1)
})

test('an agent that knows the country alone gets an estimate, and is told what is missing', async () => {
  const opened = await call('initiate_checkout', {
    items: [{ product_id: 'ao-1101', quantity: 1 }],
    shipping_address: { country: 'DE' },
    idempotency_key: 'agent-estimate',
  })
  expect(opened.said.shipping_options[0].id).toBe('international')
  const refused = await call('confirm_purchase', {
    checkout_id: opened.said.checkout_id,
    payment_method: { type: 'card', token: 'tok_visa' },
    shipping_option_id: 'international',
    idempotency_key: 'agent-pays',
  })
  expect(refused).toMatchObject({ isError: true, said: { code: 'validation_error' } })
  expect(refused.said.message).toContain('Missing: name, street, city, state, zip.')
})

test('errors are those of ACP', async () => {
  const items = [{ product_id: 'ao-1101', quantity: 1 }]
  const address = await call('initiate_checkout', {
    items,
    shipping_address: { country: 'ZZ' },
    idempotency_key: 'agent-3',
  })
  expect(address).toMatchObject({ isError: true, said: { code: 'invalid_address' } })
  const card = await call('confirm_purchase', {
    checkout_id: 'any',
    payment_method: { type: 'card', token: '4242424242424242' },
    idempotency_key: 'agent-4',
  })
  expect(card).toMatchObject({ isError: true, said: { code: 'validation_error' } })
  const none = await call('initiate_checkout', {})
  expect(none.said).toEqual({
    code: 'validation_error',
    message: ASSISTANT_ERROR,
    fields: ['items', 'idempotency_key'],
    detail: 'Fix and send again: items is missing; idempotency_key is missing.',
  })
  expect(none.isError).toBe(true)
  expect(none.text).toContain('items')
})

test('what is wrong is said in plain words', async () => {
  const search = await call('search_products', { page: 0, availability: 'soon' })
  expect(search.said.detail).toMatch(
    /^Fix and send again: availability expected one of in_stock, .+; page must be a whole number of at least 1\.$/,
  )
  const items = [{ product_id: 'ao-1101', quantity: 0 }]
  const opened = await call('initiate_checkout', { items, idempotency_key: 'agent-5' })
  expect(opened.said.detail).toBe(
    'Fix and send again: items.0.quantity must be a whole number of at least 1.',
  )
  const confirm = await call('confirm_purchase', { checkout_id: 7 })
  expect(confirm.said.detail).toContain('checkout_id must be a string')
})

test.each<[string, object]>([
  [
    'beside the token',
    { payment_method: { type: 'card', token: 'tok', number: 4242424242424242 } },
  ],
  ['beside the payment method', { card_number: '4242 4242 4242 4242' }],
])('no card is charged that has its number %s', async (_, change) => {
  const opened = await call('initiate_checkout', {
    items: [{ product_id: 'ao-1101', quantity: 1 }],
    shipping_address: ADDRESS,
    idempotency_key: crypto.randomUUID(),
  })
  const paid = bank.paid().length
  const refused = await call('confirm_purchase', {
    checkout_id: opened.said.checkout_id,
    payment_method: { type: 'card', token: 'tok_visa' },
    shipping_option_id: opened.said.shipping_options[0].id,
    idempotency_key: crypto.randomUUID(),
    ...change,
  })
  expect(refused).toMatchObject({ isError: true, said: { code: 'validation_error' } })
  expect(refused.said.detail).toMatch(/^Send a token/)
  expect(bank.paid()).toHaveLength(paid)
})

test('a GET is told to POST, and no body hangs it', async () => {
  const get = await ask('/mcp')
  expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST'])
  for (const body of ['', '{', '[]', 'null', '{"jsonrpc":"2.0"}']) {
    const headers = {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    }
    const { status } = await ask('/mcp', undefined, { method: 'POST', headers, body })
    expect(status).toBe(400)
  }
})
