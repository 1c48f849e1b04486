import { describe, expect, test } from 'vitest'
import { specAcp } from '../../../../shared/walk/dialects/spec.ts'
import { blankSession } from '../../../../shared/walk/dialects/spec-answers.ts'
import type { BuyerOperation, Wanted } from '../../../../shared/walk/operation.ts'
import type { Session, WalkReply } from '../../../../shared/walk/session.ts'
import { ADDRESS, NOON, stockOf, testStore } from '../../testing/store.ts'
import { walkedIn } from '../../testing/walked.ts'

// A buyer of the specification's ACP, in the store as it is.

let now = NOON
const { ask, deps, bank } = await testStore({}, { now: () => now })
const { act, session } = walkedIn(ask, specAcp({ origin: 'https://shop.example' }))

const JACKET = { product_id: 'ao-1001', variant_id: 'ao-1001-s-pine', quantity: 1 }
const TENT = { product_id: 'ao-1101', variant_id: null, quantity: 2 }
const wanting = (change: Partial<Wanted> = {}): Wanted => ({
  lines: [JACKET],
  address: ADDRESS,
  option: null,
  coupon: null,
  currency: 'USD',
  ...change,
})
const newKey = () => crypto.randomUUID()
const opening = (change: Partial<Wanted> = {}, key = newKey()) =>
  ({ op: 'open', wanted: wanting(change), key, dryRun: false }) satisfies BuyerOperation
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

describe('a session', () => {
  test('has lines with their prices, shipping, and lacks nothing', async () => {
    expect(await session(opening({ lines: [JACKET, TENT] }))).toEqual({
      ...blankSession(),
      id: expect.stringMatching(/^checkout_/),
      phase: 'ready',
      said: 'pending_confirmation',
      currency: 'USD',
      lines: [
        { id: null, item: 'ao-1001-s-pine', quantity: 1, price: 17900 },
        { id: null, item: 'ao-1101', quantity: 2, price: 28900 },
      ],
      subtotal: 75700,
      parts: [
        { name: 'subtotal', amount: 75700 },
        { name: 'tax_estimate', amount: 6056 },
      ],
      shipping: [
        { id: 'standard', name: 'Standard (3 to 5 days)', cost: 0 },
        { id: 'express', name: 'Express (next working day)', cost: 1800 },
      ],
      expires_at: '2026-06-01T12:15:00.000Z',
    })
  })

  test('with a chosen option has a total that adds up, and with another as well', async () => {
    const express = await session(choosing(await session(opening()), 'express'))
    expect(express).toMatchObject({
      phase: 'ready',
      chosen: 'express',
      total: 17900 + 1432 + 1800,
      shipping: [{ id: 'standard' }, { id: 'express' }],
      faults: [],
    })
    expect(sum(express)).toBe(express.total)
    const standard = await session(choosing(express, 'standard'))
    expect(standard).toMatchObject({ chosen: 'standard', total: 17900 + 1432, faults: [] })
    expect(sum(standard)).toBe(standard.total)
  })

  test('takes no option that was not offered', async () => {
    const reply = await act(choosing(await session(opening()), 'drone'))
    expect(refused(reply)).toMatchObject({ status: 422, reason: 'invalid', fault: null })
  })

  test.each<[string, Partial<Wanted>, object]>([
    [
      'an unknown variant',
      { lines: [{ ...JACKET, variant_id: 'ao-1001-none' }] },
      { status: 422, code: 'validation_error', reason: 'invalid' },
    ],
    [
      'an unknown product',
      { lines: [{ ...TENT, product_id: 'ao-9' }] },
      { status: 422, code: 'validation_error', reason: 'invalid' },
    ],
    [
      'far too much',
      { lines: [{ ...TENT, quantity: 1_000_000_000 }] },
      { status: 422, code: 'validation_error', reason: 'invalid' },
    ],
    [
      'a country that is none',
      { address: { ...ADDRESS, country: 'ZZ' } },
      { status: 422, code: 'invalid_address', reason: 'address' },
    ],
    ['no address', { address: null }, { status: 422, code: 'invalid_address', reason: 'address' }],
  ])('with %s is refused', async (_, change, refusal) => {
    const whole = { ...refusal, text: SENTENCE, fault: null }
    expect(refused(await act(opening(change)))).toEqual(whole)
  })

  test('of what is sold out is refused', async () => {
    const pieces = stockOf(deps, 'ao-1102')
    await pieces.setPieces(0)
    const lines = [{ product_id: 'ao-1102', variant_id: null, quantity: 1 }]
    expect(refused(await act(opening({ lines })))).toEqual({
      status: 409,
      code: 'out_of_stock',
      text: SENTENCE,
      reason: 'sold_out',
      fault: null,
    })
  })

  test('opened twice under one key is one, and the key is for that one alone', async () => {
    const key = newKey()
    const first = await session(opening({}, key))
    expect(await session(opening({}, key))).toEqual(first)
    expect((await session(opening())).id).not.toBe(first.id)
    const other = refused(await act(opening({ lines: [TENT] }, key)))
    expect(other).toMatchObject({ reason: 'conflict', fault: null })
  })

  test('that was given up can be neither changed nor paid', async () => {
    const last = await session(opening())
    const canceled = { id: last.id, phase: 'canceled', faults: [] }
    expect(await session(canceling(last))).toMatchObject(canceled)
    expect(await session(canceling(last))).toMatchObject(canceled)
    for (const operation of [choosing(last, 'express'), paying(last)]) {
      expect(refused(await act(operation))).toMatchObject({
        status: 409,
        reason: 'ended',
        text: SENTENCE,
        fault: null,
      })
    }
  })

  test('whose time is over has ended', async () => {
    const last = await session(opening())
    now = new Date(NOON.getTime() + 16 * 60_000)
    const late = { status: 410, code: 'session_expired', reason: 'ended', fault: null }
    for (const operation of [choosing(last, 'express'), paying(last), canceling(last)]) {
      expect(refused(await act(operation))).toMatchObject(late)
    }
    now = NOON
  })
})

describe('a payment', () => {
  test('leads to one order, however often it is sent, and the order can be read', async () => {
    const chosen = await session(choosing(await session(opening()), 'express'))
    const charges = bank.charges.length
    const pay = paying(chosen)
    const paid = await session(pay)
    expect(paid).toMatchObject({
      phase: 'completed',
      said: 'confirmed',
      currency: 'USD',
      total: chosen.total,
      order: { id: expect.any(String), url: expect.stringMatching(/^https:.*receipts/) },
      faults: [],
    })
    expect(await session(pay)).toEqual(paid)
    expect(await session(paying(chosen))).toEqual(paid)
    expect(bank.charges.length).toBe(charges + 1)
    const total = { amount: chosen.total, currency: 'USD' }
    expect(await act({ op: 'order', id: paid.order?.id ?? '' })).toEqual({
      is: 'order',
      order: { id: paid.order?.id, status: 'confirmed', total },
    })
    expect(refused(await act(canceling(chosen)))).toMatchObject({ status: 409, reason: 'ended' })
  })

  test('may choose the shipping itself', async () => {
    const last = await session(opening())
    expect((await session(paying(last))).total).toBe(17900 + 1432 + 1800)
  })

  test('that is under way is not done', async () => {
    const reply = await session(paying(await session(opening()), { token: 'tok_pending' }))
    expect(reply).toMatchObject({ phase: 'paying', said: 'awaiting_payment', faults: [] })
  })

  test('that is declined may be made otherwise', async () => {
    const last = await session(opening())
    expect(refused(await act(paying(last, { token: 'tok_declined' })))).toEqual({
      status: 402,
      code: 'payment_declined',
      text: SENTENCE,
      reason: 'payment',
      fault: null,
    })
    expect((await session(paying(last))).phase).toBe('completed')
  })

  test('under the key of the session is refused', async () => {
    const key = newKey()
    const last = await session(opening({}, key))
    expect(refused(await act(paying(last, { key })))).toMatchObject({ reason: 'invalid' })
  })

  test.each([
    ['a payment', paying(blankSession(), { id: 'checkout_0' }), 'ended'],
    ['a change', choosing(blankSession(), 'express', 'checkout_0'), 'ended'],
    ['a cancellation', canceling({ ...blankSession(), id: '../../x?y' }), 'ended'],
    ['an order', { op: 'order', id: 'order_0' } as const, 'other'],
  ])('%s of nothing is refused', async (_, operation, reason) => {
    expect(refused(await act(operation))).toMatchObject({ status: 404, reason, fault: null })
  })
})
