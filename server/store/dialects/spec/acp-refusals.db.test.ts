import { expect, test } from 'vitest'
import { AcpError } from '../../../../shared/protocols/spec/acp.ts'
import { ADDRESS, FOR_CUSTOMERS, testStore } from '../../testing/store.ts'

const { send } = await testStore()

const items = [{ product_id: 'ao-1101', quantity: 1 }]
const create = { items, shipping_address: ADDRESS, idempotency_key: 'k1' }
const payment_method = { type: 'card', token: 'tok_1' }
const update = '/acp/checkout/unknown/update'
const complete = '/acp/checkout/unknown/complete'

test.each<[string, string, unknown, number, string]>([
  ['POST', '/acp/checkout/create', {}, 422, 'validation_error'],
  ['POST', '/acp/checkout/create', '{', 422, 'validation_error'],
  [
    'POST',
    '/acp/checkout/create',
    { ...create, idempotency_key: undefined },
    422,
    'validation_error',
  ],
  [
    'POST',
    '/acp/checkout/create',
    { ...create, items: [{ product_id: 'x', quantity: 1 }] },
    422,
    'validation_error',
  ],
  [
    'POST',
    '/acp/checkout/create',
    { ...create, shipping_address: undefined },
    422,
    'invalid_address',
  ],
  [
    'POST',
    '/acp/checkout/create',
    { ...create, shipping_address: { ...ADDRESS, zip: '' } },
    422,
    'invalid_address',
  ],
  [
    'POST',
    '/acp/checkout/create',
    { ...create, items: [{ product_id: 'ao-1120', quantity: 1 }] },
    409,
    'out_of_stock',
  ],
  ['PATCH', update, {}, 404, 'session_not_found'],
  ['PATCH', update, { shipping_option_id: 7 }, 422, 'validation_error'],
  ['PATCH', update, 'x', 422, 'validation_error'],
  ['POST', complete, {}, 422, 'validation_error'],
  ['POST', complete, { payment_method, idempotency_key: '' }, 422, 'validation_error'],
  ['POST', complete, { payment_method, idempotency_key: 'k2' }, 404, 'session_not_found'],
])('%s %s %o is %i %s', async (method, path, body, status, code) => {
  const answer = await send(method, path, body)
  expect(answer.status).toBe(status)
  expect(answer.headers.get('content-type')).toBe('application/json')
  const error = AcpError.parse(JSON.parse(answer.body))
  expect(error.code).toBe(code)
  expect(error.message).toMatch(FOR_CUSTOMERS)
})
