import { describe, expect, test } from 'vitest'
import { specUcp } from '../../../../shared/walk/dialects/spec.ts'
import { blankSession } from '../../../../shared/walk/dialects/spec-answers.ts'
import type { BuyerOperation, Payment, Wanted } from '../../../../shared/walk/operation.ts'
import type { WalkReply } from '../../../../shared/walk/session.ts'
import { findArticle } from '../../shop/assortment.ts'
import { ADDRESS, stockOf, testStore } from '../../testing/store.ts'
import { walkedIn } from '../../testing/walked.ts'

// A buyer of the specification's UCP, in the store as it is.

const { ask, deps, bank } = await testStore()
const { act, session } = walkedIn(
  ask,
  specUcp({ checkout: 'https://shop.example/ucp/checkout', orders: null }),
)

const JACKET = { product_id: 'ao-1001', variant_id: 'ao-1001-s-pine', quantity: 1 }
const TENT = { product_id: 'ao-1101', variant_id: null, quantity: 2 }
const SOLD_OUT = { product_id: 'ao-1003', variant_id: soldOutOf('ao-1003'), quantity: 1 }
const wanting = (change: Partial<Wanted> = {}): Wanted => ({
  lines: [JACKET],
  address: ADDRESS,
  option: null,
  coupon: null,
  currency: 'USD',
  ...change,
})
/** The variant of a product that the shop has none of. */
function soldOutOf(id: string): string {
  const gone = findArticle(id)?.variants.find((each) => each.availability === 'out_of_stock')
  if (gone === undefined) throw new Error(`There is no sold-out variant of ${id}.`)
  return gone.id
}
const newKey = () => crypto.randomUUID()
const opening = (change: Partial<Wanted> = {}, key = newKey(), dryRun = false) =>
  ({ op: 'open', wanted: wanting(change), key, dryRun }) satisfies BuyerOperation
const open = async (change: Partial<Wanted> = {}) => {
  const last = await session(opening(change))
  return { last, id: last.id ?? '' }
}
const payment = (token: string): Payment => ({ token, handler: null })
const paying = (
  { last, id }: Awaited<ReturnType<typeof open>>,
  { token = 'tok_visa', key = newKey(), option = 'express' } = {},
): BuyerOperation => ({
  op: 'complete',
  id,
  last,
  wanted: wanting({ option }),
  payment: payment(token),
  key,
})
const refused = (reply: WalkReply) => (reply.is === 'refused' ? reply.refusal : reply)
const SENTENCE = expect.stringMatching(/^[A-Z].*\.$/)

describe('a cart', () => {
  test('says what goods and shipping cost, and lacks nothing', async () => {
    expect(await session(opening({ lines: [JACKET, TENT] }))).toEqual({
      id: expect.stringMatching(/^checkout_/),
      phase: 'ready',
      said: null,
      currency: 'USD',
      lines: null,
      subtotal: 17900 + 2 * 28900,
      total: null,
      parts: null,
      shipping: [
        { id: 'standard', name: 'Standard (3 to 5 days)', cost: 0 },
        { id: 'express', name: 'Express (next working day)', cost: 1800 },
      ],
      chosen: null,
      expires_at: '2026-06-01T12:20:00.000Z',
      continue_url: null,
      messages: [],
      handlers: null,
      order: null,
      faults: [],
    })
  })

  test('of a dry run is like another, and is not kept', async () => {
    const key = newKey()
    const last = await session(opening({}, key, true))
    expect(last).toMatchObject({ phase: 'ready', subtotal: 17900, faults: [] })
    const kept = refused(await act({ op: 'cancel', id: last.id ?? '', key }))
    expect(kept).toMatchObject({ status: 404, reason: 'ended', fault: null })
    // Its key was not used up.
    expect((await session(opening({ lines: [TENT] }, key))).phase).toBe('ready')
  })

  test.each<[string, Partial<Wanted>, object]>([
    [
      'an unknown variant',
      { lines: [{ ...JACKET, variant_id: 'ao-1001-none' }] },
      { status: 422, code: 'unknown_variant', reason: 'unknown_item' },
    ],
    [
      'an unknown product',
      { lines: [{ ...TENT, product_id: 'ao-9' }] },
      { status: 422, code: 'unknown_product', reason: 'unknown_item' },
    ],
    [
      'a product without its variant',
      { lines: [{ ...JACKET, variant_id: null }] },
      { status: 422, code: 'variant_required', reason: 'unknown_item' },
    ],
    [
      'far too much',
      { lines: [{ ...TENT, quantity: 1_000_000_000 }] },
      { status: 422, code: 'too_many_items', reason: 'quantity' },
    ],
    [
      'a variant that is sold out',
      { lines: [SOLD_OUT] },
      { status: 409, code: 'out_of_stock', reason: 'sold_out' },
    ],
    [
      'a country that is none',
      { address: { ...ADDRESS, country: 'ZZ' } },
      { status: 422, code: 'invalid_address', reason: 'address' },
    ],
    [
      'half an address',
      { address: { country: 'US', zip: '12207' } },
      { status: 422, code: 'invalid_address', reason: 'address' },
    ],
    ['no address', { address: null }, { status: 422, code: 'invalid_address', reason: 'address' }],
    ['nothing', { lines: [] }, { status: 422, code: 'invalid_request', reason: 'invalid' }],
  ])('with %s is refused', async (_, change, refusal) => {
    const whole = { ...refusal, text: SENTENCE, fault: null }
    expect(refused(await act(opening(change)))).toEqual(whole)
    expect(refused(await act(opening(change, newKey(), true)))).toEqual(whole)
  })

  test('opened twice under one key is one, and the key is for that one alone', async () => {
    const key = newKey()
    const first = await session(opening({}, key))
    expect(await session(opening({}, key))).toEqual(first)
    expect((await session(opening())).id).not.toBe(first.id)
    expect(refused(await act(opening({ lines: [TENT] }, key)))).toMatchObject({
      reason: 'conflict',
      fault: null,
    })
  })

  test('that was given up cannot be paid', async () => {
    const cart = await open()
    const canceled = { phase: 'canceled', id: cart.id, faults: [] }
    const cancel = { op: 'cancel', id: cart.id, key: newKey() } as const
    expect(await session(cancel)).toMatchObject(canceled)
    expect(await session(cancel)).toMatchObject(canceled)
    expect(refused(await act(paying(cart)))).toMatchObject({
      status: 409,
      reason: 'ended',
      text: SENTENCE,
      fault: null,
    })
  })
})

describe('a payment', () => {
  test('leads to one order, however often it is sent, and the order can be read', async () => {
    const cart = await open()
    const charges = bank.charges.length
    const pay = paying(cart)
    const paid = await session(pay)
    expect(paid).toMatchObject({
      phase: 'completed',
      said: 'confirmed',
      currency: 'USD',
      total: 17900 + 1432 + 1800,
      order: { id: expect.any(String), url: null },
      faults: [],
    })
    expect(await session(pay)).toEqual(paid)
    expect(await session(paying(cart))).toEqual(paid)
    expect(bank.charges.length).toBe(charges + 1)
    expect(await act({ op: 'order', id: paid.order?.id ?? '' })).toEqual({
      is: 'order',
      order: {
        id: paid.order?.id,
        status: 'confirmed',
        total: { amount: paid.total, currency: 'USD' },
      },
    })
    expect(refused(await act({ op: 'cancel', id: cart.id, key: newKey() }))).toMatchObject({
      status: 409,
      reason: 'ended',
      fault: null,
    })
  })

  test('that is declined may be made otherwise', async () => {
    const cart = await open()
    expect(refused(await act(paying(cart, { token: 'tok_declined' })))).toEqual({
      status: 402,
      code: 'payment_failed',
      text: SENTENCE,
      reason: 'payment',
      fault: null,
    })
    expect((await session(paying(cart))).phase).toBe('completed')
  })

  test('of goods that are gone meanwhile is refused', async () => {
    const lines = [{ product_id: 'ao-1103', variant_id: null, quantity: 1 }]
    const cart = await open({ lines })
    const pieces = stockOf(deps, 'ao-1103')
    const before = await pieces.pieces()
    await pieces.setPieces(0)
    expect(refused(await act(paying(cart)))).toMatchObject({ reason: 'sold_out', fault: null })
    await pieces.setPieces(before)
  })

  test('with shipping that was not offered is refused', async () => {
    const reply = await act(paying(await open(), { option: 'drone' }))
    expect(refused(reply)).toMatchObject({ reason: 'invalid', fault: null })
  })

  test.each([
    ['a payment', paying({ last: blankSession(), id: 'checkout_0' }), 'ended'],
    ['a cancellation', { op: 'cancel', id: '../products?x', key: 'k' } as const, 'ended'],
    ['an order', { op: 'order', id: 'order_0' } as const, 'other'],
  ])('%s of nothing is refused', async (_, operation, reason) => {
    expect(refused(await act(operation))).toMatchObject({ status: 404, reason, fault: null })
  })
})
