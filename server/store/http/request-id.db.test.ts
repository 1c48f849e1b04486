import { expect, test } from 'vitest'
import { acpAgent, testStore } from '../testing/store.ts'

const failures: [message: string, requestId: string][] = []
const { ask, send, deps } = await testStore({
  onError: ({ message }, requestId) => failures.push([message, requestId]),
})
const { open, complete } = acpAgent(send)
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

const idOf = async (path: string, headers: Record<string, string> = {}) =>
  (await ask(path, undefined, { headers })).headers.get('x-request-id')

test.each(['/', '/nothing', '/ucp/products', '/acp/orders/nope', '/ucp/checkout', '/metrics'])(
  '%s is answered with an id of its own',
  async (path) => {
    const first = await idOf(path)
    expect(first).toMatch(UUID)
    expect(await idOf(path)).not.toBe(first)
  },
)

test('the client’s own id comes back if it is usable', async () => {
  expect(await idOf('/ucp/products', { 'x-request-id': 'agent-7.1' })).toBe('agent-7.1')
  expect(await idOf('/ucp/products', { 'request-id': 'agent-7.2' })).toBe('agent-7.2')
  for (const odd of ['', 'two words', 'x'.repeat(129), '<b>', '4242-4242-4242-4242']) {
    expect(await idOf('/ucp/products', { 'x-request-id': odd })).toMatch(UUID)
  }
})

test('a repeated call has an id of its own, and the same body', async () => {
  const id = await open()
  const first = await complete(id, { idempotency_key: 'k1' })
  const again = await complete(id, { idempotency_key: 'k1' })
  expect(again.body).toBe(first.body)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
})

test('what is our fault is reported with the id', async () => {
  const id = await open()
  failures.splice(0)
  deps.onStep = () => {
    throw new Error('disk full')
  }
  const broken = await complete(id)
  delete deps.onStep
  expect(broken.said).toEqual({
    code: 'internal_error',
    message: 'Something went wrong on our side. Please try again.',
  })
  const { find } = deps.psp
  deps.psp.find = () => Promise.reject(new Error('down'))
  const doubt = await complete(id, { payment_method: { type: 'card', token: 'tok_lost' } })
  deps.psp.find = find
  expect([broken.status, doubt.status]).toEqual([500, 503])
  expect(failures).toEqual([
    ['disk full', broken.headers.get('x-request-id')],
    ['Answered with 503.', doubt.headers.get('x-request-id')],
  ])
})
