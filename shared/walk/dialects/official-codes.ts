import type { BuyerOperation } from '../operation.ts'
import type { Reason, SessionMessage } from '../session.ts'
import { NOT_THERE, reasonOfStatus } from './http.ts'

/**
 * Faults of the caller or of the request's signature, not of the purchase. Codes of neither
 * protocol are those of the example servers.
 */
const CALLER_CODES = [
  'invalid_profile_url',
  'version_unsupported',
  'capabilities_incompatible',
  'key_not_found',
  'digest_mismatch',
  'algorithm_unsupported',
  'unauthorized',
  'forbidden',
  'api_key_required',
  'missing_api_key',
  'invalid_api_key',
  'missing_authorization',
  'invalid_authorization',
  'missing_headers',
  'missing_api_version',
  'invalid_api_version',
  'unsupported_api_version',
  'missing_signature',
  'invalid_signature',
  'missing_timestamp',
  'invalid_timestamp',
  'timestamp_too_old',
]

/**
 * Codes of official UCP and ACP: the defined ones, and those that servers use where both leave them
 * free.
 */
const CODES: ReadonlyMap<string, Reason> = new Map<string, Reason>([
  ['out_of_stock', 'sold_out'],
  ['item_unavailable', 'sold_out'],
  ['sold_out', 'sold_out'],
  ['invalid_item_id', 'unknown_item'],
  ['unknown_item', 'unknown_item'],
  ['item_not_found', 'unknown_item'],
  ['product_not_found', 'unknown_item'],
  ['variant_not_found', 'unknown_item'],
  ['low_stock', 'quantity'],
  ['insufficient_stock', 'quantity'],
  ['too_many_items', 'quantity'],
  ['maximum_exceeded', 'quantity'],
  ['address_undeliverable', 'address'],
  ['invalid_address', 'address'],
  ['region_restricted', 'address'],
  ['unsupported_currency', 'currency'],
  ['invalid_currency', 'currency'],
  ['card_declined', 'payment'],
  ['requires_3ds', 'challenge'],
  ['authentication_required', 'challenge'],
  ['intervention_required', 'challenge'],
  ['idempotency_conflict', 'conflict'],
  ['idempotency_key_required', 'invalid'],
  // The first call is still in progress; this one is not wrong.
  ['idempotency_in_flight', 'other'],
  ['completed', 'ended'],
  ['canceled', 'ended'],
  ['cancelled', 'ended'],
  ['expired', 'ended'],
  ['conflict', 'ended'],
  ['not_cancelable', 'ended'],
  ['rate_limited', 'too_many'],
  ['rate_limit_exceeded', 'too_many'],
  ['too_many_requests', 'too_many'],
  ['invalid_request', 'invalid'],
  ['missing_field', 'invalid'],
  ['method_not_allowed', 'failed'],
  ['not_implemented', 'failed'],
  ...CALLER_CODES.map((code) => [code, 'caller'] as const),
])

/**
 * Errors of ACP that no other request of the agent resolves: only the buyer can act or decide. The
 * basket is the buyer's choice, even if it is below a minimum.
 */
const OF_BUYER = [
  'intervention_required',
  'requires_sign_in',
  'age_verification_required',
  'approval_required',
  'minimum_not_met',
]

/** Whether an error is for the buyer, by its code or by ACP's `resolution`. */
export const isForBuyer = (code: string, resolution: string): boolean =>
  OF_BUYER.includes(code.toLowerCase()) ||
  ['requires_buyer_input', 'requires_buyer_review'].includes(resolution)

/** Groups of codes. */
const FAMILIES: readonly (readonly [RegExp, Reason])[] = [
  [/^(?:discount_code|coupon)_/, 'coupon'],
  [/^quantity_/, 'quantity'],
  [/^(?:payment_|unsupported_payment_)/, 'payment'],
  [/^(?:profile|signature)_/, 'caller'],
]

/** The target of a message's JSONPath, in a request or an answer. */
const PLACES: readonly (readonly [RegExp, Reason])[] = [
  [/option/, 'shipping'],
  [/destination|address|fulfillment/, 'address'],
  [/quantity/, 'quantity'],
  [/discount|coupon/, 'coupon'],
  [/payment/, 'payment'],
  [/currency/, 'currency'],
]

const firstOf = (rows: readonly (readonly [RegExp, Reason])[], text: string): Reason | null =>
  rows.find(([pattern]) => pattern.test(text))?.[1] ?? null

/** Codes of which only the path says what they are about. */
const OF_PATH = ['invalid', 'not_found', 'unsupported']

/** A code and its path, cut to the length of codes. */
const read = (code: string, path: string) => ({
  name: code.slice(0, 100).toLowerCase(),
  place: path.slice(0, 200),
})

/** Steps that are still to come, by agent or buyer: not an objection to the request. */
const TO_COME = ['missing', 'payment_required']

/** What a message in a session is about; null if its code does not say. */
export function reasonOfMessage(
  kind: SessionMessage['kind'],
  code: string,
  path: string,
): Reason | null {
  const { name, place } = read(code, path)
  if (kind === 'info' || TO_COME.includes(name)) return null
  const known = CODES.get(name) ?? firstOf(FAMILIES, name)
  // A warning may concern anything at its path: only its code tells whether something was refused.
  if (known !== null || kind === 'warning') return known
  const pointed = firstOf(PLACES, place)
  if (pointed !== null) return pointed
  if (name === 'not_found') return 'unknown_item'
  return OF_PATH.includes(name) ? 'invalid' : null
}

/** The reason for a refusal: by its code, then its path, then its status. */
export function reasonOfRefusal(
  operation: BuyerOperation,
  { status, code, path }: { status: number; code: string | null; path: string },
): Reason {
  if (status >= 500) return 'failed'
  const isOpening = operation.op === 'open'
  const { name, place } = read(code ?? '', path)
  const known = CODES.get(name) ?? firstOf(FAMILIES, name)
  // Before there is a session, only the key can be in conflict.
  if (status === 409 && isOpening && known !== 'other') return 'conflict'
  if (known !== null && known !== undefined) return known
  // ACP, Cancel: 405 also means that the session can no longer be cancelled; then it has an error
  // body.
  if (NOT_THERE.includes(status)) {
    return operation.op === 'cancel' && code !== null ? 'ended' : 'failed'
  }
  const pointed = OF_PATH.includes(name) ? firstOf(PLACES, place) : null
  if (pointed !== null) return pointed
  if (name === 'not_found') return isOpening ? 'unknown_item' : 'ended'
  if (name === 'missing' || name === 'invalid') return 'invalid'
  if (status === 409) return 'ended'
  if (status === 424) return 'caller'
  return status >= 400 ? reasonOfStatus(status, operation) : 'other'
}
