import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BuyerOperation, Wanted } from '../operation.ts'
import type { Session } from '../session.ts'
import { specAcp } from './spec.ts'
import { blankSession } from './spec-answers.ts'
import { answered } from './testing/answered.ts'
import { hostileAnswers } from './testing/hostile.ts'

// Literal bodies, written from the specification: a mistake in the shared schemas cannot pass.

const acp = specAcp({ origin: 'https://shop.example' })

const WANTED: Wanted = {
  lines: [
    { product_id: 'p1', variant_id: 'p1-s', quantity: 2 },
    { product_id: 'p2', variant_id: null, quantity: 1 },
  ],
  address: { country: 'US', zip: '12207' },
  option: 'express',
  coupon: null,
  currency: 'USD',
}
const usd = (amount: number) => ({ amount, currency: 'USD' })
const EXPRESS = { id: 'express', name: 'Express', cost: usd(1800) }
const CREATED = {
  checkout_id: 'c1',
  status: 'pending_confirmation',
  items: [
    { product_id: 'p1', variant_id: 'p1-s', name: 'Tent, S', quantity: 2, unit_price: usd(1000) },
    { product_id: 'p2', name: 'Peg', quantity: 1, unit_price: usd(1000) },
  ],
  subtotal: usd(3000),
  shipping_options: [EXPRESS],
  tax_estimate: usd(240),
  expires_at: '2026-06-01T12:15:00.000Z',
}
const UPDATED = {
  checkout_id: 'c1',
  status: 'pending_confirmation',
  selected_shipping: EXPRESS,
  total: usd(5040),
}
const COMPLETED = {
  order_id: 'o1',
  status: 'confirmed',
  total: usd(5040),
  estimated_delivery: '2026-06-06',
  confirmation_number: 'AO-1',
  receipt_url: 'https://shop.example/receipts/1',
}

const open: BuyerOperation = { op: 'open', wanted: WANTED, key: 'k1', dryRun: false }
const readOf = (operation: BuyerOperation, body: unknown, status = 200) =>
  acp.read(operation, answered(status, body))
const sessionOf = (operation: BuyerOperation, body: unknown, status = 200): Session => {
  const reply = readOf(operation, body, status)
  if (reply.is !== 'session') throw new Error(`It is ${JSON.stringify(reply)}.`)
  return reply.session
}
const last = sessionOf(open, CREATED)
const change: Extract<BuyerOperation, { op: 'change' }> = {
  op: 'change',
  id: 'c1',
  last,
  wanted: WANTED,
  key: 'k2',
}
const complete: BuyerOperation = {
  op: 'complete',
  id: 'c1',
  last,
  wanted: WANTED,
  payment: { token: 'tok', handler: null },
  key: 'k3',
}
const cancel: BuyerOperation = { op: 'cancel', id: 'c/$&1', key: 'k4' }
const order: BuyerOperation = { op: 'order', id: 'o1' }

describe('what is sent', () => {
  test('a session, its key in the body', () => {
    expect(acp.call(open)).toEqual({
      over: 'http',
      method: 'POST',
      url: 'https://shop.example/acp/checkout/create',
      headers: {},
      json: {
        items: [
          { product_id: 'p1', variant_id: 'p1-s', quantity: 2 },
          { product_id: 'p2', quantity: 1 },
        ],
        shipping_address: { country: 'US', zip: '12207' },
        idempotency_key: 'k1',
      },
    })
  })

  test('no dry run, since each create keeps a session', () => {
    expect(acp.can.dryRun).toBe(false)
    expect(acp.call({ ...open, dryRun: true })).toBeNull()
  })

  test('the option, and nothing else, in an update', () => {
    expect(acp.call(change)).toEqual({
      over: 'http',
      method: 'PATCH',
      url: 'https://shop.example/acp/checkout/c1/update',
      headers: {},
      json: { shipping_option_id: 'express' },
    })
  })

  test('the payment, under a key of its own', () => {
    expect(acp.call(complete)).toEqual({
      over: 'http',
      method: 'POST',
      url: 'https://shop.example/acp/checkout/c1/complete',
      headers: {},
      json: {
        shipping_option_id: 'express',
        payment_method: { type: 'card', token: 'tok' },
        idempotency_key: 'k3',
      },
    })
  })

  test('the cancellation, without a body', () => {
    expect(acp.call(cancel)).toEqual({
      over: 'http',
      method: 'POST',
      url: 'https://shop.example/acp/checkout/c%2F%24%261/cancel',
      headers: {},
    })
  })

  test('the order', () => {
    expect(acp.call(order)).toEqual({
      over: 'http',
      method: 'GET',
      url: 'https://shop.example/acp/orders/o1',
      headers: {},
    })
    expect(acp.call({ op: 'read', id: 'c1' })).toBeNull()
  })
})

describe('a created session', () => {
  test('is ready, with lines and prices, and without a total', () => {
    expect(last).toEqual({
      ...blankSession(),
      id: 'c1',
      phase: 'ready',
      said: 'pending_confirmation',
      currency: 'USD',
      lines: [
        { id: null, item: 'p1-s', title: 'Tent, S', quantity: 2, price: 1000 },
        { id: null, item: 'p2', title: 'Peg', quantity: 1, price: 1000 },
      ],
      subtotal: 3000,
      parts: [
        { name: 'subtotal', amount: 3000 },
        { name: 'tax_estimate', amount: 240 },
      ],
      shipping: [{ id: 'express', name: 'Express', cost: 1800 }],
      expires_at: '2026-06-01T12:15:00.000Z',
    })
  })

  const { status: _, tax_estimate, ...rest } = CREATED
  test.each<[string, unknown, Partial<Session>]>([
    [
      'without a status',
      { ...rest, tax_estimate },
      { phase: 'ready', said: null, faults: [{ field: 'status', problem: 'is missing' }] },
    ],
    [
      'in a word of its own',
      { ...CREATED, status: 'open' },
      { phase: 'ready', said: 'open', faults: [] },
    ],
    ['that is over already', { ...CREATED, status: 'expired' }, { phase: 'expired' }],
    ['without a way to ship', { ...CREATED, shipping_options: [] }, { phase: 'open' }],
    [
      'without a tax, of which no sum is known',
      { ...rest, status: 'pending_confirmation' },
      {
        subtotal: 3000,
        parts: null,
        faults: [{ field: 'tax_estimate', problem: expect.any(String) }],
      },
    ],
    [
      'with a line that says nothing',
      { ...CREATED, items: [{ product_id: 'p1', quantity: '2', unit_price: 10.5 }] },
      {
        lines: [{ id: null, item: 'p1', quantity: null, price: null }],
        faults: [
          { field: 'items[0].name', problem: 'is missing' },
          { field: 'items[0].quantity', problem: 'must be a number' },
          { field: 'items[0].unit_price', problem: 'must be an object' },
        ],
      },
    ],
    [
      'with a currency that is none',
      { ...CREATED, tax_estimate: { amount: 240, currency: 'dollars' } },
      {
        faults: [
          { field: 'tax_estimate.currency', problem: expect.any(String), about: 'currency' },
        ],
      },
    ],
  ])('%s', (_name, body, shows) => {
    expect(sessionOf(open, body)).toMatchObject(shows)
    if (shows.faults) expect(sessionOf(open, body).faults).toEqual(shows.faults)
  })
})

describe('an updated session', () => {
  test('has a total, what it is made of, and what could be chosen before', () => {
    expect(sessionOf(change, UPDATED)).toEqual({
      ...blankSession(),
      id: 'c1',
      isEstimate: true,
      phase: 'ready',
      said: 'pending_confirmation',
      currency: 'USD',
      total: 5040,
      parts: [
        { name: 'subtotal', amount: 3000 },
        { name: 'tax_estimate', amount: 240 },
        { name: 'shipping', amount: 1800 },
      ],
      shipping: last.shipping,
      chosen: 'express',
    })
  })

  test('a second one has the new shipping alone', () => {
    const again = { ...change, last: sessionOf(change, UPDATED) }
    const slow = { ...EXPRESS, id: 'standard', cost: usd(0) }
    expect(sessionOf(again, { ...UPDATED, selected_shipping: slow }).parts).toEqual([
      { name: 'subtotal', amount: 3000 },
      { name: 'tax_estimate', amount: 240 },
      { name: 'shipping', amount: 0 },
    ])
  })

  test.each<[string, object, Partial<Session>]>([
    [
      'nothing is chosen',
      { selected_shipping: null, total: usd(3240) },
      { chosen: null, parts: last.parts, faults: [] },
    ],
    [
      'it does not say what is chosen',
      { selected_shipping: undefined },
      {
        chosen: null,
        parts: null,
        faults: [{ field: 'selected_shipping', problem: 'is missing' }],
      },
    ],
    [
      'shipping has no price',
      { selected_shipping: { id: 'express' } },
      { chosen: 'express', parts: null },
    ],
    [
      'the currency is another',
      {
        total: { amount: 5040, currency: 'EUR' },
        selected_shipping: { ...EXPRESS, cost: { amount: 1800, currency: 'EUR' } },
      },
      { currency: 'EUR', total: 5040, parts: null },
    ],
    ['other options are offered', { shipping_options: [] }, { shipping: [] }],
    ['there is no total', { total: '50.40' }, { total: null, currency: null }],
  ])('%s', (_name, body, shows) => {
    expect(sessionOf(change, { ...UPDATED, ...body })).toMatchObject(shows)
  })

  test('nothing is known of the sum where nothing was before', () => {
    expect(sessionOf({ ...change, last: blankSession() }, UPDATED).parts).toBeNull()
  })
})

describe('a payment', () => {
  test('that went through; the tax may be another by then', () => {
    expect(sessionOf(complete, COMPLETED)).toEqual({
      ...blankSession(),
      id: 'c1',
      phase: 'completed',
      said: 'confirmed',
      currency: 'USD',
      total: 5040,
      order: { id: 'o1', url: 'https://shop.example/receipts/1' },
    })
  })

  test.each([[undefined], [7], ['javascript:alert(1)'], ['data:text/html,x']])(
    'the receipt %j is not opened',
    (receipt_url) => {
      expect(sessionOf(complete, { ...COMPLETED, receipt_url }).order).toEqual({
        id: 'o1',
        url: null,
      })
    },
  )

  test('without a receipt it is not whole', () => {
    const faults = [{ field: 'receipt_url', problem: 'is missing' }]
    expect(sessionOf(complete, { ...COMPLETED, receipt_url: undefined }).faults).toEqual(faults)
  })

  test('that is under way', () => {
    const waits = { ...COMPLETED, status: 'awaiting_payment' }
    expect(sessionOf(complete, waits, 202)).toMatchObject({ phase: 'paying', faults: [] })
  })
})

test('a cancellation', () => {
  expect(sessionOf(cancel, { checkout_id: 'c1', status: 'canceled' })).toMatchObject({
    id: 'c1',
    phase: 'canceled',
    faults: [],
  })
})

test('an order', () => {
  expect(readOf(order, { order_id: 'o1', status: 'confirmed', total: usd(5040) })).toEqual({
    is: 'order',
    order: { id: 'o1', status: 'confirmed', total: usd(5040) },
  })
})

describe('a refusal', () => {
  test.each([
    [open, 409, 'out_of_stock', 'sold_out'],
    [open, 422, 'invalid_address', 'address'],
    [open, 429, 'rate_limited', 'too_many'],
    [complete, 402, 'payment_declined', 'payment'],
    [complete, 409, 'out_of_stock', 'sold_out'],
    [complete, 410, 'session_expired', 'ended'],
    [complete, 422, 'validation_error', 'invalid'],
    [open, 422, 'unknown_variant', 'unknown_item'],
    [change, 404, 'session_not_found', 'ended'],
    [change, 409, 'session_closed', 'ended'],
    [open, 422, 'idempotency_conflict', 'conflict'],
    [open, 500, 'internal_error', 'failed'],
  ] as const)(
    'of %j with %i %s is about %s, in either envelope',
    (operation, status, code, reason) => {
      const error = { code, message: 'We are sorry.' }
      const refusal = { status, code, text: 'We are sorry.', reason, fault: null }
      expect(readOf(operation, error, status)).toEqual({ is: 'refused', refusal })
      expect(readOf(operation, { error }, status)).toEqual({ is: 'refused', refusal })
    },
  )

  test.each([
    [
      open,
      200,
      { code: 'out_of_stock', message: 'Sold out.' },
      { reason: 'sold_out', fault: { field: null, problem: 'is sent with the status 200' } },
    ],
    [
      open,
      200,
      { error: { code: 'x', message: 'No.' } },
      { reason: 'other', fault: { field: null, problem: 'is sent with the status 200' } },
    ],
    [
      open,
      409,
      { code: 'out_of_stock' },
      { text: null, fault: { field: 'message', problem: 'is malformed: message is missing' } },
    ],
    [open, 200, { error: 'Sold out.' }, { code: null, text: 'Sold out.' }],
    [
      open,
      422,
      { error: { code: 'x' } },
      { fault: { field: 'error.message', problem: 'is malformed: error.message is missing' } },
    ],
    [
      open,
      422,
      {},
      {
        code: null,
        reason: 'invalid',
        fault: { field: 'code', problem: 'is malformed: code is missing' },
      },
    ],
  ] as const)('%j with %i %j', (operation, status, body, refusal) => {
    expect(readOf(operation, body, status)).toMatchObject({ is: 'refused', refusal })
  })
})

test('whatever a store answers is read, and is small', () => {
  fc.assert(
    fc.property(
      hostileAnswers(CREATED, UPDATED, COMPLETED, { code: 'out_of_stock', message: 'Sold out.' }),
      fc.constantFrom(open, complete, cancel, order, change, { op: 'read', id: 'c' } as const),
      (seen, operation) => {
        const reply = acp.read(operation, seen)
        if (reply.is !== 'session') {
          expect(JSON.stringify(reply).length).toBeLessThan(20_000)
          return
        }
        const { lines, ...session } = reply.session
        expect(JSON.stringify(session).length).toBeLessThan(20_000)
        for (const { amount } of session.parts ?? [])
          expect(Number.isSafeInteger(amount)).toBe(true)
        for (const { quantity, price } of lines ?? []) {
          for (const it of [quantity, price]) expect(it === null || Number.isInteger(it)).toBe(true)
        }
        // What it answered is what the next call is made of.
        const next = acp.read({ ...change, last: reply.session }, answered(200, UPDATED))
        expect(next.is).toBe('session')
        const { id } = session
        if (id === null) return
        const call = acp.call({ ...cancel, id })
        expect(call?.over === 'http' && new URL(call.url).pathname).toMatch(
          /^\/acp\/checkout\/[^/]+\/cancel$/,
        )
      },
    ),
  )
})
