import { constants, createPublicKey, verify } from 'node:crypto'
import type { Verifier } from 'http-message-sig'
import type { Jwk } from '../jwk.ts'

/** RFC 9421, 3.3.1: the name of RSASSA-PSS with SHA-512. */
const RSA_PSS = 'rsa-pss-sha512'

/** A modulus of 4,096 bits in base64url. Longer ones take long to verify. */
const LONGEST_MODULUS = 683

/** Exponents have three bytes. */
const LONGEST_EXPONENT = 8

/** A key of 2,048 to 4,096 bits; null for any other, and for one of another kind. */
export function rsaVerifierOf({ kty, n, e, alg = 'PS512', use = 'sig' }: Jwk): Verifier | null {
  if (kty !== 'RSA' || alg !== 'PS512' || use !== 'sig') return null
  if (typeof n !== 'string' || typeof e !== 'string') return null
  if (n.length > LONGEST_MODULUS || e.length > LONGEST_EXPONENT) return null
  try {
    const key = createPublicKey({ key: { kty, n, e }, format: 'jwk' })
    if ((key.asymmetricKeyDetails?.modulusLength ?? 0) < 2048) return null
    // 64 bytes of salt by the RFC; npm's `http-message-signatures` takes as many as fit.
    const saltLength = constants.RSA_PSS_SALTLEN_AUTO
    const options = { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength }
    return {
      algorithm: RSA_PSS,
      verify: (data, signature) => verify('sha512', data, options, signature),
    }
  } catch {
    return null
  }
}
