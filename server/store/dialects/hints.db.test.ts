import { expect, test } from 'vitest'
import { ADDRESS, FOR_CUSTOMERS, testStore } from '../testing/store.ts'

/* A hint, an unknown field or a null for what is optional stops no purchase. */

const { send, reported } = await testStore()
const JACKET = { product_id: 'ao-1001', variant_id: 'ao-1001-s-pine', quantity: 1 }
const TENT = { product_id: 'ao-1101', quantity: 1 }

const post = async (
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<{ status: number; said: ReturnType<typeof JSON.parse>; replayed: boolean }> => {
  const answer = await send('POST', path, body, undefined, headers)
  const replayed = answer.headers.get('idempotent-replayed') === 'true'
  return { status: answer.status, said: JSON.parse(answer.body), replayed }
}
const callTool = async (name: string, args: object) => {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
  const { said } = await post('/mcp', call, {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  })
  const { isError, structuredContent } = said.result
  return { status: isError ? 422 : 200, said: structuredContent, replayed: false }
}

/** The ways to open a checkout, each under a key. */
const OPENINGS = {
  UCP: (body: object, key: string) =>
    post('/ucp/checkout', { shipping_address: ADDRESS, ...body }, { 'idempotency-key': key }),
  ACP: (body: object, key: string) =>
    post('/acp/checkout/create', { shipping_address: ADDRESS, idempotency_key: key, ...body }),
  MCP: (body: object, key: string) =>
    callTool('initiate_checkout', { shipping_address: ADDRESS, idempotency_key: key, ...body }),
}

const newKey = () => crypto.randomUUID()

test.each(
  Object.entries(OPENINGS).flatMap(([dialect, openWith]) =>
    [
      ['chatgpt', { ai_surface: 'chatgpt' }],
      ['ChatGPT', { ai_surface: 'chatgpt', ai_surface_sent: '"ChatGPT"' }],
      ['Chat Assistant', { ai_surface: 'chat_assistant', ai_surface_sent: '"Chat Assistant"' }],
      ['chat-assistant', { ai_surface: 'chat_assistant', ai_surface_sent: '"chat-assistant"' }],
      ['x'.repeat(500), { ai_surface_sent: `"${'x'.repeat(78)}…` }],
      ['😀'.repeat(100), { ai_surface_sent: expect.stringMatching(/^"😀/u) }],
      [7, { ai_surface_sent: '#' }],
      [['chatgpt'], { ai_surface_sent: '["chatgpt"]' }],
      ['4242 4242 4242 4242', { ai_surface_sent: '"#### #### #### ####"' }],
      ['a\u0000b', { ai_surface_sent: expect.anything() }],
      [null, {}],
    ].map(([named, told]) => [dialect, named, told, openWith] as const),
  ),
)('%s: ai_surface %j', async (_, ai_surface, told, openWith) => {
  const before = reported.length
  const { status } = await openWith({ items: [TENT], ai_surface }, newKey())
  expect(status).toBe(200)
  const [event] = reported.slice(before)
  const id = event && 'ai_surface' in event ? event.ai_surface : undefined
  const { value, currency, ...more } = { value: 0, currency: '', ...event?.properties }
  expect({ ...(id !== undefined && { ai_surface: id }), ...more }).toEqual(told)
})

test.each(Object.entries(OPENINGS))(
  '%s: null and absent are one body, and neither hints nor unknown fields make another',
  async (_, openWith) => {
    const key = newKey()
    const first = await openWith({ items: [TENT] }, key)
    for (const more of [
      { items: [{ ...TENT, variant_id: null, note: 'x' }] },
      { items: [TENT], ai_surface: null, dry_run: null, shipping_option_id: null, whatever: {} },
      { items: [TENT], ai_surface: 'ChatGPT' },
    ]) {
      const again = await openWith(more, key)
      expect(again.said).toEqual(first.said)
    }
  },
)

test.each(Object.entries(OPENINGS))(
  '%s: null for what is required is refused',
  async (_, openWith) => {
    for (const items of [
      null,
      [{ ...TENT, quantity: null }],
      [{ ...TENT, product_id: null }],
      [{ ...JACKET, variant_id: null }],
    ]) {
      expect((await openWith({ items }, newKey())).status).toBe(422)
    }
  },
)

test('UCP: an empty idempotency key is none', async () => {
  const body = { items: [TENT], shipping_address: ADDRESS }
  const [one, two] = [
    await post('/ucp/checkout', body, { 'idempotency-key': '' }),
    await post('/ucp/checkout', body, { 'idempotency-key': '' }),
  ]
  expect([one.status, two.status, two.replayed]).toEqual([200, 200, false])
  const confirmed = await post(
    `/ucp/checkout/${one.said.checkout_id}/confirm`,
    { shipping_option_id: 'standard', payment_method: { type: 'card', token: 'tok_visa' } },
    { 'idempotency-key': '' },
  )
  expect(confirmed.status).toBe(200)
})

test('ACP and MCP: null for the shipping option is none', async () => {
  const opened = await OPENINGS.ACP({ items: [TENT] }, newKey())
  const id = opened.said.checkout_id
  const set = { shipping_option_id: 'express' }
  await send('PATCH', `/acp/checkout/${id}/update`, set)
  const kept = await send('PATCH', `/acp/checkout/${id}/update`, { shipping_option_id: null })
  expect(JSON.parse(kept.body).selected_shipping.id).toBe('express')
  const paid = await callTool('confirm_purchase', {
    checkout_id: id,
    shipping_option_id: null,
    payment_method: { type: 'card', token: 'tok_visa' },
    idempotency_key: newKey(),
  })
  expect(paid.said).toMatchObject({ status: 'confirmed' })
  const found = await callTool('search_products', { q: 'tent', category: null, page: null })
  expect(found.status).toBe(200)
})

const refused = async (items: object[]) => {
  const { said } = await OPENINGS.ACP({ items }, newKey())
  const ucp = await post('/ucp/checkout', { items, shipping_address: ADDRESS })
  const { code: _, retryable: __, ...error } = ucp.said.error
  const { code: ___, ...acp } = said
  expect(error.message).toMatch(FOR_CUSTOMERS)
  // But for the ids of what is sold out, both protocols say the same.
  expect({ ...acp, items: error.items }).toEqual({ ...error, items: error.items })
  return error
}

test.each<[string, object[], string, string[] | undefined]>([
  [
    'no variant',
    [TENT, { ...JACKET, variant_id: undefined }],
    'Please choose a size and color for the Skarn Rain Jacket.',
    ['items.1.variant_id'],
  ],
  [
    'another product’s variant',
    [{ ...JACKET, variant_id: 'ao-1002-s-pine' }],
    'The Skarn Rain Jacket does not come like this. Please choose another size and color.',
    ['items.0.variant_id'],
  ],
  [
    'a variant of what has none',
    [{ ...TENT, variant_id: 'x' }],
    expect.stringContaining('it comes in one version'),
    ['items.0.variant_id'],
  ],
  [
    'an unknown product',
    [{ ...TENT, product_id: 'x' }],
    'We do not have one of these products. Please choose another one.',
    ['items.0.product_id'],
  ],
  [
    'more than stock',
    [{ product_id: 'ao-1120', quantity: 1 }],
    expect.stringMatching(/^We do not have enough in stock: [A-Z]/),
    undefined,
  ],
  [
    'too many of one',
    [TENT, { ...TENT, quantity: 100 }],
    'An order can have at most 100 different items, and 99 of each.',
    ['items.0.quantity', 'items.1.quantity'],
  ],
  [
    'too many lines',
    Array.from({ length: 101 }, () => TENT),
    'An order can have at most 100 different items, and 99 of each.',
    ['items'],
  ],
])(
  '%s: what the customer hears, and what the engineer reads',
  async (_, items, message, fields) => {
    const error = await refused(items)
    expect([error.message, error.fields]).toEqual([message, fields])
    if (fields) expect(error.detail).toMatch(/^\S.*\.$/)
  },
)

test('an address, an option and a way to pay in the customer’s words', async () => {
  const shipping_address = { ...ADDRESS, zip: 'K1A', state: '' }
  const address = await post('/ucp/checkout', { items: [TENT], shipping_address })
  expect(address.said.error).toMatchObject({
    message: 'We could not ship to this address: please check the state or province.',
    fields: ['state'],
  })
  const opened = await post('/ucp/checkout', { items: [TENT], shipping_address: ADDRESS })
  const path = `/ucp/checkout/${opened.said.checkout_id}/confirm`
  const payment_method = { type: 'card', token: 'tok_visa' }
  const option = await post(path, { shipping_option_id: 'x', payment_method })
  expect(option.said.error).toMatchObject({
    message:
      'Please choose how to ship your order: Standard (3 to 5 days) or Express (next working day).',
    fields: ['shipping_option_id'],
    detail: 'Set shipping_option_id to one of standard, express.',
  })
  const cash = { ...payment_method, type: 'cash' }
  const way = await post(path, { shipping_option_id: 'standard', payment_method: cash })
  expect(way.said.error).toMatchObject({
    message: 'This shop does not accept this way to pay. Please choose card.',
    fields: ['payment_method.type'],
  })
})
