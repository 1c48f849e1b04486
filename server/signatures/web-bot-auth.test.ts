import { verifySignature } from 'http-message-sig'
import { expect, test } from 'vitest'
import { createJwk, publicJwk, signingKey, thumbprintOf, verifierOf } from './jwk.ts'
import { VALID_SECONDS, webBotAuthHeaders } from './web-bot-auth.ts'

const NOW = new Date('2026-11-30T12:00:00Z')
const JWK = createJwk('EdDSA')
const KID = thumbprintOf({ ...JWK })
const KEY = signingKey(KID, JWK)
const ORIGIN = 'https://aisle.example'

const request = (body = '') => ({
  method: body === '' ? 'GET' : 'POST',
  url: 'https://shop.example/search?q=tent',
  headers: new Headers({ accept: '*/*' }),
  body: Buffer.from(body),
})

/** What a verifier of the same library says at a time. */
const verified = (
  { url, method }: { url: string; method: string },
  headers: Record<string, string>,
  at = NOW,
) =>
  verifySignature(
    {
      kind: 'request',
      method,
      targetUri: url,
      fields: Object.entries(headers).map(([name, value]) => ({ name, value })),
    },
    {
      policy: {
        algorithms: ['ed25519'],
        requiredComponents: ['@authority'],
        requiredParameters: ['created', 'expires', 'keyid', 'tag', 'nonce'],
        now: at.getTime() / 1000,
      },
      resolveVerifier: () => verifierOf({ ...publicJwk(KID, JWK) })!,
    },
  )

test.each([
  ['without a body', ''],
  ['with one', '{"q":"tent"}'],
])('a request is signed as the draft says, %s', async (_, body) => {
  const sent = request(body)
  const headers = webBotAuthHeaders(sent, { key: KEY, origin: ORIGIN, now: NOW })
  expect(headers['signature-agent']).toBe(`aisle="${ORIGIN}"`)
  const { parameters, components } = await verified(sent, headers)
  expect(parameters).toMatchObject({ keyid: KID, tag: 'web-bot-auth' })
  expect(components.map(({ name }) => name)).toEqual([
    '@method',
    '@authority',
    '@path',
    '@query',
    'signature-agent',
    ...(body === '' ? [] : ['content-digest']),
  ])
})

test('it opens no other host, path or method, and nothing a minute later', async () => {
  const sent = request()
  const headers = webBotAuthHeaders(sent, { key: KEY, origin: ORIGIN, now: NOW })
  for (const other of [
    { ...sent, url: 'https://other.example/search?q=tent' },
    { ...sent, url: 'https://shop.example/admin?q=tent' },
    { ...sent, url: 'https://shop.example/search?q=boot' },
    { ...sent, method: 'DELETE' },
  ]) {
    await expect(verified(other, headers)).rejects.toThrow()
  }
  const late = new Date(NOW.getTime() + (VALID_SECONDS + 1) * 1000)
  await expect(verified(sent, headers, late)).rejects.toThrow()
})

test('no two requests have the same nonce', () => {
  const nonces = [1, 2].map(
    () => webBotAuthHeaders(request(), { key: KEY, origin: ORIGIN, now: NOW })['signature-input'],
  )
  expect(nonces[0]).not.toBe(nonces[1])
})
