import { randomUUID } from 'node:crypto'
import { createJwk, type PublicJwk, publicJwk, type SigningKey, signingKey } from '../../jwk.ts'
import { hashBy } from '../sd-jwt.ts'

const base64url = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** A key of a platform, a buyer or an agent. */
export interface TestKey {
  published: PublicJwk
  key: SigningKey
}

export function testKey(kid: string = randomUUID()): TestKey {
  const jwk = createJwk('ES256')
  return { published: publicJwk(kid, jwk), key: signingKey(kid, jwk) }
}

/** A JWT by this key; `header` changes its header. */
export function jwt(payload: object, { key }: TestKey, header: object = {}): string {
  const text = `${base64url({ alg: 'ES256', kid: key.kid, ...header })}.${base64url(payload)}`
  return `${text}.${Buffer.from(key.sign(Buffer.from(text))).toString('base64url')}`
}

/** A disclosure of a member, or of an entry of a list, and its digest. */
export const disclose = (...parts: [string, unknown] | [unknown]) => {
  const text = base64url([randomUUID(), ...parts])
  return { text, digest: hashBy(undefined, text) ?? '' }
}

/** An SD-JWT of these claims as AP2's kit makes it: its only mandate is disclosed. */
export function sdJwt(content: object, key: TestKey, outer: object = {}, header: object = {}) {
  const { text, digest } = disclose(content)
  const payload = { delegate_payload: [{ '...': digest }], _sd_alg: 'sha-256', ...outer }
  return `${jwt(payload, key, header)}~${text}~`
}

/** What binds an SD-JWT to a store and a checkout. */
export const bindingTo = (text: string, origin: string, nonce: string, now: Date) => ({
  iat: Math.floor(now.getTime() / 1000),
  aud: origin,
  nonce,
  sd_hash: hashBy(undefined, text),
})

/** The content of a closed mandate. */
export const closing = (checkoutJwt: string | null, change: object = {}) => ({
  vct: 'mandate.checkout.1',
  checkout_jwt: checkoutJwt,
  checkout_hash: hashBy(undefined, checkoutJwt ?? ''),
  ...change,
})
