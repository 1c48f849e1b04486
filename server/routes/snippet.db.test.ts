import { hash } from 'node:crypto'
import { connect } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { attributionRules } from '../../shared/audit/checks/attribution/rules.ts'
import { runRules } from '../../shared/audit/rule.ts'
import { readPage } from '../../shared/markup/page.ts'
import { eventually } from '../../shared/testing/wait.ts'
import { buildSnippet } from '../../snippet/build.ts'
import { prepareSnippet, snippetTags } from '../attribution/snippet/asset.ts'
import { keepSnippet } from '../attribution/snippet/pinned.ts'
import type { Coding } from '../http/codings.ts'
import { testApp } from '../testing/app.ts'
import { onLoopback } from '../testing/on-loopback.ts'

const { code } = await buildSnippet()
const snippet = await prepareSnippet(code)
const { app, db } = await testApp({ snippet })
const { br, gzip, identity } = snippet.bodies

const ask = (query = '?id=prop_1', headers: Record<string, string> = {}, method = 'GET') =>
  app.request(`/attribution.js${query}`, { method, headers })
const askPinned = (version: string, headers: Record<string, string> = {}) =>
  app.request(`/${version}/attribution.js?id=prop_1`, { headers })
const bytesOf = async (answer: Response) => new Uint8Array(await answer.arrayBuffer())

const ENCODINGS: [accept: string | undefined, coding: Coding][] = [
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['GZIP', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['gzip;q=0.8, br;q=0.8', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, gzip;q=0', 'identity'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['br;q=0, *', 'gzip'],
  ['gzip;q=0.2, identity', 'identity'],
  ['gzip;q=0.2, identity;q=0.1', 'gzip'],
  ['identity', 'identity'],
  ['deflate', 'identity'],
  ['brotli', 'identity'],
  ['br;q=x', 'br'],
  [',;=,"', 'identity'],
  ['br,'.repeat(2000), 'br'],
]

test.each(ENCODINGS)('Accept-Encoding %j gets %s', async (accept, coding) => {
  const answer = await ask('?id=prop_1', accept === undefined ? {} : { 'Accept-Encoding': accept })
  const { bytes, etag } = snippet.bodies[coding]
  expect(answer.status).toBe(200)
  expect(await bytesOf(answer)).toEqual(bytes)
  expect(Object.fromEntries(answer.headers)).toEqual({
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=3600',
    ...(coding !== 'identity' && { 'content-encoding': coding }),
    'content-length': String(bytes.length),
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'content-type': 'text/javascript; charset=utf-8',
    'cross-origin-resource-policy': 'cross-origin',
    etag,
    'referrer-policy': 'no-referrer',
    'strict-transport-security': 'max-age=63072000',
    'timing-allow-origin': '*',
    vary: 'Accept-Encoding',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
})

const CONDITIONS: [accept: string, ifNoneMatch: string, status: number][] = [
  ['br', br.etag, 304],
  ['br', `W/${br.etag}`, 304],
  ['br', `"other", ${br.etag}`, 304],
  ['br', '*', 304],
  ['br', gzip.etag, 200],
  ['br', identity.etag, 200],
  ['br', br.etag.slice(1, -1), 200],
  ['br', '"other"', 200],
  ['br', '', 200],
  ['gzip', gzip.etag, 304],
  ['gzip', br.etag, 200],
  ['', identity.etag, 304],
  ['', br.etag, 200],
]

describe.each(['GET', 'HEAD'])('%s', (method) => {
  test.each(CONDITIONS)('%j If-None-Match %s: %d', async (accept, etag, status) => {
    const answer = await ask(
      '?id=prop_1',
      { 'Accept-Encoding': accept, 'If-None-Match': etag },
      method,
    )
    expect(answer.status).toBe(status)
    expect((await bytesOf(answer)).length > 0).toBe(status === 200 && method === 'GET')
    expect(answer.headers.get('Cache-Control')).toBe('public, max-age=3600')
    expect(answer.headers.get('Vary')).toBe('Accept-Encoding')
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(answer.headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin')
    if (status === 304) expect(answer.headers.has('Content-Length')).toBe(false)
  })
})

test.each([
  '',
  '?id=',
  '?id=prop_unknown',
  '?id=a&id=b',
  '?id=%00%ff',
  '?id=<script>',
  '?x=1&__proto__=2',
  `?id=${'x'.repeat(5000)}`,
  '?%',
])('whatever the id: %s', async (query) => {
  const answer = await ask(query)
  expect(answer.status).toBe(200)
  expect(await answer.text()).toBe(code)
})

test('a tag that is pinned to an earlier release still gets it', async () => {
  const earlier = await prepareSnippet('/* an earlier release */')
  expect((await askPinned(earlier.version)).status).toBe(404)
  await keepSnippet(db, earlier, new Date())
  await keepSnippet(db, earlier, new Date())
  for (const coding of ['identity', 'br'] as const) {
    const answer = await askPinned(earlier.version, { 'Accept-Encoding': coding })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable')
    expect(await bytesOf(answer)).toEqual(earlier.bodies[coding].bytes)
  }
  expect(await (await ask()).text()).toBe(code)
})

test('a version that a page loads is in use', async () => {
  const old = await prepareSnippet('/* long not loaded */')
  const at = new Date('2020-01-01T00:00:00Z')
  const usedAt = async () => {
    const [row] = await db.$client<{ recent: boolean }[]>`
      select last_used_at > now() - interval '1 day' as recent from snippet_versions
      where version = ${old.version}`
    return row?.recent
  }
  const age = () => db.$client`
    update snippet_versions set last_used_at = ${at.toISOString()} where version = ${old.version}`
  await keepSnippet(db, old, at)
  await age()
  await askPinned(old.version)
  await eventually(usedAt).toBe(true)
  await age()
  await keepSnippet(db, old, new Date())
  expect(await usedAt()).toBe(true)
})

test('a pinned version is kept for good; one that never was is refused, and not kept', async () => {
  const pinned = await askPinned(snippet.version, { 'Accept-Encoding': 'br' })
  expect(pinned.status).toBe(200)
  expect(await bytesOf(pinned)).toEqual(br.bytes)
  expect(pinned.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable')

  for (const other of ['x', '%00', `${snippet.version}0`]) {
    const refused = await askPinned(other)
    expect(refused.status).toBe(404)
    expect(refused.headers.get('Cache-Control')).toBe('no-store')
    expect(await refused.json()).toEqual({
      error: {
        code: 'unknown_version',
        message:
          'This version of attribution.js does not exist. Use the tag from "aisle properties list" or GET /api/properties.',
        request_id: refused.headers.get('X-Request-Id'),
      },
    })
  }
})

test.each(Object.entries(snippetTags(snippet, 'https://aisle.example', 'prop_1')))(
  'the %s passes the audit of the service itself',
  (_, tag) => {
    const page = readPage(`<html><head>${tag}</head></html>`, 'https://shop.example/')
    const fetched = { kind: 'unreachable', url: page.url, why: 'not asked', ms: 0 } as never
    const verdicts = runRules(attributionRules, { homePage: { page, fetched } })
    expect(verdicts.map(({ verdict }) => verdict.kind)).toEqual(attributionRules.map(() => 'pass'))
  },
)

test('the pinned tag leads to the pinned version', async () => {
  const { pinned_tag } = snippetTags(snippet, 'https://aisle.example', 'prop_1')
  const [script] = readPage(pinned_tag, 'https://shop.example/').scripts
  expect(script?.src).toBe(`https://aisle.example/${snippet.version}/attribution.js?id=prop_1`)
  const { pathname, search } = new URL(script!.src!)
  expect((await app.request(pathname + search)).status).toBe(200)
  const code = await (await ask()).text()
  expect(script?.integrity).toBe(`sha384-${hash('sha384', code, 'base64')}`)
})

describe('over the wire', async () => {
  const { port, close } = await onLoopback(app)
  afterAll(close)

  const exchange = async (method: string, headers = '') => {
    const socket = connect(port, '127.0.0.1')
    socket.write(
      `${method} /attribution.js?id=1 HTTP/1.1\r\nHost: aisle.example\r\nConnection: close\r\n${headers}\r\n`,
    )
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk)
    const raw = Buffer.concat(chunks)
    const end = raw.indexOf('\r\n\r\n')
    return { head: raw.subarray(0, end).toString(), body: raw.subarray(end + 4) }
  }

  test('GET and HEAD say the same; HEAD and 304 carry no body', async () => {
    const want = 'Accept-Encoding: br\r\n'
    const [get, head, unchanged] = await Promise.all([
      exchange('GET', want),
      exchange('HEAD', want),
      exchange('GET', `${want}If-None-Match: ${br.etag}\r\n`),
    ])
    const namesOf = (text: string) =>
      text.match(/^[\w-]+(?=:)/gm)?.map((name) => name.toLowerCase())
    expect(get.head).toMatch(/^HTTP\/1\.1 200 /)
    expect(new Uint8Array(get.body)).toEqual(br.bytes)
    expect(head.head).toMatch(/^HTTP\/1\.1 200 /)
    expect(head.body).toHaveLength(0)
    expect(head.head).toMatch(new RegExp(`^content-length: ${br.bytes.length}$`, 'im'))
    expect(namesOf(head.head)?.sort()).toEqual(namesOf(get.head)?.sort())
    expect(unchanged.head).toMatch(/^HTTP\/1\.1 304 /)
    expect(unchanged.body).toHaveLength(0)
  })

  test.each(['POST', 'PUT', 'DELETE'])('%s is not served', async (method) => {
    const { head } = await exchange(method, 'Content-Length: 0\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 405 /)
    expect(head).toMatch(/^allow: GET, HEAD$/im)
  })
})
