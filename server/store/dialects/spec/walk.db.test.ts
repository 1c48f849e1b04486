import { describe, expect, test } from 'vitest'
import { specAcp, specUcp } from '../../../../shared/walk/dialects/spec.ts'
import { blankSession } from '../../../../shared/walk/dialects/spec-answers.ts'
import type { BuyerOperation, Wanted } from '../../../../shared/walk/operation.ts'
import type { Session, WalkReply } from '../../../../shared/walk/session.ts'
import { ADDRESS, NOON, stockOf, testStore } from '../../testing/store.ts'
import { walkedIn } from '../../testing/walked.ts'

// A buyer of the specification's dialects, in the store as it is.

let now = NOON
const { ask, deps, bank } = await testStore({}, { now: () => now })
const SHOP = 'https://shop.example'
const ucp = {
  ...walkedIn(ask, specUcp({ checkout: `${SHOP}/ucp/checkout`, orders: null })),
  item: (code: string, reason: string) => ({ code, reason }),
  declined: 'payment_failed',
  receipt: null,
}
const acp = {
  ...walkedIn(ask, specAcp({ origin: SHOP })),
  item: () => ({ code: 'validation_error', reason: 'invalid' }),
  declined: 'payment_declined',
  receipt: expect.stringMatching(/^https:.*receipts/),
}
const DIALECTS = [
  ['UCP', ucp],
  ['ACP', acp],
] as const

const JACKET = { product_id: 'ao-1001', variant_id: 'ao-1001-s-pine', quantity: 1 }
const TENT = { product_id: 'ao-1101', variant_id: null, quantity: 2 }
const EXPRESS = 17900 + 1432 + 1800
const wanting = (change: Partial<Wanted> = {}): Wanted => ({
  lines: [JACKET],
  address: ADDRESS,
  option: null,
  coupon: null,
  currency: 'USD',
  ...change,
})
const newKey = () => crypto.randomUUID()
const opening = (change: Partial<Wanted> = {}, key = newKey(), dryRun = false) =>
  ({ op: 'open', wanted: wanting(change), key, dryRun }) satisfies BuyerOperation
const choosing = (last: Session, option: string, id = last.id ?? '') =>
  ({ op: 'change', id, last, wanted: wanting({ option }), key: newKey() }) satisfies BuyerOperation
const paying = (
  last: Session,
  { token = 'tok_visa', key = newKey(), option = 'express', id = last.id ?? '' } = {},
) =>
  ({
    op: 'complete',
    id,
    last,
    wanted: wanting({ option }),
    payment: { token, handler: null },
    key,
  }) satisfies BuyerOperation
const canceling = ({ id }: Session) =>
  ({ op: 'cancel', id: id ?? '', key: newKey() }) satisfies BuyerOperation
const refused = (reply: WalkReply) => (reply.is === 'refused' ? reply.refusal : reply)
const SENTENCE = expect.stringMatching(/^[A-Z].*\.$/)
const sum = ({ parts }: Session) => parts?.reduce((total, { amount }) => total + amount, 0)

const SHIPPING = [
  { id: 'standard', name: 'Standard (3 to 5 days)', cost: 0 },
  { id: 'express', name: 'Express (next working day)', cost: 1800 },
]

test('a cart of UCP says what goods and shipping cost, and lacks nothing', async () => {
  expect(await ucp.session(opening({ lines: [JACKET, TENT] }))).toEqual({
    ...blankSession(),
    id: expect.stringMatching(/^checkout_/),
    phase: 'ready',
    currency: 'USD',
    subtotal: 17900 + 2 * 28900,
    parts: [
      { name: 'subtotal', amount: 75700 },
      { name: 'tax', amount: 6056 },
    ],
    shipping: SHIPPING,
    expires_at: '2026-06-01T12:20:00.000Z',
  })
})

test('a session of ACP has lines with their prices as well', async () => {
  expect(await acp.session(opening({ lines: [JACKET, TENT] }))).toEqual({
    ...blankSession(),
    id: expect.stringMatching(/^checkout_/),
    phase: 'ready',
    said: 'pending_confirmation',
    currency: 'USD',
    lines: [
      { id: null, item: 'ao-1001-s-pine', title: 'Skarn Rain Jacket', quantity: 1, price: 17900 },
      { id: null, item: 'ao-1101', title: 'Arete 1 Tent', quantity: 2, price: 28900 },
    ],
    subtotal: 75700,
    parts: [
      { name: 'subtotal', amount: 75700 },
      { name: 'tax_estimate', amount: 6056 },
    ],
    shipping: SHIPPING,
    expires_at: '2026-06-01T12:15:00.000Z',
  })
})

test('a chosen option gives a total that adds up, and another one as well', async () => {
  const express = await acp.session(choosing(await acp.session(opening()), 'express'))
  expect(express).toMatchObject({
    phase: 'ready',
    chosen: 'express',
    total: EXPRESS,
    shipping: [{ id: 'standard' }, { id: 'express' }],
    faults: [],
  })
  expect(sum(express)).toBe(express.total)
  const standard = await acp.session(choosing(express, 'standard'))
  expect(standard).toMatchObject({ chosen: 'standard', total: 17900 + 1432, faults: [] })
  expect(sum(standard)).toBe(standard.total)
})

test('no option is taken that was not offered', async () => {
  const changed = await acp.act(choosing(await acp.session(opening()), 'drone'))
  expect(refused(changed)).toMatchObject({ status: 422, reason: 'invalid', fault: null })
  const paid = await ucp.act(paying(await ucp.session(opening()), { option: 'drone' }))
  expect(refused(paid)).toMatchObject({ reason: 'invalid', fault: null })
})

test('a dry run of UCP is like another cart, and is not kept', async () => {
  const key = newKey()
  const last = await ucp.session(opening({}, key, true))
  expect(last).toMatchObject({ phase: 'ready', subtotal: 17900, faults: [] })
  const kept = refused(await ucp.act({ op: 'cancel', id: last.id ?? '', key }))
  expect(kept).toMatchObject({ status: 404, reason: 'ended', fault: null })
  // Its key was not used up.
  expect((await ucp.session(opening({ lines: [TENT] }, key))).phase).toBe('ready')
})

test('a session of ACP whose time is over has ended', async () => {
  const last = await acp.session(opening())
  now = new Date(NOON.getTime() + 16 * 60_000)
  const late = { status: 410, code: 'session_expired', reason: 'ended', fault: null }
  for (const operation of [choosing(last, 'express'), paying(last), canceling(last)]) {
    expect(refused(await acp.act(operation))).toMatchObject(late)
  }
  now = NOON
})

describe.each(DIALECTS)('over %s', (name, { act, session, item, declined, receipt }) => {
  const isUcp = name === 'UCP'
  const invalid = { code: 'invalid_address', reason: 'address' }
  test.each<[string, Partial<Wanted>, object]>([
    [
      'an unknown variant',
      { lines: [{ ...JACKET, variant_id: 'ao-1001-none' }] },
      item('unknown_variant', 'unknown_item'),
    ],
    [
      'an unknown product',
      { lines: [{ ...TENT, product_id: 'ao-9' }] },
      item('unknown_product', 'unknown_item'),
    ],
    [
      'a product without its variant',
      { lines: [{ ...JACKET, variant_id: null }] },
      item('variant_required', 'unknown_item'),
    ],
    [
      'far too much',
      { lines: [{ ...TENT, quantity: 1_000_000_000 }] },
      item('too_many_items', 'quantity'),
    ],
    ['nothing', { lines: [] }, item('invalid_request', 'invalid')],
    [
      'a variant that is sold out',
      { lines: [{ product_id: 'ao-1003', variant_id: 'ao-1003-l-ink', quantity: 1 }] },
      { status: 409, code: 'out_of_stock', reason: 'sold_out' },
    ],
    ['a country that is none', { address: { ...ADDRESS, country: 'ZZ' } }, invalid],
    ['no address', { address: null }, invalid],
  ])('a cart with %s is refused', async (_, change, refusal) => {
    const whole = { status: 422, ...refusal, text: SENTENCE, fault: null }
    expect(refused(await act(opening(change)))).toEqual(whole)
    if (isUcp) expect(refused(await act(opening(change, newKey(), true)))).toEqual(whole)
  })

  test('opened twice under one key is one, and the key is for that one alone', async () => {
    const key = newKey()
    const first = await session(opening({}, key))
    expect(await session(opening({}, key))).toEqual(first)
    expect((await session(opening())).id).not.toBe(first.id)
    const other = refused(await act(opening({ lines: [TENT] }, key)))
    expect(other).toMatchObject({ reason: 'conflict', fault: null })
  })

  test('what was given up can be neither changed nor paid', async () => {
    const last = await session(opening())
    const canceled = { id: last.id, phase: 'canceled', faults: [] }
    expect(await session(canceling(last))).toMatchObject(canceled)
    expect(await session(canceling(last))).toMatchObject(canceled)
    for (const operation of [...(isUcp ? [] : [choosing(last, 'express')]), paying(last)]) {
      expect(refused(await act(operation))).toMatchObject({
        status: 409,
        reason: 'ended',
        text: SENTENCE,
        fault: null,
      })
    }
  })

  test('a payment leads to one order, however often it is sent', async () => {
    const last = await session(opening())
    const charges = bank.charges.length
    const pay = paying(last)
    const paid = await session(pay)
    expect(paid).toMatchObject({
      phase: 'completed',
      said: 'confirmed',
      currency: 'USD',
      // The shipping that comes with the payment counts.
      total: EXPRESS,
      order: { id: expect.any(String), url: receipt },
      faults: [],
    })
    expect(await session(pay)).toEqual(paid)
    expect(await session(paying(last))).toEqual(paid)
    expect(bank.charges.length).toBe(charges + 1)
    expect(await act({ op: 'order', id: paid.order?.id ?? '' })).toEqual({
      is: 'order',
      order: {
        id: paid.order?.id,
        status: 'confirmed',
        total: { amount: paid.total, currency: 'USD' },
      },
    })
    const late = { status: 409, reason: 'ended', fault: null }
    expect(refused(await act(canceling(last)))).toMatchObject(late)
  })

  test('a payment that is declined may be made otherwise', async () => {
    const last = await session(opening())
    expect(refused(await act(paying(last, { token: 'tok_declined' })))).toEqual({
      status: 402,
      code: declined,
      text: SENTENCE,
      reason: 'payment',
      fault: null,
    })
    expect((await session(paying(last))).phase).toBe('completed')
  })

  test('a payment for goods that are gone meanwhile is refused', async () => {
    const lines = [{ product_id: 'ao-1103', variant_id: null, quantity: 1 }]
    const last = await session(opening({ lines }))
    const pieces = stockOf(deps, 'ao-1103')
    const before = await pieces.pieces()
    await pieces.setPieces(0)
    const gone = { reason: 'sold_out', fault: null }
    expect(refused(await act(paying(last)))).toMatchObject(gone)
    expect(refused(await act(opening({ lines })))).toMatchObject({ ...gone, status: 409 })
    await pieces.setPieces(before)
  })

  test.each<[string, BuyerOperation, string]>([
    ['a payment', paying(blankSession(), { id: 'checkout_0' }), 'ended'],
    ...(isUcp
      ? []
      : [
          ['a change', choosing(blankSession(), 'express', 'checkout_0'), 'ended'] satisfies [
            string,
            BuyerOperation,
            string,
          ],
        ]),
    ['a cancellation', canceling({ ...blankSession(), id: '../../x?y' }), 'ended'],
    ['an order', { op: 'order', id: 'order_0' } as const, 'other'],
  ])('%s of nothing is refused', async (_, operation, reason) => {
    expect(refused(await act(operation))).toMatchObject({ status: 404, reason, fault: null })
  })
})

test('half an address is none for UCP', async () => {
  const half = { address: { country: 'US', zip: '12207' } }
  for (const dryRun of [false, true]) {
    expect(refused(await ucp.act(opening(half, newKey(), dryRun)))).toEqual({
      status: 422,
      code: 'invalid_address',
      reason: 'address',
      text: SENTENCE,
      fault: null,
    })
  }
})

test('a payment of ACP that is under way is not done', async () => {
  const reply = await acp.session(paying(await acp.session(opening()), { token: 'tok_pending' }))
  expect(reply).toMatchObject({ phase: 'paying', said: 'awaiting_payment', faults: [] })
})

test('a payment of ACP under the key of its session is refused', async () => {
  const key = newKey()
  const last = await acp.session(opening({}, key))
  expect(refused(await acp.act(paying(last, { key })))).toMatchObject({ reason: 'invalid' })
})
