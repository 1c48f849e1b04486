import canonicalize from 'canonicalize'
import { isRecord } from '../../../shared/web/json/json.ts'
import type { Jwk } from '../jwk.ts'
import { type Merchant, unmetConstraint } from './constraints.ts'
import {
  checkoutJwtOf,
  isMandateKey,
  isSignedBy,
  keyNamed,
  signedCheckout,
} from './merchant-authorization.ts'
import { boundText, disclosedPayload, hashBy, readSdJwt, type SdJwt } from './sd-jwt.ts'

/** UCP, AP2 Mandates, Error Codes: those of a mandate that a store refuses. */
export type MandateFault =
  | 'agent_missing_key'
  | 'mandate_invalid_signature'
  | 'mandate_expired'
  | 'mandate_scope_mismatch'
  | 'merchant_authorization_invalid'
  | 'merchant_authorization_missing'

/** What a mandate is judged by. */
export interface MandateQuestion {
  now: Date
  /** The published keys of the platform. */
  platformKeys: readonly Jwk[]
  /** The published keys of the store. */
  ownKeys: readonly Jwk[]
  /** The id of the checkout that is to be paid. */
  checkoutId: string
  merchant: Merchant
}

/** Something that may be used once. */
interface Single {
  /** Different for each; another encoding of the same has the same. */
  name: string
  what: 'mandate' | 'open_mandate'
  /** When it has expired; null: with its checkout. */
  until: Date | null
}

/** A mandate that is valid: the buyer agreed to this checkout. */
export interface VerifiedMandate {
  /** As the store signed it. */
  checkout: Readonly<Record<string, unknown>>
  /** The platform's key that it was verified by. */
  key: Jwk
  /** `delegated`: the buyer agreed to limits, and an agent to this checkout within them. */
  form: 'direct' | 'delegated'
  singles: readonly Single[]
}

type MandateVerdict = { verified: VerifiedMandate } | { refused: MandateFault; content: string }

/** The reason for refusing a mandate. */
class Refusal extends Error {
  readonly code: MandateFault

  constructor(code: MandateFault, content: string) {
    super(content)
    this.code = code
  }
}

const CLOSED = 'mandate.checkout.1'
const OPEN = 'mandate.checkout.open.1'

/** How far the clocks of signer and store may be apart. */
const SKEW_S = 300

/**
 * Verifies a checkout mandate of AP2 v0.2 as UCP has it (AP2 Mandates, Business Verification): an
 * SD-JWT that the platform signed, with the buyer's key binding if it names a key; or an open one,
 * and one that its key closes. Never rejects: a mandate is a stranger's.
 *
 * Unspecified: credentials of banks are refused, because this store trusts no issuer of them.
 */
export async function verifyCheckoutMandate(
  text: string,
  question: MandateQuestion,
): Promise<MandateVerdict> {
  try {
    return { verified: await verify(text, question) }
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.code, content: error.message }
    // Other errors are caused by the mandate as well: JSON that has no canonical form.
    return { refused: 'mandate_invalid_signature', content: UNREADABLE }
  }
}

/** Decoders pass over others, and then one mandate could be kept in many forms. */
const CHARACTERS = /^[\w.~-]+$/

const UNREADABLE = 'Send the mandate as an SD-JWT (RFC 9901), whole and unchanged.'

async function verify(text: string, question: MandateQuestion): Promise<VerifiedMandate> {
  const { platformKeys, now } = question
  const keys = platformKeys.filter(isMandateKey)
  if (keys.length === 0) {
    throw new Refusal(
      'agent_missing_key',
      'Publish the key that signs mandates in your profile: P-256, P-384 or P-521.',
    )
  }
  const [root = '', closing, ...more] = text.split('~~')
  // Unspecified: a chain has two parts. AP2 leaves agents that delegate to agents for later.
  const isWritten = more.length === 0 && CHARACTERS.test(text)
  const sdJwt = isWritten ? readSdJwt(root) : null
  if (sdJwt === null) throw new Refusal('mandate_invalid_signature', UNREADABLE)
  const key = platformKeyOf(sdJwt, keys)
  const claims = await signedClaims(sdJwt, key, now)
  const content = contentOf(claims)
  if (closing === undefined) {
    await checkBinding(sdJwt, content, claims, question)
    const checkout = await checkoutIn(sdJwt, content, question)
    return { checkout, key, form: 'direct', singles: [single('mandate', sdJwt, null)] }
  }
  const closed = readSdJwt(closing)
  if (closed === null || sdJwt.keyBinding !== null || closed.keyBinding !== null) {
    throw new Refusal('mandate_invalid_signature', UNREADABLE)
  }
  const final = await closedContent(sdJwt, content, closed, question)
  const checkout = await checkoutIn(closed, final, question)
  const unmet = unmetConstraint(content.constraints, checkout, question.merchant)
  if (unmet !== null) throw new Refusal('mandate_scope_mismatch', unmet)
  const singles = [single('mandate', closed, null), single('open_mandate', sdJwt, endOf(content))]
  return { checkout, key, form: 'delegated', singles }
}

const endOf = ({ exp }: Claims) => (typeof exp === 'number' ? new Date(exp * 1000) : null)

/** Not its signature, which has more than one form for the same key and text. */
const single = (what: Single['what'], { jwt }: SdJwt, until: Date | null): Single => ({
  what,
  until,
  name: jwt.slice(0, jwt.lastIndexOf('.')),
})

function platformKeyOf({ header }: SdJwt, keys: readonly Jwk[]): Jwk {
  const key = keyNamed(keys, header.kid)
  if (key !== undefined) return key
  const [only, second] = keys
  if (header.kid === undefined && only && second === undefined) return only
  throw new Refusal(
    'agent_missing_key',
    'Name the key in the header of the mandate (kid), and publish it in your profile.',
  )
}

type Claims = Readonly<Record<string, unknown>>

/** The claims of an SD-JWT by this key, with its disclosures in place, and within its time. */
async function signedClaims(sdJwt: SdJwt, key: Jwk, now: Date): Promise<Claims> {
  if (!(await isSignedBy(sdJwt.jwt, key))) {
    throw new Refusal(
      'mandate_invalid_signature',
      'The signature of the mandate does not match. Sign it anew, with ES256, ES384 or ES512.',
    )
  }
  const claims = disclosedPayload(sdJwt)
  if (claims === null) {
    throw new Refusal(
      'mandate_invalid_signature',
      'The mandate has disclosures that its signature does not cover.',
    )
  }
  checkTimes(claims, now)
  checkTimes(contentOf(claims), now)
  return claims
}

/** AP2 puts the mandate into a list, so that each of its members can be withheld. */
function contentOf(claims: Claims): Claims {
  const { delegate_payload: delegated } = claims
  if (delegated === undefined) return claims
  const [content, second] = Array.isArray(delegated) ? delegated : []
  if (isRecord(content) && second === undefined) return content
  throw new Refusal('mandate_invalid_signature', 'Disclose exactly one mandate.')
}

// Unspecified: a mandate has expired from the second that `exp` names on. One without it is valid
// as long as the checkout that it names.
function checkTimes({ exp, iat, nbf }: Claims, now: Date): void {
  const seconds = now.getTime() / 1000
  for (const time of [exp, iat, nbf]) {
    if (time !== undefined && typeof time !== 'number') {
      throw new Refusal('mandate_invalid_signature', 'Send exp, iat and nbf as seconds.')
    }
  }
  if (typeof exp === 'number' && exp <= seconds) {
    throw new Refusal('mandate_expired', 'The mandate has expired. Ask the buyer again.')
  }
  const starts = [iat, nbf].filter((time) => typeof time === 'number')
  if (starts.some((time) => time > seconds + SKEW_S)) {
    throw new Refusal('mandate_invalid_signature', 'The mandate is not valid yet.')
  }
}

/** The key of the one who may present a mandate; null: it does not name any. */
function holderOf({ cnf }: Claims): Jwk | null {
  if (cnf === undefined) return null
  const jwk = isRecord(cnf) ? cnf.jwk : undefined
  if (isRecord(jwk) && isMandateKey(jwk)) return jwk
  throw new Refusal('mandate_invalid_signature', 'Name a P-256 key as cnf.jwk.')
}

/** RFC 9901, 7.3: the key binding of a mandate, which it has if it names a key. */
async function checkBinding(
  sdJwt: SdJwt,
  content: Claims,
  claims: Claims,
  question: MandateQuestion,
): Promise<void> {
  const holder = holderOf(content) ?? holderOf(claims)
  const { keyBinding } = sdJwt
  if (holder === null && keyBinding === null) return
  const binding = keyBinding === null ? null : readSdJwt(keyBinding)
  if (holder === null || binding === null) {
    throw new Refusal(
      'mandate_invalid_signature',
      'A mandate has a key binding exactly if it names a key (cnf).',
    )
  }
  await checkBound(binding, ['kb+jwt'], sdJwt, holder, question)
}

/** What a key has signed about an SD-JWT: for this store, and for this checkout. */
async function checkBound(
  bound: SdJwt,
  types: readonly unknown[],
  to: SdJwt,
  holder: Jwk,
  { now, merchant, checkoutId }: MandateQuestion,
): Promise<Claims> {
  if (!types.includes(bound.header.typ)) {
    throw new Refusal('mandate_invalid_signature', `Set typ to ${types[0]}.`)
  }
  const claims = await signedClaims(bound, holder, now)
  const { sd_hash, issuer_jwt_hash, iat, aud, nonce } = claims
  const hashes = [
    [sd_hash, boundText(to)],
    [issuer_jwt_hash, to.jwt],
  ] as const
  const given = hashes.filter(([claimed]) => claimed !== undefined)
  const { _sd_alg: alg } = to.payload
  if (given.length !== 1 || !given.every(([claimed, text]) => claimed === hashBy(alg, text))) {
    throw new Refusal('mandate_invalid_signature', 'sd_hash is of another mandate.')
  }
  if (typeof iat !== 'number') {
    throw new Refusal('mandate_invalid_signature', 'Say when the mandate was bound (iat).')
  }
  // Unspecified: UCP names neither. A binding is for the origin of the store, under any of its
  // addresses, and its nonce is the id of the checkout.
  if (typeof aud !== 'string' || URL.parse(aud)?.origin !== merchant.origin) {
    throw new Refusal('mandate_scope_mismatch', `Bind the mandate to ${merchant.origin} (aud).`)
  }
  if (nonce !== checkoutId) {
    throw new Refusal(
      'mandate_scope_mismatch',
      'Bind the mandate to the id of this checkout (nonce).',
    )
  }
  return claims
}

/** The types of the last part of a chain, as AP2 v0.2 and its kit write them. */
const CLOSING = ['kb+sd-jwt', 'kb-sd-jwt']

/** The mandate that an agent closed within an open one. */
async function closedContent(
  open: SdJwt,
  opened: Claims,
  closed: SdJwt,
  question: MandateQuestion,
): Promise<Claims> {
  const { vct, constraints: _, cnf: __, iat: ___, exp, ...kept } = opened
  if (vct !== OPEN)
    throw new Refusal('mandate_scope_mismatch', `Begin with a mandate of type ${OPEN}.`)
  // Unspecified: AP2 only recommends an end. Without it we could not forget which ones were used.
  if (exp === undefined) {
    throw new Refusal('mandate_expired', 'Give the open mandate an end (exp).')
  }
  const holder = holderOf(opened)
  if (holder === null) {
    throw new Refusal('mandate_invalid_signature', 'The open mandate names no key (cnf).')
  }
  const content = contentOf(await checkBound(closed, CLOSING, open, holder, question))
  if (content.cnf !== undefined) {
    throw new Refusal('mandate_invalid_signature', 'The last mandate may not name a key (cnf).')
  }
  for (const [name, value] of Object.entries(kept)) {
    if (canonicalize(value) !== canonicalize(content[name])) {
      throw new Refusal('mandate_scope_mismatch', 'The closed mandate changes the open one.')
    }
  }
  return content
}

/** The checkout that a mandate agrees to, as one of our keys signed it. */
async function checkoutIn(
  { payload }: SdJwt,
  content: Claims,
  { ownKeys }: MandateQuestion,
): Promise<Claims> {
  if (content.vct !== CLOSED) {
    throw new Refusal('mandate_scope_mismatch', `Send a mandate of the type ${CLOSED} (vct).`)
  }
  const { checkout_jwt, checkout_hash, checkout } = content
  // UCP has a mandate contain the whole checkout, AP2 the store's JWT of it. Both are the same
  // signature, so either is read.
  const jwt =
    typeof checkout_jwt === 'string'
      ? checkout_jwt
      : isRecord(checkout)
        ? checkoutJwtOf(checkout)
        : null
  if (jwt === null) {
    throw new Refusal(
      'merchant_authorization_missing',
      'Put the checkout into the mandate as the store sent it, with ap2.merchant_authorization.',
    )
  }
  const isNamed = checkout_jwt !== undefined || checkout_hash !== undefined
  if (isNamed && checkout_hash !== hashBy(payload._sd_alg, jwt)) {
    throw new Refusal('mandate_scope_mismatch', 'checkout_hash is of another checkout.')
  }
  const signed = await signedCheckout(jwt, ownKeys)
  if (signed === null) {
    throw new Refusal(
      'merchant_authorization_invalid',
      'The checkout in the mandate is not signed by this store, or was changed.',
    )
  }
  return signed
}
