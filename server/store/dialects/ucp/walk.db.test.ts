import { expect, test } from 'vitest'
import { SERVED_UCP } from '../../../../shared/protocols/ucp/versions.ts'
import type { WalkReply } from '../../../../shared/walk/session.ts'
import { auditPlatforms } from '../../testing/platforms.ts'
import { testStore } from '../../testing/store.ts'
import { refusalOf, sessionOf, ucpAt, WANTED, walkerOf } from '../../testing/walker.ts'
import { refusal } from './negotiation/platform-profiles.ts'
import { TRANSPORTS } from './testing/agent.ts'

const HOST = 'ucp.example'
// Without a signature, only a store under test shows an order to whoever names the profile.
const { ask, bank } = await testStore({ platforms: auditPlatforms, trustsProfiles: true })

const ROUTES = TRANSPORTS.flatMap((transport) =>
  SERVED_UCP.map((version) => [transport, version] as const),
)
const walker = (...[transport, version]: (typeof ROUTES)[number]) =>
  walkerOf(ask, ucpAt(HOST, transport, version), HOST)

const whole = { ...WANTED, option: 'standard' }
const others = [{ product_id: 'ao-1001', variant_id: 'ao-1001-m-pine', quantity: 1 }]
const sum = (parts: { amount: number }[] | null) =>
  parts?.reduce((all, { amount }) => all + amount, 0)

test.each(ROUTES)('a purchase step by step: %s, %s', async (...route) => {
  const buyer = walker(...route)
  const opened = sessionOf(await buyer.open({ ...WANTED, address: null }))
  expect(opened).toMatchObject({
    phase: 'open',
    said: 'incomplete',
    currency: 'USD',
    chosen: null,
    handlers: ['test_tokens'],
    order: null,
    faults: [],
  })
  expect(opened.id).not.toBeNull()
  const [line] = opened.lines ?? []
  expect(opened.lines).toEqual([{ id: 'li_1', item: 'ao-1101', quantity: 2, price: line?.price }])
  expect(opened.subtotal).toBe(2 * (line?.price ?? 0))

  const quote = { ...WANTED, address: { zip: '12207', country: 'US' } }
  const quoted = sessionOf(await buyer.change(opened, quote))
  expect(quoted.phase).toBe('open')
  expect(quoted.shipping.map(({ id }) => id)).toEqual(['standard', 'express'])
  expect(quoted.shipping.every(({ cost }) => cost !== null)).toBe(true)
  // What is missing yet is no objection.
  expect(quoted.messages.map(({ code, reason }) => [code, reason])).toEqual(
    quoted.messages.map(() => ['missing', null]),
  )

  const addressed = sessionOf(await buyer.change(quoted, WANTED))
  expect(addressed.messages).toHaveLength(1)
  expect(addressed.deliveries).toMatchObject([
    {
      id: 'shipping',
      lines: ['li_1'],
      groups: [{ id: 'parcel', options: ['standard', 'express'] }],
    },
  ])

  const express = { ...WANTED, option: 'express' }
  const dear = sessionOf(await buyer.change(addressed, express))
  const cost = dear.shipping.find(({ id }) => id === 'express')?.cost
  expect(dear).toMatchObject({ phase: 'ready', chosen: 'express', messages: [], faults: [] })
  expect(dear.parts).toContainEqual({ name: 'fulfillment', amount: cost })
  expect(sum(dear.parts)).toBe(dear.total)

  const more = {
    ...whole,
    lines: [{ ...WANTED.lines[0], quantity: 3 }, ...others] as typeof others,
  }
  const grown = sessionOf(await buyer.change(dear, more))
  expect(grown.lines).toMatchObject([
    { id: 'li_1', item: 'ao-1101', quantity: 3 },
    { id: 'li_2', item: 'ao-1001-m-pine', quantity: 1 },
  ])
  expect(grown).toMatchObject({ phase: 'ready', chosen: 'standard' })

  const swapped = { ...whole, lines: others }
  const less = sessionOf(await buyer.change(grown, swapped))
  expect(less.lines).toMatchObject([{ item: 'ao-1001-m-pine', quantity: 1 }])
  expect(less.phase).toBe('ready')
  expect(sessionOf(await buyer.read(less.id ?? ''))).toEqual(less)

  const before = bank.paid().length
  const paid = sessionOf(await buyer.pay(less, swapped, 'tok_visa'))
  expect(paid).toMatchObject({ phase: 'completed', continue_url: null, faults: [] })
  expect(bank.paid()).toHaveLength(before + 1)
  const order = await buyer.order(paid.order?.id ?? '')
  expect(order).toEqual({
    is: 'order',
    order: { id: paid.order?.id, status: null, total: { amount: less.total, currency: 'USD' } },
  })
})

test.each(ROUTES)(
  'a call that is repeated, and one that is not the same: %s, %s',
  async (...route) => {
    const buyer = walker(...route)
    const key = buyer.newKey()
    const first = sessionOf(await buyer.open(WANTED, key))
    expect(sessionOf(await buyer.open(WANTED, key)).id).toBe(first.id)
    expect(sessionOf(await buyer.open(WANTED)).id).not.toBe(first.id)
    expect(refusalOf(await buyer.open({ ...WANTED, lines: others }, key))).toEqual({
      status: 409,
      code: 'idempotency_conflict',
      text: expect.any(String),
      reason: 'conflict',
      fault: null,
    })
  },
)

test.each(ROUTES)('what is over stays over: %s, %s', async (...route) => {
  const buyer = walker(...route)
  const opened = sessionOf(await buyer.open(whole))
  const id = opened.id ?? ''
  expect(sessionOf(await buyer.cancel(id)).phase).toBe('canceled')
  const ended = { status: 409, code: 'canceled', reason: 'ended', fault: null }
  expect(refusalOf(await buyer.change(opened, WANTED))).toMatchObject(ended)
  expect(refusalOf(await buyer.pay(opened, whole, 'tok_visa'))).toMatchObject(ended)
  expect(refusalOf(await buyer.cancel(id))).toMatchObject(ended)
  expect(sessionOf(await buyer.read(id)).phase).toBe('canceled')
  const gone = { status: 200, code: 'not_found', reason: 'ended', fault: null }
  expect(refusalOf(await buyer.read('chk_none'))).toMatchObject(gone)
  expect(refusalOf(await buyer.order('ord_none'))).toMatchObject({ reason: 'ended', fault: null })
})

test.each(ROUTES)('a payment once, also when it is repeated: %s, %s', async (...route) => {
  const buyer = walker(...route)
  const ready = sessionOf(await buyer.open(whole))
  const key = buyer.newKey()
  const [paid, again] = [
    sessionOf(await buyer.pay(ready, whole, 'tok_visa', key)),
    sessionOf(await buyer.pay(ready, whole, 'tok_visa', key)),
  ]
  expect(again.order).toEqual(paid.order)
  expect(refusalOf(await buyer.pay(ready, whole, 'tok_visa'))).toMatchObject({
    code: 'completed',
    reason: 'ended',
  })
})

test.each(ROUTES)('a decline is said, and a challenge leads on: %s, %s', async (...route) => {
  const buyer = walker(...route)
  const ready = sessionOf(await buyer.open(whole))
  const declined = sessionOf(await buyer.pay(ready, whole, 'tok_declined'))
  expect(declined).toMatchObject({ phase: 'ready', order: null, faults: [] })
  expect(declined.messages).toMatchObject([{ kind: 'error', reason: 'payment' }])
  const challenged = sessionOf(await buyer.pay(ready, whole, 'tok_3ds'))
  expect(challenged).toMatchObject({ phase: 'challenge', said: 'requires_escalation', faults: [] })
  expect(challenged.messages).toMatchObject([{ code: 'requires_3ds', reason: 'challenge' }])
  expect(challenged.continue_url).toMatch(/^https:/)
})

const objected = (reply: WalkReply) =>
  reply.is === 'refused'
    ? reply.refusal.reason
    : sessionOf(reply).messages.find(({ reason }) => reason !== null)?.reason

test.each(ROUTES)('each no says what it is about: %s, %s', async (...route) => {
  const buyer = walker(...route)
  const line = (product_id: string, variant_id: string | null, quantity = 1) => ({
    ...WANTED,
    lines: [{ product_id, variant_id, quantity }],
  })
  expect(objected(await buyer.open(line('ao-1003', 'ao-1003-l-ink')))).toBe('sold_out')
  // UCP has one code for all that cannot be had.
  expect(objected(await buyer.open(line('ao-1001', 'ao-1001-none')))).toBe('sold_out')
  expect(objected(await buyer.open(line('ao-1101', null, 1_000_000_000)))).toBe('quantity')
  const nowhere = { ...WANTED, address: { ...WANTED.address, street: '', country: 'ZZ' } }
  expect(objected(await buyer.open(nowhere))).toBe('address')
  const euros = sessionOf(await buyer.open({ ...WANTED, currency: 'EUR' }))
  expect([euros.currency, objected({ is: 'session', session: euros })]).toEqual(['USD', undefined])
})

test.each(TRANSPORTS)('who is not known is not let in: %s', async (transport) => {
  const unread = refusal('profile_unreachable', 'Your profile gave no answer.')
  const { ask: askStrict } = await testStore({
    platforms: { find: async () => unread },
  })
  const stranger = walkerOf(askStrict, ucpAt(HOST, transport), HOST)
  expect(refusalOf(await stranger.open(WANTED))).toMatchObject({
    status: 424,
    code: 'profile_unreachable',
    text: 'Your profile gave no answer.',
    reason: 'caller',
    fault: null,
  })
  const { ask: askSigned } = await testStore({ platforms: auditPlatforms })
  const unsigned = walkerOf(askSigned, ucpAt(HOST, transport), HOST)
  const { order } = sessionOf(
    await unsigned.pay(sessionOf(await unsigned.open(whole)), whole, 'tok_visa'),
  )
  expect(refusalOf(await unsigned.order(order?.id ?? ''))).toMatchObject({
    code: 'unauthorized',
    reason: 'caller',
  })
})
