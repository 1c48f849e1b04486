import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../shared/testing/any-text.ts'
import {
  createBody,
  officialAcpAgent,
  paymentData,
  WHOLE_ADDRESS,
} from './dialects/acp/testing/agent.ts'
import { DESTINATION, payBy, ucpAgent } from './dialects/ucp/testing/agent.ts'
import { ADDRESS, AGENT_META, testStore } from './testing/store.ts'

const { send, ask } = await testStore()

const whole = {
  items: [{ product_id: 'ao-1101', quantity: 1 }],
  shipping_address: ADDRESS,
  shipping_option_id: 'standard',
  payment_method: { type: 'card', token: 'tok_visa' },
  idempotency_key: 'key',
  order_id: 'order',
}

/** Texts that databases, logs and pages choke on. */
const ODD = ['\u0000', 'a\u0000b', '\ud800', '\udfff\ud800', '\u202e', "'; drop table x --", '']
const odd = fc.oneof(fc.constantFrom<unknown>(...ODD), fc.jsonValue(), anyText())

/** The whole body, with something odd at one place of it. */
const body = fc.oneof(
  odd,
  fc.tuple(fc.constantFrom(...Object.keys(whole)), odd).map(([key, value]) => ({
    ...whole,
    [key]: value,
  })),
  fc.tuple(fc.constantFrom(...Object.keys(ADDRESS)), odd).map(([key, value]) => ({
    ...whole,
    shipping_address: { ...ADDRESS, [key]: value },
  })),
  odd.map((value) => ({ ...whole, items: [{ product_id: value, quantity: 1 }] })),
  odd.map((token) => ({ ...whole, payment_method: { type: 'card', token } })),
)

const { checkout_id } = JSON.parse((await send('POST', '/acp/checkout/create', whole)).body)

describe('whatever is sent gets an answer in JSON, and no 5xx', () => {
  test.each([
    ['POST', '/ucp/checkout'],
    ['POST', '/ucp/checkout/x/confirm'],
    ['POST', '/ucp/checkout/x/cancel'],
    ['POST', '/ucp/shipping'],
    ['POST', '/ucp/orders'],
    ['POST', '/acp/checkout/create'],
    ['PATCH', `/acp/checkout/${checkout_id}/update`],
    ['POST', `/acp/checkout/${checkout_id}/complete`],
    ['POST', '/acp/checkout/x/cancel'],
    ['POST', '/webhooks/psp'],
  ])('%s %s', async (method, path) => {
    await fc.assert(
      fc.asyncProperty(body, async (sent) => {
        const answer = await send(method, path, JSON.stringify(sent) ?? '')
        expect(answer.status).toBeLessThan(500)
        expect(() => JSON.parse(answer.body)).not.toThrow()
      }),
    )
  })

  test.each([
    '/acp/orders/%00',
    '/ucp/orders/%00',
    '/ucp/orders?order_id=%00',
    '/ucp/orders/%ff%fe',
    '/checkout/%00',
    '/checkout/%ed%a0%80/return',
    '/3ds/%00',
    '/permalink/%00:1',
    '/products/%00',
    '/receipts/%00',
    '/receipts/%ed%a0%80',
  ])('%s', async (path) => {
    expect((await ask(path)).status).toBeGreaterThanOrEqual(404)
    expect((await ask(path)).status).toBeLessThan(500)
  })

  test('a body nested beyond any stack', async () => {
    const deep = `{"items":${'['.repeat(30_000)}${']'.repeat(30_000)}}`
    for (const path of ['/ucp/checkout', '/acp/checkout/create']) {
      expect((await send('POST', path, deep)).status).toBe(422)
    }
  })
})

type Path = readonly (string | number)[]
type Put = (there: unknown) => unknown

/** Where a value has a part that can be replaced: itself, its members, theirs. */
const placesIn = (value: unknown): Path[] =>
  typeof value === 'object' && value !== null
    ? [
        [],
        ...Object.entries(value).flatMap(([key, inner]) =>
          placesIn(inner).map((path): Path => [key, ...path]),
        ),
      ]
    : [[]]

const withAt = (value: unknown, [key, ...rest]: Path, put: Put): unknown => {
  if (key === undefined) return put(value)
  if (Array.isArray(value)) {
    return value.map((inner, at) => (String(at) === key ? withAt(inner, rest, put) : inner))
  }
  return Object.fromEntries(
    Object.entries(Object(value)).map(([name, inner]) => [
      name,
      name === key ? withAt(inner, rest, put) : inner,
    ]),
  )
}

/** Something odd in place of what is there, or under an odd name beside what is in it. */
const put: fc.Arbitrary<Put> = fc.oneof(
  fc.oneof(odd, fc.constantFrom(-0, 1e308, 2 ** 53)).map((value) => () => value),
  fc.tuple(fc.constantFrom(...ODD), odd).map(([name, value]) => (there: unknown) => ({
    ...Object(there),
    [name]: value,
  })),
)

/** A body with something odd at one place of it, however deep. */
const brokenOf = (right: object) =>
  fc
    .tuple(fc.constantFrom(...placesIn(right)), put)
    .map(([path, change]) => withAt(right, path, change))

describe('official dialects, whatever stands anywhere in a body', async () => {
  const UCP = 'ucp.example'
  const ucp = ucpAgent(send, 'rest')
  const acp = officialAcpAgent(send)
  const line_items = [{ id: 'li_1', item: { id: 'ao-1101' }, quantity: 1 }]
  const checkout = {
    line_items,
    buyer: { first_name: 'Ada', email: 'ada@byron.example', phone_number: '+15550100' },
    context: { address_country: 'US', postal_code: '12207' },
    attribution: { ai_surface: 'chatgpt' },
    fulfillment: {
      methods: [
        {
          id: 'shipping',
          type: 'shipping',
          line_item_ids: ['li_1'],
          destinations: [{ ...DESTINATION, id: '__proto__' }],
          selected_destination_id: '__proto__',
          groups: [{ id: 'parcel', selected_option_id: 'standard' }],
        },
      ],
    },
  }
  const session = createBody({
    buyer: { email: 'ada@king.example', first_name: 'Ada' },
    fulfillment_details: { name: 'Ada', email: 'ada@king.example', address: WHOLE_ADDRESS },
    discounts: { codes: ['X'] },
    affiliate_attribution: { provider: 'x', metadata: { a: 'b' } },
    locale: 'en-US',
    metadata: { constructor: { prototype: 1 } },
    order_notes: 'Ring twice',
  })
  const options = [{ type: 'shipping', option_id: 'standard', item_ids: ['ao-1101'] }]
  const paid = { payment_data: paymentData('tok_declined'), order_notes: 'x' }
  const id = await ucp.open()
  const cart = (await ucp.createCart({ line_items })).said.id
  const acpId = await acp.ready()

  test.each<[string, string, object]>([
    ['POST', '/checkout-sessions', { ...checkout, cart_id: cart }],
    ['PUT', `/checkout-sessions/${id}`, checkout],
    ['POST', `/checkout-sessions/${id}/complete`, payBy('tok_declined')],
    ['POST', '/carts', { line_items, buyer: checkout.buyer }],
    ['PUT', `/carts/${cart}`, { line_items, buyer: checkout.buyer }],
  ])('UCP: %s %s', async (method, path, right) => {
    await fc.assert(
      fc.asyncProperty(brokenOf(right), async (sent) => {
        const headers = { 'idempotency-key': ucp.newKey() }
        const text = JSON.stringify(sent) ?? ''
        const answer = await send(method, `/ucp/v1${path}`, text, UCP, headers)
        expect(answer.status).toBeLessThan(500)
        expect(JSON.parse(answer.body)).toHaveProperty('ucp')
      }),
    )
  })

  test.each<[string, object]>([
    ['create_checkout', { checkout }],
    ['update_checkout', { id, checkout }],
    ['create_cart', { cart: { line_items } }],
    ['search_catalog', { catalog: { query: 'tent', filters: { price: { min: 1 } } } }],
  ])('UCP over MCP: %s', async (name, given) => {
    const meta = { ...AGENT_META, 'idempotency-key': 'key' }
    await fc.assert(
      fc.asyncProperty(brokenOf({ meta, ...given }), async (args) => {
        const call = {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name, arguments: args },
        }
        const headers = { 'content-type': 'application/json' }
        const answer = await send('POST', '/ucp/mcp', call, UCP, headers)
        expect(answer.status).toBeLessThan(500)
        expect(JSON.parse(answer.body)).toHaveProperty('jsonrpc')
      }),
    )
  })

  test.each<[string, string, object]>([
    ['POST', '/checkout_sessions', session],
    ['POST', `/checkout_sessions/${acpId}`, { ...session, selected_fulfillment_options: options }],
    ['POST', `/checkout_sessions/${acpId}/complete`, paid],
    ['POST', `/checkout_sessions/x/cancel`, { intent_trace: { reason_code: 'other' } }],
    ['POST', '/carts', { line_items: session.line_items, buyer: { email: 'a@b.example' } }],
  ])('ACP: %s %s', async (method, path, right) => {
    await fc.assert(
      fc.asyncProperty(brokenOf(right), async (sent) => {
        const headers = {
          authorization: 'Bearer agent',
          'api-version': '2026-04-17',
          'idempotency-key': acp.newKey(),
        }
        const text = JSON.stringify(sent) ?? ''
        const answer = await send(method, `/acp${path}`, text, undefined, headers)
        expect(answer.status).toBeLessThan(500)
        expect(() => JSON.parse(answer.body)).not.toThrow()
      }),
    )
  })
})
