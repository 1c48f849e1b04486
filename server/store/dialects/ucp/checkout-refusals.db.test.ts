import { expect, test } from 'vitest'
import { testStore } from '../../testing/store.ts'
import { DESTINATION, payBy } from './testing/agent.ts'
import { ProtocolError, UcpErrorResponse } from './testing/schemas.ts'

const SESSIONS = '/ucp/v1/checkout-sessions'
const HOST = 'ucp.example'

const { ask, send } = await testStore()

const item = (id: string, quantity = 1) => ({ item: { id }, quantity })
const TENT = item('ao-1101')

test.each([
  ['GET', '', undefined],
  ['PUT', '', { line_items: [TENT] }],
  ['POST', '/complete', payBy('tok_visa')],
  ['POST', '/cancel', undefined],
])('%s %s of a checkout that is not there', async (method, path, request) => {
  const init = { method, ...(request && { body: JSON.stringify(request) }) }
  const { status, headers, body } = await ask(`${SESSIONS}/x${path}`, HOST, init)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/json')
  expect(UcpErrorResponse.parse(JSON.parse(body)).messages).toMatchObject([{ code: 'not_found' }])
})

test.each([
  ['', 'the body'],
  ['null', 'the body'],
  [{}, 'line_items'],
  [{ line_items: [] }, 'line_items'],
  [{ line_items: [item('ao-1101', 0)] }, 'line_items.0.quantity'],
  [{ line_items: [item('ao-1101', 1.5)] }, 'line_items.0.quantity'],
  [{ line_items: [{ quantity: 1 }] }, 'line_items.0.item'],
  [{ line_items: [TENT], buyer: { email: 'x'.repeat(201) } }, 'buyer.email'],
  [{ line_items: [TENT], fulfillment: { methods: {} } }, 'fulfillment.methods'],
  [
    { line_items: [TENT], fulfillment: { methods: [{ groups: [7] }] } },
    'fulfillment.methods.0.groups.0',
  ],
])('%o is refused by the field %s', async (request, field) => {
  const { status, body } = await send('POST', SESSIONS, request, HOST)
  expect(status).toBe(400)
  expect(ProtocolError.parse(JSON.parse(body))).toMatchObject({
    code: 'invalid_request',
    content: expect.stringContaining(` ${field}: `),
  })
})

const CARD = '4242 4242 4242 4242'
const shippedTo = (change: object) => ({
  fulfillment: { methods: [{ type: 'shipping', destinations: [{ ...DESTINATION, ...change }] }] },
})

test.each<[string, string, string, object]>([
  ['for a buyer', 'POST', SESSIONS, { line_items: [TENT], buyer: { first_name: CARD } }],
  [
    'for a street',
    'POST',
    SESSIONS,
    { line_items: [TENT], ...shippedTo({ street_address: CARD }) },
  ],
  ['for the id of a line', 'POST', SESSIONS, { line_items: [{ ...TENT, id: CARD }] }],
  ['in an update', 'PUT', `${SESSIONS}/x`, { line_items: [TENT], buyer: { last_name: CARD } }],
  ['in a cart', 'POST', '/ucp/v1/carts', { line_items: [TENT], buyer: { first_name: CARD } }],
])('a card number %s is neither kept nor repeated', async (_, method, path, request) => {
  const { status, body } = await send(method, path, request, HOST)
  expect(status).toBe(400)
  expect(ProtocolError.parse(JSON.parse(body)).content).toContain('never a card number')
  expect(body).not.toContain(CARD)
})

test('telephone numbers and attribution are no card numbers', async () => {
  const phone_number = '+49 1512 3456787'
  const buyer = { first_name: 'Ada', phone_number }
  const attribution = { click: '4242424242424242' }
  const { status, body } = await send(
    'POST',
    SESSIONS,
    { line_items: [TENT], buyer, attribution },
    HOST,
  )
  expect([status, JSON.parse(body).buyer]).toEqual([201, buyer])
  expect(body).not.toMatch(/4242 ?4242/)
})
