import { expect, test } from 'vitest'
import { NOON, stockOf, testStore } from '../../testing/store.ts'
import { officialAcpAgent } from './testing/agent.ts'

let at = NOON.getTime()
const { ask, send, deps } = await testStore({}, { now: () => new Date(at) })
const { call, newKey } = officialAcpAgent(send)
const create = (body: object, headers = {}) => call('POST', '/acp/carts', body, headers)
const of = (id: string, method = 'GET', body?: object, headers = {}) =>
  call(method, `/acp/carts/${id}`, body, headers)

const ITEMS = { line_items: [{ id: 'ao-1101' }, { id: 'ao-1101' }, { id: 'ao-1001-s-pine' }] }

test('a cart: opened, read, replaced, canceled', async () => {
  const opened = await create({ ...ITEMS, buyer: { email: 'a@b.example' }, locale: 'en-US' })
  expect(opened.status).toBe(201)
  expect(opened.said).toEqual({
    id: expect.stringMatching(/^cart_/),
    line_items: [
      expect.objectContaining({ id: 'li_ao-1101', quantity: 2 }),
      expect.objectContaining({ id: 'li_ao-1001-s-pine', quantity: 1 }),
    ],
    buyer: { email: 'a@b.example' },
    currency: 'usd',
    totals: [
      { type: 'items_base_amount', display_text: 'Items', amount: 75_700 },
      { type: 'subtotal', display_text: 'Subtotal', amount: 75_700 },
      { type: 'total', display_text: 'Total', amount: 75_700 },
    ],
    messages: [],
    continue_url: 'https://shop.example/basket?items=ao-1101:2,ao-1001-s-pine:1',
    expires_at: '2026-06-02T12:00:00.000Z',
  })
  const { id } = opened.said
  expect((await of(id)).said).toEqual(opened.said)
  at += 1000
  const replaced = await of(id, 'PUT', { line_items: [{ id: 'ao-1101' }] })
  expect(replaced.said).toMatchObject({ id, expires_at: '2026-06-02T12:00:01.000Z' })
  expect(replaced.said.line_items).toHaveLength(1)
  expect(replaced.said).not.toHaveProperty('buyer')
  const headers = { 'idempotency-key': newKey() }
  const canceled = await of(`${id}/cancel`, 'POST', undefined, headers)
  expect([canceled.status, canceled.said]).toEqual([200, replaced.said])
  const again = await of(`${id}/cancel`, 'POST', undefined, headers)
  expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([canceled.body, 'true'])
  for (const gone of [await of(id), await of(id, 'PUT', ITEMS), await of(`${id}/cancel`, 'POST')]) {
    expect([gone.status, gone.said.code]).toEqual([404, 'not_found'])
  }
  at = NOON.getTime()
})

test('one key, one cart', async () => {
  const headers = { 'idempotency-key': newKey() }
  const first = await create(ITEMS, headers)
  expect((await create(ITEMS, headers)).body).toBe(first.body)
  const other = await create({ line_items: [{ id: 'ao-1101' }] }, headers)
  expect([other.status, other.said.code]).toEqual([422, 'idempotency_conflict'])
})

test('what is sold out stays in it, with a message; nothing else: 422', async () => {
  await stockOf(deps, 'ao-1101').setPieces(0)
  const { status, said } = await create(ITEMS)
  expect([status, said.line_items.length]).toEqual([201, 2])
  expect(said.messages).toMatchObject([{ code: 'out_of_stock', param: '$.line_items[0]' }])
  const none = await create({ line_items: [{ id: 'ao-1101' }] })
  expect([none.status, none.said.code]).toEqual([422, 'out_of_stock'])
  await stockOf(deps, 'ao-1101').setPieces(1000)
})

test('it is over after a day, and belongs to the agent that opened it', async () => {
  const { said } = await create(ITEMS)
  const other = officialAcpAgent(send, { token: 'other' })
  expect((await other.call('GET', `/acp/carts/${said.id}`)).status).toBe(404)
  const headers = { authorization: 'Bearer agent', 'api-version': '2026-04-17' }
  expect((await ask(`/acp/carts/${said.id}`, 'other.example', { headers })).status).toBe(404)
  at += 24 * 3_600_000
  expect((await of(said.id)).status).toBe(404)
  at = NOON.getTime()
})

test.each<[string, object, object, string]>([
  ['an item that is not sold', { line_items: [{ id: 'ao-9' }] }, {}, 'invalid_item_id'],
  ['too many', { line_items: [{ id: 'ao-1101', quantity: 100 }] }, {}, 'quantity_exceeded'],
  ['no items', {}, {}, 'missing_field'],
  ['no key', ITEMS, { 'idempotency-key': undefined }, 'idempotency_key_required'],
  [
    'a version that has no carts',
    ITEMS,
    { 'api-version': '2026-01-30' },
    'unsupported_api_version',
  ],
])('%s: 400', async (_, body, headers, code) => {
  const { status, said } = await create(body, headers)
  expect([status, said.code]).toEqual([400, code])
})
