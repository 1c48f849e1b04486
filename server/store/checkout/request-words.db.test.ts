import { expect, test } from 'vitest'
import { ASSISTANT_ERROR } from '../http/refusals.ts'
import { ADDRESS, testStore } from '../testing/store.ts'

const { send } = await testStore()
const TENT = { product_id: 'ao-1101', quantity: 1 }
const WHOLE = { items: [TENT], shipping_address: ADDRESS, idempotency_key: 'a-key' }
const A_TEXT = 'must be a string without NUL or unpaired surrogates'

test.each<[object | string, string]>([
  [{ items: [{ ...TENT, quantity: 0 }] }, 'items.0.quantity must be a whole number of at least 1'],
  [{ items: [{ ...TENT, quantity: 1.5 }] }, 'items.0.quantity must be a whole number'],
  [{ items: [{ ...TENT, quantity: '2' }] }, 'items.0.quantity must be a whole number'],
  [
    { items: [{ ...TENT, quantity: 2 ** 60 }] },
    'items.0.quantity must be a whole number of at most 9007199254740991',
  ],
  [{ items: [] }, 'items must not be empty'],
  [{ items: 'tent' }, 'items must be a list'],
  [{ items: [7] }, 'items.0 must be an object'],
  [{ items: [{ quantity: 1 }] }, 'items.0.product_id is missing'],
  [{ idempotency_key: undefined }, 'idempotency_key is missing'],
  [{ idempotency_key: '' }, 'idempotency_key must not be empty'],
  [{ idempotency_key: 'k'.repeat(256) }, 'idempotency_key must have at most 255 characters'],
  [{ idempotency_key: 'a\u0000b' }, `idempotency_key ${A_TEXT}`],
  [{ idempotency_key: 'a\ud800b' }, `idempotency_key ${A_TEXT}`],
  [{ items: [{ ...TENT, variant_id: '\udc00' }] }, `items.0.variant_id ${A_TEXT}`],
  ['{', 'the body must be a JSON object'],
])('%j: %s', async (change, words) => {
  const body = typeof change === 'string' ? change : { ...WHOLE, ...change }
  const answer = await send('POST', '/acp/checkout/create', body)
  expect(answer.status).toBe(422)
  const [field = ''] = words.split(' ')
  expect(JSON.parse(answer.body)).toEqual({
    code: 'validation_error',
    message: ASSISTANT_ERROR,
    ...(field !== 'the' && { fields: [field] }),
    detail: `Fix and send again: ${words}.`,
  })
})

test.each(['a\u0000b', '\ud800', 'a\udfff'])(
  'an address with %j is refused, not changed',
  async (odd) => {
    const shipping_address = { ...ADDRESS, name: odd }
    const acp = await send('POST', '/acp/checkout/create', { ...WHOLE, shipping_address })
    expect(JSON.parse(acp.body)).toEqual({
      code: 'invalid_address',
      message: 'We could not ship to this address: please check the name.',
      fields: ['name'],
    })
    const ucp = await send('POST', '/ucp/checkout', { items: [TENT], shipping_address })
    expect(JSON.parse(ucp.body).error).toMatchObject({ code: 'invalid_address', fields: ['name'] })
  },
)

test('UCP calls it invalid_request', async () => {
  const token = { type: 'card', token: 'tok\u0000' }
  const { status, body } = await send('POST', '/ucp/checkout/x/confirm', {
    shipping_option_id: 'standard',
    payment_method: token,
  })
  expect(status).toBe(422)
  expect(JSON.parse(body).error).toMatchObject({
    code: 'invalid_request',
    message: ASSISTANT_ERROR,
    fields: ['payment_method.token'],
    detail: `Fix and send again: payment_method.token ${A_TEXT}.`,
  })
})
