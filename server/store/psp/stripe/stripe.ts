import Stripe from 'stripe'
import type { ChargeResult, Psp, SoughtCharge } from '../psp.ts'
import { requireSecrets } from '../secrets.ts'
import { confirmIntent } from './charge.ts'
import { readStripeDelivery } from './delivery.ts'
import { abandonIntent, resultOf } from './intent.ts'
import { findStripeRefund, makeStripeRefund } from './refunds.ts'

// With one retry and the pause before it, a charge ends well before a sweeper asks for it.
const TIMEOUT_MS = 8000

/** How far Stripe's clock may be from ours. */
const SKEW_S = 300

export interface StripeOptions {
  secretKey: string
  /** The secrets of the webhook endpoint: both the new and the old one during a rotation. */
  webhookSecrets: readonly string[]
  /** Stripe's own unless given. */
  host?: string
  port?: number
  protocol?: 'http' | 'https'
  /** Retries of a request without an answer, all with the same key: 1. */
  retries?: number
  now?: () => Date
}

/**
 * Payments through Stripe's payment intents (https://docs.stripe.com/api/payment_intents). Its
 * idempotency keys hold for at least 24 hours, longer than a session. Throws if a secret is
 * missing.
 */
export function createStripePsp(options: StripeOptions): Psp {
  const { secretKey, webhookSecrets, host, port, protocol, retries = 1 } = options
  const { now = () => new Date() } = options
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
    charge: (charge) => confirmIntent(stripe, charge, now),
    find: (sought) => findCharge(stripe, sought, now),
    abandon: (paymentId) => abandonIntent(stripe, paymentId, now()),
    refund: (refund) => makeStripeRefund(stripe, refund),
    findRefund: (sought) => findStripeRefund(stripe, sought),
    readDelivery: async (headers, body, at) =>
      readStripeDelivery(headers, body, webhookSecrets, at),
  }
}

/**
 * By the time of creation if its id is unknown: Stripe's search finds new payments only after a
 * minute or more.
 */
async function findCharge(
  stripe: Stripe,
  sought: SoughtCharge,
  now: () => Date,
): Promise<ChargeResult | null> {
  const { paymentId, since, until, signal } = sought
  if (paymentId !== undefined) {
    const known = await retrieveIntent(stripe, paymentId)
    return known && resultOf(stripe, known, now())
  }
  const created = {
    gte: Math.floor(since.getTime() / 1000) - SKEW_S,
    ...(until && { lte: Math.ceil(until.getTime() / 1000) + SKEW_S }),
  }
  for await (const intent of stripe.paymentIntents.list({ created, limit: 100 })) {
    signal?.throwIfAborted()
    if (intent.metadata.idempotency_key === sought.idempotencyKey)
      return resultOf(stripe, intent, now())
  }
  return null
}

/** Null: Stripe does not know this id. */
async function retrieveIntent(stripe: Stripe, id: string): Promise<Stripe.PaymentIntent | null> {
  try {
    return await stripe.paymentIntents.retrieve(id)
  } catch (error) {
    const { StripeInvalidRequestError } = Stripe.errors
    if (error instanceof StripeInvalidRequestError && error.statusCode === 404) return null
    throw error
  }
}
