import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import type { SignerSync, Verifier } from 'http-message-sig'
import type { KeptJwk, PrivateJwk, SigningAlg } from '../db/signatures/columns.ts'

/** A published key, not validated. */
export type Jwk = Readonly<Record<string, unknown>>

/** A public key of ours. */
export interface PublicJwk {
  kid: string
  kty: KeptJwk['kty']
  crv: KeptJwk['crv']
  x: string
  y?: string
  use: 'sig'
  alg: SigningAlg
}

/** A signer. Its signatures have the form of those of HTTP messages (RFC 9421, 3.3). */
export interface SigningKey extends SignerSync {
  kid: string
}

/** RFC 9421, 3.3.4: the name of ES256 among signatures of HTTP messages. */
export const ES256 = 'ecdsa-p256-sha256'

/** RFC 9421, 3.3.6: the name of EdDSA with Ed25519. */
export const ED25519 = 'ed25519'

/** 64 bytes r||s (RFC 9421, 3.3.1), never DER. */
const RAW = 'ieee-p1363'

interface Kind {
  kty: KeptJwk['kty']
  crv: KeptJwk['crv']
  members: readonly ('x' | 'y')[]
  alg: SigningAlg
  algorithm: string
  create: () => KeyObject
  sign: (key: KeyObject, data: Uint8Array) => Uint8Array
  verifies: (key: KeyObject, data: Uint8Array, signature: Uint8Array) => boolean
}

/** ES256, which UCP demands, and Ed25519, which agents on the web sign with. */
const KINDS: readonly Kind[] = [
  {
    kty: 'EC',
    crv: 'P-256',
    members: ['x', 'y'],
    alg: 'ES256',
    algorithm: ES256,
    create: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
    sign: (key, data) => sign('sha256', data, { key, dsaEncoding: RAW }),
    verifies: (key, data, signature) =>
      verify('sha256', data, { key, dsaEncoding: RAW }, signature),
  },
  {
    kty: 'OKP',
    crv: 'Ed25519',
    members: ['x'],
    alg: 'EdDSA',
    algorithm: ED25519,
    create: () => generateKeyPairSync('ed25519').privateKey,
    sign: (key, data) => sign(null, data, key),
    verifies: (key, data, signature) => verify(null, data, key, signature),
  },
]

/** Coordinates of these curves have 43 characters. */
const LONGEST_MEMBER = 100

const kindOf = ({ kty, crv }: { kty?: unknown; crv?: unknown }) =>
  KINDS.find((kind) => kind.kty === kty && kind.crv === crv)

/** The verifier for a published key; null for one of another kind or use, and for a broken one. */
export function verifierOf(jwk: Jwk): Verifier | null {
  const kind = kindOf(jwk)
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

/** A new key with its private half. */
export function createJwk(alg: SigningAlg): PrivateJwk {
  const kind = KINDS.find((each) => each.alg === alg)
  const { x, y, d } = kind?.create().export({ format: 'jwk' }) ?? {}
  if (kind === undefined || x === undefined || d === undefined) throw new Error(`No ${alg} key.`)
  return { kty: kind.kty, crv: kind.crv, x, ...(y !== undefined && { y }), d }
}

/** Copies member by member, so that no private one can slip through. */
export const publicJwk = (kid: string, jwk: KeptJwk): PublicJwk => ({
  kid,
  kty: jwk.kty,
  crv: jwk.crv,
  x: jwk.x,
  ...(jwk.y !== undefined && { y: jwk.y }),
  use: 'sig',
  alg: jwk.kty === 'EC' ? 'ES256' : 'EdDSA',
})

/** The signer for a private key. Throws for one of another kind, and for a broken one. */
export function signingKey(kid: string, jwk: PrivateJwk): SigningKey {
  const kind = kindOf(jwk)
  if (kind === undefined) throw new Error('Not a key that signs.')
  const key = createPrivateKey({ key: { ...jwk }, format: 'jwk' })
  return { kid, algorithm: kind.algorithm, sign: (data) => kind.sign(key, data) }
}

/**
 * RFC 7638: the same key has the same name everywhere. For an EC or RSA key, or an OKP one (RFC
 * 8037, 2).
 */
export function thumbprintOf({ crv, kty, x, y, n, e }: Jwk): string {
  const members =
    kty === 'RSA' ? { e, kty, n } : y === undefined ? { crv, kty, x } : { crv, kty, x, y }
  return hash('sha256', JSON.stringify(members), 'base64url')
}
