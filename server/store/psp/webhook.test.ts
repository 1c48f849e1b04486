import { expect, test } from 'vitest'
import type { PspEvent } from './psp.ts'
import { createStripePsp } from './stripe/stripe.ts'
import { stripeSignature } from './test/sender.ts'
import { pspWebhookReply } from './webhook.ts'

const NOW = new Date('2026-06-01T12:00:00.000Z')
const SECRET = 'whsec_test'
const BODY = JSON.stringify({ id: 'evt_1', type: 'payment_intent.succeeded' })
const KIB = 1024

const psp = createStripePsp({ secretKey: 'sk_test', webhookSecrets: [SECRET] })

async function deliver(
  body: BodyInit,
  headers: Record<string, string> = {},
  apply = async (_: PspEvent): Promise<'applied' | 'duplicate' | 'ignored'> => 'applied',
) {
  const seen: PspEvent[] = []
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, headers, duplex: 'half' }
  const request = new Request('https://shop.example/webhooks/psp', init)
  const reply = await pspWebhookReply(
    {
      psp,
      now: () => NOW,
      apply: (event) => {
        seen.push(event)
        return apply(event)
      },
    },
    request,
  )
  return { status: reply.status, headers: reply.headers, body: JSON.parse(reply.body), seen }
}

const signed = (body: string) => ({ 'stripe-signature': stripeSignature(body, SECRET, NOW) })

test.each(['applied', 'duplicate', 'ignored'] as const)(
  'an event that is %s is acknowledged',
  async (outcome) => {
    const reply = await deliver(BODY, signed(BODY), async () => outcome)
    expect(reply).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      body: { received: true, outcome },
      seen: [{ id: 'evt_1' }],
    })
  },
)

test.each([
  ['without a signature', {}],
  ['with a wrong signature', { 'stripe-signature': `t=${NOW.getTime() / 1000},v1=00` }],
  ['with a header of 10 MB', { 'stripe-signature': 'x'.repeat(10_000_000) }],
  ['signed for another body', signed(`${BODY} `)],
])('a delivery %s is refused, and has no effect', async (_, headers) => {
  expect(await deliver(BODY, headers)).toMatchObject({
    status: 400,
    body: { error: { code: 'delivery_refused', message: expect.any(String) } },
    seen: [],
  })
})

test('256 KiB are read, a byte more is not', async () => {
  const body = BODY.padEnd(256 * KIB)
  expect(await deliver(body, signed(body))).toMatchObject({ status: 200 })
  expect(await deliver(`${body} `, signed(`${body} `))).toMatchObject({
    status: 413,
    body: { error: { code: 'too_large' } },
    seen: [],
  })
})

test('a body without end is left after 256 KiB', async () => {
  let sent = 0
  const endless = new ReadableStream({
    pull(controller) {
      sent += 16 * KIB
      controller.enqueue(new Uint8Array(16 * KIB))
    },
  })
  expect(await deliver(endless)).toMatchObject({ status: 413 })
  expect(sent).toBeLessThan(512 * KIB)
})

test('an empty delivery is refused', async () => {
  expect(await deliver('', signed(''))).toMatchObject({ status: 400 })
})

test('an event that could not have its effect is not acknowledged', async () => {
  const failing = deliver(BODY, signed(BODY), async () => {
    throw new Error('the database is down')
  })
  await expect(failing).rejects.toThrow('the database is down')
})

test('a fault of ours is no refusal', async () => {
  const broken = { ...psp, readDelivery: () => Promise.reject(new Error('a fault of ours')) }
  const request = new Request('https://shop.example/webhooks/psp', { method: 'POST', body: BODY })
  const reply = pspWebhookReply(
    { psp: broken, now: () => NOW, apply: async () => 'applied' },
    request,
  )
  await expect(reply).rejects.toThrow('a fault of ours')
})
