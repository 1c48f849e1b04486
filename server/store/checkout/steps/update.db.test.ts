import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { eventually } from '../../../../shared/testing/wait.ts'
import { orders, products, sessions } from '../../db/tables.ts'
import {
  ADDRESS,
  acpAgent,
  FOR_CUSTOMERS,
  NOON,
  testStore,
  waitingForLocks,
} from '../../testing/store.ts'
import { applyPaymentEvent } from '../payment-events.ts'

let at = NOON.getTime()
const { send, deps, bank, reported } = await testStore({}, { now: () => new Date(at) })
const { db } = deps
const { newKey, create, open, update, complete, pay } = acpAgent(send)

const BERLIN = {
  name: 'Ada Byron',
  street: 'Torstr. 1',
  city: 'Berlin',
  state: 'BE',
  zip: '10115',
  country: 'DE',
}
const usd = (amount: number) => ({ amount, currency: 'USD' })
const ids = (options: { id: string }[]) => options.map(({ id }) => id)
const updated = async (id: string, body: object) => {
  const answer = await update(id, body)
  return { status: answer.status, said: JSON.parse(answer.body) }
}
const sessionOf = async (id: string) => {
  const [session] = await db.select().from(sessions).where(eq(sessions.id, id))
  return session
}
const orderOf = async (id: string) =>
  (await db.select().from(orders).where(eq(orders.session_id, id)))[0]
const told = async (type: 'succeeded' | 'payment_failed', sessionId: string, paymentId: string) => {
  const name = `payment_intent.${type}` as const
  const amount = bank.charges.find(({ result }) => result.paymentId === paymentId)?.amount ?? null
  const event = { id: newKey(), type: name, name, paymentId, sessionId, amount }
  return applyPaymentEvent(deps, 'scripted', event)
}
const paymentOf = (id: string) =>
  bank.charges.findLast(({ sessionId }) => sessionId === id)?.result.paymentId ?? ''

describe('create takes what is known of an address', () => {
  test.each<[string, object, string[], number]>([
    ['nothing', {}, ['standard', 'express'], 2312],
    ['a name', { name: 'Ada' }, ['standard', 'express'], 2312],
    ['a postal code', { zip: '10115-XY' }, ['standard', 'express'], 2312],
    ['the own country', { country: 'US' }, ['standard', 'express'], 2312],
    ['another country', { country: 'DE', zip: '10115' }, ['international'], 0],
  ])('%s', async (_, shipping_address, options, tax) => {
    const { status, body } = await create({ shipping_address })
    const said = JSON.parse(body)
    expect([status, ids(said.shipping_options), said.tax_estimate]).toEqual([
      200,
      options,
      usd(tax),
    ])
    expect((await sessionOf(said.checkout_id))?.address).toEqual(shipping_address)
  })

  test('nothing is charged before all of it is known', async () => {
    const id = await open({ shipping_address: { country: 'DE', name: 'Ada Byron' } })
    const key = newKey()
    const paid = { shipping_option_id: 'international', idempotency_key: key }
    const refused = await complete(id, paid)
    expect([refused.status, refused.said]).toEqual([
      422,
      {
        code: 'validation_error',
        message:
          'The shipping address is incomplete. Missing: street, city, state, zip. Update this ' +
          'checkout with them, or create one with the full address, and then pay.',
      },
    ])
    expect(bank.calls.filter(({ sessionId }) => sessionId === id)).toEqual([])
    const { name, country, ...rest } = BERLIN
    expect((await update(id, { shipping_address: rest })).status).toBe(200)
    // The refusal was not kept: the same key pays.
    expect((await complete(id, paid)).status).toBe(200)
    expect((await orderOf(id))?.address).toEqual(BERLIN)
  })

  test("buyers without a name do not use up one another's attempts", async () => {
    const store = await testStore({}, { quota: { requests: 1, seconds: 60 } })
    const agent = acpAgent(store.send)
    const statuses = [{}, {}, { country: 'US' }, { name: 'Ada' }, { name: 'Ada' }].map(
      async (shipping_address) => (await agent.create({ shipping_address })).status,
    )
    expect((await Promise.all(statuses)).toSorted()).toEqual([200, 200, 200, 200, 429])
  })
})

describe('update: another address', () => {
  test('another country: other options and tax, the same prices, and the choice is dropped', async () => {
    const id = await open()
    await update(id, { shipping_option_id: 'express' })
    const [row] = await db.select().from(products).where(eq(products.id, 'ao-1101'))
    if (!row) throw new Error('no product')
    const article = { ...row.article, price: usd(1) }
    await db.update(products).set({ article }).where(eq(products.id, 'ao-1101'))
    const { status, said } = await updated(id, { shipping_address: BERLIN })
    await db.update(products).set({ article: row.article }).where(eq(products.id, 'ao-1101'))
    expect([status, said]).toEqual([
      200,
      {
        checkout_id: id,
        status: 'pending_confirmation',
        selected_shipping: null,
        total: usd(28_900),
        shipping_options: [
          { id: 'international', name: 'International (7 to 14 days)', cost: usd(2900) },
        ],
        tax_estimate: usd(0),
      },
    ])
    const paid = await complete(id, { shipping_option_id: 'international' })
    expect(paid.said.total).toEqual(usd(31_800))
    expect(await orderOf(id)).toMatchObject({ address: BERLIN, tax: 0, total: 31_800 })
  })

  test('the same country: the chosen option stays, and what is not sent', async () => {
    const id = await open()
    await update(id, { shipping_option_id: 'express' })
    const { said } = await updated(id, { shipping_address: { street: ' 2 Analytical Way ' } })
    expect(said).toMatchObject({
      selected_shipping: { id: 'express', cost: usd(1800) },
      total: usd(28_900 + 2312 + 1800),
      tax_estimate: usd(2312),
    })
    expect(ids(said.shipping_options)).toEqual(['standard', 'express'])
    expect((await sessionOf(id))?.address).toEqual({ ...ADDRESS, street: '2 Analytical Way' })
  })

  test('address and option in one call: the option is one of the new ones', async () => {
    const id = await open()
    const both = { shipping_address: BERLIN, shipping_option_id: 'standard' }
    const refused = await updated(id, both)
    expect([refused.status, refused.said]).toEqual([
      422,
      {
        code: 'validation_error',
        message: expect.stringMatching(FOR_CUSTOMERS),
        detail: 'Set shipping_option_id to one of international.',
        fields: ['shipping_option_id'],
      },
    ])
    expect((await sessionOf(id))?.address).toEqual(ADDRESS)
    const { said } = await updated(id, { ...both, shipping_option_id: 'international' })
    expect([said.selected_shipping.id, said.total]).toEqual(['international', usd(31_800)])
  })

  test.each<[string, unknown, string]>([
    ['a country that does not exist', { country: 'ZZ' }, 'country'],
    ['a country that the known postal code is foreign to', { country: 'CA' }, 'zip'],
    ['a foreign postal code', { zip: 'K1A 0B1' }, 'zip'],
    ['a card number', { name: '4242 4242 4242 4242' }, 'name'],
    ['nothing for a street', { street: '' }, 'street'],
    ['a string', 'Albany', 'shipping_address'],
  ])('422 invalid_address: %s', async (_, shipping_address, field) => {
    const id = await open()
    const { status, said } = await updated(id, { shipping_address })
    const message = expect.stringMatching(FOR_CUSTOMERS)
    expect([status, said]).toEqual([422, { code: 'invalid_address', message, fields: [field] }])
    expect((await sessionOf(id))?.address).toEqual(ADDRESS)
  })

  test('while it is being paid, and afterwards: 409', async () => {
    const id = await open()
    const paying = pay(id, 'tok_held')
    await eventually(async () => (await sessionOf(id))?.status).toBe('completing')
    for (const shipping_address of [BERLIN, ADDRESS]) {
      const { status, said } = await updated(id, { shipping_address })
      expect([status, said.code]).toEqual([409, 'session_closed'])
    }
    await eventually(() => bank.calls.at(-1)?.sessionId).toBe(id)
    bank.releaseHeld()
    expect((await paying).said.total).toEqual(usd(28_900 + 2312))
    expect((await update(id, { shipping_address: BERLIN })).status).toBe(409)
    expect((await orderOf(id))?.address).toEqual(ADDRESS)
  })

  test('an update and a completion at the same moment: one total, charged and ordered', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await open()
      const moving = update(id, { shipping_address: BERLIN })
      const [moved, paid] = await Promise.all([moving, complete(id)])
      const order = await orderOf(id)
      if (paid.status === 200) {
        expect([moved.status, order?.address]).toEqual([409, ADDRESS])
        expect(paid.said.total).toEqual(bank.charges.at(-1)?.amount)
      } else {
        // The option that it named is not offered any more.
        expect([moved.status, paid.status, order]).toEqual([200, 422, undefined])
        expect(bank.calls.filter(({ sessionId }) => sessionId === id)).toEqual([])
      }
    }
  })

  test('a session that expires while an update waits for its lock has expired', async () => {
    const id = await open()
    let late: ReturnType<typeof update> | undefined
    await db.transaction(async (tx) => {
      await tx.select().from(sessions).where(eq(sessions.id, id)).for('update')
      late = update(id, { shipping_address: BERLIN })
      await eventually(() => waitingForLocks(db)).toBe(1)
      at += 15 * 60_000
    })
    expect((await late)?.status).toBe(410)
    at = NOON.getTime()
  })
})

describe('another country after a try', () => {
  test('that was declined: the next one is charged for the new address', async () => {
    const id = await open()
    await pay(id, 'tok_declined')
    await update(id, { shipping_address: BERLIN })
    expect((await complete(id, { shipping_option_id: 'international' })).said.total).toEqual(
      usd(31_800),
    )
  })

  test('that was declined, and paid after all: the order stands, and a person must look', async () => {
    const id = await open()
    await pay(id, 'tok_declined')
    await update(id, { shipping_address: BERLIN })
    expect(await told('succeeded', id, 'pay_after_all')).toBe('applied')
    expect(await orderOf(id)).toMatchObject({ status: 'confirmed', disputed: true })
  })

  test('that failed late: the order is of the new address, its total and its payment', async () => {
    const id = await open()
    const first = await pay(id, 'tok_pending')
    await told('payment_failed', id, paymentOf(id))
    await update(id, { shipping_address: BERLIN, shipping_option_id: 'international' })
    const again = await pay(id, 'tok_visa')
    expect(again.said).toMatchObject({ order_id: first.said.order_id, total: usd(31_800) })
    expect(await orderOf(id)).toMatchObject({
      status: 'confirmed',
      address: BERLIN,
      tax: 0,
      total: 31_800,
      shipping: { id: 'international' },
      disputed: false,
    })
  })

  test('that failed late: a corrected street is in the order, although nothing else changed', async () => {
    const id = await open()
    await pay(id, 'tok_pending')
    await told('payment_failed', id, paymentOf(id))
    await update(id, { shipping_address: { street: '2 Way' } })
    await pay(id, 'tok_visa')
    expect((await orderOf(id))?.address).toEqual({ ...ADDRESS, street: '2 Way' })
  })

  test('that failed late and was paid after all: the order is of what was paid', async () => {
    const id = await open()
    await pay(id, 'tok_pending')
    const payment = paymentOf(id)
    await told('payment_failed', id, payment)
    await update(id, { shipping_address: BERLIN, shipping_option_id: 'international' })
    expect(await told('succeeded', id, payment)).toBe('applied')
    expect(await orderOf(id)).toMatchObject({
      status: 'confirmed',
      address: ADDRESS,
      tax: 2312,
      total: 31_212,
      shipping: { id: 'standard' },
      disputed: false,
    })
    const completed = reported.findLast(({ session_id }) => session_id === id)
    expect(completed).toMatchObject({
      event: 'ai_checkout_completed',
      properties: { value: 31_212 },
    })
  })

  test('whose outcome is unknown: not before it is known, because it may still be paid', async () => {
    const id = await open()
    await pay(id, 'tok_unreachable')
    const refused = await updated(id, { shipping_address: BERLIN })
    expect([refused.status, refused.said]).toEqual([
      409,
      {
        code: 'session_closed',
        message:
          'The last payment may still go through, so this checkout can no longer be changed. Send ' +
          'the payment again to get its result: you will be charged at most once.',
      },
    ])
    // A street changes no total.
    expect((await update(id, { shipping_address: { street: '2 Way' } })).status).toBe(200)
    await pay(id, 'tok_declined')
    expect((await update(id, { shipping_address: BERLIN })).status).toBe(200)
  })
})

test('another country, where tax makes it more than a PSP charges at once, changes nothing', async () => {
  const id = await open({ shipping_address: BERLIN })
  await db.update(sessions).set({ subtotal: 95_000_000 }).where(eq(sessions.id, id))
  const refused = await updated(id, { shipping_address: ADDRESS })
  expect([refused.status, refused.said.code]).toEqual([422, 'validation_error'])
  expect(refused.said.message).toContain('999999.99 USD')
  expect(await sessionOf(id)).toMatchObject({ tax: 0, address: BERLIN })
  await db.update(sessions).set({ subtotal: 92_000_000 }).where(eq(sessions.id, id))
  expect((await updated(id, { shipping_address: ADDRESS })).status).toBe(200)
})
