import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { base64UrlBytes, isOnCurve } from './curve.ts'
import { readSigningKeys } from './signing-keys.ts'
import { ecKey, type Json } from './testing/profiles.ts'

const made = (crv: 'P-256' | 'P-384' | 'P-521'): Json => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: crv })
  return { kid: crv, ...publicKey.export({ format: 'jwk' }) }
}
const ED25519 = {
  kid: 'ed',
  kty: 'OKP',
  crv: 'Ed25519',
  x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs',
}

test.each(['P-256', 'P-384'] as const)('keys of %s are points of it, and others are not', (crv) => {
  for (let count = 0; count < 5; count++) {
    const { x, y } = made(crv)
    expect(isOnCurve(crv, x, y)).toBe(true)
    expect(isOnCurve(crv, `${x}==`, y)).toBe(true)
    expect(isOnCurve(crv, y, x)).toBe(false)
    expect(isOnCurve(crv, x, x)).toBe(false)
    expect(isOnCurve(crv === 'P-256' ? 'P-384' : 'P-256', x, y)).toBe(false)
  }
  expect(isOnCurve(crv, '', '')).toBe(false)
  expect(isOnCurve(crv, '+/', 'AA')).toBe(false)
  expect(isOnCurve(crv, 'A'.repeat(1_000_000), 'AA')).toBe(false)
})

test('base64url is read as bytes', () => {
  for (const text of ['', 'a', 'ab', 'abc', 'Alder & Oak?>']) {
    const bytes = Buffer.from(text)
    expect(base64UrlBytes(bytes.toString('base64url'))).toEqual([...bytes])
  }
})

const RIGHT: [name: string, keys: Json[], usable: number][] = [
  ['a key of P-256', [ecKey], 1],
  ['a key without use and alg', [{ ...ecKey, use: undefined, alg: undefined }], 1],
  ['a key that says that it verifies', [{ ...ecKey, use: undefined, key_ops: ['verify'] }], 1],
  ['two keys, of which one encrypts', [ecKey, { ...ecKey, kid: 'k2', use: 'enc' }], 1],
  ['Ed25519', [ED25519], 1],
  ['Ed25519 by the names of EdDSA', [{ ...ED25519, alg: 'EdDSA' }], 1],
  ['Ed25519 by its own name', [{ ...ED25519, alg: 'Ed25519' }], 1],
  ['one kid for keys of two types', [ecKey, { ...ED25519, kid: 'k1' }], 2],
  ['a curve that nobody knows yet, beside one', [ecKey, { kid: 'q', kty: 'PQ', crv: 'X' }], 1],
  ['an RSA key beside one', [ecKey, { kid: 'r', kty: 'RSA', n: 'AA', e: 'AQAB' }], 1],
  ['what is no key, which the schema reports', [ecKey, null, 'key', {}], 1],
]

test.each(RIGHT)('%s is right', (_, keys, usable) => {
  expect(readSigningKeys({ keys }, '2026-08-25')).toEqual({
    listed: keys.length,
    usable,
    faults: [],
    misplaced: null,
    isExposed: false,
  })
  expect(readSigningKeys({ signing_keys: keys }, '2026-04-08')).toMatchObject({
    usable,
    faults: [],
  })
})

const WRONG: [name: string, keys: Json[], fault: RegExp][] = [
  ['a point that is not on the curve', [{ ...ecKey, y: ecKey.x }], /^keys.0 is not a key/],
  ['the type of another curve', [{ ...ecKey, kty: 'OKP' }], /type "OKP", but .* P-256 .* "EC"/],
  ['another algorithm', [{ ...ecKey, alg: 'ES384' }], /algorithm "ES384", but .* "ES256"/],
  ['a short Ed25519', [{ ...ED25519, x: 'AAAA' }], /not 32 bytes/],
  ['an empty kid', [{ ...ecKey, kid: '' }], /empty kid/],
  ['one kid twice', [ecKey, { ...made('P-256'), kid: 'k1' }], /^keys.1 has the kid "k1" of keys.0/],
]

test.each(WRONG)('%s is not', (_, keys, fault) => {
  expect(readSigningKeys({ keys }, '2026-08-25').faults).toEqual([expect.stringMatching(fault)])
})

test.each([
  ['only for encryption', [{ ...ecKey, use: 'enc' }]],
  ['only for signing', [{ ...ecKey, key_ops: ['sign'] }]],
  ['of a curve that agents do not know', [made('P-521')]],
  ['of RSA', [{ kid: 'r', kty: 'RSA', n: 'AA', e: 'AQAB' }]],
])('keys %s do not verify', (_, keys) => {
  expect(readSigningKeys({ keys }, '2026-08-25')).toMatchObject({ usable: 0, faults: [] })
})

test('the keys of another version are not read', () => {
  const keys = [ecKey]
  expect(readSigningKeys({ keys }, '2026-04-08')).toMatchObject({ listed: 0, misplaced: 'keys' })
  expect(readSigningKeys({ signing_keys: keys }, '2026-08-25')).toMatchObject({
    listed: 0,
    misplaced: 'signing_keys',
  })
  expect(readSigningKeys({ keys, signing_keys: keys }, '2026-08-25')).toMatchObject({ usable: 1 })
  expect(readSigningKeys(null, '2026-08-25')).toMatchObject({ listed: 0, misplaced: null })
})
