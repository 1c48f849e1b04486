import Stripe from 'stripe'
import * as z from 'zod'
import type { Charge } from '../psp.ts'

/**
 * Shared payment tokens are a preview: without this version Stripe knows neither them nor their
 * parameter.
 */
export const SHARED_TOKENS = { apiVersion: '2026-04-22.preview' }

/** Whether a token is one that an agent's Stripe account has granted to the merchant's. */
export const isSharedToken = (token: string): boolean => token.startsWith('spt_')

/** The part of Stripe's granted token that is read. */
const GrantedToken = z.object({
  deactivated_at: z.number().nullish(),
  deactivated_reason: z.string().nullish(),
  usage_limits: z
    .object({ currency: z.string(), max_amount: z.number(), expires_at: z.number().nullish() })
    .nullish(),
})

/** Why a token does not pay for a charge, in words for the buyer. */
interface Objection {
  message: string
  /** It was so from the beginning: no earlier try can have succeeded. */
  isFinal: boolean
}

/**
 * Why a shared payment token cannot pay for a charge; null if it can. Rejects if Stripe cannot be
 * asked. Source: Stripe's API reference, Shared Payment Granted Token.
 */
export async function objectionTo(
  stripe: Stripe,
  { token, amount }: Charge,
  now: Date,
): Promise<Objection | null> {
  const granted = await readToken(stripe, token)
  if (granted === null) return { message: UNKNOWN, isFinal: false }
  const { deactivated_at, deactivated_reason, usage_limits: limits } = granted
  if (limits && limits.currency.toUpperCase() !== amount.currency) {
    return { message: OTHER_CURRENCY, isFinal: true }
  }
  if (limits && limits.max_amount < amount.amount) return { message: TOO_SMALL, isFinal: true }
  const seconds = now.getTime() / 1000
  if (deactivated_reason === 'expired' || (limits?.expires_at ?? seconds + 1) <= seconds) {
    return { message: EXPIRED, isFinal: false }
  }
  if (deactivated_at == null && deactivated_reason == null) return null
  return { message: deactivated_reason === 'revoked' ? REVOKED : USED, isFinal: false }
}

const UNKNOWN = 'This payment was not accepted. Please approve it again, or pay another way.'
const OTHER_CURRENCY =
  'This payment was approved in another currency. Please approve it again, or pay another way.'
const TOO_SMALL =
  'The total is more than you approved. Please approve the new total, or pay another way.'
const EXPIRED =
  'The approval of this payment has expired. Please approve it again, or pay another way.'
const REVOKED =
  'The approval of this payment was withdrawn. Please approve it again, or pay another way.'
const USED =
  'The approval of this payment was already used. Please approve it again, or pay another way.'

async function readToken(
  stripe: Stripe,
  token: string,
): Promise<z.infer<typeof GrantedToken> | null> {
  const path = `/v1/shared_payment/granted_tokens/${encodeURIComponent(token)}`
  try {
    // Raw, because the package has no types for previews.
    return GrantedToken.parse(await stripe.rawRequest('GET', path, undefined, SHARED_TOKENS))
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return null
    throw error
  }
}
