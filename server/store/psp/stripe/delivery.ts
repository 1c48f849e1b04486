import Stripe from 'stripe'
import { field } from '../../../../shared/web/json/json.ts'
import { amountIn, readSignedJson, readSignedText } from '../delivery.ts'
import { type PspEvent, RefusedDelivery } from '../psp.ts'

/** Seconds that a delivery may be old, or ahead of our clock. */
const TOLERANCE_S = 300

/** A signature has 64 digits; Stripe sends one for each secret that is active. */
const MAX_HEADER_CHARS = 4096
const MAX_SIGNATURES = 16

/**
 * Reads a delivery of Stripe that one of the secrets has signed. Throws `RefusedDelivery`. Source:
 * Stripe, "Verify webhook signatures"; the clock is checked in both directions, which Stripe does
 * not do.
 */
export function readStripeDelivery(
  headers: Headers,
  body: Uint8Array,
  secrets: readonly string[],
  now: Date,
): PspEvent {
  const { time, signatures } = readSignature(headers.get('stripe-signature') ?? '')
  if (Math.abs(Math.floor(now.getTime() / 1000) - time) > TOLERANCE_S) {
    throw new RefusedDelivery(
      `The signature is more than ${TOLERANCE_S} s away from the current time. Check both clocks, and send it again.`,
    )
  }
  const text = readSignedText(body)
  // Our own check, of the values read above: Stripe's code throws on some headers.
  const header = [`t=${time}`, ...signatures.map((each) => `v1=${each}`)].join(',')
  if (!secrets.some((secret) => isSigned(text, header, secret, now))) {
    throw new RefusedDelivery(
      'No signature matches. Send the raw body, and check the secret of this webhook endpoint.',
    )
  }
  return readEvent(readSignedJson(text))
}

/** `t=<seconds>,v1=<hex>,…`. Other schemes are skipped. */
function readSignature(header: string): { time: number; signatures: string[] } {
  if (header === '') throw new RefusedDelivery('The Stripe-Signature header is missing. Send it.')
  const parts = header.length > MAX_HEADER_CHARS ? [] : header.split(',')
  const times = parts.flatMap((part) => /^\s*t=(\d{1,12})\s*$/.exec(part)?.[1] ?? [])
  const signatures = parts.flatMap((part) => /^\s*v1=([0-9a-f]{64})\s*$/.exec(part)?.[1] ?? [])
  if (times.length !== 1 || signatures.length === 0 || signatures.length > MAX_SIGNATURES) {
    throw new RefusedDelivery('Stripe-Signature does not have the form t=<seconds>,v1=<signature>.')
  }
  return { time: Number(times[0]), signatures }
}

function isSigned(text: string, header: string, secret: string, now: Date): boolean {
  try {
    const { signature } = Stripe.webhooks
    const at = now.getTime()
    return signature?.verifyHeader(text, header, secret, TOLERANCE_S, undefined, at) === true
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false
    throw error
  }
}

function readEvent(event: unknown): PspEvent {
  const id = textOf(event, 'id')
  const name = textOf(event, 'type')
  if (id === null || name === null) {
    throw new RefusedDelivery('The body is not an event: id or type is missing.')
  }
  const object = field(field(event, 'data'), 'object')
  const sessionId = textOf(field(object, 'metadata'), 'session_id')
  switch (name) {
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed':
    case 'payment_intent.canceled':
      return {
        id,
        type: name,
        name,
        paymentId: textOf(object, 'id'),
        sessionId,
        amount: amountIn(object),
      }
    case 'charge.dispute.created': {
      const paymentId =
        textOf(object, 'payment_intent') ?? textOf(field(object, 'payment_intent'), 'id')
      return { id, type: name, name, paymentId, sessionId: null, amount: null }
    }
    default:
      return { id, type: 'other', name, paymentId: null, sessionId: null, amount: null }
  }
}

function textOf(value: unknown, key: string): string | null {
  const text = field(value, key)
  return typeof text === 'string' && text !== '' ? text : null
}
