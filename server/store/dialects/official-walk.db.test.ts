import { expect, test } from 'vitest'
import { ACP } from '../../../shared/protocols/acp/versions.ts'
import { UCP } from '../../../shared/protocols/ucp/versions.ts'
import { officialAcp } from '../../../shared/walk/dialects/acp.ts'
import type { Wanted } from '../../../shared/walk/operation.ts'
import type { Session, WalkReply } from '../../../shared/walk/session.ts'
import { auditPlatforms } from '../testing/platforms.ts'
import { testStore } from '../testing/store.ts'
import { acpAt, refusalOf, sessionOf, ucpAt, WANTED, walkerOf } from '../testing/walker.ts'
import { ACP_SETTINGS } from './acp/testing/agent.ts'
import { refusal } from './ucp/negotiation/platform-profiles.ts'
import { TRANSPORTS } from './ucp/testing/agent.ts'

// A buyer of the official protocols, in the store as it is and in each version that it speaks.

const HOST = { ucp: 'ucp.example', acp: 'acp.example' }
// Without a signature, only a store under test shows an order to whoever names the profile.
const ucpStore = await testStore({ platforms: auditPlatforms, trustsProfiles: true })
// ACP's schema of a request knows no quantity, which is why it is not held to it.
const acpStore = await testStore({ faults: [] })

type Buyer = ReturnType<typeof walkerOf>

const UCP_SAYS = {
  bank: ucpStore.bank,
  opened: { said: 'incomplete', currency: 'USD', handlers: ['test_tokens'] },
  lines: ['li_1', 'li_2'],
  kind: undefined,
  conflict: 409,
  ended: { again: 409, unknown: 200 },
  unknown: 'sold_out',
  declined: { kind: 'error', reason: 'payment' },
  challenged: [{ code: 'requires_3ds', reason: 'challenge' }],
}
const ACP_SAYS = {
  bank: acpStore.bank,
  opened: { currency: 'usd', handlers: ['card'] },
  lines: ['li_ao-1101', 'li_ao-1001-m-pine'],
  kind: 'shipping',
  conflict: 422,
  ended: { again: 405, unknown: 404 },
  unknown: 'unknown_item',
  declined: { code: 'payment_declined', reason: 'payment' },
  challenged: undefined,
}

const UCP_ROUTES = TRANSPORTS.flatMap((transport) =>
  UCP.served.map((version) => {
    const buyer = walkerOf(ucpStore.ask, ucpAt(HOST.ucp, transport, version), HOST.ucp)
    return [`UCP over ${transport}, ${version}`, buyer] as const
  }),
)
const ACP_ROUTES = ACP.served.map((version) => {
  const buyer = walkerOf(acpStore.ask, acpAt(HOST.acp, version), HOST.acp)
  return [`ACP, ${version}`, buyer] as const
})
const ROUTES = [
  ...UCP_ROUTES.map((route) => [...route, UCP_SAYS] as const),
  ...ACP_ROUTES.map((route) => [...route, ACP_SAYS] as const),
]

const whole = { ...WANTED, option: 'standard' }
const others = [{ product_id: 'ao-1001', variant_id: 'ao-1001-m-pine', quantity: 1 }]
const sum = ({ parts }: Session) => parts?.reduce((all, { amount }) => all + amount, 0)
const ready = async (buyer: Buyer) =>
  sessionOf(await buyer.change(sessionOf(await buyer.open(WANTED)), whole))

test.each(ROUTES)('a purchase step by step: %s', async (_, buyer, says) => {
  const bare = sessionOf(await buyer.open({ ...WANTED, address: null }))
  expect(bare).toMatchObject({
    ...says.opened,
    id: expect.any(String),
    phase: 'open',
    chosen: null,
    order: null,
    faults: [],
  })
  // What is missing yet is no objection.
  expect(bare.messages.every(({ reason }) => reason === null)).toBe(true)
  const [line] = bare.lines ?? []
  expect(bare.lines).toEqual([
    {
      ...{ id: says.lines[0], item: 'ao-1101', title: 'Arete 1 Tent' },
      ...{ quantity: 2, price: line?.price },
    },
  ])
  expect(bare.subtotal).toBe(2 * (line?.price ?? 0))

  const addressed = sessionOf(await buyer.change(bare, WANTED))
  expect(addressed.messages).toHaveLength(1)
  expect(addressed.shipping.map(({ id, kind }) => [id, kind])).toEqual([
    ['standard', says.kind],
    ['express', says.kind],
  ])

  const dear = sessionOf(await buyer.change(addressed, { ...WANTED, option: 'express' }))
  const cost = dear.shipping.find(({ id }) => id === 'express')?.cost
  expect(dear).toMatchObject({ phase: 'ready', chosen: 'express', messages: [], faults: [] })
  expect(dear.parts).toContainEqual({ name: 'fulfillment', amount: cost })
  expect(sum(dear)).toBe(dear.total)

  const lines = [{ product_id: 'ao-1101', variant_id: null, quantity: 3 }, ...others]
  const grown = sessionOf(await buyer.change(dear, { ...whole, lines }))
  expect(grown.lines).toMatchObject([
    { id: says.lines[0], item: 'ao-1101', quantity: 3 },
    { id: says.lines[1], item: 'ao-1001-m-pine', quantity: 1 },
  ])
  expect(grown).toMatchObject({ phase: 'ready', chosen: 'standard', messages: [] })

  const swapped = { ...whole, lines: others }
  const less = sessionOf(await buyer.change(grown, swapped))
  expect(less.lines).toMatchObject([{ item: 'ao-1001-m-pine', quantity: 1 }])
  expect(less.phase).toBe('ready')
  expect(sessionOf(await buyer.read(less.id ?? ''))).toEqual(less)

  const before = says.bank.paid().length
  const paid = sessionOf(await buyer.pay(less, swapped, 'tok_visa'))
  expect(paid).toMatchObject({ phase: 'completed', continue_url: null, faults: [] })
  expect(paid.order?.url).toMatch(/^https:/)
  expect(says.bank.paid()).toHaveLength(before + 1)
})

test.each(UCP_ROUTES)('a quote for half an address, and the order: %s', async (_, buyer) => {
  const opened = sessionOf(await buyer.open({ ...WANTED, address: null }))
  const quote = { ...WANTED, address: { zip: '12207', country: 'US' } }
  const quoted = sessionOf(await buyer.change(opened, quote))
  expect(quoted.phase).toBe('open')
  expect(quoted.shipping.map(({ id }) => id)).toEqual(['standard', 'express'])
  expect(quoted.shipping.every(({ cost }) => cost !== null)).toBe(true)
  expect(quoted.messages.map(({ code, reason }) => [code, reason])).toEqual(
    quoted.messages.map(() => ['missing', null]),
  )
  const addressed = sessionOf(await buyer.change(quoted, whole))
  expect(addressed.deliveries).toMatchObject([
    {
      id: 'shipping',
      lines: ['li_1'],
      groups: [{ id: 'parcel', options: ['standard', 'express'] }],
    },
  ])
  const { order } = sessionOf(await buyer.pay(addressed, whole, 'tok_visa'))
  expect(await buyer.order(order?.id ?? '')).toEqual({
    is: 'order',
    order: {
      id: order?.id,
      status: null,
      total: { amount: addressed.total, currency: 'USD' },
      paid: { id: addressed.id, lines: addressed.lines, parts: addressed.parts },
    },
  })
  expect(refusalOf(await buyer.order('ord_none'))).toMatchObject({ reason: 'ended', fault: null })
})

test('official ACP reads no orders, and asks with no part of an address', () => {
  const dialect = acpAt(HOST.acp)
  expect([dialect.can.order, dialect.can.quote]).toEqual([false, false])
  expect(dialect.call({ op: 'order', id: 'order_1' })).toBeNull()
})

test.each(ROUTES)(
  'a call that is repeated, and one that is not the same: %s',
  async (_, buyer, says) => {
    const key = buyer.newKey()
    const first = sessionOf(await buyer.open(WANTED, key))
    expect(sessionOf(await buyer.open(WANTED, key)).id).toBe(first.id)
    expect(sessionOf(await buyer.open(WANTED)).id).not.toBe(first.id)
    expect(refusalOf(await buyer.open({ ...WANTED, lines: others }, key))).toEqual({
      status: says.conflict,
      code: 'idempotency_conflict',
      text: expect.any(String),
      reason: 'conflict',
      fault: null,
    })
  },
)

test.each(ROUTES)('what is over stays over: %s', async (_, buyer, says) => {
  const last = await ready(buyer)
  const id = last.id ?? ''
  expect(sessionOf(await buyer.cancel(id)).phase).toBe('canceled')
  const ended = { reason: 'ended', fault: null }
  expect(refusalOf(await buyer.change(last, WANTED))).toMatchObject({ ...ended, status: 409 })
  expect(refusalOf(await buyer.pay(last, whole, 'tok_visa'))).toMatchObject(ended)
  const { again, unknown } = says.ended
  expect(refusalOf(await buyer.cancel(id))).toMatchObject({ ...ended, status: again })
  expect(sessionOf(await buyer.read(id)).phase).toBe('canceled')
  expect(refusalOf(await buyer.read('chk_none'))).toMatchObject({ ...ended, status: unknown })
})

test.each(ROUTES)('a decline, a challenge, and one payment: %s', async (_, buyer, says) => {
  const last = await ready(buyer)
  const declined = sessionOf(await buyer.pay(last, whole, 'tok_declined'))
  expect(declined).toMatchObject({ phase: 'ready', order: null, faults: [] })
  expect(declined.messages).toMatchObject([says.declined])
  const challenged = sessionOf(await buyer.pay(last, whole, 'tok_3ds'))
  expect(challenged).toMatchObject({ phase: 'challenge', said: 'requires_escalation', faults: [] })
  if (says.challenged) expect(challenged.messages).toMatchObject(says.challenged)
  expect(challenged.continue_url).toMatch(/^https:/)

  const key = buyer.newKey()
  const other = await ready(buyer)
  const { order } = sessionOf(await buyer.pay(other, whole, 'tok_visa', key))
  const before = says.bank.paid().length
  expect(sessionOf(await buyer.pay(other, whole, 'tok_visa', key)).order).toEqual(order)
  // With a new key UCP refuses, and ACP shows the order once more.
  const repeated = await buyer.pay(other, whole, 'tok_visa')
  if (says === UCP_SAYS) {
    expect(refusalOf(repeated)).toMatchObject({ code: 'completed', reason: 'ended' })
  } else expect(sessionOf(repeated).order).toEqual(order)
  expect(says.bank.paid()).toHaveLength(before)
})

const objected = (reply: WalkReply) =>
  reply.is === 'refused'
    ? reply.refusal.reason
    : sessionOf(reply).messages.find(({ reason }) => reason !== null)?.reason

test.each(ROUTES)('each no says what it is about: %s', async (_, buyer, says) => {
  const asked = async (change: Partial<Wanted>) =>
    objected(await buyer.open({ ...WANTED, ...change }))
  const line = (product_id: string, variant_id: string | null, quantity = 1) =>
    asked({ lines: [{ product_id, variant_id, quantity }] })
  expect(await line('ao-1003', 'ao-1003-l-ink')).toBe('sold_out')
  // UCP has one code for all that cannot be had.
  expect(await line('ao-1001', 'ao-1001-none')).toBe(says.unknown)
  expect(await line('ao-1101', null, 1_000_000_000)).toBe('quantity')
  expect(await asked({ address: { ...WANTED.address, street: '', country: 'ZZ' } })).toBe('address')
})

test.each(UCP_ROUTES)('UCP answers in the currency that it has: %s', async (_, buyer) => {
  const euros = sessionOf(await buyer.open({ ...WANTED, currency: 'EUR' }))
  expect([euros.currency, objected({ is: 'session', session: euros })]).toEqual(['USD', undefined])
})

test.each(ACP_ROUTES)('ACP refuses another currency: %s', async (_, buyer) => {
  expect(refusalOf(await buyer.open({ ...WANTED, currency: 'EUR' }))).toMatchObject({
    code: 'unsupported_currency',
    reason: 'currency',
    fault: null,
  })
})

test('an option that was never offered is refused in a message', async () => {
  const buyer = walkerOf(acpStore.ask, acpAt(HOST.acp), HOST.acp)
  const opened = sessionOf(await buyer.open(WANTED))
  expect(objected(await buyer.change(opened, { ...WANTED, option: 'rocket' }))).toBe('shipping')
})

test('a coupon is sent where the store says that it takes some', async () => {
  const dialect = officialAcp({
    base: `https://${HOST.acp}/acp`,
    version: '2026-04-17',
    extensions: ['discount'],
  })
  expect(dialect.can.coupon).toBe(true)
  const buyer = walkerOf(acpStore.ask, dialect, HOST.acp)
  const opened = sessionOf(await buyer.open(WANTED))
  const tried = sessionOf(await buyer.change(opened, { ...WANTED, coupon: 'NONE' }))
  expect(tried.total).toBe(opened.total)
  expect(tried.messages).toContainEqual(
    expect.objectContaining({ kind: 'warning', code: 'discount_code_invalid', reason: 'coupon' }),
  )
})

test('without a key that the shop gave out nobody is let in', async () => {
  const { ask } = await testStore({ acp: { ...ACP_SETTINGS, keys: ['agreed'] } })
  const stranger = officialAcp({ base: `https://${HOST.acp}/acp`, version: '2026-04-17' })
  expect(refusalOf(await walkerOf(ask, stranger, HOST.acp).open(WANTED))).toMatchObject({
    status: 401,
    reason: 'caller',
    fault: null,
  })
})

test.each(TRANSPORTS)('who is not known is not let in: %s', async (transport) => {
  const unread = refusal('profile_unreachable', 'Your profile gave no answer.')
  const { ask: askStrict } = await testStore({
    platforms: { find: async () => unread },
  })
  const stranger = walkerOf(askStrict, ucpAt(HOST.ucp, transport), HOST.ucp)
  expect(refusalOf(await stranger.open(WANTED))).toMatchObject({
    status: 424,
    code: 'profile_unreachable',
    text: 'Your profile gave no answer.',
    reason: 'caller',
    fault: null,
  })
  const { ask: askSigned } = await testStore({ platforms: auditPlatforms })
  const unsigned = walkerOf(askSigned, ucpAt(HOST.ucp, transport), HOST.ucp)
  const { order } = sessionOf(await unsigned.pay(await ready(unsigned), whole, 'tok_visa'))
  expect(refusalOf(await unsigned.order(order?.id ?? ''))).toMatchObject({
    code: 'unauthorized',
    reason: 'caller',
  })
})
