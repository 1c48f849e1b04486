import { afterAll, expect, test } from 'vitest'
import { PATIENCE_MS } from '../../../shared/testing/wait.ts'
import { onLoopback } from '../../testing/on-loopback.ts'
import { createStripePsp } from '../psp/stripe/stripe.ts'
import { startTestPsp } from '../psp/test/server.ts'
import { acpAgent, testStore } from '../testing/store.ts'

// The whole way: the store, Stripe's client, a PSP over HTTP, and its signed deliveries.

const bank = await startTestPsp({ webhookSecret: 'whsec_test', settleMs: null, slowMs: 800 })
const psp = createStripePsp(bank.access)
const { deps, store, send, ask } = await testStore({}, { psp, now: () => new Date() })
const { open, pay, newKey } = acpAgent(send)
const server = await onLoopback(store)
bank.sendTo(`${server.origin}/webhooks/psp`)
afterAll(async () => {
  await bank.close()
  await server.close()
})

const orderOf = async (id: string) => JSON.parse((await ask(`/acp/orders/${id}`)).body)
const chargesFor = (id: string) =>
  bank.charges().filter(({ metadata }) => metadata.session_id === id)

test('a pending payment is confirmed by its webhook', async () => {
  const { status, said } = await pay(await open(), 'tok_pending')
  expect([status, said.status]).toEqual([202, 'awaiting_payment'])
  const [payment] = bank.payments()
  bank.settle(payment?.id ?? '', 'succeeded')
  await bank.delivered()
  expect((await orderOf(said.order_id)).status).toBe('confirmed')
})

test('a pending payment that fails: the order has failed, and another token pays it', async () => {
  const id = await open()
  const { said } = await pay(id, 'tok_pending')
  const [payment] = bank.payments()
  bank.settle(payment?.id ?? '', 'failed')
  await bank.delivered()
  expect((await orderOf(said.order_id)).status).toBe('payment_failed')
  expect((await pay(id, 'tok_visa')).said).toMatchObject({
    order_id: said.order_id,
    status: 'confirmed',
  })
})

test('a decline, then a token that is good; the PSP tells of both', async () => {
  const id = await open()
  const declined = await pay(id, 'tok_declined')
  expect([declined.status, declined.said.code]).toEqual([402, 'payment_declined'])
  const paid = await pay(id, 'tok_visa')
  await bank.delivered()
  expect((await orderOf(paid.said.order_id)).status).toBe('confirmed')
  expect(chargesFor(id)).toHaveLength(1)
})

test('a PSP that is slow, or whose answer is lost: one charge, and the same order', async () => {
  for (const token of ['tok_slow', 'tok_lost', 'tok_error']) {
    const id = await open()
    const key = newKey()
    deps.answerMs = 300
    let answer = await pay(id, token, key)
    deps.answerMs = PATIENCE_MS
    for (let tries = 0; answer.status !== 200 && tries < 3; tries += 1) {
      expect([token, answer.status]).toEqual([token, 409])
      answer = await pay(id, token, key)
    }
    await bank.delivered()
    expect(answer.status).toBe(200)
    expect(chargesFor(id)).toHaveLength(1)
    expect((await orderOf(answer.said.order_id)).status).toBe('confirmed')
  }
})

test('a delivery that nobody signed is refused', async () => {
  const { status, body } = await send('POST', '/webhooks/psp', {
    id: 'evt_1',
    type: 'payment_intent.succeeded',
  })
  expect(status).toBe(400)
  expect(JSON.parse(body).error.message).toMatch(/^[A-Z].*\.$/)
})
