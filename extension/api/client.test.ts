import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FAILED_AT_FOURTH, shownWalk } from '../../shared/walk/testing/transcripts.ts'
import { createApiClient } from './client.ts'
import { failureText } from './failure-text.ts'

const KEY = 'aisle_live_test'

type Asked = { url: string; init: RequestInit | undefined }

function apiOver(answer: (asked: Asked) => Response | Promise<Response>, baseUrl?: string) {
  const asked: Asked[] = []
  const api = createApiClient({
    baseUrl: baseUrl ?? 'https://aisle.example/',
    key: KEY,
    fetch: async (url, init) => {
      asked.push({ url: String(url), init })
      return answer({ url: String(url), init })
    },
  })
  return { api, asked }
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers })

const refusal = (code: string, message = 'Do this.') => ({
  error: { code, message, request_id: 'req-1' },
})

test('an audit is asked for with the key, and with nothing that a cookie or a redirect could leak', async () => {
  const { api, asked } = apiOver(() => json(200, RESULT))
  const audited = await api.audit({ domain: 'shop.example', dry_run: true })
  expect(audited).toEqual({ ok: true, value: RESULT })
  const [{ url, init } = { url: '', init: {} }] = asked
  expect(url).toBe('https://aisle.example/api/audit')
  expect(init).toMatchObject({
    method: 'POST',
    body: '{"domain":"shop.example","dry_run":true}',
    credentials: 'omit',
    redirect: 'manual',
    referrerPolicy: 'no-referrer',
  })
  expect(Object.fromEntries(new Headers(init?.headers))).toEqual({
    authorization: `Bearer ${KEY}`,
    'content-type': 'application/json',
  })
})

test('a report carries its range in the query, and only what was stated', async () => {
  const { api, asked } = apiOver(() => new Response('a,b\n'))
  const range = { domain: 'shop.example', start: '2026-11-01', end: '2026-11-30' }
  expect(await api.reportCsv({ ...range, granularity: 'week' })).toEqual({
    ok: true,
    value: 'a,b\n',
  })
  expect(asked[0]?.url).toBe(
    'https://aisle.example/api/report?domain=shop.example&start=2026-11-01&end=2026-11-30&granularity=week&format=csv',
  )
})

test('a walk is started, asked for and stopped by its id', async () => {
  const walk = { ...shownWalk('ended', FAILED_AT_FOURTH), id: 'w-1' }
  const { api, asked } = apiOver(({ init }) => json(init?.method === 'POST' ? 202 : 200, walk))
  const accepted = { ok: true, value: { id: 'w-1', state: 'ended' } }
  expect(await api.startWalk('shop.example')).toMatchObject(accepted)
  expect(await api.walk('w-1')).toMatchObject({ value: { transcript: FAILED_AT_FOURTH } })
  expect(await api.stopWalk('w-1')).toMatchObject(accepted)
  expect(asked.map(({ url, init }) => `${init?.method} ${url} ${init?.body ?? ''}`)).toEqual([
    'POST https://aisle.example/api/walk {"domain":"shop.example"}',
    'GET https://aisle.example/api/walk/w-1 ',
    'DELETE https://aisle.example/api/walk/w-1 ',
  ])
})

test.each([
  ['another version', { version: 2 }],
  ['a step that has no words here', { routes: [{ ...FAILED_AT_FOURTH.routes[0], dialect: 'x' }] }],
  ['no routes', { routes: null }],
])('a transcript of %s is not shown', async (_, change) => {
  const transcript = { ...FAILED_AT_FOURTH, ...change }
  const { api } = apiOver(() => json(200, { ...shownWalk('ended', FAILED_AT_FOURTH), transcript }))
  expect(await api.walk('w-1')).toMatchObject({ ok: false, failure: { kind: 'unexpected' } })
})

test('the warnings of a built manifest come from the header beside it', async () => {
  const { api } = apiOver(() =>
    json(200, { version: '1.0', domain: 'a.example' }, { 'Aisle-Warnings': '["w \\u2026"]' }),
  )
  const built = await api.buildManifest({
    domain: 'a.example',
    catalog_endpoint: 'https://a.example/c',
    checkout_endpoint: 'https://a.example/k',
  })
  expect(built).toEqual({
    ok: true,
    value: { manifest: { version: '1.0', domain: 'a.example' }, warnings: ['w …'] },
  })
})

const FAILURES: [string, () => Response, object, boolean][] = [
  [
    'no key',
    () => json(401, refusal('missing_key')),
    { kind: 'unauthorized', code: 'missing_key', request_id: 'req-1' },
    true,
  ],
  ['no scope', () => json(403, refusal('insufficient_scope')), { kind: 'forbidden' }, true],
  [
    'no stored result',
    () => json(404, refusal('no_cached_audit')),
    { kind: 'not_found', code: 'no_cached_audit' },
    false,
  ],
  [
    'a path that no Aisle has',
    () => new Response('<h1>Not found</h1>', { status: 404 }),
    { kind: 'unexpected', status: 404 },
    true,
  ],
  ['a wrong method', () => json(405, refusal('method_not_allowed')), { kind: 'unexpected' }, true],
  [
    'a wrong field',
    () =>
      json(422, {
        error: {
          ...refusal('invalid_request').error,
          details: [{ field: 'domain', code: 'invalid', message: 'No domain.' }],
        },
      }),
    { kind: 'invalid', details: [{ field: 'domain', code: 'invalid', message: 'No domain.' }] },
    false,
  ],
  [
    'the quota',
    () => json(429, refusal('rate_limited'), { 'retry-after': '90' }),
    { kind: 'rate_limited', retry_after_s: 90 },
    false,
  ],
  [
    'a proxy’s quota',
    () => new Response('slow down', { status: 429 }),
    { kind: 'rate_limited', retry_after_s: null },
    false,
  ],
  [
    'a date to wait for',
    () => json(429, refusal('x'), { 'retry-after': 'Sat, 21 Nov 2026 10:00:00 GMT' }),
    { kind: 'rate_limited', retry_after_s: null },
    false,
  ],
  [
    'no database',
    () => json(503, refusal('database_unavailable'), { 'retry-after': '5' }),
    { kind: 'unavailable', retry_after_s: 5 },
    false,
  ],
  [
    'a dead upstream',
    () => new Response('', { status: 502 }),
    { kind: 'unavailable', status: 502 },
    false,
  ],
  [
    'a fault of the server',
    () => json(500, refusal('internal_error')),
    { kind: 'server', request_id: 'req-1' },
    false,
  ],
  [
    'a fault without a body',
    () => new Response('', { status: 500, headers: { 'x-request-id': 'req-2' } }),
    { kind: 'server', request_id: 'req-2' },
    false,
  ],
  [
    'a redirect',
    () => new Response('', { status: 302, headers: { location: '/x' } }),
    { kind: 'unexpected', code: 'redirected' },
    true,
  ],
  ['a page under 200', () => new Response('<html>'), { kind: 'unexpected' }, true],
  ['another API', () => json(200, { ok: true }), { kind: 'unexpected' }, true],
]

test.each(FAILURES)('%s', async (_, answer, expected, inOptions) => {
  const { api } = apiOver(answer)
  const audited = await api.audit({ domain: 'shop.example' })
  expect(audited).toMatchObject({ ok: false, failure: expected })
  const told = audited.ok ? null : failureText(audited.failure)
  expect(told?.inOptions).toBe(inOptions)
  expect(told?.title).not.toMatch(/^$|\$\d/)
  expect(told?.text).not.toMatch(/^$|\$\d|undefined/)
})

test('no connection is offline, and says no internals to the person', async () => {
  const { api } = apiOver(() => {
    throw new TypeError('Failed to fetch')
  })
  const audited = await api.audit({ domain: 'shop.example' })
  expect(audited).toMatchObject({ ok: false, failure: { kind: 'offline' } })
  if (!audited.ok) expect(failureText(audited.failure).text).not.toContain('fetch')
})

test('an answer without an end is not read to its end', async () => {
  let chunks = 0
  const endless = new ReadableStream({
    pull(controller) {
      chunks += 1
      if (chunks > 100) controller.close()
      else controller.enqueue(new Uint8Array(1024 * 1024))
    },
  })
  const { api } = apiOver(() => new Response(endless))
  expect(await api.properties()).toMatchObject({ ok: false, failure: { kind: 'unexpected' } })
  expect(chunks).toBeLessThan(20)
})

test.each(['http://aisle.example', 'nonsense nonsense', ''])('%j is asked nothing', async (url) => {
  const { api, asked } = apiOver(() => json(200, RESULT), url)
  expect(await api.properties()).toMatchObject({ ok: false, failure: { kind: 'bad_url' } })
  expect(asked).toEqual([])
})

test('a key that may not read reports is a good key all the same', async () => {
  const { api } = apiOver(() => json(403, refusal('insufficient_scope')))
  expect(await api.testConnection()).toEqual({ ok: true, value: { properties: null } })
  const refused = apiOver(() => json(401, refusal('invalid_key')))
  expect(await refused.api.testConnection()).toMatchObject({
    ok: false,
    failure: { kind: 'unauthorized' },
  })
})

/** Ends as a real request does: when its signal aborts. */
const never = ({ init }: Asked) =>
  new Promise<Response>((_, reject) => {
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
  })

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('a request that is cancelled is no failure of the server', async () => {
  const { api } = apiOver(never)
  const stop = new AbortController()
  const asked = api.audit({ domain: 'shop.example' }, stop.signal)
  stop.abort()
  expect(await asked).toMatchObject({ ok: false, failure: { kind: 'cancelled' } })
})

test('a server that says nothing costs an audit 60 seconds and no more', async () => {
  // Fake timers do not reach AbortSignal.timeout.
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const stop = new AbortController()
    setTimeout(() => stop.abort(new DOMException('late', 'TimeoutError')), ms)
    return stop.signal
  })
  const { api } = apiOver(never)
  const asked = api.audit({ domain: 'shop.example' })
  await vi.advanceTimersByTimeAsync(60_000)
  const audited = await asked
  timeout.mockRestore()
  expect(audited).toMatchObject({ ok: false, failure: { kind: 'unavailable', code: 'timeout' } })
})

const RESULT = {
  domain: 'shop.example',
  score: 88,
  grade: 'A',
  checked_at: '2026-11-21T10:00:00.000Z',
  gaps: [],
  breakdown: { discoverability: 88 },
  coverage: { judged: 1, applicable: 1, breakdown: {} },
  cap: null,
  first_steps: null,
  passed: [],
  passed_notes: {},
  skipped: [],
  product_pages: [],
  readiness: [],
  checks: ['schema'],
  engine_version: '1',
}
