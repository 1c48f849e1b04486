import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { stripeSignature } from '../test/sender.ts'
import { readStripeDelivery } from './delivery.ts'

const NOW = new Date('2026-06-01T12:00:00.000Z')
const SECRET = 'whsec_new'
const OLD_SECRET = 'whsec_old'

const BODY = JSON.stringify({
  id: 'evt_1',
  object: 'event',
  type: 'payment_intent.succeeded',
  data: {
    object: {
      id: 'pi_1',
      object: 'payment_intent',
      amount: 4200,
      currency: 'usd',
      metadata: { session_id: 'cs_1' },
    },
  },
})
const EVENT = {
  id: 'evt_1',
  type: 'payment_intent.succeeded',
  name: 'payment_intent.succeeded',
  paymentId: 'pi_1',
  sessionId: 'cs_1',
  amount: { amount: 4200, currency: 'USD' },
}

const bytes = (text: string) => new TextEncoder().encode(text)
const atSecond = (offset: number) => new Date(NOW.getTime() + offset * 1000)
const sign = (body = BODY, at = NOW, secret = SECRET) => stripeSignature(body, secret, at)
const read = (header: string | null, body: Uint8Array = bytes(BODY)) =>
  readStripeDelivery(
    new Headers(header === null ? {} : { 'stripe-signature': header }),
    body,
    [SECRET, OLD_SECRET],
    NOW,
  )
const v1 = (header: string) => header.split(',')[1]

test.each([
  ['signed now', sign()],
  ['300 s old', sign(BODY, atSecond(-300))],
  ['300 s ahead', sign(BODY, atSecond(300))],
  ['signed with the other active secret', sign(BODY, NOW, OLD_SECRET)],
  ['with a wrong signature before the right one', sign().replace(',', `,v1=${'0'.repeat(64)},`)],
  ['with a wrong signature after it', `${sign()},v1=${'0'.repeat(64)}`],
  ['with an empty signature beside it', `${sign()},v1=`],
  ['with other schemes', `${sign()},v0=${'0'.repeat(64)},v2=x`],
  ['with spaces', sign().replace(',', ', ')],
])('a delivery %s is read', (_, header) => {
  expect(read(header)).toEqual(EVENT)
})

test.each([
  ['without a header', null, /Stripe-Signature header is missing/],
  ['301 s old', sign(BODY, atSecond(-301)), /300 s/],
  ['301 s ahead', sign(BODY, atSecond(301)), /300 s/],
  ['signed with another secret', sign(BODY, NOW, 'whsec_other'), /No signature matches/],
  ['signed with no secret', sign(BODY, NOW, ''), /No signature matches/],
  ['over another body', sign(`${BODY} `), /No signature matches/],
  ['over another time', `t=${NOW.getTime() / 1000 + 1},${v1(sign())}`, /No signature matches/],
  ['with two times', `${sign()},t=${NOW.getTime() / 1000}`, /does not have the form/],
  ['without a time', `${v1(sign())}`, /does not have the form/],
  ['with a time that is no number', `t=now,${v1(sign())}`, /does not have the form/],
  ['with an empty signature', `t=${NOW.getTime() / 1000},v1=`, /does not have the form/],
  ['with a bare scheme', `t=${NOW.getTime() / 1000},v1`, /does not have the form/],
  ['with another scheme alone', sign().replace('v1=', 'v0='), /does not have the form/],
  ['with a short signature', sign().slice(0, -1), /does not have the form/],
  [
    'with signatures without end',
    `${sign()}${`,v1=${'0'.repeat(64)}`.repeat(20)}`,
    /does not have/,
  ],
  ['with a header of 10 MB', `${sign()},${'x'.repeat(10_000_000)}`, /does not have the form/],
])('a delivery %s is refused', (_, header, message) => {
  expect(() => read(header)).toThrow(expect.objectContaining({ name: 'RefusedDelivery' }))
  expect(() => read(header)).toThrow(message)
})

test.each([
  ['written anew', bytes(JSON.stringify(JSON.parse(BODY), null, 2))],
  ['after a byte order mark', bytes(`\ufeff${BODY}`)],
  ['in UTF-16', new Uint8Array(Buffer.from(BODY, 'utf16le'))],
  ['compressed', gzipSync(BODY)],
  ['empty', new Uint8Array()],
  ['cut short', bytes(BODY).slice(0, -1)],
])('a body %s is refused', (_, body) => {
  expect(() => read(sign(), body)).toThrow(expect.objectContaining({ name: 'RefusedDelivery' }))
})

test('a byte that is no UTF-8 is refused, although a mending decoder would make it the signed one', () => {
  const signed = BODY.replace('cs_1', '\ufffd')
  const sent = Buffer.concat(
    signed
      .split('\ufffd')
      .flatMap((part, index) => [...(index ? [[0xff]] : []), bytes(part)])
      .map((each) => Buffer.from(each)),
  )
  expect(() => read(sign(signed), sent)).toThrow(/not UTF-8/)
})

const signedEvent = (event: unknown) => {
  const text = JSON.stringify(event)
  return read(sign(text), bytes(text))
}

test.each([
  [
    'a failed payment',
    { id: 'evt_2', type: 'payment_intent.payment_failed', data: { object: { id: 'pi_2' } } },
    { type: 'payment_intent.payment_failed', paymentId: 'pi_2', sessionId: null, amount: null },
  ],
  [
    'a payment that was given up',
    {
      id: 'evt_8',
      type: 'payment_intent.canceled',
      data: { object: { id: 'pi_8', metadata: { session_id: 'cs_8' } } },
    },
    {
      ...{ type: 'payment_intent.canceled', name: 'payment_intent.canceled' },
      ...{ paymentId: 'pi_8', sessionId: 'cs_8' },
    },
  ],
  [
    'a dispute',
    {
      id: 'evt_3',
      type: 'charge.dispute.created',
      data: {
        object: {
          ...{ id: 'dp_1', payment_intent: 'pi_3', metadata: { session_id: 'no' } },
          ...{ amount: 1, currency: 'usd' },
        },
      },
    },
    { type: 'charge.dispute.created', paymentId: 'pi_3', sessionId: null, amount: null },
  ],
  [
    'a dispute with its payment inside',
    {
      id: 'e',
      type: 'charge.dispute.created',
      data: { object: { payment_intent: { id: 'pi_4' } } },
    },
    { type: 'charge.dispute.created', paymentId: 'pi_4', sessionId: null },
  ],
  [
    'an event of another name',
    { id: 'evt_5', type: 'customer.created', data: { object: { id: 'cus_1' } } },
    { type: 'other', name: 'customer.created', paymentId: null, sessionId: null },
  ],
  [
    'an event without what it should have',
    { id: 'evt_6', type: 'payment_intent.succeeded' },
    { type: 'payment_intent.succeeded', paymentId: null, sessionId: null },
  ],
  [
    'fields of other types',
    {
      id: 'evt_7',
      type: 'payment_intent.succeeded',
      data: { object: { id: 7, metadata: [], amount: '4200', currency: 'usd' } },
    },
    { type: 'payment_intent.succeeded', paymentId: null, sessionId: null, amount: null },
  ],
])('%s is read', (_, event, expected) => {
  expect(signedEvent(event)).toMatchObject({ id: event.id, ...expected })
})

test.each([[[]], [null], ['text'], [{}], [{ id: 1, type: 'x' }], [{ id: 'evt' }]])(
  'a signed body that is no event is refused: %j',
  (body) => {
    expect(() => signedEvent(body)).toThrow(/not an event/)
  },
)

test('a signed body that is no JSON is refused', () => {
  expect(() => read(sign('{'), bytes('{'))).toThrow(/not JSON/)
})
