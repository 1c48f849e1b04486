import { createPrivateKey, generateKeyPairSync, hash, type KeyObject, sign } from 'node:crypto'
import fc from 'fast-check'
import { createSignatureSync } from 'http-message-sig'
import { describe, expect, test } from 'vitest'
import { testFetcher } from '../../jobs/testing/receiver.ts'
import {
  createJwk,
  type Jwk,
  publicJwk,
  type SigningKey,
  signingKey,
  thumbprintOf,
} from '../../signatures/jwk.ts'
import {
  componentsToCover,
  contentDigest,
  descriptorOf,
  matchesDigest,
  type RequestMessage,
  signMessage,
} from '../../signatures/message.ts'
import { type SignatureVerdict, verifyMessage } from '../../signatures/verify.ts'
import { startMeasured } from '../outbox/testing/receiver.ts'
import { NOON } from '../testing/store.ts'
import { webhookHeaders } from './webhook.ts'

const HOUR = 3_600_000
const bytes = (text: string) => new Uint8Array(Buffer.from(text))

/** A vector made by another implementation; its public key is known, its private one a hash. */
const VECTOR = {
  at: new Date(1_795_305_600_000),
  jwk: {
    kid: 'shop-2026-1',
    kty: 'EC',
    crv: 'P-256',
    x: 'Umap7p0w4epCjWrqHVwbS1qbUZm5d-0gtMhVBTpV_AU',
    y: '8INxmtqfSVaiaNSI4jMvOJ0HnKxf5alJGf0b8B5iEYY',
  },
  webhook: {
    url: 'https://platform.example/hooks/ucp?p=7',
    body: '{"id":"ord_1","checkout_id":"chk_1"}',
    id: '0b6fbb1a-6a0e-4a6e-9b62-0d4f4c2f1c55',
    at: new Date(1_795_305_600_000),
    profileUrl: 'https://shop.example/.well-known/ucp',
  },
  base: 'cdf8c11600931fea7287ae724ced8a3ac16556871fca1daf87a311c624e4800f',
  headers: {
    'content-type': 'application/json',
    'ucp-agent': 'profile="https://shop.example/.well-known/ucp"',
    'webhook-id': '0b6fbb1a-6a0e-4a6e-9b62-0d4f4c2f1c55',
    'webhook-timestamp': '1795305600',
    'content-digest': 'sha-256=:lDHY5bO7veoO4nh6BbAwOO0ukV49lscyy69v6NcWzzU=:',
    'signature-input':
      'sig1=("@method" "@authority" "@path" "@query" "ucp-agent" "content-digest" "content-type" "webhook-id" "webhook-timestamp");created=1795305600;keyid="shop-2026-1"',
  },
  signature:
    'sig1=:lrYvqcdF5w9/aoWlZu5BeFopGoRMyTebaApQmVc/fl7qQa9Lx/FyG/MP/LXzAYlPH08VnBTurDGTrS/8uQHt/A==:',
}

const verify = (
  message: Parameters<typeof verifyMessage>[0],
  keys: readonly Jwk[] | null,
  now = NOON,
) => verifyMessage(message, { now, maxAgeMs: 24 * HOUR, keys: async () => keys })
const codeOf = (verdict: SignatureVerdict) =>
  verdict.outcome === 'refused' ? verdict.code : verdict.outcome

describe('the vector', () => {
  const { webhook, at, headers, signature, jwk } = VECTOR
  const message: RequestMessage = {
    method: 'POST',
    url: webhook.url,
    headers: new Headers({ ...headers, signature }),
    body: bytes(webhook.body),
  }
  test('verifies', async () => {
    expect(await verify(message, [jwk], at)).toEqual({ outcome: 'signed', kid: 'shop-2026-1' })
  })
  test('is what a webhook signs, to the byte', () => {
    let base: Uint8Array = new Uint8Array()
    const key: SigningKey = {
      kid: jwk.kid,
      algorithm: 'ecdsa-p256-sha256',
      sign: (data) => {
        base = data
        return new Uint8Array(Buffer.from(signature.slice(6, -1), 'base64'))
      },
    }
    expect(webhookHeaders(webhook, key, at)).toEqual({ ...headers, signature })
    expect(hash('sha256', base)).toBe(VECTOR.base)
  })
  test('a signature by its private key verifies by its public one', async () => {
    const d = hash('sha256', 'ucp-reference-test-key', 'base64url')
    const { kid, x, y } = jwk
    const key = signingKey(kid, { kty: 'EC', crv: 'P-256', x, y, d })
    const signed = { ...message, headers: new Headers(webhookHeaders(webhook, key, at)) }
    expect(
      Buffer.from(String(signed.headers.get('signature')).slice(6, -1), 'base64'),
    ).toHaveLength(64)
    expect(codeOf(await verify(signed, [jwk], at))).toBe('signed')
  })
})

const OURS = createJwk('ES256')
const KID = thumbprintOf({ ...OURS })
const KEY = signingKey(KID, OURS)
const PUBLIC: Jwk = { ...publicJwk(KID, OURS) }

const ed25519 = generateKeyPairSync('ed25519')
const ED = { kid: 'ed', ...ed25519.publicKey.export({ format: 'jwk' }), alg: 'EdDSA' }
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' })
const P384 = { kid: 'p384', ...p384.publicKey.export({ format: 'jwk' }) }

const CALL: RequestMessage = {
  method: 'POST',
  url: 'https://shop.example/ucp/v1/checkout-sessions?dry=1',
  headers: new Headers({
    'content-type': 'application/json',
    'ucp-agent': 'profile="https://agent.example/ucp.json"',
    'idempotency-key': '7f0c9a52-6f1e-4b0e-9a55-0d3f4f3f1a01',
    'x-note': 'not covered',
  }),
  body: bytes('{"line_items":[]}'),
}
const withHeaders = <T extends { headers: Headers }>(
  message: T,
  change: Record<string, string | null>,
): T => {
  const headers = new Headers(message.headers)
  for (const [name, value] of Object.entries(change)) {
    if (value === null) headers.delete(name)
    else headers.set(name, value)
  }
  return { ...message, headers }
}
const signed = (call = CALL, key: SigningKey = KEY, at = NOON) =>
  withHeaders(call, signMessage(call, key, at))
/** With the signature's components or parameters as they are given. */
const signedAs = (change: {
  components?: string[]
  parameters?: Record<string, string | number>
  sign?: (data: Uint8Array) => Uint8Array
  call?: RequestMessage
}) => {
  const call = withHeaders(change.call ?? CALL, {
    'content-digest': contentDigest((change.call ?? CALL).body),
  })
  const { signature, signatureInput } = createSignatureSync(descriptorOf(call), {
    components: change.components ?? componentsToCover(call),
    parameters: { created: NOON.getTime() / 1000, keyid: KID, ...change.parameters },
    signer: { algorithm: String(change.parameters?.alg ?? ''), sign: change.sign ?? KEY.sign },
  })
  return withHeaders(call, { signature, 'signature-input': signatureInput })
}
const without = (name: string) => componentsToCover(CALL).filter((each) => each !== name)
const derOf = (data: Uint8Array) =>
  sign('sha256', data, createPrivateKey({ key: { ...OURS }, format: 'jwk' }))
const edOf = (data: Uint8Array) => sign(null, data, ed25519.privateKey as KeyObject)
const later = (ms: number) => new Date(NOON.getTime() + ms)

test.each<[string, RequestMessage, string]>([
  ['nothing signed', CALL, 'unsigned'],
  ['a signed one', signed(), 'signed'],
  [
    'one without body and query',
    signed({ ...CALL, method: 'GET', url: 'https://shop.example/a', body: bytes('') }),
    'signed',
  ],
  ['an optional algorithm', signedAs({ parameters: { keyid: 'ed' }, sign: edOf }), 'signed'],
  ['alg, as its key has it', signedAs({ parameters: { alg: 'ecdsa-p256-sha256' } }), 'signed'],
  ['a header that is not ASCII', withHeaders(signed(), { 'x-name': 'é' }), 'signed'],
  ['a clock five minutes ahead', signed(CALL, KEY, later(5 * 60_000)), 'signed'],
  // What is covered.
  ...[
    '@method',
    '@authority',
    '@path',
    '@query',
    'ucp-agent',
    'idempotency-key',
    'content-digest',
    'content-type',
  ].map((name): [string, RequestMessage, string] => [
    `${name} not covered`,
    signedAs({ components: without(name) }),
    'unsigned',
  ]),
  [
    'less covered by an unknown key',
    signedAs({ components: ['@authority'], parameters: { keyid: 'other' } }),
    'unsigned',
  ],
  // What is changed on the way.
  ['another body', { ...signed(), body: bytes('{"line_items":[1]}') }, 'digest_mismatch'],
  [
    'another body with its digest',
    withHeaders(
      { ...signed(), body: bytes('{}') },
      { 'content-digest': contentDigest(bytes('{}')) },
    ),
    'signature_invalid',
  ],
  [
    'a digest that is not one',
    withHeaders(signed(), { 'content-digest': 'sha-256=abc' }),
    'digest_mismatch',
  ],
  ['another method', { ...signed(), method: 'PUT' }, 'signature_invalid'],
  ['another host', { ...signed(), url: CALL.url.replace('shop.', 'other.') }, 'signature_invalid'],
  [
    'another path',
    { ...signed(), url: CALL.url.replace('sessions', 'session') },
    'signature_invalid',
  ],
  ['another query', { ...signed(), url: CALL.url.replace('dry=1', 'dry=0') }, 'signature_invalid'],
  [
    'another agent',
    withHeaders(signed(), { 'ucp-agent': 'profile="https://b.example/"' }),
    'signature_invalid',
  ],
  [
    'another key of idempotency',
    withHeaders(signed(), { 'idempotency-key': 'b' }),
    'signature_invalid',
  ],
  ['another type', withHeaders(signed(), { 'content-type': 'text/plain' }), 'signature_invalid'],
  ['a header not covered', withHeaders(signed(), { 'x-note': 'changed' }), 'signed'],
  // What is missing or wrong.
  ['no Signature', withHeaders(signed(), { signature: null }), 'signature_missing'],
  ['no Signature-Input', withHeaders(signed(), { 'signature-input': null }), 'signature_missing'],
  ['no Content-Digest', withHeaders(signed(), { 'content-digest': null }), 'signature_missing'],
  ['an unknown key', signedAs({ parameters: { keyid: 'other' } }), 'key_not_found'],
  [
    'another’s key',
    signed(CALL, { ...signingKey('x', createJwk('ES256')), kid: KID }),
    'signature_invalid',
  ],
  [
    'a curve that is not read',
    signedAs({ parameters: { keyid: 'p384' } }),
    'algorithm_unsupported',
  ],
  ['a key that is broken', signedAs({ parameters: { keyid: 'broken' } }), 'algorithm_unsupported'],
  ['a key to encrypt', signedAs({ parameters: { keyid: 'enc' } }), 'algorithm_unsupported'],
  ['alg of another kind', signedAs({ parameters: { alg: 'ed25519' } }), 'algorithm_unsupported'],
  [
    'alg that is unknown',
    signedAs({ parameters: { alg: 'rsa-v1_5-sha256' } }),
    'algorithm_unsupported',
  ],
  ['DER', signedAs({ sign: derOf }), 'signature_invalid'],
  ['an old one', signed(CALL, KEY, later(-25 * HOUR)), 'signature_invalid'],
  ['one of tomorrow', signed(CALL, KEY, later(HOUR)), 'signature_invalid'],
  [
    'an expired one',
    signedAs({ parameters: { expires: NOON.getTime() / 1000 - 301 } }),
    'signature_invalid',
  ],
  ['for bot detection, by thumbprint', signedAs({ parameters: { tag: 'web-bot-auth' } }), 'signed'],
  [
    'for bot detection, by name',
    signedAs({ parameters: { tag: 'web-bot-auth', keyid: 'ed' }, sign: edOf }),
    'signature_invalid',
  ],
  // What is malformed.
  ...[
    '',
    ' ',
    '(',
    'sig1',
    'sig1=?1',
    'sig1=1',
    'sig1=("@method"',
    'sig1=("a" "a")',
    'sig1=(1)',
    'sig1=("@method");created=x',
    'sig1=("@no");keyid="a"',
    `sig1=("${'a'.repeat(9000)}")`,
    'a=(),b=(),c=(),d=(),e=()',
    '\u00ff',
  ].map((input): [string, RequestMessage, string] => [
    `Signature-Input: ${input.slice(0, 30)}`,
    withHeaders(signed(), { 'signature-input': input }),
    'malformed',
  ]),
  [
    'Signature of another label',
    withHeaders(signed(), { signature: 'sig2=:AA==:' }),
    'signature_invalid',
  ],
  [
    'Signature not of bytes',
    withHeaders(signed(), { signature: 'sig1="AA"' }),
    'signature_invalid',
  ],
])('%s', async (_, message, expected) => {
  const keys: Jwk[] = [
    ED,
    P384,
    { ...PUBLIC, kid: 'broken', x: 'AA' },
    { ...PUBLIC, kid: 'enc', use: 'enc' },
    PUBLIC,
  ]
  const code = codeOf(await verify(message, keys))
  // One that covers nothing is no signature; the others cannot be read. None of them is signed.
  if (expected === 'malformed')
    expect(['unsigned', 'signature_invalid', 'signature_missing']).toContain(code)
  else expect(code).toBe(expected)
})

test('of two signatures one that holds is enough, and the first error is told', async () => {
  const good = signed()
  const both = (input: string, value: string) =>
    withHeaders(good, {
      'signature-input': `${input}, ${good.headers.get('signature-input')}`,
      signature: `${value}, ${good.headers.get('signature')}`,
    })
  const proxy = both('proxy=("@authority");keyid="p"', 'proxy=:AA==:')
  expect(codeOf(await verify(proxy, [PUBLIC]))).toBe('signed')
  const input = String(good.headers.get('signature-input')).replace('sig1', 'sig0')
  const wrong = both(input.replace(KID, 'other'), 'sig0=:AA==:')
  expect(codeOf(await verify(wrong, [PUBLIC]))).toBe('signed')
  expect(codeOf(await verify({ ...wrong, method: 'PUT' }, [PUBLIC]))).toBe('key_not_found')
})

test('keys are asked for once, and only where a signature needs them', async () => {
  let asked = 0
  const keys = async () => {
    asked += 1
    return null
  }
  const options = { now: NOON, maxAgeMs: HOUR, keys }
  await verifyMessage(CALL, options)
  await verifyMessage(signedAs({ components: ['@method'] }), options)
  expect(asked).toBe(0)
  expect(codeOf(await verifyMessage(signed(), options))).toBe('profile_unreachable')
  expect(asked).toBe(1)
})

test('a response is signed with its status and body', async () => {
  const answer = {
    status: 200,
    headers: new Headers({ 'content-type': 'application/json' }),
    body: bytes('{"status":"completed"}'),
  }
  const sent = withHeaders(answer, signMessage(answer, KEY, NOON))
  expect(sent.headers.get('signature-input')).toMatch(
    /^sig1=\("@status" "content-digest" "content-type"\);/,
  )
  expect(codeOf(await verify(sent, [PUBLIC]))).toBe('signed')
  expect(codeOf(await verify({ ...sent, status: 201 }, [PUBLIC]))).toBe('signature_invalid')
  expect(codeOf(await verify({ ...sent, body: bytes('{}') }, [PUBLIC]))).toBe('digest_mismatch')
})

test('other digests may stand beside ours', () => {
  const body = bytes('{"hello": "world"}')
  // RFC 9530, appendix B.
  const rfc = 'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:'
  expect(contentDigest(body)).toBe(rfc)
  expect(matchesDigest(`sha-512=:AA==:, ${rfc}`, body)).toBe(true)
  expect(matchesDigest('sha-512=:AA==:', body)).toBe(false)
  expect(matchesDigest(`${rfc}${' '.repeat(1000)}`, body)).toBe(false)
})

test('headers of a stranger never throw', async () => {
  const text = fc.oneof(
    fc.string({
      unit: fc.constantFrom(...'sig1=("@method" "a";key="b");created=1;keyid="k":AA==:,?%@\\'),
    }),
    fc.string({ unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)) }),
  )
  await fc.assert(
    fc.asyncProperty(text, text, text, async (input, signature, digest) => {
      const call = withHeaders(CALL, {
        'signature-input': input,
        signature,
        'content-digest': digest,
      })
      expect(codeOf(await verify(call, [PUBLIC]))).not.toBe('signed')
    }),
  )
})

test('a webhook arrives over HTTP as it was signed', async () => {
  const receiver = await startMeasured()
  const session = testFetcher(receiver.origin).open()
  const url = 'https://hooks.example/a%20b/?key=x%2By&z='
  const webhook = {
    ...{ url, body: '{"name":"Zelt Ω"}', id: crypto.randomUUID(), at: NOON },
    profileUrl: 'https://shop.example/.well-known/ucp',
  }
  const headers = webhookHeaders(webhook, KEY, later(HOUR))
  await session.request({ method: 'POST', url, jsonText: webhook.body, maxBytes: 1000, headers })
  await session.close()
  const [got] = receiver.received
  const { host, ...rest } = got!.headers
  const message = {
    method: 'POST',
    url: `https://${host}${got!.url}`,
    headers: new Headers(rest),
    body: bytes(got!.body),
  }
  expect(message.headers.get('webhook-timestamp')).toBe(String(NOON.getTime() / 1000))
  expect(codeOf(await verify(message, [PUBLIC], later(HOUR)))).toBe('signed')
  const resent = withHeaders(message, { 'webhook-id': crypto.randomUUID() })
  expect(codeOf(await verify(resent, [PUBLIC], later(HOUR)))).toBe('signature_invalid')
})
