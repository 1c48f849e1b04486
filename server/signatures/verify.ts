import {
  isSignatureError,
  SignatureErrorCode,
  type SignatureParameters,
  type Verifier,
  verifySignature,
} from 'http-message-sig'
import { type Dictionary, isInnerList, parseDictionary } from 'structured-headers'
import { ED25519, ES256, type Jwk, thumbprintOf, verifierOf } from './jwk.ts'
import { componentsToCover, descriptorOf, type Message, matchesDigest } from './message.ts'
import { WEB_BOT_AUTH } from './web-bot-auth.ts'

/** UCP, signatures.md: Error Handling. The HTTP status of each code. */
export const SIGNATURE_ERRORS = {
  signature_missing: 401,
  signature_invalid: 401,
  key_not_found: 401,
  digest_mismatch: 400,
  algorithm_unsupported: 400,
  profile_unreachable: 424,
} as const
export type SignatureErrorName = keyof typeof SIGNATURE_ERRORS

/**
 * The signer of a message, or that it is unsigned, or what is wrong; `content` says how to fix it.
 */
export type SignatureVerdict =
  | { outcome: 'signed'; kid: string; nonce?: string }
  | { outcome: 'unsigned' }
  | { outcome: 'refused'; code: SignatureErrorName; content: string }

interface VerifyOptions {
  now: Date
  /** The longest age of a signature with a time, in milliseconds. */
  maxAgeMs: number
  /** The signer's published keys; null if they cannot be read. Called once, and only if needed. */
  keys: () => Promise<readonly Jwk[] | null>
}

/** A message with both headers at their longest is still read in microseconds. */
export const LONGEST_HEADER = 8192
export const MOST_SIGNATURES = 4
const MOST_KEYS = 100

/** How far the clocks of signer and store may be apart. */
const SKEW_SECONDS = 300

/**
 * Verifies a message by RFC 9421 and UCP's rules. Of several signatures one valid one is enough.
 * Rejects only if `keys` does, never because of the message.
 *
 * Unspecified: a signature that does not cover what UCP demands counts as absent, as UCP says, even
 * if its key is unknown: agents also sign for bot detection, over less and with other keys.
 */
export async function verifyMessage(
  message: Message,
  options: VerifyOptions,
): Promise<SignatureVerdict> {
  const [input, signature] = ['signature-input', 'signature'].map((name) =>
    message.headers.get(name),
  )
  if (input == null && signature == null) return { outcome: 'unsigned' }
  if (!input || !signature) {
    return refused('signature_missing', 'Send both Signature and Signature-Input.')
  }
  const inputs = input.length + signature.length > LONGEST_HEADER ? null : readDictionary(input)
  if (inputs === null || inputs.size > MOST_SIGNATURES) {
    return refused(
      'signature_invalid',
      `Send Signature-Input as RFC 9421 has it, with at most ${MOST_SIGNATURES} signatures.`,
    )
  }
  const needed = componentsToCover(message)
  const candidates = [...inputs.keys()].filter((label) => {
    const covered = coveredBy(inputs, label)
    return covered === null || needed.every((name) => covered.has(name))
  })
  if (candidates.length === 0) return { outcome: 'unsigned' }
  const keys = await options.keys()
  if (keys === null) {
    return refused('profile_unreachable', 'The profile that UCP-Agent names could not be read.')
  }
  let first: SignatureVerdict | undefined
  for (const label of candidates) {
    const claimed = inputs.get(label)?.[1].get('alg')
    const verdict = await verifyOne(message, label, claimed, keys.slice(0, MOST_KEYS), options)
    if (verdict.outcome === 'signed') return verdict
    first ??= verdict
  }
  return first ?? { outcome: 'unsigned' }
}

const refused = (code: SignatureErrorName, content: string): SignatureVerdict => ({
  outcome: 'refused',
  code,
  content,
})

/** The reason for refusing a signature, thrown within the library. */
class Refusal extends Error {
  readonly code: SignatureErrorName

  constructor(code: SignatureErrorName, content: string) {
    super(content)
    this.code = code
  }
}

function readDictionary(header: string): Dictionary | null {
  try {
    return parseDictionary(header)
  } catch {
    return null
  }
}

/**
 * The components that a signature covers in full. Null if it is not a list of them. For
 * `Signature-Agent` the member of the same label counts as all of it (UCP: WBA Interop).
 */
function coveredBy(inputs: Dictionary, label: string): Set<unknown> | null {
  const member = inputs.get(label)
  if (member === undefined || !isInnerList(member)) return null
  const whole = member[0].filter(
    ([name, parameters]) =>
      parameters.size === 0 ||
      (name === 'signature-agent' && parameters.size === 1 && parameters.get('key') === label),
  )
  return new Set(whole.map(([name]) => name))
}

async function verifyOne(
  message: Message,
  label: string,
  /** The `alg` of the signature, which may be anything. */
  claimed: unknown,
  keys: readonly Jwk[],
  options: VerifyOptions,
): Promise<SignatureVerdict> {
  try {
    const { parameters } = await verifySignature(descriptorOf(message), {
      label,
      policy: {
        // `findVerifier` compares a claimed one with its key, and has a code for it.
        algorithms: [ES256, ED25519, ...(typeof claimed === 'string' ? [claimed] : [])],
        requiredComponents: [],
        requiredParameters: [],
        clockSkew: SKEW_SECONDS,
        now: Math.floor(options.now.getTime() / 1000),
      },
      resolveVerifier: (signature) => {
        const verifier = findVerifier(signature.parameters, keys)
        assertRecent(signature.parameters, options)
        const digest = message.headers.get('content-digest')
        const { body } = message
        if (body !== null && digest !== null && !matchesDigest(digest, body)) {
          throw new Refusal(
            'digest_mismatch',
            'Content-Digest is not the SHA-256 of the body as it arrived.',
          )
        }
        return verifier
      },
    })
    const { keyid, nonce } = parameters
    return { outcome: 'signed', kid: String(keyid), ...(nonce !== undefined && { nonce }) }
  } catch (error) {
    if (isSignatureError(error)) {
      if (error.cause instanceof Refusal) return refused(error.cause.code, error.cause.message)
      if (error.code === SignatureErrorCode.MissingField) {
        return refused('signature_missing', 'A header that the signature covers is missing.')
      }
    }
    // Other errors of the library are also caused by the message: keys that it cannot use.
    return refused(
      'signature_invalid',
      'The signature does not match the message. Check its components, its key and its encoding.',
    )
  }
}

/** Throws a Refusal unless the key that the signature names is there and can be used. */
function findVerifier({ keyid, tag, alg }: SignatureParameters, keys: readonly Jwk[]): Verifier {
  const jwk = keys.find(({ kid }) => kid === keyid)
  if (keyid === undefined || jwk === undefined) {
    throw new Refusal('key_not_found', 'Publish the key that keyid names in your profile.')
  }
  const verifier = verifierOf(jwk)
  if (verifier === null || (alg ?? verifier.algorithm) !== verifier.algorithm) {
    throw new Refusal(
      'algorithm_unsupported',
      'Sign with a key for ES256 (P-256) or EdDSA (Ed25519).',
    )
  }
  // UCP, WBA Interop: a verifier that looks the key up elsewhere must find the same one.
  if (tag === WEB_BOT_AUTH && thumbprintOf(jwk) !== keyid) {
    throw new Refusal('signature_invalid', 'Name the key by its JWK thumbprint (RFC 7638).')
  }
  return verifier
}

function assertRecent({ created }: SignatureParameters, { now, maxAgeMs }: VerifyOptions): void {
  if (created !== undefined && now.getTime() - created * 1000 > maxAgeMs + SKEW_SECONDS * 1000) {
    throw new Refusal('signature_invalid', 'The signature is too old. Sign the request again.')
  }
}
