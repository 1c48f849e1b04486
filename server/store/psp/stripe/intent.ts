import type Stripe from 'stripe'
import type { ChargeResult } from '../psp.ts'

/** Unspecified: a buyer has an hour for a challenge, far more than banks give them. */
const CHALLENGE_S = 3600

/** Stripe has two codes for it: the second if the request allowed no challenge. */
const AUTHENTICATION = ['authentication_required', 'authentication_not_handled']

const ASKED =
  'Your bank asks you to confirm this payment, which was not possible here. Please pay another way.'
const REFUSED = 'Your bank did not confirm this payment. Please try again, or pay another way.'

/** Why a payment was not made, as Stripe writes it both in intents and in errors. */
interface Failure {
  code?: string | null | undefined
  decline_code?: string | null | undefined
  message?: string | null | undefined
}

/**
 * A decline, in words for the buyer: Stripe's own words about authentication are for developers.
 */
export function declined(paymentId: string | null, failure: Failure): ChargeResult {
  const codes = [failure.code, failure.decline_code]
  if (codes.some((code) => AUTHENTICATION.includes(code ?? ''))) {
    return { status: 'declined', paymentId, message: ASKED, needsAuthentication: true }
  }
  const message =
    failure.code === 'payment_intent_authentication_failure'
      ? REFUSED
      : (failure.message ?? 'The payment failed.')
  return { status: 'declined', paymentId, message }
}

/**
 * The result of a confirmed intent. It is canceled first if the buyer cannot reach its challenge or
 * has ignored it for an hour, or if its confirmation got lost: a payment that is reported as
 * declined must not succeed later.
 */
export async function resultOf(
  stripe: Stripe,
  intent: Stripe.PaymentIntent,
  now: Date,
): Promise<ChargeResult> {
  const { id: paymentId, status } = intent
  const amount = { amount: intent.amount, currency: intent.currency.toUpperCase() }
  if (status === 'succeeded') return { status: 'succeeded', paymentId, amount }
  if (status === 'processing') return { status: 'pending', paymentId, amount }
  if (status === 'requires_action') {
    const challengeUrl = intent.next_action?.redirect_to_url?.url
    const isOpen = now.getTime() / 1000 < intent.created + CHALLENGE_S
    if (challengeUrl && isOpen) return { status: 'pending', paymentId, amount, challengeUrl }
    return resultOf(stripe, await giveUp(stripe, paymentId), now)
  }
  if (status === 'requires_confirmation') {
    return resultOf(stripe, await giveUp(stripe, paymentId), now)
  }
  // Cancelled above, or by an earlier call: Stripe's last error is not the reason.
  if (status === 'canceled' && intent.cancellation_reason === 'abandoned') {
    return declined(paymentId, { code: 'authentication_required' })
  }
  return declined(paymentId, intent.last_payment_error ?? {})
}

/** The result of an intent whose challenge is abandoned: canceled, if it is still open. */
export async function abandonIntent(
  stripe: Stripe,
  paymentId: string,
  now: Date,
): Promise<ChargeResult & { isGivenUp: boolean }> {
  const intent = await stripe.paymentIntents.retrieve(paymentId)
  const isOpen = intent.status === 'requires_action'
  const left = isOpen ? await giveUp(stripe, paymentId) : intent
  return { ...(await resultOf(stripe, left, now)), isGivenUp: left.status === 'canceled' }
}

/** The intent, canceled unless it was decided in the meantime. */
async function giveUp(stripe: Stripe, id: string): Promise<Stripe.PaymentIntent> {
  try {
    return await stripe.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' })
  } catch (error) {
    const decided = await stripe.paymentIntents.retrieve(id)
    if (['requires_action', 'requires_confirmation'].includes(decided.status)) throw error
    return decided
  }
}
