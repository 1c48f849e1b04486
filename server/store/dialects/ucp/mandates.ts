import canonicalize from 'canonicalize'
import { ap2MandateIn } from '../../../../shared/protocols/ucp/names.ts'
import { listIn } from '../../../../shared/web/json/json.ts'
import { DAY_MS } from '../../../../shared/web/moment.ts'
import type { Jwk, SigningKey } from '../../../signatures/jwk.ts'
import {
  type MandateFault,
  type VerifiedMandate,
  verifyCheckoutMandate,
} from '../../../signatures/mandates/checkout-mandate.ts'
import { authorizeCheckout } from '../../../signatures/mandates/merchant-authorization.ts'
import { useNonce } from '../../../signatures/nonces.ts'
import { type CheckoutSession, type KeptMandate, type Tx, used_nonces } from '../../db/tables.ts'
import type { JsonObject } from '../../http/store-request.ts'
import { type Agreed, protocolError, type UcpResult } from './envelope.ts'
import type { Negotiated } from './negotiation/negotiate.ts'

/** Whether a platform and the store have agreed on mandates for a call. */
export const agreesOnMandates = ({ version, capabilities }: Negotiated): boolean =>
  capabilities.has(ap2MandateIn(version))

/**
 * Whether a checkout is paid by mandate alone: UCP, AP2 Mandates, Security Binding. The lock stays
 * with the session, so a call under another profile does not open it.
 *
 * Unspecified: a buyer who finishes a checkout in person, on our own page, needs no mandate.
 */
export const needsMandate = (
  negotiated: Negotiated,
  { official }: Pick<CheckoutSession, 'official'>,
): boolean => official?.mandates === true || agreesOnMandates(negotiated)

/** An answer about a checkout with the store's signature of it. Throws without a key. */
export function authorized(body: JsonObject, signer: SigningKey | null): JsonObject {
  if (signer === null) throw new Error('No signing key can be opened for a checkout with mandates.')
  return { ...body, ap2: { merchant_authorization: authorizeCheckout(body, signer) } }
}

/** Why a mandate is refused, or that it is missing. */
export interface MandateRefusal {
  code: MandateFault | 'mandate_required'
  content: string
}

// Unspecified: UCP has codes for mandates and no statuses. They are those of the same faults of
// signatures, and a request without a required member is 400.
const STATUSES: Readonly<Record<MandateRefusal['code'], number>> = {
  mandate_required: 400,
  merchant_authorization_missing: 400,
  merchant_authorization_invalid: 400,
  agent_missing_key: 401,
  mandate_invalid_signature: 401,
  mandate_expired: 401,
  mandate_scope_mismatch: 422,
}

/** The protocol error for a refused mandate: nothing was done, and the checkout stays. */
export const refusedMandate = ({ code, content }: MandateRefusal): UcpResult =>
  protocolError(STATUSES[code], code, content, { rpcCode: MANDATE_ERROR })

/** JSON-RPC's code for signatures that are missing or invalid (UCP, MCP binding, Errors). */
const MANDATE_ERROR = -32000

/** What a mandate is judged by, apart from the locked session. */
interface Asked extends Agreed {
  /** As it was sent; undefined: none was. */
  sent: string | undefined
  ownKeys: readonly Jwk[]
  now: Date
}

/** A mandate that is valid for the checkout as it is now; null: none is needed. */
type Judged = { mandate: VerifiedMandate | null } | { refused: MandateRefusal }

/** Judges the mandate of a payment; `shown` is the checkout as it is shown now. */
export async function judgeMandate(
  { request, negotiated, sent, ownKeys, now }: Asked,
  session: CheckoutSession,
  shown: JsonObject,
): Promise<Judged> {
  const refused = (code: MandateRefusal['code'], content: string) => ({
    refused: { code, content },
  })
  if (!needsMandate(negotiated, session)) return { mandate: null }
  if (sent === undefined) {
    return refused(
      'mandate_required',
      'This checkout is paid by mandate. Send ap2.checkout_mandate with the payment.',
    )
  }
  // A mandate speaks for the platform that opened the checkout, whose buyer has seen it.
  if (session.official?.platform !== negotiated.profileUrl) {
    return refused('agent_missing_key', 'Pay under the profile that opened this checkout.')
  }
  const verdict = await verifyCheckoutMandate(sent, {
    now,
    platformKeys: listIn(negotiated.profile.keys).filter((key): key is Jwk => isKey(key)),
    ownKeys,
    checkoutId: session.id,
    merchant: { origin: request.origin },
  })
  if ('refused' in verdict) return refused(verdict.refused, verdict.content)
  const { checkout } = verdict.verified
  return TERMS.every((name) => canonicalize(checkout[name]) === canonicalize(shown[name]))
    ? { mandate: verdict.verified }
    : refused(
        'mandate_scope_mismatch',
        'The mandate is for other terms than this checkout has. Read it and ask the buyer again.',
      )
}

const isKey = (key: unknown): boolean => typeof key === 'object' && key !== null

/** What a buyer agrees to. UCP names the first, the lines and the totals. */
const TERMS = ['id', 'currency', 'line_items', 'totals', 'fulfillment']

/**
 * Remembers that a mandate is used; false: it was, for something else. Unspecified: one mandate is
 * for one credential, so that a decline needs the buyer again; and an open one for one checkout.
 */
export async function spendMandate(
  tx: Tx,
  { singles }: VerifiedMandate,
  { id, official, expires_at }: CheckoutSession,
  tried: string,
  now: Date,
): Promise<boolean> {
  for (const { what, name, until } of singles) {
    const nonce = {
      signer: `${official?.platform} ${what}`,
      nonce: name,
      until: new Date((until ?? expires_at).getTime() + DAY_MS),
    }
    const usedFor = what === 'mandate' ? `${id} ${tried}` : id
    if (!(await useNonce(tx, used_nonces, nonce, usedFor, now))) return false
  }
  return true
}

/** What the store keeps as evidence: the mandate, and what it can be verified by later. */
export const keptMandate = (
  { key: { kid, kty, crv, x, y }, form }: VerifiedMandate,
  sent: string,
  now: Date,
): KeptMandate => ({
  sent,
  form,
  key: { ...(kid !== undefined && { kid }), kty, crv, x, y },
  verified_at: now.toISOString(),
})
