import { field, isRecord } from '../../web/json/json.ts'
import type { FieldFault } from '../fields.ts'
import type { Findings, Path } from './findings.ts'

/** The private members of a JSON Web Key (RFC 7518, 6.2.2, 6.3.2 and 6.4.1). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

/** RFC 7518, 6.2.1, for EC keys, and RFC 8037, 2, for OKP keys. */
const REQUIRED_MEMBERS: Record<string, string[]> = { EC: ['crv', 'x', 'y'], OKP: ['crv', 'x'] }

/** The signature algorithm of each curve: RFC 7518, 3.4, and RFC 8037, 3.1. */
export const ALGORITHMS: Readonly<Record<string, string>> = {
  'P-256': 'ES256',
  'P-384': 'ES384',
  Ed25519: 'EdDSA',
}

/** A fault of one member of a key; the member may be missing. */
interface KeyFault {
  member: string
  fault: FieldFault
}

/** What UCP 2026-08-25 demands of a key beyond the types of its members. */
export function keyFaults(key: Record<string, unknown>): KeyFault[] {
  const { kty, crv, alg } = key
  const missing = memberOf(REQUIRED_MEMBERS, kty)?.filter((member) => key[member] === undefined)
  const algorithm = memberOf(ALGORITHMS, crv)
  return [
    ...(missing ?? []).map((member) => ({
      member,
      fault: { code: 'required' as const, message: `Keys of type ${String(kty)} must have it.` },
    })),
    ...(algorithm !== undefined && alg !== undefined && alg !== algorithm
      ? [{ member: 'alg', fault: mismatch(String(crv), algorithm) }]
      : []),
    ...privateFaults(key),
  ]
}

/** An own entry of a table: a key's `kty` is untrusted and could be `constructor`. */
const memberOf = <T>(table: Readonly<Record<string, T>>, key: unknown): T | undefined =>
  typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined

const mismatch = (curve: string, algorithm: string): FieldFault => ({
  code: 'invalid_value',
  message: `Must be "${algorithm}" for the curve ${curve}.`,
})

/** Whether the key holds a private member. */
export const hasPrivatePart = (key: Record<string, unknown>): boolean =>
  PRIVATE_MEMBERS.some((member) => Object.hasOwn(key, member))

/** Every private member that is present, with any value: even an empty one shows a wrong export. */
const privateFaults = (key: Record<string, unknown>): KeyFault[] =>
  PRIVATE_MEMBERS.filter((member) => Object.hasOwn(key, member)).map((member) => ({
    member,
    fault: {
      code: 'private_key',
      message:
        'Is the private half of the key and is published here: revoke the key and create a new one.',
    },
  }))

/**
 * Looks for private keys in every field that has ever held keys, in any version: a published secret
 * does harm even if agents ignore the field.
 */
export function findPrivateKeys(document: unknown, findings: Findings): void {
  for (const name of ['signing_keys', 'keys']) {
    const keys = field(document, name)
    if (!Array.isArray(keys)) continue
    for (const [index, key] of keys.entries()) {
      if (findings.full()) return
      if (!isRecord(key)) continue
      const path: Path = [name, index]
      for (const { member, fault } of privateFaults(key)) {
        findings.add([...path, member], fault, 'ours')
      }
    }
  }
}
