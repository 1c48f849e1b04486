import { once } from 'node:events'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { afterEach, expect, test } from 'vitest'
import { eventually } from '../../../../shared/testing/wait.ts'
import type { PspEvent } from '../psp.ts'
import { createStripePsp } from '../stripe/stripe.ts'
import { startTestPsp, type TestPsp, type TestPspOptions } from './server.ts'

const SECRET = 'whsec_test'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A store that hears events; the first `deaf` deliveries fail. */
async function listen(service: TestPsp, deaf = 0) {
  const heard: PspEvent[] = []
  let deliveries = 0
  const app = new Hono().post('/webhooks/psp', async (c) => {
    deliveries += 1
    const body = new Uint8Array(await c.req.arrayBuffer())
    const event = await connect(service).readDelivery(c.req.raw.headers, body, new Date())
    if (deliveries <= deaf) return c.body(null, 500)
    heard.push(event)
    return c.json({ received: true })
  })
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 })
  if (!server.listening) await once(server, 'listening')
  closing.push(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  service.sendTo(`http://127.0.0.1:${port}/webhooks/psp`)
  return heard
}

async function start(options: Partial<TestPspOptions> = {}) {
  const service = await startTestPsp({ webhookSecret: SECRET, settleMs: null, ...options })
  closing.push(() => service.close())
  return service
}

const connect = ({ secretKey, host, port }: TestPsp) =>
  createStripePsp({ secretKey, webhookSecrets: [SECRET], host, port, protocol: 'http' })

const pay = (service: TestPsp, token: string) =>
  connect(service).charge({
    amount: { amount: 4200, currency: 'USD' },
    token,
    type: 'card',
    idempotencyKey: `cs_1:${token}`,
    sessionId: 'cs_1',
  })

test.each([
  ['tok_visa', 'payment_intent.succeeded'],
  ['tok_declined', 'payment_intent.payment_failed'],
])('%s is told by a signed webhook: %s', async (token, type) => {
  const service = await start()
  const heard = await listen(service)
  const { paymentId } = await pay(service, token)
  await service.delivered()
  expect(heard).toMatchObject([{ type, paymentId, sessionId: 'cs_1' }])
})

test.each([
  ['tok_pending', 'succeeded', 1],
  ['tok_pending_failed', 'payment_failed', 0],
])('%s is decided by itself: %s', async (token, type, charges) => {
  const service = await start({ settleMs: 20 })
  const heard = await listen(service)
  const { paymentId } = await pay(service, token)
  await eventually(() => heard).toHaveLength(1)
  expect(heard).toMatchObject([{ type: `payment_intent.${type}`, paymentId }])
  expect(service.charges()).toHaveLength(charges)
})

test('a pending payment is decided once, by settle', async () => {
  const service = await start()
  const heard = await listen(service)
  const { paymentId } = await pay(service, 'tok_pending')
  service.settle(paymentId ?? '', 'failed')
  expect(() => service.settle(paymentId ?? '', 'succeeded')).toThrow(/is pending/)
  await service.delivered()
  expect(heard).toMatchObject([{ type: 'payment_intent.payment_failed', paymentId }])
})

test('what was settled is not decided again by itself', async () => {
  const service = await start({ settleMs: 20 })
  const heard = await listen(service)
  const { paymentId } = await pay(service, 'tok_pending')
  service.settle(paymentId ?? '', 'failed')
  await pay(service, 'tok_pending_failed')
  await eventually(() => heard).toHaveLength(2)
  expect(new Set(heard.map(({ type }) => type))).toEqual(new Set(['payment_intent.payment_failed']))
})

test('a dispute is told', async () => {
  const service = await start()
  const heard = await listen(service)
  const { paymentId } = await pay(service, 'tok_visa')
  service.dispute(paymentId ?? '')
  await service.delivered()
  expect(heard).toContainEqual(
    expect.objectContaining({ type: 'charge.dispute.created', paymentId }),
  )
})

test('what is not accepted is delivered again, as the same event', async () => {
  const service = await start()
  const heard = await listen(service, 1)
  await pay(service, 'tok_visa')
  await service.delivered()
  expect(heard).toHaveLength(1)
})

test('close gives up what is under way', async () => {
  const service = await startTestPsp({ webhookSecret: SECRET })
  service.sendTo('http://127.0.0.1:1/webhooks/psp')
  await pay(service, 'tok_visa')
  await service.close()
  await service.delivered()
})

test.each(['https://example.com/x', 'http://example.com/x', 'http://10.0.0.1/x', 'nothing'])(
  'it delivers to this machine alone, not to %s',
  async (url) => {
    const service = await start()
    expect(() => service.sendTo(url)).toThrow(/only to this machine/)
    await expect(startTestPsp({ webhookSecret: SECRET, webhookUrl: url })).rejects.toThrow()
  },
)

test('whoever has no key is sent away', async () => {
  const service = await start()
  const { status } = await fetch(`${service.url}/v1/payment_intents`)
  expect(status).toBe(401)
})
