import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BuyerOperation, Wanted } from '../operation.ts'
import type { Session } from '../session.ts'
import { specUcp } from './spec.ts'
import { blankSession } from './spec-answers.ts'
import { answered } from './testing/answered.ts'
import { hostileAnswers } from './testing/hostile.ts'

// Literal bodies, written from the specification: a mistake in the shared schemas cannot pass.

const ucp = specUcp({
  checkout: 'https://shop.example/api/cart?v=1',
  orders: 'https://shop.example/api/orders/',
})

const ADDRESS = {
  name: 'Ada Byron',
  street: '1 Analytical Way',
  city: 'Albany',
  state: 'NY',
  zip: '12207',
  country: 'US',
}
const WANTED: Wanted = {
  lines: [
    { product_id: 'p1', variant_id: 'p1-s', quantity: 2 },
    { product_id: 'p2', variant_id: null, quantity: 1 },
  ],
  address: ADDRESS,
  option: 'express',
  coupon: null,
  currency: 'USD',
}
const usd = (amount: number) => ({ amount, currency: 'USD' })
const CART = {
  checkout_id: 'c1',
  subtotal: usd(3000),
  shipping_options: [
    { id: 'standard', name: 'Standard', cost: usd(0) },
    { id: 'express', name: 'Express', cost: usd(1800) },
  ],
  tax: usd(240),
  expires_at: '2026-06-01T12:20:00.000Z',
}
const CONFIRMED = {
  order_id: 'o1',
  status: 'confirmed',
  total: usd(5040),
  estimated_delivery: '2026-06-06',
  confirmation_number: 'AO-1',
}
const last = blankSession()
const open: BuyerOperation = { op: 'open', wanted: WANTED, key: 'k1', dryRun: false }
const complete: BuyerOperation = {
  op: 'complete',
  id: 'c/1',
  last,
  wanted: WANTED,
  payment: { token: 'tok', handler: null },
  key: 'k2',
}
const cancel: BuyerOperation = { op: 'cancel', id: 'c1', key: 'k3' }
const order: BuyerOperation = { op: 'order', id: 'o1' }
const change: BuyerOperation = { op: 'change', id: 'c1', last, wanted: WANTED, key: 'k4' }

const sessionOf = (operation: BuyerOperation, body: unknown, status = 200): Session => {
  const reply = ucp.read(operation, answered(status, body))
  if (reply.is !== 'session') throw new Error(`It is ${JSON.stringify(reply)}.`)
  return reply.session
}
const refusalOf = (
  operation: BuyerOperation,
  status: number,
  body: unknown,
  type = 'application/json',
) => {
  const reply = ucp.read(operation, answered(status, body, { type }))
  if (reply.is !== 'refused') throw new Error(`It is ${JSON.stringify(reply)}.`)
  return reply.refusal
}

describe('what is sent', () => {
  test('a cart, under its key', () => {
    expect(ucp.call(open)).toEqual({
      over: 'http',
      method: 'POST',
      url: 'https://shop.example/api/cart?v=1',
      headers: { 'idempotency-key': 'k1' },
      json: {
        items: [
          { product_id: 'p1', variant_id: 'p1-s', quantity: 2 },
          { product_id: 'p2', quantity: 1 },
        ],
        shipping_address: ADDRESS,
      },
    })
  })

  test('a dry run keeps nothing, and has no key', () => {
    const call = ucp.call({ ...open, dryRun: true })
    expect(call).toMatchObject({ json: { dry_run: true, shipping_address: ADDRESS } })
    expect(call?.over === 'http' && call.headers).toEqual({})
  })

  test('the payment, below the address of the checkout', () => {
    expect(ucp.call(complete)).toEqual({
      over: 'http',
      method: 'POST',
      url: 'https://shop.example/api/cart/c%2F1/confirm?v=1',
      headers: { 'idempotency-key': 'k2' },
      json: { shipping_option_id: 'express', payment_method: { type: 'card', token: 'tok' } },
    })
    const without = { ...complete, wanted: { ...WANTED, option: null } }
    expect(ucp.call(without)).toMatchObject({
      json: { payment_method: { type: 'card', token: 'tok' } },
    })
  })

  test('the cancellation, without a body', () => {
    expect(ucp.call(cancel)).toEqual({
      over: 'http',
      method: 'POST',
      url: 'https://shop.example/api/cart/c1/cancel?v=1',
      headers: { 'idempotency-key': 'k3' },
    })
  })

  test.each([
    ['https://shop.example/api/orders/', 'https://shop.example/api/orders/o1'],
    [null, 'https://shop.example/ucp/orders/o1'],
  ])('the order, of %s', (orders, url) => {
    const dialect = specUcp({ checkout: 'https://shop.example/api/cart', orders })
    expect(dialect.call(order)).toEqual({ over: 'http', method: 'GET', url, headers: {} })
  })

  test('a cart can neither be read nor changed', () => {
    expect(ucp.call({ op: 'read', id: 'c1' })).toBeNull()
    expect(ucp.call(change)).toBeNull()
  })

  test('an id of half a character is sent all the same', () => {
    expect(ucp.call({ op: 'order', id: '\ud800' })).toMatchObject({ url: /%EF%BF%BD$/ })
  })
})

describe('a cart', () => {
  test('is ready, and states its parts, but neither lines nor a total', () => {
    expect(sessionOf(open, CART)).toEqual({
      ...blankSession(),
      id: 'c1',
      phase: 'ready',
      currency: 'USD',
      subtotal: 3000,
      parts: [
        { name: 'subtotal', amount: 3000 },
        { name: 'tax', amount: 240 },
      ],
      shipping: [
        { id: 'standard', name: 'Standard', cost: 0 },
        { id: 'express', name: 'Express', cost: 1800 },
      ],
      expires_at: '2026-06-01T12:20:00.000Z',
    })
  })

  const { checkout_id, tax, expires_at, ...rest } = CART
  test.each<[string, unknown, Partial<Session>]>([
    [
      'without an id',
      { ...rest, tax, expires_at },
      { id: null, phase: null, faults: [{ field: 'checkout_id', problem: 'is missing' }] },
    ],
    [
      'without a way to ship',
      { ...CART, shipping_options: [] },
      { phase: 'open', shipping: [], faults: [] },
    ],
    [
      'without shipping at all',
      { ...CART, shipping_options: 'free' },
      { phase: 'open', faults: [{ field: 'shipping_options', problem: 'must be a list' }] },
    ],
    [
      'with an option that cannot be chosen',
      { ...CART, shipping_options: [{ name: 'Express', cost: usd(1800) }] },
      {
        phase: 'open',
        shipping: [],
        faults: [{ field: 'shipping_options[0].id', problem: 'is missing' }],
      },
    ],
    [
      'with amounts as text',
      { ...CART, subtotal: { amount: '30.00', currency: 'USD' } },
      {
        subtotal: null,
        currency: 'USD',
        faults: [{ field: 'subtotal.amount', problem: expect.stringMatching(/^expected an int/) }],
      },
    ],
    [
      'with a currency that is none',
      { ...CART, subtotal: { amount: 3000, currency: 'US$' } },
      {
        subtotal: 3000,
        currency: 'US$',
        faults: [{ field: 'subtotal.currency', problem: expect.any(String), about: 'currency' }],
      },
    ],
    [
      'without a currency, which is a missing field',
      { ...CART, tax: { amount: 1 } },
      { faults: [{ field: 'tax.currency', problem: expect.any(String) }] },
    ],
    [
      'with a currency that is not a string, which is of the wrong form',
      { ...CART, tax: { amount: 1, currency: null } },
      { faults: [{ field: 'tax.currency', problem: expect.any(String) }] },
    ],
    [
      'with shipping in another currency, which has no cost here',
      {
        ...CART,
        shipping_options: [{ id: 's', name: 'S', cost: { amount: 5, currency: 'EUR' } }],
      },
      { shipping: [{ id: 's', name: 'S', cost: null }], faults: [] },
    ],
    [
      'that does not say when it ends',
      { ...rest, checkout_id, tax },
      {
        expires_at: null,
        faults: [{ field: 'expires_at', problem: expect.any(String), about: 'expiry' }],
      },
    ],
    [
      'that ends at a local time',
      { ...CART, expires_at: '2026-06-01T12:20:00' },
      {
        expires_at: '2026-06-01T12:20:00',
        faults: [{ field: 'expires_at', problem: expect.any(String), about: 'expiry' }],
      },
    ],
    ['with nothing right', { id: 1 }, { id: null, phase: null, subtotal: null, currency: null }],
  ])('%s', (_, body, shows) => {
    expect(sessionOf(open, body)).toMatchObject(shows)
    if (shows.faults) expect(sessionOf(open, body).faults).toEqual(shows.faults)
  })

  test.each([
    ['.'],
    ['..'],
    [''],
    ['\ud800'],
    [' '],
    ['x'.repeat(2001)],
    [7],
    [null],
    [{ toString: 'c1' }],
    [['c1']],
  ])('whose id is %j cannot be named again', (checkout_id) => {
    expect(sessionOf(open, { ...CART, checkout_id })).toMatchObject({ id: null, phase: null })
  })

  test('may have a long id', () => {
    const checkout_id = 'x'.repeat(2000)
    expect(sessionOf(open, { ...CART, checkout_id })).toMatchObject({ id: checkout_id })
  })

  test('has at most ten faults', () => {
    const shipping_options = Array.from({ length: 900 }, () => ({}))
    expect(sessionOf(open, { ...CART, shipping_options }).faults).toHaveLength(10)
  })
})

describe('a payment', () => {
  test('that went through', () => {
    expect(sessionOf(complete, CONFIRMED)).toEqual({
      ...blankSession(),
      id: 'c/1',
      phase: 'completed',
      said: 'confirmed',
      currency: 'USD',
      total: 5040,
      order: { id: 'o1', url: null },
    })
  })

  test('that is under way has an order, and is not done', () => {
    const waits = { ...CONFIRMED, status: 'awaiting_payment' }
    expect(sessionOf(complete, waits, 202)).toMatchObject({
      phase: 'paying',
      order: { id: 'o1', url: null },
      faults: [],
    })
  })

  test('of which nobody can say what became', () => {
    expect(sessionOf(complete, { status: 'ok' })).toMatchObject({
      phase: null,
      said: 'ok',
      order: null,
      faults: expect.arrayContaining([
        { field: 'order_id', problem: 'is missing' },
        { field: 'status', problem: 'expected "confirmed"' },
      ]),
    })
  })
})

test.each([
  [{ checkout_id: 'c1', status: 'canceled' }, 'canceled'],
  [{ status: 'cancelled' }, 'canceled'],
  [{ status: 'completed' }, 'completed'],
  [{ ok: true }, null],
] as const)('a cancellation answered %j: %s', (body, phase) => {
  expect(sessionOf(cancel, body)).toMatchObject({ phase, faults: [] })
})

test.each([
  [
    { order_id: 'o1', status: 'confirmed', total: usd(5040) },
    { id: 'o1', status: 'confirmed', total: usd(5040) },
  ],
  [{ order: { id: 'o1', status: 'shipped' } }, { id: 'o1', status: 'shipped', total: null }],
  [
    { order_id: 7, total: '50.40' },
    { id: null, status: null, total: null },
  ],
])('an order answered %j', (body, view) => {
  expect(ucp.read(order, answered(200, body))).toEqual({ is: 'order', order: view })
})

const error = (code: string, more: object = {}) => ({
  error: { code, message: 'We are sorry.', retryable: false, ...more },
})
const HTML = '<!doctype html><title>Oops</title>'

describe('a refusal', () => {
  test.each([
    [complete, 402, 'payment_failed', 'payment'],
    [complete, 409, 'out_of_stock', 'sold_out'],
    [complete, 410, 'session_expired', 'ended'],
    [open, 422, 'invalid_address', 'address'],
    // Under any status: the specification has none.
    [open, 200, 'out_of_stock', 'sold_out'],
    [open, 500, 'invalid_address', 'address'],
    [complete, 400, 'session_expired', 'ended'],
    [open, 422, 'unknown_product', 'unknown_item'],
    [open, 422, 'unknown_variant', 'unknown_item'],
    [open, 404, 'no_such_thing', 'unknown_item'],
    [open, 404, 'not_found', 'other'],
    [open, 422, 'too_many_items', 'quantity'],
    [open, 422, 'idempotency_conflict', 'conflict'],
    [open, 429, 'rate_limited', 'too_many'],
    [open, 429, 'slow_down', 'too_many'],
    [open, 401, 'unknown_product', 'caller'],
    [open, 403, 'forbidden', 'caller'],
    [open, 500, 'internal_error', 'failed'],
    [open, 503, 'unknown_variant', 'failed'],
    [open, 422, 'invalid_request', 'invalid'],
    [open, 400, 'bad', 'invalid'],
    [open, 409, 'busy', 'other'],
    [complete, 404, 'session_not_found', 'ended'],
    [complete, 409, 'session_closed', 'ended'],
    [order, 404, 'order_not_found', 'other'],
    [open, 200, 'whatever', 'other'],
  ] as const)('of %j with %i %s is about %s', (operation, status, code, reason) => {
    expect(refusalOf(operation, status, error(code))).toEqual({
      status,
      code,
      text: 'We are sorry.',
      reason,
      fault: null,
    })
  })

  test.each([
    [
      'a page',
      open,
      500,
      HTML,
      'text/html',
      { reason: 'failed', fault: { field: null, problem: 'is not JSON' } },
    ],
    [
      'JSON as text',
      open,
      422,
      error('invalid_address'),
      'text/plain',
      {
        reason: 'address',
        text: 'We are sorry.',
        fault: { field: null, problem: 'is not sent as application/json' },
      },
    ],
    [
      'no JSON',
      open,
      422,
      'nope',
      'application/json',
      { reason: 'invalid', code: null, fault: { field: null, problem: 'is not JSON' } },
    ],
    [
      'no envelope',
      open,
      422,
      { message: 'Bad request' },
      'application/json',
      {
        code: null,
        text: 'Bad request',
        fault: { field: 'error', problem: 'is malformed: error is missing' },
      },
    ],
    [
      'ACP’s form',
      open,
      409,
      { code: 'out_of_stock', message: 'Sold out.' },
      'application/json',
      {
        reason: 'sold_out',
        code: 'out_of_stock',
        text: 'Sold out.',
        fault: { field: 'error', problem: 'is malformed: error is missing' },
      },
    ],
    [
      'no sentence',
      open,
      409,
      { error: { code: 'out_of_stock', retryable: false } },
      'application/json',
      {
        text: null,
        fault: { field: 'error.message', problem: 'is malformed: error.message is missing' },
      },
    ],
    [
      'an empty sentence',
      open,
      409,
      error('out_of_stock', { message: ' ' }),
      'application/json',
      { text: null },
    ],
    [
      'not whether to try again',
      open,
      409,
      error('out_of_stock', { retryable: undefined }),
      'application/json',
      { fault: { field: 'error.retryable', problem: 'is malformed: error.retryable is missing' } },
    ],
    [
      'retryable as text',
      open,
      409,
      error('out_of_stock', { retryable: 'no' }),
      'application/json',
      {
        fault: {
          field: 'error.retryable',
          problem: 'is malformed: error.retryable must be true or false',
        },
      },
    ],
    [
      'a list',
      open,
      422,
      [error('x')],
      'application/json',
      { code: null, fault: { field: null, problem: 'is not a JSON object' } },
    ],
    // These may be of what stands before the store.
    [
      'a wall',
      open,
      403,
      HTML,
      'text/html',
      { reason: 'caller', code: null, text: null, fault: null },
    ],
    ['a limit', open, 429, HTML, 'text/html', { reason: 'too_many', fault: null }],
    [
      'a code in place of a cart',
      open,
      200,
      { code: 'out_of_stock' },
      'application/json',
      { reason: 'sold_out', fault: { field: 'error', problem: 'is malformed: error is missing' } },
    ],
  ] as const)('with %s', (_, operation, status, body, type, shows) => {
    expect(refusalOf(operation, status, body, type)).toMatchObject(shows)
  })

  test('a cart with a code of its own is a cart', () => {
    expect(sessionOf(open, { ...CART, code: 'SPRING', error: null }).id).toBe('c1')
  })
})

test.each([
  ['a page', answered(200, HTML, { type: 'text/html' })],
  ['a redirect', answered(308, '', { location: 'https://shop.example/b' })],
  ['a list', answered(200, [CART])],
  ['a text', answered(200, '"c1"')],
])('%s is no cart that an agent can read', (_, seen) => {
  expect(ucp.read(open, seen).is).toBe('unreadable')
})

test('whatever a store answers is read, and is small', () => {
  fc.assert(
    fc.property(
      hostileAnswers(CART, CONFIRMED, error('out_of_stock', { items: ['a'] })),
      fc.constantFrom(open, complete, cancel, order, change, { op: 'read', id: 'c' } as const),
      (seen, operation) => {
        const reply = ucp.read(operation, seen)
        expect(JSON.stringify(reply).length).toBeLessThan(20_000)
        if (reply.is !== 'session') return
        const { session } = reply
        for (const amount of [session.subtotal, session.total]) {
          expect(amount === null || Number.isSafeInteger(amount)).toBe(true)
        }
        // Whatever id it gave leads below the address that we know.
        const { id } = session
        if (id === null) return
        const call = ucp.call({ ...cancel, id })
        expect(call?.over === 'http' && new URL(call.url).pathname).toMatch(
          /^\/api\/cart\/[^/]+\/cancel$/,
        )
      },
    ),
  )
})
