import canonicalize from 'canonicalize'
import { compactVerify, importJWK } from 'jose'
import { field, isRecord } from '../../../shared/web/json/json.ts'
import type { Jwk, SigningKey } from '../jwk.ts'
import { readPart } from './sd-jwt.ts'

/**
 * The algorithms of AP2: UCP, AP2 Mandates, Cryptographic Requirements. Each goes with one curve,
 * so that a key is never used with another.
 */
export const CURVES: Readonly<Record<string, string>> = {
  ES256: 'P-256',
  ES384: 'P-384',
  ES512: 'P-521',
}

type Json = Readonly<Record<string, unknown>>

const base64url = (text: string) => Buffer.from(text).toString('base64url')

/** What a store signs of a checkout: all of it but `ap2`, canonical (RFC 8785). */
const signedPart = ({ ap2: _, ...checkout }: Json): string =>
  base64url(canonicalize(checkout) ?? '')

/** `ap2.merchant_authorization` of a checkout: a detached JWS (RFC 7515, Appendix F). */
export function authorizeCheckout(checkout: Json, { kid, sign }: SigningKey): string {
  const header = base64url(JSON.stringify({ alg: 'ES256', kid }))
  // As JWS has it: 64 bytes r||s (RFC 7518, 3.4).
  const signature = sign(Buffer.from(`${header}.${signedPart(checkout)}`))
  return `${header}..${Buffer.from(signature).toString('base64url')}`
}

/**
 * AP2's `checkout_jwt` of a checkout: the store's own signature with the signed part put back. Null
 * if the checkout has none.
 */
export function checkoutJwtOf(checkout: Json): string | null {
  const authorization = field(checkout.ap2, 'merchant_authorization')
  const [header, empty, signature, ...more] =
    typeof authorization === 'string' ? authorization.split('.') : []
  if (!header || empty !== '' || !signature || more.length > 0) return null
  return `${header}.${signedPart(checkout)}.${signature}`
}

/** The key of a JWS among these, by the name in its header; undefined: there is none. */
export const keyNamed = (keys: readonly Jwk[], kid: unknown): Jwk | undefined =>
  typeof kid === 'string' ? keys.find((key) => key.kid === kid) : undefined

/** Whether a key can sign for AP2. */
export const isMandateKey = ({ kty, crv, use, alg }: Jwk): boolean =>
  kty === 'EC' &&
  (use ?? 'sig') === 'sig' &&
  Object.entries(CURVES).some(([name, curve]) => curve === crv && (alg ?? name) === name)

/** Whether a compact JWS is signed by this key, with an algorithm that AP2 allows. */
export async function isSignedBy(jws: string, { kty, crv, x, y }: Jwk): Promise<boolean> {
  const alg = field(readPart(jws.split('.')[0] ?? ''), 'alg')
  const isAllowed = typeof alg === 'string' && Object.hasOwn(CURVES, alg) && CURVES[alg] === crv
  if (!isAllowed || kty !== 'EC') return false
  if (typeof crv !== 'string' || typeof x !== 'string' || typeof y !== 'string') return false
  try {
    await compactVerify(jws, await importJWK({ kty, crv, x, y }, alg), { algorithms: [alg] })
    return true
  } catch {
    // Every error of the library is caused by the message or the key, and both are strangers'.
    return false
  }
}

/** The checkout in a `checkout_jwt` that one of these keys signed; null: none did. */
export async function signedCheckout(jwt: string, keys: readonly Jwk[]): Promise<Json | null> {
  const [header = '', payload = ''] = jwt.split('.')
  const key = keyNamed(keys, field(readPart(header), 'kid'))
  const checkout = readPart(payload)
  return key && isRecord(checkout) && (await isSignedBy(jwt, key)) ? checkout : null
}

/** Whether `ap2.merchant_authorization` is there, and is the signature of one of these keys. */
export async function judgeAuthorization(
  checkout: Json,
  keys: readonly Jwk[],
): Promise<'valid' | 'merchant_authorization_missing' | 'merchant_authorization_invalid'> {
  const authorization = field(checkout.ap2, 'merchant_authorization')
  if (authorization === undefined) return 'merchant_authorization_missing'
  const jwt = checkoutJwtOf(checkout)
  const signed = jwt && (await signedCheckout(jwt, keys))
  return signed ? 'valid' : 'merchant_authorization_invalid'
}
