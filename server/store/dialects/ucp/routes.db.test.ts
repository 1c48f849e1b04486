import { describe, expect, test } from 'vitest'
import { testStore } from '../../testing/store.ts'
import { ProtocolError } from './testing/schemas.ts'

const { ask, send } = await testStore()
const HOST = 'ucp.example'

describe.each([
  ['/ucp/mcp', 'POST'],
  ['/ucp/v1/checkout-sessions', 'POST'],
  ['/ucp/v1/checkout-sessions/x', 'GET, PUT'],
  ['/ucp/v1/checkout-sessions/x/complete', 'POST'],
  ['/ucp/v1/checkout-sessions/x/cancel', 'POST'],
  ['/ucp/v1/catalog/search', 'POST'],
  ['/ucp/v1/catalog/lookup', 'POST'],
  ['/ucp/v1/catalog/product', 'POST'],
])('%s', (path, methods) => {
  test('OPTIONS names its methods', async () => {
    const { status, headers, body } = await ask(path, HOST, { method: 'OPTIONS' })
    expect([status, headers.get('allow'), body]).toEqual([204, `${methods}, OPTIONS`, ''])
  })

  test.each(['GET', 'PUT', 'POST', 'PATCH', 'DELETE'])('%s', async (method) => {
    const { status, headers, body } = await ask(path, HOST, { method })
    if (methods.includes(method)) return expect(status).not.toBe(405)
    expect([status, headers.get('allow')]).toEqual([405, `${methods}, OPTIONS`])
    expect(ProtocolError.parse(JSON.parse(body))).toMatchObject({
      code: 'method_not_allowed',
      content: `Use one of ${methods}, OPTIONS.`,
    })
  })
})

test('HEAD is GET without a body', async () => {
  const path = '/ucp/v1/checkout-sessions'
  const { body } = await send(
    'POST',
    path,
    { line_items: [{ item: { id: 'ao-1101' }, quantity: 1 }] },
    HOST,
  )
  const head = await ask(`${path}/${JSON.parse(body).id}`, HOST, { method: 'HEAD' })
  expect([head.status, head.body]).toEqual([200, ''])
})

test.each([
  ['GET', '/ucp/v1/wishlists', undefined, 404, 'not_found'],
  ['GET', '/ucp/v1/carts', undefined, 405, 'method_not_allowed'],
  ['POST', '/ucp/v1/catalog/search', 'x'.repeat(65 * 1024), 413, 'too_large'],
])('%s %s: a protocol error', async (method, path, body, status, code) => {
  const answer = await ask(path, HOST, { method, ...(body && { body }) })
  expect(answer.status).toBe(status)
  expect(ProtocolError.parse(JSON.parse(answer.body)).code).toBe(code)
})

test.each([
  ['POST', '/ucp/v1/checkout-sessions'],
  ['PUT', '/ucp/v1/checkout-sessions/x'],
  ['POST', '/ucp/v1/checkout-sessions/x/complete'],
  ['POST', '/ucp/v1/carts'],
  ['POST', '/ucp/v1/catalog/search'],
])('%s %s: a body that is not JSON is named as such', async (method, path) => {
  const { status, body } = await send(method, path, '{bad', HOST)
  expect([status, ProtocolError.parse(JSON.parse(body)).content]).toEqual([
    400,
    'The body is not valid JSON.',
  ])
})
