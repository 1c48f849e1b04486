import { expect, test } from 'vitest'
import { testStore } from '../../testing/store.ts'
import { payBy } from './testing/agent.ts'
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
