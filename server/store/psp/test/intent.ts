/** Why a payment was not made, as Stripe writes it. */
export interface CardError {
  type: 'card_error'
  code: string
  decline_code?: string
  message: string
}

/** The part of Stripe's payment intent that is read. */
export interface Intent {
  id: string
  object: 'payment_intent'
  amount: number
  currency: string
  /** Unix seconds. */
  created: number
  livemode: false
  status: 'succeeded' | 'processing' | 'requires_action' | 'requires_payment_method' | 'canceled'
  metadata: Record<string, string>
  next_action: NextAction | null
  cancellation_reason: string | null
  last_payment_error: CardError | null
}

type NextAction =
  | { type: 'redirect_to_url'; redirect_to_url: { url: string; return_url: string } }
  | { type: 'use_stripe_sdk'; use_stripe_sdk: object }

/** Whether a payment took money, or may still do so. */
export const isLive = ({ status }: Intent): boolean =>
  status === 'succeeded' || status === 'processing' || status === 'requires_action'

/** A decline of the bank, by default without a reason. */
export const decline = (message = 'Your card was declined.'): CardError => ({
  type: 'card_error',
  code: 'card_declined',
  decline_code: 'generic_decline',
  message,
})

/** The request allowed no challenge. Stripe's own message is for developers, too. */
export const NEEDS_CHALLENGE: CardError = {
  type: 'card_error',
  code: 'authentication_required',
  decline_code: 'authentication_not_handled',
  message: 'The payment needs an authentication, and error_on_requires_action was set.',
}

/** The buyer did not pass the challenge. */
export const FAILED_CHALLENGE: CardError = {
  type: 'card_error',
  code: 'payment_intent_authentication_failure',
  message: 'The authentication of the payment method failed. Provide another payment method.',
}
