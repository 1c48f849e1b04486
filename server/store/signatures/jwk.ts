import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto'
import type { Verifier } from 'http-message-sig'

/** A published key, not validated. */
export type Jwk = Readonly<Record<string, unknown>>

/** RFC 9421, 3.3.4: the name of ES256 among signatures of HTTP messages. */
export const ES256 = 'ecdsa-p256-sha256'

/** RFC 9421, 3.3.6: the name of EdDSA with Ed25519. */
export const ED25519 = 'ed25519'

/** 64 bytes r||s (RFC 9421, 3.3.1), never DER. */
export const RAW = 'ieee-p1363'

/** A verifier: for ES256, which UCP demands, and Ed25519, which agents on the web sign with. */
const KINDS = [
  {
    kty: 'EC',
    crv: 'P-256',
    members: ['x', 'y'],
    alg: 'ES256',
    algorithm: ES256,
    verifies: (key: KeyObject, data: Uint8Array, signature: Uint8Array) =>
      verify('sha256', data, { key, dsaEncoding: RAW }, signature),
  },
  {
    kty: 'OKP',
    crv: 'Ed25519',
    members: ['x'],
    alg: 'EdDSA',
    algorithm: ED25519,
    verifies: (key: KeyObject, data: Uint8Array, signature: Uint8Array) =>
      verify(null, data, key, signature),
  },
]

/** Coordinates of these curves have 43 characters. */
const LONGEST_MEMBER = 100

/** The verifier for a published key; null for one of another kind or use, and for a broken one. */
export function verifierOf(jwk: Jwk): Verifier | null {
  const kind = KINDS.find(({ kty, crv }) => jwk.kty === kty && jwk.crv === crv)
  if (kind === undefined) return null
  if ((jwk.alg ?? kind.alg) !== kind.alg || (jwk.use ?? 'sig') !== 'sig') return null
  const publicPart: Record<string, string> = { kty: kind.kty, crv: kind.crv }
  for (const member of kind.members) {
    const value = jwk[member]
    if (typeof value !== 'string' || value.length > LONGEST_MEMBER) return null
    publicPart[member] = value
  }
  try {
    const key = createPublicKey({ key: publicPart, format: 'jwk' })
    return {
      algorithm: kind.algorithm,
      verify: (data, signature) => kind.verifies(key, data, signature),
    }
  } catch {
    return null
  }
}

/**
 * RFC 7638: the same key has the same name everywhere. For an EC key, or an OKP one (RFC 8037, 2).
 */
export function thumbprintOf({ crv, kty, x, y }: Jwk): string {
  const members = y === undefined ? { crv, kty, x } : { crv, kty, x, y }
  return hash('sha256', JSON.stringify(members), 'base64url')
}
