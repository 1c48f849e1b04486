import { UCP, type UcpVersion } from '../../protocols/ucp/versions.ts'
import { field, isRecord, listIn, shown } from '../../web/json/json.ts'
import { base64UrlBytes, isOnCurve } from './curve.ts'
import { dotted } from './findings.ts'
import { ALGORITHMS, hasPrivatePart } from './keys.ts'

/** The keys of a profile, as a verifier of signatures finds them. */
interface SigningKeys {
  /** All entries in the field that the version reads. */
  listed: number
  /** Those of them that can verify signatures. */
  usable: number
  /** What makes a key useless to everyone, as sentences that begin with its path. */
  faults: string[]
  /** The other field, if it has keys, which agents of the version do not read. */
  misplaced: 'keys' | 'signing_keys' | null
  /** One of them holds its private part and has to be replaced anyway. */
  isExposed: boolean
}

/** A signer has a few; more are not read. */
const MAX_KEYS = 50

/**
 * Which keys of a profile verify signatures (UCP signatures, Key Format and Signature Algorithms;
 * RFC 7517, 4.2 and 4.3). Keys that break the schema are left to the schema.
 */
export function readSigningKeys(document: unknown, version: UcpVersion): SigningKeys {
  const { keys: name } = UCP.of(version)
  const other = name === 'keys' ? 'signing_keys' : 'keys'
  const listed = listIn(field(document, name))
  const read = listed
    .slice(0, MAX_KEYS)
    .flatMap((key, index) => (isRecord(key) ? [{ at: dotted([name, index]), key }] : []))
  const judged = read.map(({ at, key }) => ({ key, at, ...judgeKey(key) }))
  return {
    listed: listed.length,
    usable: judged.filter(({ verifies }) => verifies).length,
    faults: [
      ...judged.flatMap(({ at, fault }) => (fault === null ? [] : [`${at} ${fault}`])),
      ...repeatedIds(read),
    ],
    misplaced: listIn(field(document, other)).length > 0 ? other : null,
    isExposed: read.some(({ key }) => hasPrivatePart(key)),
  }
}

/** Whether the key can verify, and what is certainly wrong with it. */
function judgeKey(key: Record<string, unknown>): { verifies: boolean; fault: string | null } {
  const fault = faultOf(key)
  if (fault !== null) return { verifies: false, fault }
  // Verifiers skip keys of unknown kinds, and keys for another use.
  const { crv } = key
  const isKnown = typeof crv === 'string' && Object.hasOwn(ALGORITHMS, crv)
  return { verifies: isForVerifying(key) && isKnown, fault }
}

/** `use` and `key_ops` may reserve a key for encryption: that is not a fault. */
function isForVerifying({ use, key_ops }: Record<string, unknown>): boolean {
  return use !== 'enc' && (!Array.isArray(key_ops) || key_ops.includes('verify'))
}

/** The type of key that each curve belongs to (RFC 7518, 6.2.1.1; RFC 8037, 2). */
const TYPES: Readonly<Record<string, string>> = { 'P-256': 'EC', 'P-384': 'EC', Ed25519: 'OKP' }

/** RFC 8032, 5.1.5: the public key of Ed25519. */
const ED25519_BYTES = 32

/** What makes a key useless to everyone. The text follows its path. */
function faultOf({ kid, kty, crv, alg, x, y }: Record<string, unknown>): string | null {
  if (kid === '') return 'has an empty kid, so that no signature can name it.'
  if (typeof crv !== 'string' || !Object.hasOwn(TYPES, crv)) return null
  if (kty !== TYPES[crv]) {
    return `is of type ${shown(kty)}, but the curve ${crv} belongs to ${shown(TYPES[crv])}.`
  }
  // RFC 9864 gives EdDSA over this curve the name of the curve.
  if (alg !== undefined && alg !== ALGORITHMS[crv] && alg !== crv) {
    return `names the algorithm ${shown(alg)}, but the curve ${crv} is that of ${shown(ALGORITHMS[crv])}.`
  }
  if (typeof x !== 'string') return null
  if (crv === 'Ed25519') {
    return base64UrlBytes(x)?.length === ED25519_BYTES
      ? null
      : `has an x that is not ${ED25519_BYTES} bytes in base64url.`
  }
  return typeof y === 'string' && isOnCurve(crv, x, y) === false
    ? `is not a key: x and y are not a point on the curve ${crv}.`
    : null
}

/**
 * RFC 7517, 4.5: keys of different types may share a kid; of two of one type, only one is found.
 */
function repeatedIds(read: readonly { at: string; key: Record<string, unknown> }[]): string[] {
  const seen = new Map<string, string>()
  return read.flatMap(({ at, key: { kid, kty } }) => {
    if (typeof kid !== 'string' || kid === '') return []
    const id = JSON.stringify([kty, kid])
    const first = seen.get(id)
    if (first === undefined) seen.set(id, at)
    return first === undefined ? [] : [`${at} has the kid ${shown(kid)} of ${first}.`]
  })
}
