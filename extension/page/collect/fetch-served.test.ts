import { afterEach, expect, test, vi } from 'vitest'
import { fetchManifest } from './fetch-manifest.ts'
import { fetchServed } from './fetch-served.ts'

const URL_ = 'https://shop.example/products/mug'

const over =
  (answer: (init: RequestInit) => Response | Promise<Response>): typeof fetch =>
  async (_, init = {}) =>
    answer(init)

/** An answer as a server would send it: `Response` itself has no address. */
function served(body: BodyInit, init: ResponseInit = {}, url = URL_): Response {
  const answer = new Response(body, init)
  Object.defineProperty(answer, 'url', { value: url })
  return answer
}

test('it asks as a bot would: no cookies, past the cache, without the fragment', async () => {
  const request = vi.fn<typeof fetch>(async () =>
    served('<p>', { headers: { 'content-type': 'text/html' } }),
  )
  const seen = await fetchServed(`${URL_}?a=1#x`, 'utf-8', request)
  expect(request.mock.calls[0]?.[0]).toBe(`${URL_}?a=1`)
  expect(request.mock.calls[0]?.[1]).toMatchObject({ credentials: 'omit', cache: 'no-cache' })
  expect(seen).toMatchObject({
    kind: 'answer',
    status: 200,
    final_url: URL_,
    body: '<p>',
    truncated: false,
    headers: { 'content-type': 'text/html' },
  })
})

test('only the headers that a rule reads are kept', async () => {
  const headers = { 'Content-Security-Policy': "script-src 'self'", 'X-Secret': '1' }
  const seen = await fetchServed(
    URL_,
    'utf-8',
    over(() => served('', { headers })),
  )
  expect(seen).toMatchObject({
    headers: { 'content-security-policy': "script-src 'self'", 'content-type': expect.anything() },
  })
  expect(JSON.stringify(seen)).not.toContain('secret')
})

const LATIN = new Uint8Array([0x63, 0x61, 0x66, 0xe9])

test.each([
  ['the answer', 'text/html; charset=ISO-8859-1', 'utf-8', 'café'],
  ['the page', 'text/html', 'windows-1252', 'café'],
  ['nobody', 'text/html; charset=klingon', 'utf-8', 'caf\ufffd'],
])('the encoding is that of %s', async (_, type, encoding, body) => {
  const answer = () => served(LATIN, { headers: { 'content-type': type } })
  expect(await fetchServed(URL_, encoding, over(answer))).toMatchObject({ body })
})

test('a body without end is left after three megabytes', async () => {
  let sent = 0
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1
      controller.enqueue(new Uint8Array(1024 * 1024).fill(97))
    },
  })
  const seen = await fetchServed(
    URL_,
    'utf-8',
    over(() => served(endless)),
  )
  expect(seen).toMatchObject({ kind: 'answer', truncated: true })
  expect(seen.kind === 'answer' && seen.body.length).toBe(3 * 1024 * 1024)
  expect(sent).toBeLessThan(8)
})

test('a body of three megabytes is whole', async () => {
  const answer = () => served('a'.repeat(3 * 1024 * 1024))
  expect(await fetchServed(URL_, 'utf-8', over(answer))).toMatchObject({ truncated: false })
})

test('no answer is evidence, not an error', async () => {
  const broken = over(() => Promise.reject(new TypeError('Failed to fetch')))
  expect(await fetchServed(URL_, 'utf-8', broken)).toEqual({ kind: 'failed', why: 'unreachable' })
})

afterEach(() => {
  vi.restoreAllMocks()
})

test('after five seconds it is given up', async () => {
  const time = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(time.signal)
  const silent = over(
    ({ signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason))
      }),
  )
  const seen = fetchServed(URL_, 'utf-8', silent)
  expect(timeout).toHaveBeenCalledWith(15_000)
  time.abort()
  expect(await seen).toEqual({ kind: 'failed', why: 'timeout' })
})

test.each<[string, () => Response, unknown]>([
  ['a manifest', () => served('{"version":"1.0"}'), { version: '1.0' }],
  ['none', () => served('not found', { status: 404 }), null],
  ['a page', () => served('<html>'), null],
  ['more than any manifest holds', () => served(`"${'x'.repeat(300_000)}"`), null],
])('/.well-known/ucp with %s', async (_, answer, manifest) => {
  const request = vi.fn<typeof fetch>(over(answer))
  expect(await fetchManifest('https://shop.example', request)).toEqual(manifest)
  expect(request.mock.calls[0]?.[0]).toBe('https://shop.example/.well-known/ucp')
})
