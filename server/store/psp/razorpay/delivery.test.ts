import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { readRazorpayDelivery } from './delivery.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const sign = (body: Uint8Array | string, secret = 'new') =>
  createHmac('sha256', secret).update(body).digest('hex')
const read = (signature: string | null, body: Uint8Array) =>
  readRazorpayDelivery(
    new Headers(signature === null ? {} : { 'x-razorpay-signature': signature }),
    body,
    ['new', 'old'],
  )
const readSigned = (event: unknown) => {
  const text = JSON.stringify(event)
  return read(sign(text), bytes(text))
}

const PAYMENT = { payment: { entity: { id: 'pay_1', notes: { session_id: 'cs_1' } } } }
const BODY = bytes(JSON.stringify({ event: 'payment.captured', payload: PAYMENT }))

test.each([
  [{ event: 'payment.captured', payload: PAYMENT }, 'payment_intent.succeeded', 'pay_1', 'cs_1'],
  [{ event: 'payment.failed', payload: PAYMENT }, 'payment_intent.payment_failed', 'pay_1', 'cs_1'],
  [
    {
      event: 'payment.dispute.created',
      payload: { dispute: { entity: { id: 'disp_1', payment_id: 'pay_2' } } },
    },
    'charge.dispute.created',
    'pay_2',
    null,
  ],
  [{ event: 'order.paid', payload: PAYMENT }, 'other', 'pay_1', 'cs_1'],
  [
    { event: 'payment.captured', payload: { payment: { entity: { id: 'pay_3', notes: [] } } } },
    'payment_intent.succeeded',
    'pay_3',
    null,
  ],
  [{ event: 'payment.captured' }, 'payment_intent.succeeded', null, null],
])('%j', (event, type, paymentId, sessionId) => {
  expect(readSigned(event)).toMatchObject({ type, name: event.event, paymentId, sessionId })
})

test('what a payment is of, and of a dispute nothing', () => {
  const entity = { id: 'pay_1', amount: 4200, currency: 'INR', notes: [] }
  const amount = { amount: 4200, currency: 'INR' }
  const captured = { event: 'payment.captured', payload: { payment: { entity } } }
  expect(readSigned(captured).amount).toEqual(amount)
  const dispute = { entity: { id: 'disp_1', payment_id: 'pay_1', amount: 1 } }
  const disputed = { event: 'payment.dispute.created', payload: { payment: { entity }, dispute } }
  expect(readSigned(disputed).amount).toBeNull()
})

test.each([{ order_id: 'order_website17' }, { invoice_id: 'inv_17' }])(
  'a payment for another sale of the account names no session of ours: %j',
  (sale) => {
    const entity = { id: 'pay_1', notes: { session_id: 'cs_1' }, ...sale }
    expect(
      readSigned({ event: 'payment.captured', payload: { payment: { entity } } }),
    ).toMatchObject({ paymentId: 'pay_1', sessionId: null })
  },
)

test('a retry has the id of the first try, another event has another', () => {
  const event = { event: 'payment.captured', payload: PAYMENT, created_at: 1 }
  expect(readSigned(event).id).toBe(readSigned(event).id)
  expect(readSigned(event).id).not.toBe(readSigned({ ...event, created_at: 2 }).id)
})

test('both active secrets pass', () => {
  expect(read(sign(BODY, 'old'), BODY)).toMatchObject({ paymentId: 'pay_1' })
})

test.each([
  ['without a signature', null, BODY],
  ['with an empty signature', '', BODY],
  ['with a short signature', sign(BODY).slice(2), BODY],
  ['with a signature of 10 MB', 'a'.repeat(10_000_000), BODY],
  ['signed with another secret', sign(BODY, 'other'), BODY],
  ['signed with no secret', sign(BODY, ''), BODY],
  ['over another body', sign(BODY), bytes('{}')],
  ['after a byte order mark', sign(BODY), bytes(`\ufeff${new TextDecoder().decode(BODY)}`)],
  ['that is no JSON', sign('{'), bytes('{')],
  ['that is no event', sign('[]'), bytes('[]')],
  ['that is no UTF-8', sign(new Uint8Array([0xff])), new Uint8Array([0xff])],
])('a delivery %s is refused', (_, signature, body) => {
  expect(() => read(signature, body)).toThrow(expect.objectContaining({ name: 'RefusedDelivery' }))
})
