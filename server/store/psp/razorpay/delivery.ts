import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import { field } from '../../../../shared/web/json/json.ts'
import { amountIn, readSignedJson, readSignedText } from '../delivery.ts'
import { type PspEvent, RefusedDelivery } from '../psp.ts'

// Unspecified: the second PSP, for local payments, is Razorpay. Its `payment.captured`,
// `payment.failed` and `payment.dispute.created` stand for the specification's three events.
const TYPES = new Map<string, PspEvent['type']>([
  ['payment.captured', 'payment_intent.succeeded'],
  ['payment.failed', 'payment_intent.payment_failed'],
  ['payment.dispute.created', 'charge.dispute.created'],
])

/**
 * Reads a delivery of Razorpay that one of the secrets has signed. Throws `RefusedDelivery`.
 * Source: Razorpay, "Validate and test webhooks". Unspecified: the age of a Razorpay delivery is
 * not judged. Razorpay signs no time and retries for a day; a replay does no harm, because each
 * event has one effect.
 */
export function readRazorpayDelivery(
  headers: Headers,
  body: Uint8Array,
  secrets: readonly string[],
): PspEvent {
  const sent = headers.get('x-razorpay-signature') ?? ''
  if (!/^[0-9a-f]{64}$/.test(sent)) {
    throw new RefusedDelivery('X-Razorpay-Signature is missing or is not 64 hexadecimal digits.')
  }
  const signature = Buffer.from(sent, 'hex')
  const isOurs = (secret: string) =>
    timingSafeEqual(createHmac('sha256', secret).update(body).digest(), signature)
  if (!secrets.some(isOurs)) {
    throw new RefusedDelivery(
      'The signature does not match. Send the raw body, and check the secret.',
    )
  }
  return readEvent(readSignedJson(readSignedText(body)), hash('sha256', body))
}

/** Whether a payment is for an order or an invoice of Razorpay, of which this store makes none. */
export const isOfOtherSale = (payment: unknown): boolean =>
  Boolean(field(payment, 'order_id') || field(payment, 'invoice_id'))

/** The id is the body's digest: Razorpay's own is in a header that it does not sign. */
function readEvent(event: unknown, id: string): PspEvent {
  const name = field(event, 'event')
  if (typeof name !== 'string') {
    throw new RefusedDelivery('The body is not an event: the field "event" is missing.')
  }
  const type = TYPES.get(name) ?? 'other'
  const payload = field(event, 'payload')
  const payment = field(field(payload, 'payment'), 'entity')
  const dispute = field(field(payload, 'dispute'), 'entity')
  const paymentId = field(dispute, 'payment_id') ?? field(payment, 'id')
  // The payer of another sale of the account may write any notes.
  const notes = isOfOtherSale(payment) ? undefined : field(payment, 'notes')
  const sessionId = field(notes, 'session_id')
  return {
    id,
    type,
    name,
    paymentId: typeof paymentId === 'string' ? paymentId : null,
    sessionId: typeof sessionId === 'string' ? sessionId : null,
    // A dispute may be about a part of its payment.
    amount: dispute === undefined ? amountIn(payment) : null,
  }
}
