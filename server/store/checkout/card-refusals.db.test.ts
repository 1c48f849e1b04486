import { expect, test } from 'vitest'
import { idempotency_keys, orders, psp_events, sessions, webhook_deliveries } from '../db/tables.ts'
import { ADDRESS, acpAgent, FOR_CUSTOMERS, testStore } from '../testing/store.ts'

/** A number that card issuers keep for tests. */
const CARD = '4242424242424242'
const SPACED = '4242 4242 4242 4242'

const { send, deps, bank, reported } = await testStore()
const { create, open, complete } = acpAgent(send)
const toUcp = (change: object, headers: Record<string, string> = {}, path = '/ucp/checkout') =>
  send(
    'POST',
    path,
    { items: [{ product_id: 'ao-1101', quantity: 1 }], shipping_address: ADDRESS, ...change },
    undefined,
    headers,
  )

/** Every row of every table, as text. */
async function everythingKept(): Promise<string> {
  const tables = [sessions, orders, idempotency_keys, webhook_deliveries, psp_events]
  const rows = await Promise.all(tables.map((table) => deps.db.select().from(table)))
  return JSON.stringify(rows)
}

test('a key that is a card number works as any other, and is not kept', async () => {
  const opened = await create({ idempotency_key: CARD })
  expect(opened.status).toBe(200)
  const again = await create({ idempotency_key: CARD })
  expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([opened.body, 'true'])
  const id = JSON.parse(opened.body).checkout_id
  const same = await complete(id, { idempotency_key: CARD })
  expect(same.said.detail).toContain('must differ')
  expect((await complete(id, { idempotency_key: SPACED })).status).toBe(200)

  const cart = await toUcp({}, { 'idempotency-key': CARD })
  const path = `/ucp/checkout/${JSON.parse(cart.body).checkout_id}/confirm`
  const payment = {
    shipping_option_id: 'standard',
    payment_method: { type: 'card', token: 'tok_visa' },
  }
  expect((await toUcp(payment, { 'idempotency-key': CARD }, path)).status).toBe(422)
  expect((await toUcp(payment, { 'idempotency-key': SPACED }, path)).status).toBe(200)
  const kept = await everythingKept()
  expect(kept).toContain(id)
  expect(kept).not.toMatch(/4242 ?4242/)
})

test.each(['name', 'street', 'city', 'state', 'zip'])(
  'no address has one in its %s',
  async (name) => {
    const shipping_address = { ...ADDRESS, country: 'GB', [name]: SPACED }
    const acp = await create({ shipping_address })
    expect([acp.status, JSON.parse(acp.body)]).toEqual([
      422,
      {
        code: 'invalid_address',
        message: expect.stringMatching(/^We could not ship to this address: please check the \w/),
        fields: [name],
      },
    ])
    const ucp = await toUcp({ shipping_address })
    expect(ucp.status).toBe(422)
    expect(JSON.parse(ucp.body).error).toMatchObject({ code: 'invalid_address', fields: [name] })
  },
)

test.each<[string, object]>([
  ['a field beside the token', { payment_method: { type: 'card', token: 'tok_visa', pan: CARD } }],
  ['the token', { payment_method: { type: 'card', token: SPACED } }],
  ['the shipping option', { shipping_option_id: CARD }],
  ['a field that nobody reads', { notes: { card: SPACED } }],
  ['a number', { card: Number(CARD) }],
])('a completion has none in %s', async (_, change) => {
  const id = await open()
  const { status, body, said } = await complete(id, change)
  expect([status, said.code]).toEqual([422, 'validation_error'])
  expect(said.message).toMatch(FOR_CUSTOMERS)
  expect(said.detail).toMatch(/^Send a token of the payment provider, never a card number\./)
  expect(body).not.toMatch(/4242 ?4242/)
  const ucp = await toUcp(
    { shipping_option_id: 'standard', ...change },
    {},
    `/ucp/checkout/x/confirm`,
  )
  expect(JSON.parse(ucp.body).error).toMatchObject({ message: said.message, detail: said.detail })
})

test.each([
  `x${CARD}`,
  SPACED,
  '4242_4242_4242_4242',
  `my card ${SPACED}`,
  { pan: CARD },
  Number(CARD),
])(
  'an AI surface with one, %j, stops no purchase, and is neither kept nor reported',
  async (ai_surface) => {
    const before = reported.length
    expect((await create({ ai_surface })).status).toBe(200)
    expect((await toUcp({ ai_surface })).status).toBe(200)
    const events = reported.slice(before)
    expect(events).toHaveLength(2)
    for (const event of events) expect(event).not.toHaveProperty('ai_surface')
    expect(JSON.stringify(events)).not.toMatch(/4242 ?4242/)
  },
)

test('after all of it: one number in no table, no charge and no report', async () => {
  expect(await everythingKept()).not.toMatch(/4242[ _]?4242/)
  expect(JSON.stringify([bank.charges, reported])).not.toMatch(/4242[ _]?4242/)
})
