import Stripe from 'stripe'
import { type Charge, type ChargeResult, RefusedCall, type ThreeDsResult } from '../psp.ts'
import { declined, resultOf } from './intent.ts'
import { isSharedToken, objectionTo, SHARED_TOKENS } from './shared-token.ts'

/** Creates and confirms a payment intent: one for an idempotency key. */
export async function confirmIntent(
  stripe: Stripe,
  charge: Charge,
  now: () => Date,
): Promise<ChargeResult> {
  const isShared = isSharedToken(charge.token)
  const objection = isShared
    ? await objectionTo(stripe, charge, now()).catch(throwRefusedCall)
    : null
  if (objection?.isFinal) return declined(null, objection)
  // Any other error may belong to an earlier try with this key, whose answer was lost: then Stripe
  // repeats its answer. A token that is used up, revoked or expired pays for no other charge.
  let intent: Stripe.PaymentIntent
  try {
    intent = await stripe.paymentIntents.create(paramsOf(charge), {
      idempotencyKey: charge.idempotencyKey,
      ...(isShared && SHARED_TOKENS),
    })
  } catch (error) {
    const failed = await readFailure(stripe, error, objection !== null, now)
    if (failed === null) return throwRefusedCall(error)
    return failed.status === 'declined' && objection !== null
      ? { ...failed, message: objection.message }
      : failed
  }
  return resultOf(stripe, intent, now())
}

/** Stripe judges the key before it reads the request. */
function throwRefusedCall(error: unknown): never {
  const { StripeAuthenticationError, StripePermissionError } = Stripe.errors
  if (error instanceof StripeAuthenticationError || error instanceof StripePermissionError) {
    throw new RefusedCall(`Stripe refuses the key: ${error.message} Check STRIPE_SECRET_KEY.`)
  }
  throw error
}

function paramsOf(charge: Charge): Stripe.PaymentIntentCreateParams {
  const { amount, token, idempotencyKey, sessionId, returnUrl, authentication } = charge
  return {
    ...toMethod(token),
    amount: amount.amount,
    currency: amount.currency.toLowerCase(),
    confirm: true,
    ...(authentication && {
      payment_method_options: { card: { three_d_secure: toThreeDSecure(authentication) } },
    }),
    // Stripe: with an imported authentication, a second one must not be asked for.
    ...(returnUrl !== undefined && authentication === undefined
      ? { return_url: returnUrl, automatic_payment_methods: { enabled: true } }
      : {
          error_on_requires_action: true,
          automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
        }),
    metadata: { session_id: sessionId, idempotency_key: idempotencyKey },
  }
}

/** A token is converted to a payment method first; other ids of Stripe already are one. */
function toMethod(token: string): Partial<Stripe.PaymentIntentCreateParams> {
  if (isSharedToken(token)) return { payment_method_data: toSharedMethod(token) }
  if (!token.startsWith('tok_')) return { payment_method: token }
  // Not in the package's types, which keep card numbers out: Stripe takes a token in their place.
  const data = { type: 'card' as const, card: { token } }
  return { payment_method_data: data }
}

/** The package's types lack the preview's parameter; the token itself knows the method's type. */
const toSharedMethod = (token: string) =>
  ({
    shared_payment_granted_token: token,
  }) as unknown as Stripe.PaymentIntentCreateParams.PaymentMethodData

/** Source: Stripe, "Import 3D Secure results". */
const toThreeDSecure = ({ cryptogram, eci, transactionId, version }: ThreeDsResult) => ({
  cryptogram,
  electronic_commerce_indicator: eci,
  transaction_id: transactionId,
  version,
})

/** Null for an error after which it is uncertain whether money was charged. */
async function readFailure(
  stripe: Stripe,
  error: unknown,
  isDoubtful: boolean,
  now: () => Date,
): Promise<ChargeResult | null> {
  const { StripeCardError, StripeInvalidRequestError } = Stripe.errors
  if (error instanceof StripeCardError) {
    const intent = error.payment_intent
    if (intent?.status === 'requires_action') return resultOf(stripe, intent, now())
    return declined(intent?.id ?? null, error)
  }
  if (!(error instanceof StripeInvalidRequestError)) return null
  const { param, code } = error
  // What Stripe cannot charge, no earlier try with this key has charged either.
  if (param === 'amount' || param === 'currency') return refusedAs(UNPAYABLE)
  const isOfToken =
    isDoubtful || param?.startsWith('payment_method') || code === 'token_already_used'
  return isOfToken ? refusedAs(UNACCEPTED) : null
}

const UNPAYABLE = 'This amount cannot be paid this way. Please change the order or pay another way.'
const UNACCEPTED = 'This payment was not accepted, or was already used. Please pay another way.'

const refusedAs = (message: string): ChargeResult => ({
  status: 'declined',
  paymentId: null,
  message,
})
