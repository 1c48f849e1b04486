import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { sessions } from '../../db/tables.ts'
import { ADDRESS, acpAgent, FOR_CUSTOMERS, NOON, stockOf, testStore } from '../../testing/store.ts'

// Literal bodies, written from the specification: a mistake in the shared schemas cannot pass.

let at = NOON.getTime()
const { send, deps, bank } = await testStore({}, { now: () => new Date(at) })
const { create, open, update, complete, pay } = acpAgent(send)
const tents = stockOf(deps, 'ao-1101')

const TENT = { product_id: 'ao-1101', quantity: 1 }
const statusOf = async (id: string) =>
  (await deps.db.select().from(sessions).where(eq(sessions.id, id)))[0]?.status

describe('errors: code and message, as the table has them', () => {
  const refused = async (
    answer: Promise<{ status: number; headers: Headers; body: string }>,
    status: number,
    code: string,
  ) => {
    const { body, headers, ...said } = await answer
    expect(said.status).toBe(status)
    expect(headers.get('content-type')).toBe('application/json')
    const { fields, detail, ...error } = JSON.parse(body)
    expect(error).toEqual({ code, message: expect.stringMatching(FOR_CUSTOMERS) })
    return { ...error, fields, detail }
  }

  test('create 409 out_of_stock', async () => {
    await refused(create({ items: [{ product_id: 'ao-1120', quantity: 1 }] }), 409, 'out_of_stock')
    await stockOf(deps, 'ao-1102').setPieces(1)
    const line = { product_id: 'ao-1102', quantity: 1 }
    await refused(create({ items: [line, line] }), 409, 'out_of_stock')
  })

  test.each([
    ['of a country that does not exist', { ...ADDRESS, country: 'ZZ' }, 'country'],
    ['of no more than such a country', { country: 'ZZ' }, 'country'],
    ['with a blank street', { ...ADDRESS, street: ' ' }, 'street'],
    ['with a foreign postal code', { ...ADDRESS, zip: '1' }, 'zip'],
    ['of no more than that', { country: 'US', zip: 'K1A 0B1' }, 'zip'],
    ['with a number for a city', { city: 7 }, 'city'],
    ['with an endless name', { name: 'x'.repeat(201) }, 'name'],
    ['with a card number', { street: '4242 4242 4242 4242' }, 'street'],
    ['that is a string', 'Albany', 'shipping_address'],
    ['that is not there', undefined, 'shipping_address'],
  ])('create 422 invalid_address: an address %s', async (_, shipping_address, field) => {
    const error = await refused(create({ shipping_address }), 422, 'invalid_address')
    expect(error.fields).toEqual([field])
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
    const before = await tents.pieces()
    const id = await open()
    const error = await refused(pay(id, 'tok_declined'), 402, 'payment_declined')
    expect(error.message).toBe('Your card was declined.')
    expect(await statusOf(id)).toBe('pending_confirmation')
    expect(await tents.pieces()).toBe(before)
    expect((await complete(id)).status).toBe(200)
    const charges = bank.charges.filter(({ sessionId }) => sessionId === id)
    expect(charges.map(({ idempotencyKey }) => idempotencyKey)).toEqual([id, `${id}.1`])
    expect(await tents.pieces()).toBe(before - 1)
  })

  test('complete 409 out_of_stock: nothing is charged, and new stock completes it', async () => {
    const { pieces, setPieces } = stockOf(deps, 'ao-1103')
    await setPieces(2)
    const id = await open({ items: [{ product_id: 'ao-1103', quantity: 2 }] })
    await setPieces(1)
    await refused(complete(id), 409, 'out_of_stock')
    expect(await pieces()).toBe(1)
    expect(await statusOf(id)).toBe('pending_confirmation')
    expect(bank.calls.filter(({ sessionId }) => sessionId === id)).toEqual([])
    await setPieces(2)
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
    expect(JSON.stringify(error)).not.toMatch(/4242/)
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
      shipping_address: { ...ADDRESS, name },
      idempotency_key: key,
    })
  expect((await ask('a')).status).toBe(200)
  expect((await ask('a')).headers.get('idempotent-replayed')).toBe('true')
  expect((await ask('b')).status).toBe(200)
  const { status, headers, body } = await ask('c')
  expect(status).toBe(429)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60)
  expect(JSON.parse(body)).toEqual({
    code: 'rate_limited',
    message: expect.stringMatching(FOR_CUSTOMERS),
    detail: expect.stringContaining('Retry-After'),
  })
  expect((await ask('b')).status).toBe(200)
  expect((await ask('d', 'Charles Babbage')).status).toBe(200)
})
