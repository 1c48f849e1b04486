import Stripe from 'stripe'
import type { PspRefund, RefundResult } from '../psp.ts'

/** Source: Stripe's API reference, Refunds. */
export async function makeStripeRefund(stripe: Stripe, refund: PspRefund): Promise<RefundResult> {
  const { paymentId, amount, idempotencyKey } = refund
  try {
    const made = await stripe.refunds.create(
      {
        payment_intent: paymentId,
        amount: amount.amount,
        metadata: { idempotency_key: idempotencyKey },
      },
      { idempotencyKey },
    )
    return toResult(made)
  } catch (error) {
    // After any other error, such as a key in use, it is uncertain whether money went back.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
    return { status: 'failed', refundId: null, message: error.message }
  }
}

/**
 * Finds a refund among those of its payment: Stripe forgets idempotency keys after a day, but never
 * refunds.
 */
export async function findStripeRefund(
  stripe: Stripe,
  { paymentId, idempotencyKey }: Pick<PspRefund, 'paymentId' | 'idempotencyKey'>,
): Promise<RefundResult | null> {
  for await (const each of stripe.refunds.list({ payment_intent: paymentId, limit: 100 })) {
    if (each.metadata?.idempotency_key === idempotencyKey) return toResult(each)
  }
  return null
}

function toResult({ id, status, failure_reason }: Stripe.Refund): RefundResult {
  if (status === 'succeeded') return { status, refundId: id }
  if (status === 'failed' || status === 'canceled') {
    const why = failure_reason === undefined ? '' : ` (${failure_reason})`
    return { status: 'failed', refundId: id, message: `The refund ${status}${why}.` }
  }
  return { status: 'pending', refundId: id }
}
