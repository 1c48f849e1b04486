import { expect, test } from 'vitest'
import { SERVED_ACP } from '../../../../shared/protocols/acp/versions.ts'
import { officialAcp } from '../../../../shared/walk/dialects/acp.ts'
import type { WalkReply } from '../../../../shared/walk/session.ts'
import { testStore } from '../../testing/store.ts'
import { acpAt, refusalOf, sessionOf, WANTED, walkerOf } from '../../testing/walker.ts'
import { ACP_SETTINGS } from './testing/agent.ts'

const HOST = 'acp.example'
// ACP's schema of a request knows no quantity, which is why it is not held to it.
const { ask, bank } = await testStore({ faults: [] })

const walker = (version: (typeof SERVED_ACP)[number]) => walkerOf(ask, acpAt(HOST, version), HOST)

const others = [{ product_id: 'ao-1001', variant_id: 'ao-1001-m-pine', quantity: 1 }]
const sum = (parts: { amount: number }[] | null) =>
  parts?.reduce((all, { amount }) => all + amount, 0)

/** A session that can be paid: ACP chooses shipping in an update alone. */
async function readyAt(buyer: ReturnType<typeof walker>) {
  const whole = { ...WANTED, option: 'standard' }
  return { whole, ready: sessionOf(await buyer.change(sessionOf(await buyer.open(WANTED)), whole)) }
}

test.each(SERVED_ACP)('a purchase step by step: %s', async (version) => {
  const buyer = walker(version)
  const bare = sessionOf(await buyer.open({ ...WANTED, address: null }))
  expect(bare).toMatchObject({ phase: 'open', currency: 'usd', chosen: null, faults: [] })
  expect(bare.handlers).toEqual(['card'])
  expect(bare.messages.every(({ reason }) => reason === null)).toBe(true)
  const [line] = bare.lines ?? []
  expect(bare.lines).toEqual([
    { id: 'li_ao-1101', item: 'ao-1101', quantity: 2, price: line?.price },
  ])
  expect(bare.subtotal).toBe(2 * (line?.price ?? 0))

  const addressed = sessionOf(await buyer.change(bare, WANTED))
  expect(addressed.messages).toHaveLength(1)
  expect(addressed.shipping.map(({ id, kind }) => [id, kind])).toEqual([
    ['standard', 'shipping'],
    ['express', 'shipping'],
  ])

  const dear = sessionOf(await buyer.change(addressed, { ...WANTED, option: 'express' }))
  const cost = dear.shipping.find(({ id }) => id === 'express')?.cost
  expect(dear).toMatchObject({ phase: 'ready', chosen: 'express', messages: [], faults: [] })
  expect(dear.parts).toContainEqual({ name: 'fulfillment', amount: cost })
  expect(sum(dear.parts)).toBe(dear.total)

  const lines = [{ product_id: 'ao-1101', variant_id: null, quantity: 3 }, ...others]
  const grown = sessionOf(await buyer.change(dear, { ...WANTED, lines, option: 'standard' }))
  expect(grown.lines).toMatchObject([
    { item: 'ao-1101', quantity: 3 },
    { item: 'ao-1001-m-pine', quantity: 1 },
  ])
  expect(grown).toMatchObject({ phase: 'ready', chosen: 'standard', messages: [] })

  const swapped = { ...WANTED, lines: others, option: 'standard' }
  const less = sessionOf(await buyer.change(grown, swapped))
  expect(less.lines).toMatchObject([{ item: 'ao-1001-m-pine', quantity: 1 }])
  expect(less.phase).toBe('ready')
  expect(sessionOf(await buyer.read(less.id ?? ''))).toEqual(less)

  const before = bank.paid().length
  const paid = sessionOf(await buyer.pay(less, swapped, 'tok_visa'))
  expect(paid).toMatchObject({ phase: 'completed', continue_url: null, faults: [] })
  expect(paid.order?.url).toMatch(/^https:/)
  expect(bank.paid()).toHaveLength(before + 1)
})

test('official ACP reads no orders, and asks with no part of an address', () => {
  const dialect = acpAt(HOST)
  expect([dialect.can.order, dialect.can.quote]).toEqual([false, false])
  expect(dialect.call({ op: 'order', id: 'order_1' })).toBeNull()
})

test.each(SERVED_ACP)(
  'a call that is repeated, and one that is not the same: %s',
  async (version) => {
    const buyer = walker(version)
    const key = buyer.newKey()
    const first = sessionOf(await buyer.open(WANTED, key))
    expect(sessionOf(await buyer.open(WANTED, key)).id).toBe(first.id)
    expect(sessionOf(await buyer.open(WANTED)).id).not.toBe(first.id)
    expect(refusalOf(await buyer.open({ ...WANTED, lines: others }, key))).toEqual({
      status: 422,
      code: 'idempotency_conflict',
      text: expect.any(String),
      reason: 'conflict',
      fault: null,
    })
  },
)

test.each(SERVED_ACP)('what is over stays over: %s', async (version) => {
  const buyer = walker(version)
  const { whole, ready } = await readyAt(buyer)
  const id = ready.id ?? ''
  expect(sessionOf(await buyer.cancel(id)).phase).toBe('canceled')
  const ended = { reason: 'ended', fault: null }
  expect(refusalOf(await buyer.change(ready, WANTED))).toMatchObject({ ...ended, status: 409 })
  expect(refusalOf(await buyer.pay(ready, whole, 'tok_visa'))).toMatchObject(ended)
  expect(refusalOf(await buyer.cancel(id))).toMatchObject({ ...ended, status: 405 })
  expect(refusalOf(await buyer.read('cs_none'))).toMatchObject({ ...ended, status: 404 })
})

test.each(SERVED_ACP)('one payment, a decline, and a challenge: %s', async (version) => {
  const buyer = walker(version)
  const { whole, ready } = await readyAt(buyer)
  const declined = sessionOf(await buyer.pay(ready, whole, 'tok_declined'))
  expect(declined).toMatchObject({ phase: 'ready', order: null, faults: [] })
  expect(declined.messages).toMatchObject([{ code: 'payment_declined', reason: 'payment' }])
  const challenged = sessionOf(await buyer.pay(ready, whole, 'tok_3ds'))
  expect(challenged).toMatchObject({ phase: 'challenge', said: 'requires_escalation', faults: [] })
  expect(challenged.continue_url).toMatch(/^https:/)

  const key = buyer.newKey()
  const { whole: same, ready: other } = await readyAt(buyer)
  const paid = sessionOf(await buyer.pay(other, same, 'tok_visa', key))
  expect(sessionOf(await buyer.pay(other, same, 'tok_visa', key)).order).toEqual(paid.order)
  const before = bank.paid().length
  // With a new key the order is shown once more, and nothing is charged.
  expect(sessionOf(await buyer.pay(other, same, 'tok_visa')).order).toEqual(paid.order)
  expect(bank.paid()).toHaveLength(before)
})

const objected = (reply: WalkReply) =>
  reply.is === 'refused'
    ? reply.refusal.reason
    : sessionOf(reply).messages.find(({ reason }) => reason !== null)?.reason

test.each(SERVED_ACP)('each no says what it is about: %s', async (version) => {
  const buyer = walker(version)
  const line = (product_id: string, variant_id: string | null, quantity = 1) => ({
    ...WANTED,
    lines: [{ product_id, variant_id, quantity }],
  })
  expect(objected(await buyer.open(line('ao-1003', 'ao-1003-l-ink')))).toBe('sold_out')
  expect(objected(await buyer.open(line('ao-1001', 'ao-1001-none')))).toBe('unknown_item')
  expect(objected(await buyer.open(line('ao-1101', null, 1_000_000_000)))).toBe('quantity')
  const nowhere = { ...WANTED, address: { ...WANTED.address, street: '', country: 'ZZ' } }
  expect(objected(await buyer.open(nowhere))).toBe('address')
  expect(refusalOf(await buyer.open({ ...WANTED, currency: 'EUR' }))).toMatchObject({
    code: 'unsupported_currency',
    reason: 'currency',
    fault: null,
  })
})

test('an option that was never offered is refused in a message', async () => {
  const buyer = walker('2026-04-17')
  const opened = sessionOf(await buyer.open(WANTED))
  expect(objected(await buyer.change(opened, { ...WANTED, option: 'rocket' }))).toBe('shipping')
})

test('a coupon is sent where the store says that it takes some', async () => {
  const dialect = officialAcp({
    base: `https://${HOST}/acp`,
    version: '2026-04-17',
    extensions: ['discount'],
  })
  expect(dialect.can.coupon).toBe(true)
  const buyer = walkerOf(ask, dialect, HOST)
  const opened = sessionOf(await buyer.open(WANTED))
  const tried = sessionOf(await buyer.change(opened, { ...WANTED, coupon: 'NONE' }))
  expect(tried.total).toBe(opened.total)
  expect(tried.messages).toContainEqual(
    expect.objectContaining({ kind: 'warning', code: 'discount_code_invalid', reason: 'coupon' }),
  )
})

test('without a key that the shop gave out nobody is let in', async () => {
  const { ask: askStrict } = await testStore({ acp: { ...ACP_SETTINGS, keys: ['agreed'] } })
  const stranger = officialAcp({ base: `https://${HOST}/acp`, version: '2026-04-17' })
  expect(refusalOf(await walkerOf(askStrict, stranger, HOST).open(WANTED))).toMatchObject({
    status: 401,
    reason: 'caller',
    fault: null,
  })
})
