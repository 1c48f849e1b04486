import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { products, sessions } from '../../db/tables.ts'
import { acpAgent, NOON, stockOf, testStore } from '../../testing/store.ts'

// Literal bodies, written from the specification: a mistake in the shared schemas cannot pass.

const { ask, send, deps, bank, reported } = await testStore()
const { create, open, update, complete, pay } = acpAgent(send)
const tents = stockOf(deps, 'ao-1101')

const TENT = { product_id: 'ao-1101', quantity: 2 }
const statusOf = async (id: string) =>
  (await deps.db.select().from(sessions).where(eq(sessions.id, id)))[0]?.status

test('create: a session that waits for its confirmation, for fifteen minutes', async () => {
  const { status, headers, body } = await create({
    items: [TENT, { product_id: 'ao-1001', variant_id: 'ao-1001-s-pine', quantity: 1 }],
  })
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/json')
  expect(JSON.parse(body)).toEqual({
    checkout_id: expect.stringMatching(/^checkout_/),
    status: 'pending_confirmation',
    items: [
      {
        product_id: 'ao-1101',
        variant_id: null,
        name: 'Arete 1 Tent',
        quantity: 2,
        unit_price: { amount: 28900, currency: 'USD' },
      },
      {
        product_id: 'ao-1001',
        variant_id: 'ao-1001-s-pine',
        name: 'Skarn Rain Jacket',
        quantity: 1,
        unit_price: { amount: 17900, currency: 'USD' },
      },
    ],
    subtotal: { amount: 75700, currency: 'USD' },
    shipping_options: [
      {
        id: 'standard',
        name: 'Standard (3 to 5 days)',
        cost: { amount: 0, currency: 'USD' },
      },
      {
        id: 'express',
        name: 'Express (next working day)',
        cost: { amount: 1800, currency: 'USD' },
      },
    ],
    tax_estimate: { amount: 6056, currency: 'USD' },
    expires_at: '2026-06-01T12:15:00.000Z',
  })
})

test('update: the selected shipping and the total', async () => {
  const id = await open({ items: [TENT] })
  const { status, body } = await update(id, { shipping_option_id: 'express' })
  expect(status).toBe(200)
  expect(JSON.parse(body)).toEqual({
    checkout_id: id,
    status: 'pending_confirmation',
    selected_shipping: {
      id: 'express',
      name: 'Express (next working day)',
      cost: { amount: 1800, currency: 'USD' },
    },
    total: { amount: 57800 + 4624 + 1800, currency: 'USD' },
  })
  expect(JSON.parse((await update(id, {})).body).selected_shipping.id).toBe('express')
  const empty = await update(await open({ items: [TENT] }), {})
  expect(JSON.parse(empty.body)).toMatchObject({
    selected_shipping: null,
    total: { amount: 57800 + 4624 },
  })
})

test('complete: the order, its number and its receipt; one charge of the total', async () => {
  const before = await tents.pieces()
  const id = await open({ items: [TENT] })
  await update(id, { shipping_option_id: 'express' })
  // The option of the update stands: the body's is applied where there was none.
  const { status, body } = await complete(id, { shipping_option_id: 'standard' })
  expect(status).toBe(200)
  expect(JSON.parse(body)).toEqual({
    order_id: expect.stringMatching(/^order_/),
    status: 'confirmed',
    total: { amount: 64224, currency: 'USD' },
    estimated_delivery: '2026-06-02',
    confirmation_number: expect.stringMatching(/^AO-[2-9A-Z]{4}-[2-9A-Z]{4}$/),
    receipt_url: expect.stringMatching(/^https:\/\/shop\.example\/receipts\/[\w-]{43}$/),
  })
  expect(bank.charges.filter(({ sessionId }) => sessionId === id)).toMatchObject([
    { amount: { amount: 64224, currency: 'USD' }, token: 'tok_visa', idempotencyKey: id },
  ])
  expect(await tents.pieces()).toBe(before - 2)
  expect(await statusOf(id)).toBe('completed')

  const receipt = await ask(new URL(JSON.parse(body).receipt_url).pathname)
  expect(receipt.status).toBe(200)
  expect(receipt.body).toContain(JSON.parse(body).confirmation_number)
  expect((await ask(`/receipts/${'x'.repeat(43)}`)).status).toBe(404)
})

test('what is reported of it', async () => {
  const id = await open({ items: [TENT], ai_surface: 'chat_assistant' })
  await pay(id, 'tok_declined')
  await complete(id)
  expect(reported.filter(({ session_id }) => session_id === id)).toEqual(
    [
      { event: 'ai_checkout_initiated' },
      { event: 'ai_checkout_failed', reason: 'payment_declined', duration_ms: 0 },
      { event: 'ai_checkout_completed', duration_ms: 0 },
    ].map(({ event, ...said }) => ({
      event,
      domain: 'shop.example',
      session_id: id,
      source: 'acp',
      ai_surface: 'chat_assistant',
      properties: { value: 62424, currency: 'USD', ...said },
      timestamp: NOON.toISOString(),
    })),
  )
})

test('a price that changes between cart and confirmation: what was quoted holds', async () => {
  const items = [{ product_id: 'ao-1105', quantity: 1 }]
  const id = await open({ items })
  const quoted = JSON.parse((await update(id, { shipping_option_id: 'standard' })).body).total
  const [row] = await deps.db.select().from(products).where(eq(products.id, 'ao-1105'))
  if (!row) throw new Error('no product')
  const { article } = row
  const dearer = { ...article, price: { amount: article.price.amount + 1000, currency: 'USD' } }
  await deps.db.update(products).set({ article: dearer }).where(eq(products.id, 'ao-1105'))

  const { status, said } = await complete(id)
  expect([status, said.total]).toEqual([200, quoted])
  expect(bank.charges.at(-1)?.amount).toEqual(quoted)

  const next = JSON.parse((await create({ items })).body)
  expect(next.subtotal.amount).toBe(dearer.price.amount)
  const page = await ask('/products/ao-1105')
  expect(page.body).toContain(`$${dearer.price.amount / 100}.00`)
})
