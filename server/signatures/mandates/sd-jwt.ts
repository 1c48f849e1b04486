import { hash } from 'node:crypto'
import { isRecord } from '../../../shared/web/json/json.ts'

/** An SD-JWT in its parts (RFC 9901, 4): nothing of it is verified yet. */
export interface SdJwt {
  /** The issuer's JWT: `header.payload.signature`. */
  jwt: string
  header: Record<string, unknown>
  payload: Record<string, unknown>
  disclosures: readonly string[]
  /** The key binding JWT; null without one. */
  keyBinding: string | null
}

const MOST_DISCLOSURES = 200
const MOST_DEPTH = 32

/** Its algorithms, by their names in `_sd_alg`. */
const HASHES: Readonly<Record<string, string>> = {
  'sha-256': 'sha256',
  'sha-384': 'sha384',
  'sha-512': 'sha512',
}

/**
 * Reads a compact SD-JWT, with or without key binding; null: it is not one. UCP's pattern for
 * mandates also has a form without the last `~`, which is read as a list of disclosures.
 */
export function readSdJwt(text: string): SdJwt | null {
  const [jwt = '', ...rest] = text.split('~')
  const last = rest.at(-1) ?? ''
  const isBound = last.includes('.')
  const disclosures = isBound || last === '' ? rest.slice(0, -1) : rest
  if (disclosures.length > MOST_DISCLOSURES || disclosures.includes('')) return null
  const [header, payload, signature, ...more] = jwt.split('.')
  if (!header || !payload || !signature || more.length > 0) return null
  const read = { header: readPart(header), payload: readPart(payload) }
  return isRecord(read.header) && isRecord(read.payload)
    ? {
        jwt,
        header: read.header,
        payload: read.payload,
        disclosures,
        keyBinding: isBound ? last : null,
      }
    : null
}

/** JSON in base64url; undefined: it is not that. */
export function readPart(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString())
  } catch {
    return undefined
  }
}

/** Base64url of a hash by the algorithm of `_sd_alg`; null for one that we do not know. */
export function hashBy(alg: unknown, text: string): string | null {
  const name = typeof alg === 'string' ? alg : alg === undefined ? 'sha-256' : ''
  const known = Object.hasOwn(HASHES, name) ? HASHES[name] : undefined
  return known === undefined ? null : hash(known, text, 'base64url')
}

/** What a key binding signs of an SD-JWT: all of it but the binding (RFC 9901, 4.3.1). */
export const boundText = ({ jwt, disclosures }: SdJwt): string =>
  `${[jwt, ...disclosures].join('~')}~`

/** A disclosure that is broken, or that the issuer has not signed. */
class Undisclosed extends Error {}

/**
 * The payload with its disclosures in place (RFC 9901, 7.1); null: something of it is not as the
 * issuer signed it. Own code: at the time of writing `@sd-jwt/core` could not be installed in its
 * newest version, and lets disclosures overwrite claims in the one before.
 */
export function disclosedPayload({ payload, disclosures }: SdJwt): Record<string, unknown> | null {
  const { _sd_alg: alg, ...claims } = payload
  const open = new Map<string, unknown[]>()
  for (const disclosure of disclosures) {
    const digest = hashBy(alg, disclosure)
    const parts = readPart(disclosure)
    if (digest === null || !Array.isArray(parts) || open.has(digest)) return null
    open.set(digest, parts)
  }
  const seen = new Set<string>()
  /** The parts of a disclosure, once; undefined: it was withheld, or is a decoy. */
  const take = (digest: unknown, length: number): unknown[] | undefined => {
    if (typeof digest !== 'string' || seen.has(digest)) throw new Undisclosed()
    seen.add(digest)
    const parts = open.get(digest)
    open.delete(digest)
    if (parts && parts.length !== length) throw new Undisclosed()
    return parts
  }
  const inPlace = (value: unknown, depth: number): unknown => {
    if (depth > MOST_DEPTH) throw new Undisclosed()
    if (Array.isArray(value)) {
      return value.flatMap((each: unknown) => {
        if (!isRecord(each) || !Object.hasOwn(each, '...')) return [inPlace(each, depth + 1)]
        if (Object.keys(each).length > 1) throw new Undisclosed()
        const parts = take(each['...'], 2)
        return parts ? [inPlace(parts[1], depth + 1)] : []
      })
    }
    if (!isRecord(value)) return value
    const { _sd: digests = [], ...plain } = value
    if (!Array.isArray(digests) || Object.hasOwn(plain, '...')) throw new Undisclosed()
    const members = new Map(Object.entries(plain))
    for (const digest of digests) {
      const [, name, disclosed] = take(digest, 3) ?? []
      if (name === undefined) continue
      const isTaken = typeof name !== 'string' || members.has(name)
      if (isTaken || name === '_sd' || name === '...') throw new Undisclosed()
      members.set(name, disclosed)
    }
    return Object.fromEntries([...members].map(([name, each]) => [name, inPlace(each, depth + 1)]))
  }
  try {
    const whole = inPlace(claims, 0)
    return isRecord(whole) && open.size === 0 ? whole : null
  } catch (error) {
    if (error instanceof Undisclosed) return null
    throw error
  }
}
