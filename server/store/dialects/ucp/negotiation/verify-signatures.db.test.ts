import { describe, expect, test } from 'vitest'
import { fetcherTo } from '../../../../audit/probe/testing/fetcher.ts'
import { parseTrustProxy } from '../../../../http/client-address.ts'
import { createJwk, publicJwk, type SigningKey, signingKey } from '../../../../signatures/jwk.ts'
import { signMessage } from '../../../../signatures/message.ts'
import { platformsWith } from '../../../testing/platforms.ts'
import { NOON, testStore } from '../../../testing/store.ts'
import { type NegotiationRefusal, type PlatformProfiles, refusal } from './platform-profiles.ts'

const AGENT = 'https://agent.test/ucp.json'
const jwk = createJwk('ES256')
const KEY = signingKey('agent-1', jwk)
const OTHER = { ...signingKey('agent-1', createJwk('ES256')) }

/** The profiles that cannot be read. */
const REFUSED: Record<string, { refusal: NegotiationRefusal }> = {
  'https://none.test/': refusal('profile_unreachable', 'It is gone.'),
  'https://malformed.test/': refusal('profile_malformed', 'It is not a profile.'),
  'https://busy.test/': refusal('temporarily_unavailable', 'Others are read.', 7),
}

/** Its profile says what the others' do, and publishes a key. */
const platforms: PlatformProfiles = {
  async find(url) {
    const found = await platformsWith().find(url)
    const refused = Object.hasOwn(REFUSED, url) ? REFUSED[url] : undefined
    if (refused || 'refusal' in found) return refused ?? found
    return { profile: { ...found.profile, keys: [{ ...publicJwk('agent-1', jwk) }, 'no key'] } }
  },
}
const { store } = await testStore({ platforms })
const send = senderTo(await fetcherTo(store))

const SEARCH = '{"query":"tent"}'
const TOOLS = '{"jsonrpc":"2.0","id":"a-1","method":"tools/list"}'

interface Sent {
  path?: string
  body?: string
  key?: SigningKey | null
  agent?: string
  idempotencyKey?: string
  /** What arrives instead of what was signed. */
  changed?: { path?: string; body?: string; headers?: Record<string, string> }
}

/** Over real HTTP, from an agent that signs what it sends. */
function senderTo(fetcher: Awaited<ReturnType<typeof fetcherTo>>) {
  return (sent: Sent) => sendBy(fetcher, sent)
}

async function sendBy(fetcher: Awaited<ReturnType<typeof fetcherTo>>, sent: Sent) {
  const { path = '/ucp/v1/catalog/search', body = SEARCH, key = KEY, agent = AGENT } = sent
  const { changed = {}, idempotencyKey } = sent
  const headers = {
    'content-type': 'application/json',
    'ucp-agent': `profile="${agent}"`,
    ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
  }
  const request = {
    method: 'POST',
    url: `https://ucp.example${path}`,
    headers: new Headers(headers),
    body: new Uint8Array(Buffer.from(body)),
  }
  const signature = key === null ? {} : signMessage(request, key, NOON)
  const session = fetcher.open()
  try {
    const answer = await session.request({
      method: 'POST',
      url: `https://ucp.example${changed.path ?? path}`,
      jsonText: changed.body ?? body,
      maxBytes: 1_000_000,
      headers: {
        ...headers,
        accept: 'application/json, text/event-stream',
        ...signature,
        ...changed.headers,
      },
    })
    if (answer.kind !== 'answer') throw new Error(answer.kind)
    const retryAfter = answer.headers['retry-after']
    return { status: answer.status, said: JSON.parse(answer.body), retryAfter }
  } finally {
    await session.close()
  }
}

describe.each([
  ['REST', '/ucp/v1/catalog/search?a=1', SEARCH],
  ['MCP', '/ucp/mcp?a=1', TOOLS],
])('over %s', (transport, path, body) => {
  test.each<[string, Sent, number, string | null, number?]>([
    ['unsigned passes', { key: null }, 200, null],
    ['signed passes', {}, 200, null],
    ['another key', { key: OTHER }, 401, 'signature_invalid', -32000],
    ['another query', { changed: { path: `${path}2` } }, 401, 'signature_invalid', -32000],
    ['an unknown key', { key: { ...KEY, kid: 'agent-2' } }, 401, 'key_not_found', -32000],
    [
      'half of a signature',
      { key: null, changed: { headers: { signature: 'sig1=:AA==:' } } },
      401,
      'signature_missing',
      -32000,
    ],
    ['another body', { changed: { body: body.replace('t', 'T') } }, 400, 'digest_mismatch', -32600],
    [
      'alg',
      {
        changed: {
          headers: {
            'signature-input':
              'sig1=("@method" "@authority" "@path" "@query" "ucp-agent" "content-digest" "content-type");keyid="agent-1";alg="rsa-v1_5-sha256"',
          },
        },
      },
      400,
      'algorithm_unsupported',
      -32600,
    ],
    [
      'a profile that cannot be read',
      { agent: 'https://none.test/' },
      424,
      'profile_unreachable',
      -32001,
    ],
    [
      'a profile that is none',
      { agent: 'https://malformed.test/' },
      422,
      'profile_malformed',
      -32001,
    ],
    [
      'a profile for which there is no time',
      { agent: 'https://busy.test/' },
      503,
      'temporarily_unavailable',
      -32000,
    ],
    ['an agent without a profile', { agent: '' }, 400, 'invalid_profile_url', -32001],
    [
      'a profile that is not served by https',
      { agent: 'http://agent.test/ucp.json' },
      400,
      'invalid_profile_url',
      -32001,
    ],
  ])('%s', async (_, sent, status, code, rpc) => {
    const answer = await send({ path, body, ...sent })
    expect(answer.said).toMatchObject(
      code === null
        ? {}
        : transport === 'REST'
          ? { code, content: expect.stringMatching(/^[A-Z].*\.$/) }
          : { id: 'a-1', error: { code: rpc, data: { code, content: expect.any(String) } } },
    )
    expect(answer.status).toBe(status)
    expect(answer.retryAfter).toBe(status === 503 ? '7' : undefined)
    // Without a signature the same profile is refused in the same way.
    if (sent.agent === undefined || transport === 'MCP') return
    const unsigned = await send({ path, body, ...sent, key: null })
    expect([unsigned.status, unsigned.said, unsigned.retryAfter]).toEqual([
      answer.status,
      answer.said,
      answer.retryAfter,
    ])
  })
})

describe('calls without a signature use up nothing in the name of the platform that they claim', () => {
  const LINES = { line_items: [{ item: { id: 'ao-1101' }, quantity: 1 }] }
  test.each<[string, string]>([
    ['/ucp/v1/checkout-sessions', JSON.stringify(LINES)],
    ['/ucp/v1/carts', JSON.stringify(LINES)],
  ])('%s', async (path, body) => {
    const { store } = await testStore(
      { platforms, trustedProxies: parseTrustProxy('loopback') },
      { platformQuota: { requests: 2, seconds: 60 } },
    )
    const sendHere = senderTo(await fetcherTo(store))
    const from = (address: string, sent: Sent = {}) =>
      sendHere({ path, body, changed: { headers: { 'x-forwarded-for': address } }, ...sent })
    const statuses = async (count: number, address: string, sent: Sent) => {
      const seen: number[] = []
      while (seen.length < count) seen.push((await from(address, sent)).status)
      return seen
    }
    expect(await statuses(3, '192.0.2.1', { key: null })).toEqual([201, 201, 429])
    expect(await statuses(3, '192.0.2.1', {})).toEqual([201, 201, 429])
    expect(await statuses(1, '192.0.2.9', {})).toEqual([429])
    expect(await statuses(1, '192.0.2.9', { key: null })).toEqual([201])
  })
})

describe.each(['/ucp/v1/checkout-sessions', '/ucp/v1/carts'])(
  'an idempotency key of a platform that signs, at %s',
  (path) => {
    const body = JSON.stringify({ line_items: [{ item: { id: 'ao-1101' }, quantity: 1 }] })
    const idempotencyKey = 'order-1'

    test('has its answer for that platform alone', async () => {
      const own = await send({ path, body, idempotencyKey })
      const claimed = await send({ path, body, idempotencyKey, key: null })
      expect([own.status, claimed.status]).toEqual([201, 201])
      expect(claimed.said.id).not.toBe(own.said.id)
      expect((await send({ path, body, idempotencyKey })).said).toEqual(own.said)
      expect((await send({ path, body, idempotencyKey, key: null })).said).toEqual(claimed.said)
    })

    test('cannot be taken by who only names it', async () => {
      const other = body.replace('1}', '2}')
      const key = { idempotencyKey: `${idempotencyKey} taken` }
      expect((await send({ path, body: other, ...key, key: null })).status).toBe(201)
      expect((await send({ path, body, ...key })).status).toBe(201)
    })
  },
)
