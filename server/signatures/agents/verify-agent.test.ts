import { component, createSignatureSync, verifySignature } from 'http-message-sig'
import { describe, expect, test } from 'vitest'
import { createJwk, type Jwk, publicJwk, signingKey, thumbprintOf, verifierOf } from '../jwk.ts'
import { contentDigest, descriptorOf, type RequestMessage, type SeenRequest } from '../message.ts'
import { webBotAuthHeaders } from '../web-bot-auth.ts'
import { rsaVerifierOf } from './rsa.ts'
import VECTORS from './testing/vectors.json' with { type: 'json' }
import {
  type AgentVerdict,
  type KeysAt,
  type VerifyAgentOptions,
  verifyAgent,
} from './verify-agent.ts'

const keyOf = (name: string): Jwk =>
  Object.entries(VECTORS.keys).find(([each]) => each === name)![1]
const reasonOf = (verdict: AgentVerdict) =>
  verdict.outcome === 'refused' ? verdict.reason : verdict.outcome

const headersOf = (sent: object) =>
  new Headers(
    Object.entries(sent).filter((each): each is [string, string] => each[1] !== undefined),
  )

describe('what others have signed', () => {
  test.each(VECTORS.requests)('$of', async ({ key, url, at, headers }) => {
    const request = { method: 'GET', url, headers: headersOf(headers), body: new Uint8Array() }
    const jwk = keyOf(key)
    const verifier = verifierOf(jwk) ?? rsaVerifierOf(jwk)
    const policy = { algorithms: [verifier!.algorithm], requiredComponents: [] }
    const { parameters } = await verifySignature(descriptorOf(request), {
      policy: { ...policy, requiredParameters: [], now: at / 1000 },
      resolveVerifier: () => verifier!,
    })
    const asked: string[] = []
    const verdict = await verifyAgent(request, {
      now: new Date(at),
      longestMs: Number.POSITIVE_INFINITY,
      keysAt: async (directory) => {
        asked.push(directory)
        return { keys: [jwk] }
      },
    })
    const signer = /https:[^"]+/.exec(request.headers.get('signature-agent') ?? '')?.[0]
    if (signer === undefined) {
      // Earlier drafts signed without saying where the key is.
      expect([reasonOf(verdict), asked]).toEqual(['component_missing', []])
      return
    }
    expect(verdict).toMatchObject({
      ...{ outcome: 'verified', scheme: 'web_bot_auth', signer, kid: parameters.keyid },
    })
    expect(asked).toEqual([`${signer}/.well-known/http-message-signatures-directory`])
  })

  test.each(VECTORS.rfc_9421)('$of', async ({ key, input, signature }) => {
    const jwk = keyOf(key)
    const verifier = verifierOf(jwk) ?? rsaVerifierOf(jwk)!
    const isResponse = input.includes('@status')
    const body = isResponse ? '{"message": "good dog"}' : '{"hello": "world"}'
    const digest = isResponse
      ? 'sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ41QJgJc4GTsPp29l5oGX69wWdXymyU0rjJuahq4l5aGgfLQ==:'
      : 'sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:'
    const headers = new Headers({
      date: 'Tue, 20 Apr 2021 02:07:55 GMT',
      'content-type': 'application/json',
      'content-digest': digest,
      'content-length': String(body.length),
      'signature-input': input,
      signature,
    })
    const message = { headers, body: new Uint8Array(Buffer.from(body)) }
    const url = 'https://example.com/foo?param=Value&Pet=dog'
    const whole = isResponse ? { ...message, status: 200 } : { ...message, method: 'POST', url }
    const policy = { algorithms: [verifier.algorithm], requiredComponents: [] }
    const check = (descriptor: ReturnType<typeof descriptorOf>) =>
      verifySignature(descriptor, {
        policy: { ...policy, requiredParameters: [], now: 1_618_884_473 },
        resolveVerifier: () => verifier,
      })
    await check(descriptorOf(whole))
    const altered = new Headers(headers)
    altered.set('signature-input', input.replace('1618884473', '1618884472'))
    await expect(check(descriptorOf({ ...whole, headers: altered }))).rejects.toThrow()
  })
})

const NOW = new Date('2026-11-30T12:00:00Z')
const SECONDS = NOW.getTime() / 1000
const JWK = createJwk('EdDSA')
const KID = thumbprintOf({ ...JWK })
const KEY = signingKey(KID, JWK)
const PUBLIC: Jwk = { ...publicJwk(KID, JWK) }
const OTHER = createJwk('EdDSA')
const SIGNER = 'https://signer.example'

interface Signing {
  components?: Parameters<typeof createSignatureSync>[1]['components']
  parameters?: Record<string, string | number | undefined>
  headers?: Record<string, string>
  label?: string
  request?: Partial<RequestMessage>
}

const BODY = new Uint8Array(Buffer.from('{"q":"tent"}'))

/** A request as a careful agent signs it, but for what is given. */
function signed({ components, parameters, headers, label = 'sig1', request }: Signing = {}) {
  const sent = {
    ...{ method: 'POST', url: 'https://shop.example/search', body: BODY },
    headers: new Headers({
      'content-digest': contentDigest(BODY),
      'signature-agent': `sig1="${SIGNER}"`,
      ...headers,
    }),
    ...request,
  }
  const all = {
    ...{ created: SECONDS, expires: SECONDS + 60, nonce: 'n1', keyid: KID, tag: 'web-bot-auth' },
    ...parameters,
  }
  const { signature, signatureInput } = createSignatureSync(descriptorOf(sent), {
    label,
    components: components ?? [
      ...['@method', '@authority', '@path', 'content-digest'],
      component('signature-agent', { key: 'sig1' }),
    ],
    parameters: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
    signer: { ...KEY, algorithm: String(parameters?.alg ?? KEY.algorithm) },
  })
  sent.headers.set('signature-input', signatureInput)
  sent.headers.set('signature', signature)
  return sent
}

const changed = (
  request: SeenRequest,
  change: { headers?: Record<string, string | null> } & Omit<Partial<SeenRequest>, 'headers'>,
): SeenRequest => {
  const headers = new Headers(request.headers)
  for (const [name, value] of Object.entries(change.headers ?? {})) {
    if (value === null) headers.delete(name)
    else headers.set(name, value)
  }
  return { ...request, ...change, headers }
}
const header = (request: SeenRequest, name: string) => request.headers.get(name) ?? ''

const TAP = {
  components: ['@authority', '@path'],
  parameters: { tag: 'agent-payer-auth', alg: 'ed25519', expires: SECONDS + 480 },
}
/** Visa's own keys have names. */
const VISA_KEY: Jwk = { ...PUBLIC, kid: 'visa-agent-7' }

const verify = (
  request: SeenRequest,
  found: KeysAt = { keys: [PUBLIC] },
  options: Partial<VerifyAgentOptions> = {},
) => verifyAgent(request, { now: NOW, keysAt: async () => found, ...options })

test.each<[string, SeenRequest, KeysAt | undefined, object]>([
  ['by Web Bot Auth', signed(), undefined, { scheme: 'web_bot_auth', signer: SIGNER, kid: KID }],
  ['without its body', changed(signed(), { body: null }), undefined, { signer: SIGNER }],
  [
    'with Signature-Agent as a string',
    signed({
      components: ['@authority', 'signature-agent'],
      headers: { 'signature-agent': `"${SIGNER}"` },
    }),
    undefined,
    { signer: SIGNER },
  ],
  [
    'by a second signature, after one that proves nothing',
    (() => {
      const own = signed()
      const input = `x=("@method");keyid="x", ${header(own, 'signature-input')}`
      const signature = `x=:AA==:, ${header(own, 'signature')}`
      return changed(own, { headers: { 'signature-input': input, signature } })
    })(),
    undefined,
    { signer: SIGNER },
  ],
  [
    'by what our own requests are signed with',
    (() => {
      const request = { method: 'GET', url: 'https://shop.example/?q=1', body: new Uint8Array() }
      const headers = new Headers()
      const added = webBotAuthHeaders(
        { ...request, headers },
        { key: KEY, origin: SIGNER, now: NOW },
      )
      return { ...request, headers: new Headers(added) }
    })(),
    undefined,
    { signer: SIGNER },
  ],
  [
    'by Visa TAP, with a key that Visa names',
    signed({ ...TAP, parameters: { ...TAP.parameters, keyid: 'visa-agent-7' } }),
    { keys: [VISA_KEY] },
    { scheme: 'visa_tap', signer: 'https://mcp.visa.com', kid: 'visa-agent-7' },
  ],
  [
    'with a clock that is a little ahead',
    signed({ parameters: { created: SECONDS + 50 } }),
    undefined,
    {},
  ],
])('verified: %s', async (_, request, keys, expected) => {
  expect(await verify(request, keys)).toMatchObject({ outcome: 'verified', ...expected })
})

/** What is wrong with each, and its one reason. */
const BROKEN: [string, SeenRequest, KeysAt | undefined, string][] = [
  [
    'no signature',
    changed(signed(), { headers: { signature: null, 'signature-input': null } }),
    undefined,
    'unsigned',
  ],
  [
    'half a signature',
    changed(signed(), { headers: { signature: null } }),
    undefined,
    'half_signed',
  ],
  [
    'another host',
    changed(signed(), { url: 'https://other.example/search' }),
    undefined,
    'signature_invalid',
  ],
  [
    'another path',
    changed(signed(), { url: 'https://shop.example/cart' }),
    undefined,
    'signature_invalid',
  ],
  ['another method', changed(signed(), { method: 'GET' }), undefined, 'signature_invalid'],
  [
    'another signature',
    changed(signed(), { headers: { signature: `sig1=:${'A'.repeat(86)}==:` } }),
    undefined,
    'signature_invalid',
  ],
  ['another body', changed(signed(), { body: new Uint8Array(1) }), undefined, 'digest_mismatch'],
  [
    'another digest',
    changed(signed(), { headers: { 'content-digest': contentDigest(new Uint8Array()) } }),
    undefined,
    'digest_mismatch',
  ],
  [
    'late',
    signed({ parameters: { created: SECONDS - 600, expires: SECONDS - 120 } }),
    undefined,
    'expired',
  ],
  ['over before it began', signed({ parameters: { expires: SECONDS - 1 } }), undefined, 'expired'],
  [
    'early',
    signed({ parameters: { created: SECONDS + 120, expires: SECONDS + 180 } }),
    undefined,
    'not_yet_valid',
  ],
  [
    'valid for two days',
    signed({ parameters: { expires: SECONDS + 2 * 86_400 } }),
    undefined,
    'valid_too_long',
  ],
  ['for ever', signed({ parameters: { expires: undefined } }), undefined, 'parameter_missing'],
  ['no key named', signed({ parameters: { keyid: undefined } }), undefined, 'parameter_missing'],
  ['another tag', signed({ parameters: { tag: 'web-bot-authentic' } }), undefined, 'tag_unknown'],
  ['no tag', signed({ parameters: { tag: undefined } }), undefined, 'tag_unknown'],
  ['an unknown key', signed(), { keys: [{ ...publicJwk('x', OTHER) }] }, 'key_unknown'],
  ['no key at all', signed(), { keys: [] }, 'key_unknown'],
  ['a key under a false name', signed(), { keys: [{ ...publicJwk(KID, OTHER) }] }, 'key_unknown'],
  [
    'a name of its own for a key',
    signed({ parameters: { keyid: 'mine' } }),
    { keys: [{ ...PUBLIC, kid: 'mine' }] },
    'key_unknown',
  ],
  ['a key that is over', signed(), { keys: [{ ...PUBLIC, exp: SECONDS - 3600 }] }, 'key_expired'],
  [
    'a key of next week',
    signed(),
    { keys: [{ ...PUBLIC, nbf: SECONDS + 604_800 }] },
    'key_expired',
  ],
  [
    'another algorithm',
    signed({ parameters: { alg: 'rsa-pss-sha512' } }),
    undefined,
    'algorithm_unsupported',
  ],
  [
    'a shared secret',
    signed({ parameters: { alg: 'hmac-sha256' } }),
    undefined,
    'algorithm_unsupported',
  ],
  [
    'a key for encryption',
    signed(),
    { keys: [{ ...PUBLIC, use: 'enc' }] },
    'algorithm_unsupported',
  ],
  [
    'the host not signed',
    signed({ components: ['@method', component('signature-agent', { key: 'sig1' })] }),
    undefined,
    'component_missing',
  ],
  ['the signer not signed', signed({ components: ['@authority'] }), undefined, 'component_missing'],
  [
    'no Signature-Agent',
    changed(signed(), { headers: { 'signature-agent': null } }),
    undefined,
    'component_missing',
  ],
  [
    'the signer of another signature',
    signed({
      headers: { 'signature-agent': `sig1="${SIGNER}", big="https://chatgpt.com"` },
      components: ['@authority', component('signature-agent', { key: 'big' })],
      label: 'sig1',
    }),
    { keys: [] },
    'key_unknown',
  ],
  [
    'another signer in its place',
    changed(signed(), { headers: { 'signature-agent': 'sig1="https://chatgpt.com"' } }),
    undefined,
    'signature_invalid',
  ],
  ...[
    'http://signer.example',
    'https://signer.example/keys.json',
    'https://signer.example:8443',
    'https://user@signer.example',
    'https://10.0.0.1',
    'https://[::1]',
    'https://localhost',
    'https://metadata.internal',
    'data:application/json,{}',
    'signer.example',
  ].map((named): [string, SeenRequest, undefined, string] => [
    `a directory at ${named}`,
    signed({ headers: { 'signature-agent': `sig1="${named}"` } }),
    undefined,
    'signature_agent_malformed',
  ]),
  [
    'a directory that is a number',
    signed({ headers: { 'signature-agent': 'sig1=7' } }),
    undefined,
    'signature_agent_malformed',
  ],
  [
    'a profile for a directory',
    signed({ headers: { 'signature-agent': `sig1="${SIGNER}/card";type=cimd` } }),
    undefined,
    'signature_agent_unsupported',
  ],
  [
    'a label twice',
    changed(signed(), {
      headers: {
        'signature-input': `${header(signed(), 'signature-input')}, ${header(signed(), 'signature-input')}`,
      },
    }),
    undefined,
    'label_repeated',
  ],
  [
    'a component twice',
    changed(signed(), {
      headers: {
        'signature-input': header(signed(), 'signature-input').replace(
          '"@method"',
          '"@method" "@method"',
        ),
      },
    }),
    undefined,
    'malformed',
  ],
  [
    'a component that is not there',
    changed(signed(), {
      headers: {
        'signature-input': header(signed(), 'signature-input').replace('"@method"', '"x-none"'),
      },
    }),
    undefined,
    'component_unsupported',
  ],
  [
    'not a structured field',
    changed(signed(), { headers: { 'signature-input': 'sig1=(' } }),
    undefined,
    'malformed',
  ],
  [
    'ten signatures',
    changed(signed(), {
      headers: {
        'signature-input': Array.from(
          { length: 10 },
          (_, n) => `s${n}=("@authority");tag="web-bot-auth"`,
        ).join(', '),
      },
    }),
    undefined,
    'malformed',
  ],
  [
    '9 kB of signatures',
    changed(signed(), { headers: { signature: `sig1=:${'A'.repeat(9000)}:` } }),
    undefined,
    'malformed',
  ],
  [
    'a time that is text',
    changed(signed(), {
      headers: {
        'signature-input': header(signed(), 'signature-input').replace(
          /created=\d+/,
          'created="1"',
        ),
      },
    }),
    undefined,
    'malformed',
  ],
  [
    'a directory that is down',
    signed(),
    { problem: 'directory_unreachable' },
    'directory_unreachable',
  ],
  [
    'a directory that is a page',
    signed(),
    { problem: 'directory_malformed' },
    'directory_malformed',
  ],
  ['too many directories', signed(), { problem: 'directory_busy' }, 'directory_busy'],
  [
    'TAP for ten minutes',
    signed({ ...TAP, parameters: { ...TAP.parameters, expires: SECONDS + 600 } }),
    undefined,
    'valid_too_long',
  ],
  [
    'TAP without a nonce',
    signed({ ...TAP, parameters: { ...TAP.parameters, nonce: undefined } }),
    undefined,
    'parameter_missing',
  ],
  [
    'TAP for any path',
    signed({ ...TAP, components: ['@authority'] }),
    undefined,
    'component_missing',
  ],
  ['TAP with a key that Visa does not have', signed(TAP), { keys: [] }, 'key_unknown'],
]

test.each(BROKEN)('refused: %s', async (_, request, keys, reason) => {
  expect(reasonOf(await verify(request, keys))).toBe(reason)
})

test('they are refused for more than a dozen reasons', () => {
  expect(new Set(BROKEN.map(([, , , reason]) => reason)).size).toBeGreaterThanOrEqual(17)
})

test('a nonce counts once, and only of a signature that holds', async () => {
  const used = new Set<string>()
  const useNonce: VerifyAgentOptions['useNonce'] = async ({ signer, nonce, until }) => {
    expect(until).toEqual(new Date((SECONDS + 120) * 1000))
    const key = `${signer} ${nonce}`
    return !used.has(key) && used.add(key).size > 0
  }
  const forged = changed(signed(), { url: 'https://other.example/' })
  expect(reasonOf(await verify(forged, undefined, { useNonce }))).toBe('signature_invalid')
  expect(used.size).toBe(0)
  expect(reasonOf(await verify(signed(), undefined, { useNonce }))).toBe('verified')
  expect(reasonOf(await verify(signed(), undefined, { useNonce }))).toBe('replayed')
  const next = signed({ parameters: { nonce: 'n2' } })
  expect(reasonOf(await verify(next, undefined, { useNonce }))).toBe('verified')
})

test('a key that is missing is asked for once more', async () => {
  const asked: unknown[] = []
  const keysAt = async (_: string, missing?: string): Promise<KeysAt> => {
    asked.push(missing)
    return { keys: missing === undefined ? [] : [PUBLIC] }
  }
  expect(reasonOf(await verify(signed(), undefined, { keysAt }))).toBe('verified')
  expect(asked).toEqual([undefined, KID])
})
