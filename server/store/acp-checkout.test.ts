import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { sessions, stock } from './db/tables.ts'
import { NOON, testStore } from './testing.ts'

// Literal bodies, written from the specification: a mistake in the shared schemas cannot pass.

let at = NOON.getTime()
const now = () => new Date(at)
const { ask, send, deps, bank, reported } = await testStore({}, { now })

const SHIPPING_ADDRESS = {
  name: 'Ada Byron',
  street: '1 Analytical Way',
  city: 'Albany',
  state: 'NY',
  zip: '12207',
  country: 'US',
}
const TENT = { product_id: 'ao-1101', quantity: 2 }
const VISA = { type: 'card', token: 'tok_visa' }

let keys = 0
const newKey = () => `key-${(keys += 1)}`

const create = (change: object = {}) =>
  send('POST', '/acp/checkout/create', {
    items: [TENT],
    shipping_address: SHIPPING_ADDRESS,
    idempotency_key: newKey(),
    ...change,
  })
const open = async (change: object = {}): Promise<string> =>
  JSON.parse((await create(change)).body).checkout_id
const update = (id: string, body: object) => send('PATCH', `/acp/checkout/${id}/update`, body)
const complete = (id: string, change: object = {}) =>
  send('POST', `/acp/checkout/${id}/complete`, {
    payment_method: VISA,
    shipping_option_id: 'standard',
    idempotency_key: newKey(),
    ...change,
  })
const statusOf = async (id: string) =>
  (await deps.db.select().from(sessions).where(eq(sessions.id, id)))[0]?.status
const piecesOf = async (id: string) =>
  (await deps.db.select().from(stock).where(eq(stock.offer_id, id)))[0]?.quantity ?? -1
const setPieces = (id: string, quantity: number) =>
  deps.db.update(stock).set({ quantity }).where(eq(stock.offer_id, id))

test('create: a session that waits for its confirmation, for fifteen minutes', async () => {
  const { status, headers, body } = await create({
    items: [TENT, { product_id: 'ao-1001', variant_id: 'ao-1001-s-pine', quantity: 1 }],
  })
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/json')
  expect(JSON.parse(body)).toEqual({
    checkout_id: expect.stringMatching(/^checkout_/),
    status: 'pending_confirmation',
    items: [
      {
        product_id: 'ao-1101',
        name: 'Arete 1 Tent',
        quantity: 2,
        unit_price: { amount: 28900, currency: 'USD' },
      },
      {
        product_id: 'ao-1001',
        variant_id: 'ao-1001-s-pine',
        name: 'Skarn Rain Jacket',
        quantity: 1,
        unit_price: { amount: 17900, currency: 'USD' },
      },
    ],
    subtotal: { amount: 75700, currency: 'USD' },
    shipping_options: [
      {
        id: 'standard',
        name: 'Standard (3 to 5 days)',
        cost: { amount: 0, currency: 'USD' },
      },
      {
        id: 'express',
        name: 'Express (next working day)',
        cost: { amount: 1800, currency: 'USD' },
      },
    ],
    tax_estimate: { amount: 6056, currency: 'USD' },
    expires_at: '2026-06-01T12:15:00.000Z',
  })
})

test('update: the selected shipping and the total', async () => {
  const id = await open()
  const { status, body } = await update(id, { shipping_option_id: 'express' })
  expect(status).toBe(200)
  expect(JSON.parse(body)).toEqual({
    checkout_id: id,
    status: 'pending_confirmation',
    selected_shipping: {
      id: 'express',
      name: 'Express (next working day)',
      cost: { amount: 1800, currency: 'USD' },
    },
    total: { amount: 57800 + 4624 + 1800, currency: 'USD' },
  })
  expect(JSON.parse((await update(id, {})).body).selected_shipping.id).toBe('express')
  const empty = await update(await open(), {})
  expect(JSON.parse(empty.body)).toMatchObject({
    selected_shipping: null,
    total: { amount: 57800 + 4624 },
  })
})

test('complete: the order, its number and its receipt; one charge of the total', async () => {
  const before = await piecesOf('ao-1101')
  const id = await open()
  await update(id, { shipping_option_id: 'express' })
  // The option of the update stands: the body's is applied where there was none.
  const { status, body } = await complete(id, { shipping_option_id: 'standard' })
  expect(status).toBe(200)
  expect(JSON.parse(body)).toEqual({
    order_id: expect.stringMatching(/^order_/),
    status: 'confirmed',
    total: { amount: 64224, currency: 'USD' },
    estimated_delivery: '2026-06-02',
    confirmation_number: expect.stringMatching(/^AO-[2-9A-Z]{4}-[2-9A-Z]{4}$/),
    receipt_url: expect.stringMatching(/^https:\/\/shop\.example\/receipts\/[\w-]{43}$/),
  })
  expect(bank.charges.filter(({ sessionId }) => sessionId === id)).toMatchObject([
    { amount: { amount: 64224, currency: 'USD' }, token: 'tok_visa', idempotencyKey: id },
  ])
  expect(await piecesOf('ao-1101')).toBe(before - 2)
  expect(await statusOf(id)).toBe('completed')

  const receipt = await ask(new URL(JSON.parse(body).receipt_url).pathname)
  expect(receipt.status).toBe(200)
  expect(receipt.body).toContain(JSON.parse(body).confirmation_number)
  expect((await ask(`/receipts/${'x'.repeat(43)}`)).status).toBe(404)
})

test('what is reported of it', async () => {
  const id = await open({ ai_surface: 'chat_assistant' })
  await complete(id, { payment_method: { type: 'card', token: 'tok_declined' } })
  await complete(id)
  expect(reported.filter(({ session_id }) => session_id === id)).toEqual(
    [
      ['ai_checkout_initiated', 62424],
      ['ai_checkout_failed', 62424],
      ['ai_checkout_completed', 62424],
    ].map(([event, value]) => ({
      event,
      domain: 'shop.example',
      session_id: id,
      source: 'acp',
      ai_surface: 'chat_assistant',
      properties: { value, currency: 'USD' },
      timestamp: NOON.toISOString(),
    })),
  )
})

describe('errors: code and message, as the table has them', () => {
  const refused = async (
    answer: Promise<{ status: number; headers: Headers; body: string }>,
    status: number,
    code: string,
  ) => {
    const { body, headers, ...said } = await answer
    expect(said.status).toBe(status)
    expect(headers.get('content-type')).toBe('application/json')
    expect(JSON.parse(body)).toEqual({ code, message: expect.stringMatching(/^[A-Z].*\.$/) })
    return JSON.parse(body)
  }

  test('create 409 out_of_stock', async () => {
    await refused(create({ items: [{ product_id: 'ao-1120', quantity: 1 }] }), 409, 'out_of_stock')
    await setPieces('ao-1102', 1)
    const line = { product_id: 'ao-1102', quantity: 1 }
    await refused(create({ items: [line, line] }), 409, 'out_of_stock')
  })

  test.each([
    ['without a country', { country: undefined }, 'country'],
    ['of a country that does not exist', { country: 'ZZ' }, 'country'],
    ['without a street', { street: ' ' }, 'street'],
    ['with a foreign postal code', { zip: '1' }, 'zip'],
  ])('create 422 invalid_address: an address %s', async (_, change, field) => {
    const shipping_address = { ...SHIPPING_ADDRESS, ...change }
    const error = await refused(create({ shipping_address }), 422, 'invalid_address')
    expect(error.message).toContain(field)
  })

  test.each([
    ['a quantity of 0', { items: [{ ...TENT, quantity: 0 }] }],
    ['a quantity of 1.5', { items: [{ ...TENT, quantity: 1.5 }] }],
    ['a quantity of a billion', { items: [{ ...TENT, quantity: 1e9 }] }],
    ['a quantity of 2^53', { items: [{ ...TENT, quantity: 2 ** 53 }] }],
    ['a variant of another product', { items: [{ ...TENT, variant_id: 'ao-1001-s-pine' }] }],
    ['no variant', { items: [{ product_id: 'ao-1001', quantity: 1 }] }],
    ['no items', { items: [] }],
    ['no idempotency key', { idempotency_key: undefined }],
    ['a key beyond measure', { idempotency_key: 'k'.repeat(256) }],
  ])('create 422 validation_error: %s', async (_, change) => {
    await refused(create(change), 422, 'validation_error')
  })

  test('complete 402 payment_declined; another token still completes it', async () => {
    const before = await piecesOf('ao-1101')
    const id = await open()
    const declined = { payment_method: { type: 'card', token: 'tok_declined' } }
    const error = await refused(complete(id, declined), 402, 'payment_declined')
    expect(error.message).toBe('Your card was declined.')
    expect(await statusOf(id)).toBe('pending_confirmation')
    expect(await piecesOf('ao-1101')).toBe(before)
    expect((await complete(id)).status).toBe(200)
    const charges = bank.charges.filter(({ sessionId }) => sessionId === id)
    expect(charges.map(({ idempotencyKey }) => idempotencyKey)).toEqual([id, `${id}.1`])
    expect(await piecesOf('ao-1101')).toBe(before - 2)
  })

  test('complete 409 out_of_stock: nothing is charged, and new stock completes it', async () => {
    await setPieces('ao-1103', 2)
    const id = await open({ items: [{ product_id: 'ao-1103', quantity: 2 }] })
    await setPieces('ao-1103', 1)
    await refused(complete(id), 409, 'out_of_stock')
    expect(await piecesOf('ao-1103')).toBe(1)
    expect(await statusOf(id)).toBe('pending_confirmation')
    expect(bank.calls.filter(({ sessionId }) => sessionId === id)).toEqual([])
    await setPieces('ao-1103', 2)
    expect((await complete(id)).status).toBe(200)
  })

  test('complete 410 session_expired, from the moment of expires_at on', async () => {
    const [id, inTime] = [await open(), await open()]
    at += 15 * 60_000 - 1
    expect((await complete(inTime)).status).toBe(200)
    at += 1
    await refused(complete(id), 410, 'session_expired')
    await refused(update(id, {}), 410, 'session_expired')
    expect(await statusOf(id)).toBe('expired')
    // An order stays what it is.
    expect((await complete(inTime)).status).toBe(200)
    at = NOON.getTime()
  })

  test.each([
    ['no payment method', { payment_method: undefined }],
    ['no token', { payment_method: { type: 'card' } }],
    ['no type', { payment_method: { token: 'tok_visa' } }],
    ['a type that the PSP does not take', { payment_method: { type: 'cash', token: 'tok_visa' } }],
    ['no idempotency key', { idempotency_key: undefined }],
    ['an unknown shipping option', { shipping_option_id: 'teleport' }],
    ['no shipping option, now or before', { shipping_option_id: undefined }],
    ['a card number', { payment_method: { type: 'card', token: '4242 4242 4242 4242' } }],
    ['a card', { payment_method: { type: 'card', token: 't', number: 4242424242424242 } }],
  ])('complete 422 validation_error: %s', async (_, change) => {
    const id = await open()
    const error = await refused(complete(id, change), 422, 'validation_error')
    expect(error.message).not.toMatch(/4242/)
    expect(await statusOf(id)).toBe('pending_confirmation')
    expect((await complete(id)).status).toBe(200)
  })

  test('update 422 and 409, and 404 for what is not there', async () => {
    const id = await open()
    await refused(update(id, { shipping_option_id: 'teleport' }), 422, 'validation_error')
    await complete(id)
    await refused(update(id, { shipping_option_id: 'express' }), 409, 'session_closed')
    await refused(update('nope', {}), 404, 'session_not_found')
    await refused(complete('nope'), 404, 'session_not_found')
  })
})

test('create 429 rate_limited: per buyer, with the seconds to wait', async () => {
  const store = await testStore({}, { quota: { requests: 2, seconds: 60 } })
  const ask = (key: string, name = 'Ada Byron') =>
    store.send('POST', '/acp/checkout/create', {
      items: [TENT],
      shipping_address: { ...SHIPPING_ADDRESS, name },
      idempotency_key: key,
    })
  expect((await ask('a')).status).toBe(200)
  expect((await ask('a')).headers.get('idempotent-replayed')).toBe('true')
  expect((await ask('b')).status).toBe(200)
  const { status, headers, body } = await ask('c')
  expect(status).toBe(429)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(50)
  expect(JSON.parse(body)).toEqual({
    code: 'rate_limited',
    message: expect.stringMatching(/^[A-Z].*\.$/),
  })
  expect((await ask('b')).status).toBe(200)
  expect((await ask('d', 'Charles Babbage')).status).toBe(200)
})

test('a price that changes after the session was created is not charged', async () => {
  const { products } = await import('./db/tables.ts')
  const id = await open({ items: [{ product_id: 'ao-1105', quantity: 1 }] })
  const [row] = await deps.db.select().from(products).where(eq(products.id, 'ao-1105'))
  if (!row) throw new Error('no product')
  const { article } = row
  const dearer = { ...article, price: { amount: article.price.amount + 1000, currency: 'USD' } }
  await deps.db.update(products).set({ article: dearer }).where(eq(products.id, 'ao-1105'))
  const total = JSON.parse((await complete(id)).body).total.amount
  const tax = Math.round(article.price.amount * 0.08)
  expect(total).toBe(article.price.amount + tax)
  const next = JSON.parse((await create({ items: [{ product_id: 'ao-1105', quantity: 1 }] })).body)
  expect(next.subtotal.amount).toBe(dearer.price.amount)
  const page = await ask('/products/ao-1105')
  expect(page.body).toContain(`$${dearer.price.amount / 100}.00`)
})
