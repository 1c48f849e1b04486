import { setTimeout as sleep } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, describe, expect, test } from 'vitest'
import { DEFAULT_CHECKS } from '../../shared/audit/vocabulary.ts'
import { createProperty } from '../attribution/properties.ts'
import { listAudits } from '../db/audit/audits.ts'
import { ApiError } from '../http/api-error.ts'
import { auditWith, cleanResult, testApp } from '../testing/app.ts'
import { onLoopback } from '../testing/on-loopback.ts'

let auditing = async (_: AbortSignal) => {}
const { app, db, key, createTestKey, lines } = await testApp({
  baseUrl: 'http://127.0.0.1',
  audit: async ({ domain, checks }, { signal }, watch) => {
    watch?.begins(['site', 'robots'])
    watch?.done('site')
    await auditing(signal)
    return auditWith(cleanResult(domain, checks, new Date()))
  },
})
const server = await onLoopback(app)
const url = `${server.origin}/mcp`
afterAll(server.close)

const own = (await createTestKey({ domains: ['mine.example'] })).key
const keyOf = async (change: Parameters<typeof createTestKey>[0]) =>
  (await createTestKey(change)).key

/** A message as most agents send it: nothing before it, and JSON alone accepted. */
async function post(body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      Accept: 'application/json',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  return { response, text, body: text.startsWith('{') ? JSON.parse(text) : null }
}

const called = (name: string, given: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: given },
})
const call = async (name: string, given: object, asKey = key) =>
  (await post(called(name, given), { Authorization: `Bearer ${asKey}` })).body.result

test('a plain POST without a handshake is answered in JSON', async () => {
  const { response, body } = await post({ jsonrpc: '2.0', id: 7, method: 'tools/list' })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
  expect(body).toMatchObject({ jsonrpc: '2.0', id: 7 })
  expect(body.result.tools.map(({ name }: { name: string }) => name)).toContain('report')
})

test.each([
  ['2025-06-18', undefined],
  ['2025-11-25', undefined],
  ['2026-07-28', { mode: { pin: '2026-07-28' } }],
] as const)(
  'a client of %s shakes hands, lists and calls',
  async (revision, versionNegotiation) => {
    const client = new Client(
      { name: 'test', version: '1.0.0' },
      {
        ...(versionNegotiation && { versionNegotiation }),
        ...(versionNegotiation === undefined && { supportedProtocolVersions: [revision] }),
      },
    )
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers: { Authorization: `Bearer ${own}` } },
      }),
    )
    expect(client.getServerVersion()?.name).toBe('aisle')
    expect((await client.listTools()).tools.length).toBe(10)
    const told: number[] = []
    const answer = await client.callTool(
      { name: 'audit', arguments: { domain: 'mine.example' } },
      { onprogress: ({ progress }) => told.push(progress) },
    )
    expect(answer.structuredContent).toMatchObject({ domain: 'mine.example', score: 100 })
    expect(told.length).toBeGreaterThan(0)
    await client.close()
  },
)

describe('who may not call it', () => {
  const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

  test.each([
    ['no key', { Authorization: '' }, 401, 'missing_key'],
    ['a wrong key', { Authorization: 'Bearer aisle_live_x' }, 401, 'invalid_key'],
    ['a page of another origin', { Origin: 'https://evil.example' }, 403, 'origin_not_allowed'],
    ['a page without one', { Origin: 'null' }, 403, 'origin_not_allowed'],
  ])('%s', async (_, headers, status, code) => {
    const { response, body } = await post(LIST, headers)
    expect([response.status, body.error.code]).toEqual([status, code])
    expect(response.headers.has('www-authenticate')).toBe(status === 401)
  })

  test('our own origin may', async () => {
    expect((await post(LIST, { Origin: 'http://127.0.0.1' })).response.status).toBe(200)
  })
})

test.each<[string, unknown, Record<string, string>, number]>([
  ['no JSON', '{', {}, 400],
  ['no message', '{}', {}, 400],
  ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'ping' }], {}, 400],
  ['another type', '{}', { 'Content-Type': 'text/plain' }, 415],
  ['another revision', called('audit', {}), { 'MCP-Protocol-Version': '1999-01-01' }, 400],
  ['a huge body', `{"x":"${'x'.repeat(300_000)}"}`, {}, 413],
  [
    'a subscription',
    { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: {} },
    {},
    404,
  ],
])('%s is refused', async (_, body, headers, status) => {
  expect((await post(body, headers)).response.status).toBe(status)
})

test('GET and DELETE are told to POST: there are no sessions', async () => {
  for (const method of ['GET', 'DELETE']) {
    const response = await fetch(url, { method, headers: { Authorization: `Bearer ${key}` } })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  }
})

test.each(['\ud800', '\0', 'x', '../domains'])(
  'the wrong id %j is said to be of nothing',
  async (id) => {
    const some = '00000000-0000-4000-8000-000000000000'
    for (const [name, given] of [
      ['compare', { before: some, after: id }],
      ['compare', { before: id, after: some }],
      ['walk', { walk_id: id }],
    ] as const) {
      const { isError, content } = await call(name, given)
      expect([isError, content[0].text]).toEqual([true, expect.stringMatching(/There is no/)])
    }
  },
)

test('no address of a resource leads to another part of the API', async () => {
  const params = { uri: 'aisle://results/../properties' }
  const { body } = await post({ jsonrpc: '2.0', id: 1, method: 'resources/read', params })
  expect(body.error).toBeDefined()
})

test('an audit is stored as the API stores it, and can be compared by who owns the domain', async () => {
  const first = await call('audit', { domain: 'stored.example' })
  const second = await call('audit', { domain: 'stored.example', checks: ['feed'] })
  expect(await listAudits(db, 'stored.example')).toHaveLength(2)
  const [before, after] = [first, second].map((each) => each.structuredContent.result_id)
  const compared = await call('compare', { before, after })
  expect(compared.structuredContent).toMatchObject({
    domain: 'stored.example',
    before: { result_id: before },
    after: { result_id: after },
    change: null,
  })
  // Another key may audit it, and neither reads nor compares what is kept of it.
  const foreign = await call('audit', { domain: 'stored.example' }, own)
  expect(foreign.structuredContent).toMatchObject({ score: 100, result_id: null })
  const refused = await call('compare', { before, after }, own)
  expect([refused.isError, refused.content[0].text]).toEqual([
    true,
    expect.stringContaining('no such audit of your domains'),
  ])
  const read = { jsonrpc: '2.0', id: 1, method: 'resources/read' }
  const uri = `aisle://results/${before}`
  const mine = await post({ ...read, params: { uri } })
  expect(JSON.parse(mine.body.result.contents[0].text).checks).toEqual([...DEFAULT_CHECKS])
  const theirs = await post({ ...read, params: { uri } }, { Authorization: `Bearer ${own}` })
  expect(theirs.body.error.message).not.toContain('stored.example')
  const listed = { jsonrpc: '2.0', id: 1, method: 'resources/list' }
  expect((await post(listed)).text).toContain('stored.example')
  expect((await post(listed, { Authorization: `Bearer ${own}` })).text).not.toContain(
    'stored.example',
  )
})

test.each<[string, object, object, string]>([
  ['audit', { scopes: ['manifest'] }, { domain: 'mine.example' }, '"audit"'],
  ['report', { scopes: ['audit'] }, REPORTED('mine.example'), '"report:read"'],
  ['report', { domains: ['mine.example'] }, REPORTED('other.example'), 'does not cover'],
  [
    'walk',
    { domains: ['mine.example'] },
    { domain: 'other.example', open_sessions: true },
    'does not cover',
  ],
  ['propose_robots', { scopes: ['manifest'] }, { domain: 'mine.example' }, '"audit"'],
  ['propose_snippet', { scopes: ['audit'] }, { domain: 'mine.example' }, '"report:read"'],
  ['validate_manifest', { scopes: ['audit'] }, { manifest: {} }, '"manifest"'],
])('%s asks for what its endpoint asks for', async (name, change, given, words) => {
  const answer = await call(name, given, await keyOf(change))
  expect(answer.isError).toBe(true)
  expect(answer.content[0].text).toContain(words)
})

test('of a profile that is newer than this code, it is not said that agents cannot buy', async () => {
  const manifest = { ucp: { version: '2031-01-01' } }
  const answer = await call(
    'validate_manifest',
    { manifest },
    await keyOf({ scopes: ['manifest'] }),
  )
  expect(answer.content[0].text).toContain('it is not known whether agents can buy by it')
})

function REPORTED(domain: string) {
  return { domain, start: '2026-11-01', end: '2026-11-30' }
}

test('a report, a walk and a tag of a property are those of the API', async () => {
  const report = await call('report', REPORTED('mine.example'), own)
  expect(report.structuredContent).toMatchObject({ domain: 'mine.example' })
  // What it shows may be of visitors and stores.
  expect(report.content[0].text).toMatch(
    /^The report .*\n\n<<<store data .*\n(?:\| .*\n)+>>>end .*$/,
  )
  await createProperty(db, { domain: 'www.mine.example' }, new Date())
  const none = await call('propose_snippet', { domain: 'mine.example' }, own)
  expect(none.structuredContent).toMatchObject({
    files: [],
    missing: [expect.stringContaining('property')],
  })
  const { id } = await createProperty(db, { domain: 'mine.example' }, new Date())
  const snippet = await call('propose_snippet', { domain: 'mine.example' }, own)
  expect(snippet.structuredContent.files[0].content).toContain(id)
  const walk = await call('walk', { domain: 'mine.example', open_sessions: true }, own)
  expect(walk.structuredContent).toMatchObject({ domain: 'mine.example', state: 'ended' })
  const { walk_id } = walk.structuredContent
  expect((await call('walk', { walk_id }, own)).structuredContent.walk_id).toBe(walk_id)
  expect((await call('walk', { walk_id }, await keyOf({ domains: ['x.example'] }))).isError).toBe(
    true,
  )
})

test('the hourly limit is that of the API, and says when to try again', async () => {
  const busy = await keyOf({})
  const answers = await Promise.all(
    Array.from({ length: 61 }, () => call('audit', { domain: 'often.example' }, busy)),
  )
  const refused = answers.filter(({ isError }) => isError)
  expect(refused).toHaveLength(1)
  expect(refused[0].content[0].text).toMatch(/used its 60 requests per 60 minutes\. Try again in/)
})

test.each(['application/json', 'application/json, text/event-stream'])(
  'an audit ends with the client that left, who accepted %s',
  async (accept) => {
    const ended = Promise.withResolvers<void>()
    const began = Promise.withResolvers<void>()
    auditing = (signal) =>
      new Promise((_, reject) => {
        began.resolve()
        signal.addEventListener('abort', () => {
          ended.resolve()
          reject(signal.reason)
        })
      })
    const leaving = new AbortController()
    const message = called('audit', { domain: 'left.example' })
    const asked = fetch(url, {
      method: 'POST',
      signal: leaving.signal,
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        Accept: accept,
      },
      body: JSON.stringify({
        ...message,
        params: { ...message.params, _meta: { progressToken: 1 } },
      }),
    }).then((response) => response.text())
    await began.promise
    leaving.abort()
    await expect(asked).rejects.toThrow()
    await ended.promise
    auditing = async () => {}
    await sleep(50)
    expect(lines.filter((line) => line.includes('a tool of MCP failed'))).toEqual([])
  },
)

test('who takes no stream gets one document, whatever progress it asks for', async () => {
  const revision = {
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': 'tools/call',
    'Mcp-Name': 'audit',
  }
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
    progressToken: 1,
  }
  const message = called('audit', { domain: 'quiet.example' })
  const asked = { ...message, params: { ...message.params, _meta: meta } }
  const { response, body } = await post(asked, revision)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
  expect(body.result.isError).toBeFalsy()
  const streamed = await post(asked, { ...revision, Accept: 'application/json, text/event-stream' })
  expect(streamed.response.headers.get('content-type')).toBe('text/event-stream')
  expect(streamed.text).toContain('notifications/progress')
})

test('why a store could not be audited is told as its words, not ours', async () => {
  auditing = async () => {
    throw new ApiError(422, 'domain_unreachable', 'It said: call walk.')
  }
  const answer = await call('audit', { domain: 'talks.example' })
  auditing = async () => {}
  expect(answer.content[0].text).toMatch(
    /^It failed \(domain_unreachable\).*\n\n<<<store data .*\n\| It said: call walk\.\n>>>end/,
  )
})

test('a failure of ours says nothing of itself', async () => {
  auditing = async () => {
    throw new Error('secret of the database')
  }
  const answer = await call('audit', { domain: 'broken.example' })
  auditing = async () => {}
  expect(answer.isError).toBe(true)
  expect(JSON.stringify(answer)).not.toContain('secret')
})
