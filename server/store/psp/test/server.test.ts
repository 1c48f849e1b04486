import { Hono } from 'hono'
import { afterEach, expect, test } from 'vitest'
import { eventually } from '../../../../shared/testing/wait.ts'
import { onLoopback } from '../../../testing/on-loopback.ts'
import type { Charge, PspEvent } from '../psp.ts'
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
  const { origin, close } = await onLoopback(app)
  closing.push(close)
  service.sendTo(`${origin}/webhooks/psp`)
  return heard
}

async function start(options: Partial<TestPspOptions> = {}) {
  const service = await startTestPsp({ webhookSecret: SECRET, settleMs: null, ...options })
  closing.push(() => service.close())
  return service
}

const connect = ({ access }: TestPsp) => createStripePsp(access)

const pay = (service: TestPsp, token: string, change: Partial<Charge> = {}) =>
  connect(service).charge({
    amount: { amount: 4200, currency: 'USD' },
    token,
    type: 'card',
    idempotencyKey: `cs_1:${token}`,
    sessionId: 'cs_1',
    ...change,
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
  // Longer than the answer takes to come: until then nothing decides.
  const service = await start({ settleMs: 5000 })
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

const RETURN_URL = 'https://shop.example/back?order=1&step=2'

/** A payment that waits for its challenge, and its page. */
async function challenge(options: Partial<TestPspOptions> = {}) {
  const service = await start(options)
  const heard = await listen(service)
  const result = await pay(service, 'tok_3ds', { returnUrl: RETURN_URL })
  const url = result.status === 'pending' ? (result.challengeUrl ?? '') : ''
  const answer = (decision?: string) =>
    fetch(url, {
      method: 'POST',
      body: new URLSearchParams(decision === undefined ? {} : { decision }),
      redirect: 'manual',
    })
  return { service, heard, url, answer, paymentId: result.paymentId ?? '' }
}

test('the page of a challenge shows the amount and two buttons, and says nothing to others', async () => {
  const { url, heard, service } = await challenge()
  const page = await fetch(url)
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toMatch(/^text\/html/)
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(page.headers.get('referrer-policy')).toBe('no-referrer')
  const text = await page.text()
  expect(text).toContain('42.00 USD')
  expect(text.match(/<form method="post">/g)).toHaveLength(2)
  expect(text).toMatch(/value="approve".*Approve/)
  expect(text).toMatch(/value="refuse".*Refuse/)
  await service.delivered()
  expect(heard).toEqual([])
})

test.each([
  ['approve', 'refuse', 'payment_intent.succeeded', 1, 'You approved this payment'],
  ['refuse', 'approve', 'payment_intent.payment_failed', 0, 'This payment was not made'],
])('%s, then %s: %s, once', async (first, second, type, charges, said) => {
  const { service, heard, url, answer, paymentId } = await challenge({ settleMs: 1 })
  for (const decision of [first, second, first]) {
    const { status, headers } = await answer(decision)
    expect([status, headers.get('location')]).toEqual([303, RETURN_URL])
  }
  await service.delivered()
  expect(heard).toMatchObject([{ type, paymentId, sessionId: 'cs_1' }])
  expect(service.charges()).toHaveLength(charges)
  const page = await (await fetch(url)).text()
  expect(page).toContain(said)
  expect(page).toContain('href="https://shop.example/back?order=1&amp;step=2"')
  expect(page).not.toContain('<form')
})

test.each([undefined, '', 'yes', '<script>'])(
  'an answer that decides nothing leaves it open: %s',
  async (decision) => {
    const { service, answer, paymentId } = await challenge()
    const reply = await answer(decision)
    expect(reply.status).toBe(400)
    expect(await reply.text()).toContain('Approve')
    service.settle(paymentId, 'succeeded')
    expect(service.charges()).toHaveLength(1)
  },
)

test('a challenge that does not exist has a page that says so', async () => {
  const { url, paymentId } = await challenge()
  for (const id of [paymentId, 'x', '%00', '"><b>']) {
    const wrong = url.replace(/[^/]+$/, id)
    for (const method of ['GET', 'POST']) {
      const reply = await fetch(wrong, { method })
      expect(reply.status).toBe(404)
      expect(await reply.text()).not.toContain('<b>')
    }
  }
})

test.each(['javascript:alert(1)', 'data:text/html,x', 'nothing', '/back'])(
  'a buyer is not sent to %s',
  async (returnUrl) => {
    const service = await start()
    await expect(pay(service, 'tok_3ds', { returnUrl })).rejects.toThrow(/URL/)
    expect(service.payments()).toEqual([])
  },
)

test('a payment that was made cannot be canceled', async () => {
  const service = await start()
  const { paymentId } = await pay(service, 'tok_visa')
  const headers = { authorization: `Bearer ${service.secretKey}` }
  const cancel = (id: string | null) =>
    fetch(`${service.url}/v1/payment_intents/${id}/cancel`, { method: 'POST', headers })
  expect((await cancel(paymentId)).status).toBe(400)
  expect((await cancel('pi_none')).status).toBe(400)
  expect(service.charges()).toHaveLength(1)
})
