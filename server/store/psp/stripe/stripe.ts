import Stripe from 'stripe'
import type { Charge, ChargeResult, Psp, SoughtCharge } from '../psp.ts'
import { requireSecrets } from '../secrets.ts'
import { readStripeDelivery } from './delivery.ts'
import { findStripeRefund, makeStripeRefund } from './refunds.ts'

// With one more try and the pause before it, a charge is over well before a sweeper asks for it.
const TIMEOUT_MS = 8000

/** How far Stripe's clock may be from ours. */
const SKEW_S = 300

export interface StripeOptions {
  secretKey: string
  /** Of the webhook endpoint: the new and the old one while they are rotated. */
  webhookSecrets: readonly string[]
  /** Stripe's own unless given. */
  host?: string
  port?: number
  protocol?: 'http' | 'https'
  /** Tries beyond the first of a request without an answer, all with the same key: 1. */
  retries?: number
}

/**
 * Payments through Stripe's payment intents (https://docs.stripe.com/api/payment_intents). Its
 * idempotency keys hold for at least 24 hours, longer than a session. Throws when a secret is missing.
 */
export function createStripePsp(options: StripeOptions): Psp {
  const { secretKey, webhookSecrets, host, port, protocol, retries = 1 } = options
  requireSecrets("Stripe's secret key", [secretKey])
  requireSecrets("The secret of Stripe's webhook endpoint", webhookSecrets)
  const stripe = new Stripe(secretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: retries,
    telemetry: false,
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
    ...(protocol !== undefined && { protocol }),
  })
  return {
    name: 'stripe',
    methods: ['card'],
    charge: (charge) => makeCharge(stripe, charge),
    find: (sought) => findCharge(stripe, sought),
    refund: (refund) => makeStripeRefund(stripe, refund),
    findRefund: (sought) => findStripeRefund(stripe, sought),
    readDelivery: async (headers, body, now) =>
      readStripeDelivery(headers, body, webhookSecrets, now),
  }
}

async function makeCharge(stripe: Stripe, charge: Charge): Promise<ChargeResult> {
  const { amount, token, idempotencyKey, sessionId } = charge
  try {
    const intent = await stripe.paymentIntents.create(
      {
        ...toMethod(token),
        amount: amount.amount,
        currency: amount.currency.toLowerCase(),
        confirm: true,
        // The buyer is not present, so a redirect to a page of the bank is not possible.
        automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
        error_on_requires_action: true,
        metadata: { session_id: sessionId, idempotency_key: idempotencyKey },
      },
      { idempotencyKey },
    )
    return toResult(intent)
  } catch (error) {
    const declined = toDecline(error)
    if (declined === null) throw error
    return declined
  }
}

/** A token is converted to a payment method on the way; other ids of Stripe already are one. */
function toMethod(token: string): Partial<Stripe.PaymentIntentCreateParams> {
  if (!token.startsWith('tok_')) return { payment_method: token }
  // Not in the package's types, which keep card numbers out: Stripe takes a token in their place.
  const data = { type: 'card' as const, card: { token } }
  return { payment_method_data: data }
}

function toResult(intent: Stripe.PaymentIntent): ChargeResult {
  const { id: paymentId, status, last_payment_error } = intent
  const amount = { amount: intent.amount, currency: intent.currency.toUpperCase() }
  if (status === 'succeeded') return { status: 'succeeded', paymentId, amount }
  if (status === 'processing') return { status: 'pending', paymentId, amount }
  const message = last_payment_error?.message ?? 'The payment failed.'
  return { status: 'declined', paymentId, message }
}

/** Null for an error that leaves it uncertain whether money was charged. */
function toDecline(error: unknown): ChargeResult | null {
  const { StripeCardError, StripeInvalidRequestError } = Stripe.errors
  if (error instanceof StripeCardError) {
    const { payment_intent: intent, message } = error
    return { status: 'declined', paymentId: intent?.id ?? null, message }
  }
  const isOfToken =
    error instanceof StripeInvalidRequestError &&
    (error.param?.startsWith('payment_method') || error.code === 'token_already_used')
  if (!isOfToken) return null
  const message = 'This payment was not accepted, or was already used. Please pay another way.'
  return { status: 'declined', paymentId: null, message }
}

/** By the time of creation: Stripe's search finds new payments only after a minute or more. */
async function findCharge(stripe: Stripe, sought: SoughtCharge): Promise<ChargeResult | null> {
  const created = { gte: Math.floor(sought.since.getTime() / 1000) - SKEW_S }
  for await (const intent of stripe.paymentIntents.list({ created, limit: 100 })) {
    if (intent.metadata.idempotency_key === sought.idempotencyKey) return toResult(intent)
  }
  return null
}
