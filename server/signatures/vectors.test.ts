import { verifySignature } from 'http-message-sig'
import { expect, test } from 'vitest'
import { directoryOf } from './directory.ts'
import { ED25519, signingKey, thumbprintOf, verifierOf } from './jwk.ts'
import { signRequest } from './signer.ts'

/** RFC 9421, B.1.4: test-key-ed25519. */
const JWK = {
  kty: 'OKP',
  crv: 'Ed25519',
  x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs',
  d: 'n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU',
} as const
const KID = 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U'
const AT = 1_735_689_600

interface Vector {
  method: string
  url: string
  headers: Record<string, string>
  now?: number
}

/** RFC 9421, B.2.6. */
const B26: Vector = {
  method: 'POST',
  url: 'https://example.com/foo?param=Value&Pet=dog',
  headers: {
    date: 'Tue, 20 Apr 2021 02:07:55 GMT',
    'content-type': 'application/json',
    'content-length': '18',
    'signature-input':
      'sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
    signature:
      'sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:',
  },
  now: 1_618_884_473,
}

const GET = { method: 'GET', url: 'https://example.com/path/to/resource' }

/** draft-ietf-webbotauth-httpsig-protocol-01, "EdDSA Using Curve edwards25519". */
const DRAFT: Vector = {
  ...GET,
  headers: {
    'signature-agent': 'agent2="https://signature-agent.test"',
    'signature-input': `sig2=("@authority" "signature-agent";key="agent2");created=${AT};keyid="${KID}";alg="ed25519";expires=4889289600;nonce="n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==";tag="web-bot-auth"`,
    signature:
      'sig2=:RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg==:',
  },
}

const LEGACY: Vector = {
  ...GET,
  headers: {
    'signature-agent': '"https://signature-agent.test"',
    'signature-input': `sig2=("@authority" "signature-agent");created=${AT};keyid="${KID}";alg="ed25519";expires=1735693200;nonce="e8N7S2MFd/qrd6T2R3tdfAuuANngKI7LFtKYI/vowzk4lAZYadIX6wW25MwG7DCT9RUKAJ0qVkU0mEeLElW1qg==";tag="web-bot-auth"`,
    signature:
      'sig2=:jdq0SqOwHdyHr9+r5jw3iYZH6aNGKijYp/EstF4RQTQdi5N5YYKrD+mCT1HA1nZDsi6nJKuHxUi/5Syp3rLWBA==:',
  },
}

/** Of the test data of Cloudflare's web-bot-auth, without a `Signature-Agent`. */
const AUTHORITY_ALONE: Vector = {
  ...GET,
  headers: {
    'signature-input': `sig1=("@authority");created=${AT};keyid="${KID}";alg="ed25519";expires=4889289600;nonce="zIW8+cdmA3vdYagbxojpONwa/l0EKJ/O3/wD486VvsQjO/RxPaSt6ZxvQaMcQzNnqKN/mQ6hpGiFro2L2qkz5A==";tag="web-bot-auth"`,
    signature:
      'sig1=:QKN4fTdIYfh82fvoZCQiQA1weuozfCS/Led2zTMbewMMqH8PI2Wsy/5c4ao6B6D09nraNQdBNOADg8aM1MqfCg==:',
  },
}

const fieldsOf = (headers: Record<string, string>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }))

const POLICY = { algorithms: [ED25519], requiredComponents: [], requiredParameters: [] }
const { d: _, ...PUBLIC } = JWK
const resolveVerifier = () => verifierOf(PUBLIC)!

const verified = ({ method, url, headers, now = AT }: Vector) =>
  verifySignature(
    { kind: 'request', method, targetUri: url, fields: fieldsOf(headers) },
    { policy: { ...POLICY, now }, resolveVerifier },
  )

test.each([
  ['RFC 9421, B.2.6', B26],
  ['the draft', DRAFT],
  ['the draft, for senders of the older form', LEGACY],
  ['web-bot-auth', AUTHORITY_ALONE],
])('the vector of %s verifies, and not with another host', async (_, vector) => {
  await expect(verified(vector)).resolves.toBeDefined()
  const url = vector.url.replace('example.com', 'example.org')
  await expect(verified({ ...vector, url })).rejects.toThrow()
})

test('the key has the name that the draft gives it', () => {
  expect(thumbprintOf(JWK)).toBe(KID)
})

const KEY = signingKey(KID, JWK)
const keys = [{ kid: KID, kty: 'OKP', crv: 'Ed25519', x: JWK.x, use: 'sig', alg: 'EdDSA' } as const]

test('our directory of the draft’s key is signed as the draft’s, to the byte', () => {
  const at = new Date(AT * 1000)
  const { json, headers } = directoryOf(keys, [KEY], 'https://signature-agent.test', at)
  const { 'signature-input': input, 'content-digest': digest, ...others } = headers
  expect(JSON.stringify(json)).toBe(
    `{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"${KID}","x":"${JWK.x}","use":"sig"}]}`,
  )
  expect(digest).toBe('sha-256=:CADMT2aBdV/rqQr/NIru64ERQkCobVvllA4V0fLFDu0=:')
  expect(others['content-type']).toBe('application/http-message-signatures-directory+json')
  expect(input).toBe(
    `binding0=("@authority";req "content-digest");created=${AT};expires=${AT + 86_400};keyid="${KID}";tag="http-message-signatures-directory"`,
  )
})

test('the draft’s signed directory verifies', async () => {
  const request = {
    kind: 'request',
    method: 'GET',
    targetUri: 'https://signature-agent.test/.well-known/http-message-signatures-directory',
    fields: [],
  } as const
  const headers = {
    'content-digest': 'sha-256=:CADMT2aBdV/rqQr/NIru64ERQkCobVvllA4V0fLFDu0=:',
    'signature-input': `binding=("@authority";req "content-digest");created=${AT};expires=4889289600;keyid="${KID}";tag="http-message-signatures-directory"`,
    signature:
      'binding=:l6P8R67tm3kujAxbHWio7ll01qrEZ0dKD/WWlGhNYEmTnFZM8Wt0VQ9zqGfvo7T/UMkBxsigzChM1Gpz7gOVBg==:',
  }
  const response = { kind: 'response', status: 200, fields: fieldsOf(headers), request } as const
  const policy = { ...POLICY, now: AT }
  await expect(verifySignature(response, { policy, resolveVerifier })).resolves.toBeDefined()
})

test('a request that names our profile has both signatures, another one', async () => {
  const reader = async () => KEY
  const signed = (headers: Record<string, string>) =>
    signRequest(
      { ...GET, headers: new Headers(headers), body: Buffer.from('') },
      { origin: 'https://aisle.example', keys: { web: reader, ucp: reader }, now: new Date() },
    )
  const named = await signed({
    'ucp-agent': 'profile="https://aisle.example/.well-known/ucp-agent"',
  })
  expect(named['signature-input']).toMatch(/^sig1=\(.*"signature-agent".*, aisle=\(/)
  for (const other of [{}, { 'ucp-agent': 'profile="https://other.example/profile"' }]) {
    expect((await signed(other))['signature-input']).toMatch(/^aisle=\([^,]*$/)
  }
})
