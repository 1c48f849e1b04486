import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { applyPaymentEvent } from '../../checkout/payment-events.ts'
import { orders, products, stock } from '../../db/tables.ts'
import { ADDRESS, FOR_CUSTOMERS, NOON, testStore } from '../../testing/store.ts'

// Literal bodies, written from the specification: a mistake in the shared schemas cannot pass.

let at = NOON.getTime()
const { ask, send, deps, bank } = await testStore({}, { now: () => new Date(at) })

/** A number that card issuers keep for tests. */
const CARD = '4242 4242 4242 4242'
const SPOON = { product_id: 'ao-1412', quantity: 2 }
const withKey = (key: string | undefined) => (key === undefined ? {} : { 'Idempotency-Key': key })

const create = (change: object = {}, key?: string) =>
  send(
    'POST',
    '/ucp/checkout',
    { items: [SPOON], shipping_address: ADDRESS, ...change },
    undefined,
    withKey(key),
  )
const open = async (change: object = {}): Promise<string> =>
  JSON.parse((await create(change)).body).checkout_id
const confirm = (id: string, change: object = {}, key?: string) =>
  send(
    'POST',
    `/ucp/checkout/${id}/confirm`,
    {
      shipping_option_id: 'standard',
      payment_method: { type: 'card', token: 'tok_visa' },
      ...change,
    },
    undefined,
    withKey(key),
  )

test('confirm: the confirmation, without a receipt; then the order can be asked for', async () => {
  const id = await open()
  const { status, headers, body } = await confirm(id)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/json')
  expect(headers.get('cache-control')).toBe('no-store')
  const confirmation = JSON.parse(body)
  expect(confirmation).toEqual({
    order_id: expect.stringMatching(/^order_/),
    status: 'confirmed',
    total: { amount: 2 * 1200 + 192 + 600, currency: 'USD' },
    estimated_delivery: '2026-06-06',
    confirmation_number: expect.stringMatching(/^AO-/),
  })
  const { order_id } = confirmation
  const order = {
    order_id,
    status: 'confirmed',
    confirmation_number: confirmation.confirmation_number,
    items: [
      {
        product_id: 'ao-1412',
        variant_id: null,
        name: expect.any(String),
        quantity: 2,
        unit_price: { amount: 1200, currency: 'USD' },
      },
    ],
    subtotal: { amount: 2400, currency: 'USD' },
    shipping: {
      id: 'standard',
      name: 'Standard (3 to 5 days)',
      cost: { amount: 600, currency: 'USD' },
    },
    tax: { amount: 192, currency: 'USD' },
    total: { amount: 3192, currency: 'USD' },
    estimated_delivery: '2026-06-06',
    tracking: null,
    created_at: '2026-06-01T12:00:00.000Z',
    updated_at: '2026-06-01T12:00:00.000Z',
  }
  for (const answer of [
    await ask(`/ucp/orders/${order_id}`),
    await ask(`/ucp/orders?order_id=${order_id}`),
    await send('POST', '/ucp/orders', { order_id }),
    await ask(`/acp/orders/${order_id}`),
  ]) {
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.body)).toEqual(order)
  }
})

describe('errors: code, message and retryable, as the table has them', () => {
  const error = (body: string) => JSON.parse(body).error
  const sentence = expect.stringMatching(FOR_CUSTOMERS)

  test('payment_failed', async () => {
    const id = await open()
    const declined = { payment_method: { type: 'card', token: 'tok_declined' } }
    const { status, body } = await confirm(id, declined)
    expect(status).toBe(402)
    expect(JSON.parse(body)).toEqual({
      error: { code: 'payment_failed', message: sentence, retryable: true },
    })
    // Another way of shipping is as good as another token: UCP confirms both at once.
    const again = await confirm(id, { shipping_option_id: 'express' })
    expect(JSON.parse(again.body).total).toEqual({ amount: 2400 + 192 + 1800, currency: 'USD' })
  })

  test('out_of_stock at confirmation, with the ids of what is gone', async () => {
    const jacket = { product_id: 'ao-1001', variant_id: 'ao-1001-s-pine', quantity: 1 }
    const id = await open({ items: [SPOON, jacket] })
    await deps.db.update(stock).set({ quantity: 0 }).where(eq(stock.offer_id, 'ao-1001-s-pine'))
    const { status, body } = await confirm(id)
    expect(status).toBe(409)
    expect(JSON.parse(body)).toEqual({
      error: {
        code: 'out_of_stock',
        message: sentence,
        retryable: false,
        items: ['ao-1001-s-pine'],
      },
    })
    const atCreation = await create({ items: [jacket] })
    expect([atCreation.status, error(atCreation.body).items]).toEqual([409, ['ao-1001-s-pine']])
    const catalog = JSON.parse((await ask('/ucp/products?q=Skarn%20Rain%20Jacket')).body)
    const [{ availability, variants }] = catalog.products
    expect(availability).toBe('in_stock')
    expect(variants.find(({ id }: { id: string }) => id === 'ao-1001-s-pine').availability).toBe(
      'out_of_stock',
    )
  })

  test('invalid_address, with the fields', async () => {
    const { country, ...nowhere } = ADDRESS
    const { status, body } = await create({ shipping_address: nowhere })
    expect([status, JSON.parse(body)]).toEqual([
      422,
      {
        error: {
          code: 'invalid_address',
          message: sentence,
          retryable: true,
          fields: ['country'],
        },
      },
    ])
  })

  test('session_expired', async () => {
    const id = await open()
    at += 20 * 60_000
    const { status, body } = await confirm(id)
    expect(status).toBe(410)
    expect(JSON.parse(body)).toEqual({
      error: { code: 'session_expired', message: sentence, retryable: false },
    })
    at = NOON.getTime()
  })

  test.each<[string, string, object, number, string]>([
    ['no option', '', { shipping_option_id: undefined }, 422, 'invalid_request'],
    ['an unknown option', '', { shipping_option_id: 'x' }, 422, 'invalid_request'],
    ['no payment', '', { payment_method: undefined }, 422, 'invalid_request'],
    ['a card', '', { payment_method: { type: 'card', token: CARD } }, 422, 'invalid_request'],
    ['no such session', 'nope', {}, 404, 'session_not_found'],
  ])('%s', async (_, id, change, status, code) => {
    const answer = await confirm(id || (await open()), change)
    expect(answer.status).toBe(status)
    const { fields: __, detail, ...plain } = error(answer.body)
    expect(plain).toEqual({ code, message: sentence, retryable: false })
    expect(detail).toMatch(/^[A-Z].*\.$/)
  })

  test.each([
    ['/ucp/orders/nope', 404, 'order_not_found'],
    ['/ucp/orders?order_id=nope', 404, 'order_not_found'],
    ['/ucp/orders', 422, 'invalid_request'],
  ])('%s is %i', async (path, status, code) => {
    const answer = await ask(path)
    expect([answer.status, error(answer.body).code]).toEqual([status, code])
  })
})

test('too many carts of one buyer are refused; a dry run is none', async () => {
  const store = await testStore({}, { quota: { requests: 1, seconds: 60 } })
  const cart = (dry_run: boolean) => {
    const body = { items: [SPOON], shipping_address: ADDRESS, dry_run }
    return store.send('POST', '/ucp/checkout', body)
  }
  const statuses = [
    (await cart(true)).status,
    (await cart(true)).status,
    (await cart(false)).status,
  ]
  expect(statuses).toEqual([200, 200, 200])
  const { status, headers, body } = await cart(false)
  expect(status).toBe(429)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(JSON.parse(body).error).toMatchObject({ code: 'rate_limited', retryable: true })
})

test('a session belongs to the protocol that opened it', async () => {
  const id = await open()
  const complete = await send('POST', `/acp/checkout/${id}/complete`, {
    payment_method: { type: 'card', token: 'tok_visa' },
    shipping_option_id: 'standard',
    idempotency_key: 'k',
  })
  expect(complete.status).toBe(404)
  expect((await send('PATCH', `/acp/checkout/${id}/update`, {})).status).toBe(404)
})

test('Idempotency-Key: the same answer, one session, one order', async () => {
  const first = await create({}, 'create-1')
  const again = await create({}, 'create-1')
  expect(again.body).toBe(first.body)
  expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([
    null,
    'true',
  ])
  const other = await create({ items: [{ ...SPOON, quantity: 3 }] }, 'create-1')
  expect([other.status, JSON.parse(other.body).error.code]).toEqual([422, 'idempotency_conflict'])
  // Spacing and the order of fields are not another body.
  const { state, ...rest } = ADDRESS
  const spaced = await create({ shipping_address: { state: ` ${state}`, ...rest } }, 'create-1')
  expect(spaced.body).toBe(first.body)
  expect((await create({ dry_run: true }, 'create-1')).status).toBe(200)

  const { checkout_id } = JSON.parse(first.body)
  const confirmed = await confirm(checkout_id, {}, 'confirm-1')
  expect((await confirm(checkout_id, {}, 'confirm-1')).body).toBe(confirmed.body)
  expect((await confirm(checkout_id)).body).toBe(confirmed.body)
  const changed = await confirm(checkout_id, { shipping_option_id: 'express' }, 'confirm-1')
  expect(changed.status).toBe(422)
  expect((await confirm(checkout_id, {}, 'create-1')).status).toBe(422)
  expect((await confirm(checkout_id, {}, 'k'.repeat(256))).status).toBe(422)
  expect(bank.paid().filter(({ sessionId }) => sessionId === checkout_id)).toHaveLength(1)
  const made = await deps.db.select().from(orders).where(eq(orders.session_id, checkout_id))
  expect(made).toHaveLength(1)
})

test('a preorder is delivered after it can leave', async () => {
  const { products } = JSON.parse((await ask('/ucp/products?availability=preorder')).body)
  const [{ id: product_id, variants }] = products
  const variant_id = variants?.[0].id
  const id = await open({ items: [{ product_id, quantity: 1, ...(variant_id && { variant_id }) }] })
  expect(JSON.parse((await confirm(id)).body).estimated_delivery).toBe('2026-07-06')
})

test('confirm: a price that changed since the cart is charged as it was quoted', async () => {
  const cart = JSON.parse((await create()).body)
  const [row] = await deps.db.select().from(products).where(eq(products.id, SPOON.product_id))
  if (!row) throw new Error('no product')
  const price = { amount: 1300, currency: 'USD' }
  const set = (article: typeof row.article) =>
    deps.db.update(products).set({ article }).where(eq(products.id, SPOON.product_id))
  await set({ ...row.article, price })
  const { status, body } = await confirm(cart.checkout_id)
  await set(row.article)
  const amount = cart.subtotal.amount + cart.tax.amount + cart.shipping_options[0].cost.amount
  expect([status, JSON.parse(body).total.amount]).toEqual([200, amount])
  expect(bank.charges.at(-1)?.amount).toEqual({ amount, currency: 'USD' })
})

test('Idempotency-Key: the cart as it stands now', async () => {
  const first = await create({}, 'create-2')
  const { checkout_id } = JSON.parse(first.body)
  const pending = { payment_method: { type: 'card', token: 'tok_pending' } }
  expect((await confirm(checkout_id, pending)).status).toBe(202)
  at += 60 * 60_000
  const type = 'payment_intent.payment_failed'
  const paymentId = bank.charges.at(-1)?.result.paymentId ?? null
  const event = { id: 'evt_late', type, name: type, paymentId, sessionId: checkout_id } as const
  await applyPaymentEvent(deps, 'scripted', { ...event, amount: null })
  const again = await create({}, 'create-2')
  expect(JSON.parse(again.body)).toEqual({
    ...JSON.parse(first.body),
    expires_at: '2026-06-01T13:20:00.000Z',
  })
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect((await confirm(checkout_id)).status).toBe(200)
  at = NOON.getTime()
})
