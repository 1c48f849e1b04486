import { Script } from 'node:vm'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { completeCheckout } from '../checkout/checkout.ts'
import { orders } from '../db/tables.ts'
import { orderOfSession } from '../orders/orders.ts'
import { testStore } from '../testing/store.ts'
import { actionOf } from './addresses.ts'
import { openOfficial } from './testing/session.ts'

const { ask, deps } = await testStore()
const ORIGIN = 'https://shop.example'
const BANK = 'https://bank.example/challenge?a=1&b=2'

/** An order whose payment waits for its bank. */
async function challenged() {
  const id = await openOfficial(deps)
  await completeCheckout(deps, {
    protocol: 'ucp_official',
    id,
    keyed: null,
    shippingOptionId: undefined,
    judge: () => ({ payment: { type: 'card', token: 'tok_pending' } }),
  })
  const change = async (change: Partial<typeof orders.$inferInsert>) => {
    await deps.db.update(orders).set(change).where(eq(orders.session_id, id))
    return (await orderOfSession(deps.db, id))!
  }
  const order = await change({ challenge_url: BANK })
  const action = actionOf(order, ORIGIN)!
  return { order, action, change, path: new URL(action.url).pathname }
}

test('the page of an Action leads to the bank, and may stand in a platform’s frame', async () => {
  const { action, path } = await challenged()
  expect(action.url).toBe(`${ORIGIN}/3ds/${action.id}`)
  const { status, headers, body } = await ask(path)
  expect(status).toBe(200)
  expect(body).toContain(
    `<a href="${BANK.replaceAll('&', '&amp;')}" class="button" target="_blank" rel="noopener noreferrer">`,
  )
  expect(body).toContain(`data-id="${action.id}" data-version="2026-08-25" data-state="waiting"`)
  expect(body).not.toContain('Ada')
  expect(headers.get('content-security-policy')).toContain('frame-ancestors https:')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(JSON.parse((await ask(`${path}/state`)).body)).toEqual({ state: 'waiting' })
})

test.each(['confirmed', 'payment_failed'] as const)(
  'it is done when its order is %s',
  async (status) => {
    const { change, path } = await challenged()
    expect(actionOf(await change({ status }), ORIGIN)).toBeNull()
    expect(JSON.parse((await ask(`${path}/state`)).body)).toEqual({ state: 'done' })
    const { body } = await ask(path)
    expect(body).not.toContain(BANK)
    expect(body).toContain('data-state="done"')
  },
)

test('another payment of the order has another Action', async () => {
  const { action, change, path } = await challenged()
  const next = actionOf(await change({ payment_id: 'pay_another' }), ORIGIN)
  expect(next?.id).not.toBe(action.id)
  const { status, body } = await ask(path)
  expect(status).toBe(404)
  expect(body).not.toContain(BANK)
})

test.each([
  ['another shop’s host', (path: string) => [path, 'other.example'] as const],
  ['the order’s id alone', (path: string) => [path.replace(/_[^_]*$/, ''), undefined] as const],
  ['a wrong hash', (path: string) => [path.replace(/.$/, 'x'), undefined] as const],
  ['no text', () => ['/3ds/%00', undefined] as const],
])('%s opens nothing', async (_, change) => {
  const { path } = await challenged()
  const [asked, host] = change(path)
  const { status, body } = await ask(asked, host)
  expect(status).toBe(404)
  expect(body).not.toContain('bank.example')
})

test('a payment without a challenge has no Action', async () => {
  const { change } = await challenged()
  expect(actionOf(await change({ challenge_url: null }), ORIGIN)).toBeNull()
})

test('its script is one', async () => {
  const { headers, body } = await ask('/scripts/action.js')
  expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(() => new Script(body)).not.toThrow()
})
