import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../../../../shared/testing/wait.ts'
import { createFetcher, type Fetcher } from './fetch.ts'
import { BODY_CAPS } from './request.ts'
import type { FetchLimits } from './session.ts'

let answer: RequestListener = (_, response) => response.end('ok')
const requests: IncomingMessage[] = []
const sockets: Socket[] = []
const fetchers: Fetcher[] = []
const server = createServer((request, response) => {
  requests.push(request)
  answer(request, response)
})
server.on('connection', (socket) => sockets.push(socket))

beforeEach(async () => {
  requests.length = 0
  sockets.length = 0
  answer = (_, response) => response.end('ok')
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterEach(async () => {
  await Promise.all(fetchers.splice(0).map((fetcher) => fetcher.close()))
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

function fetcherOf(limits: Partial<FetchLimits> = {}) {
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  const fetcher = createFetcher({
    userAgent: 'Test/1 (+https://aisle.example/bot)',
    testHosts: [{ pattern: '*.example', origin }],
    limits,
  })
  fetchers.push(fetcher)
  return fetcher
}

const headersSeen = () => requests.map(({ headers }) => headers)

test('an answer says what was asked, what came back and in what time', async () => {
  answer = (_, response) => {
    response.writeHead(418, { 'X-Two': ['a', 'b'], 'content-type': 'text/plain' })
    response.end('short')
  }
  const seen = await fetcherOf().open().request({ url: 'https://shop.example?q=1', maxBytes: 9 })
  expect(seen).toMatchObject({
    kind: 'answer',
    method: 'GET',
    url: 'https://shop.example?q=1',
    final_url: 'https://shop.example/?q=1',
    redirects: [],
    status: 418,
    headers: { 'x-two': 'a, b', 'content-type': 'text/plain' },
    body: 'short',
    truncated: false,
    ms: expect.any(Number),
  })
})

test('a test host that nothing serves is named with its origin', async () => {
  const fetcher = fetcherOf()
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  const seen = await fetcher.open().request({ url: 'https://shop.example', maxBytes: 9 })
  expect(seen).toMatchObject({
    kind: 'no_answer',
    why: 'unreachable',
    message: expect.stringContaining(
      `nothing listens at http://127.0.0.1:${port}, where TEST_HOSTS`,
    ),
  })
})

test.each(['https', 'http'])('a test host is asked as a proxy would: %s', async (scheme) => {
  await fetcherOf()
    .open()
    .request({ url: `${scheme}://www.shop.example:443/a?b`, maxBytes: 9 })
  expect(requests[0]?.url).toBe('/a?b')
  expect(requests[0]?.headers).toMatchObject({
    'x-forwarded-proto': scheme,
    'user-agent': 'Test/1 (+https://aisle.example/bot)',
    'accept-encoding': 'gzip, br',
  })
  expect(requests[0]?.headers.host).toMatch(/^www\.shop\.example/)
})

test('JSON is sent with its type and the caller’s headers', async () => {
  let body = ''
  answer = async (request, response) => {
    for await (const chunk of request) body += chunk
    response.writeHead(201).end()
  }
  const seen = await fetcherOf()
    .open()
    .request({
      method: 'POST',
      url: 'https://shop.example/cart',
      headers: { 'Idempotency-Key': 'k1', Accept: 'application/json' },
      json: { items: [1] },
      maxBytes: 9,
    })
  expect(seen).toMatchObject({ method: 'POST', status: 201, body: '' })
  expect(body).toBe('{"items":[1]}')
  expect(headersSeen()[0]).toMatchObject({
    'content-type': 'application/json',
    'idempotency-key': 'k1',
    accept: 'application/json',
  })
})

test('HEAD has no body, whatever its headers announce', async () => {
  answer = (_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': '999' }).end()
  }
  const request = { method: 'HEAD' as const, url: 'https://shop.example/', maxBytes: 9 }
  expect(await fetcherOf().open().request(request)).toMatchObject({ status: 200, body: '' })
})

describe('a redirect', () => {
  const to = (location: string): RequestListener => {
    return (request, response) =>
      request.url === '/end' ? response.end('end') : response.writeHead(302, { location }).end()
  }
  const headers = { authorization: 'Bearer x', 'x-own': '1', accept: 'text/html' }

  test('to another origin carries no header of the caller but accept', async () => {
    answer = to('https://other.example/end')
    await fetcherOf().open().request({ url: 'https://shop.example/', headers, maxBytes: 9 })
    expect(headersSeen()[0]).toMatchObject(headers)
    expect(headersSeen()[1]).toMatchObject({ host: 'other.example', accept: 'text/html' })
    expect(headersSeen()[1]).not.toHaveProperty('authorization')
    expect(headersSeen()[1]).not.toHaveProperty('x-own')
  })

  test('within the origin carries them', async () => {
    answer = to('/end')
    await fetcherOf().open().request({ url: 'https://shop.example/', headers, maxBytes: 9 })
    expect(headersSeen()[1]).toMatchObject(headers)
  })

  describe('from https to http', () => {
    const url = 'https://shop.example/'
    const WWW = 'http://www.shop.example/'
    const ask = (given: object = {}) =>
      fetcherOf()
        .open()
        .request({ url, maxBytes: 9, headers: { accept: 'text/html' }, ...given })
    const misled = {
      ...{ kind: 'no_answer', why: 'redirect' },
      message: expect.stringContaining('a redirect from https to http'),
    }
    /** As shops lead from the bare name to www, one rule after the other. */
    const toWww: RequestListener = ({ headers }, response) => {
      const proto = String(headers['x-forwarded-proto'])
      if (headers.host === 'shop.example') response.writeHead(301, { location: WWW }).end()
      else if (proto === 'http')
        response.writeHead(301, { location: 'https://www.shop.example/' }).end()
      else response.end('a shop')
    }

    test('is passed through on the way back to https', async () => {
      answer = toWww
      expect(await ask()).toMatchObject({
        ...{ kind: 'answer', status: 200, final_url: 'https://www.shop.example/', body: 'a shop' },
        redirects: [{ location: WWW }, { location: 'https://www.shop.example/' }],
      })
    })

    test('is never where an answer comes from', async () => {
      answer = ({ headers }, response) => {
        if (headers.host === 'shop.example') response.writeHead(301, { location: WWW }).end()
        else response.end('over http')
      }
      expect(await ask()).toMatchObject(misled)
    })

    test("is not followed with a caller's headers", async () => {
      answer = toWww
      expect(await ask({ headers: { authorization: 'Bearer x' } })).toMatchObject(misled)
      expect(requests).toHaveLength(1)
    })

    test('leads to no address that is refused', async () => {
      answer = to('http://127.0.0.1/')
      expect(await ask()).toMatchObject({ kind: 'no_answer', why: 'unreachable' })
      expect(requests).toHaveLength(1)
    })
  })

  test('into a cart is not followed', async () => {
    answer = to('/?add-to-cart=17')
    const request = { url: 'https://shop.example/buy', maxBytes: 9 }
    expect(await fetcherOf().open().request(request)).toMatchObject({ why: 'redirect' })
    expect(requests).toHaveLength(1)
  })

  describe('to itself', () => {
    const seen = () => fetcherOf().open().request({ url: 'https://shop.example/', maxBytes: 9 })

    test('with a cookie is said to want one, and not followed', async () => {
      answer = (_, response) =>
        response.writeHead(307, { location: '/', 'set-cookie': 'visitor=1' }).end()
      expect(await seen()).toMatchObject({
        ...{ kind: 'no_answer', why: 'redirect' },
        message: expect.stringContaining('until a cookie comes back'),
      })
      expect(requests).toHaveLength(1)
    })

    test.each([
      ['without one', (path: string) => ({ location: path })],
      ['elsewhere with one', (path: string) => ({ location: `${path}x`, 'set-cookie': 'a=1' })],
    ])('%s has a limit', async (_, headersOf) => {
      answer = ({ url = '' }, response) => response.writeHead(307, headersOf(url)).end()
      expect(await seen()).toMatchObject({ message: expect.stringContaining('more than 5') })
      expect(requests).toHaveLength(6)
    })
  })

  test('to a port that only we do not go to is a redirect and no dead host', async () => {
    const seen = (location: string) => {
      answer = to(location)
      return fetcherOf().open().request({ url: 'https://shop.example/', maxBytes: 9 })
    }
    expect(await seen('https://shop.com:8443/')).toMatchObject({ why: 'redirect' })
    expect(await seen('https://10.0.0.1/')).toMatchObject({ why: 'unreachable' })
  })

  test.each([
    ['POST', { method: 'POST' as const, json: {} }],
    ['GET, asked for as it is', { redirect: 'manual' as const }],
  ])('is itself the answer to %s', async (_, given) => {
    answer = to('http://127.0.0.1/')
    const url = 'https://shop.example/'
    expect(
      await fetcherOf()
        .open()
        .request({ url, maxBytes: 9, ...given }),
    ).toMatchObject({
      kind: 'answer',
      status: 302,
      headers: { location: 'http://127.0.0.1/' },
      redirects: [],
      final_url: url,
    })
    expect(requests).toHaveLength(1)
  })
})

describe('the budget', () => {
  test('counts requests and says when it is used up', async () => {
    const session = fetcherOf({ perAudit: 2 }).open()
    const ask = () => session.request({ url: 'https://shop.example/', maxBytes: 9 })
    const seen = await Promise.all([ask(), ask(), ask()])
    expect(seen.map(({ kind }) => kind)).toEqual(['answer', 'answer', 'not_asked'])
    expect(seen[2]).toMatchObject({ reason: "the audit's budget of 2 requests was used up" })
    expect([session.used, requests.length]).toEqual([2, 2])
  })

  test('is 31 requests', async () => {
    const session = fetcherOf().open()
    for (let i = 0; i < 32; i++) {
      await session.request({ url: 'https://shop.example/', maxBytes: 9 })
    }
    expect(requests).toHaveLength(31)
  })

  test('holds 2 requests to a host and 6 in all at a time', async () => {
    const now = new Map<string, number>()
    let most = 0
    let mostOfHost = 0
    answer = async ({ headers: { host = '' } }, response) => {
      now.set(host, (now.get(host) ?? 0) + 1)
      mostOfHost = Math.max(mostOfHost, now.get(host) ?? 0)
      most = Math.max(
        most,
        [...now.values()].reduce((sum, each) => sum + each, 0),
      )
      await pause(20)
      now.set(host, (now.get(host) ?? 0) - 1)
      response.end()
    }
    const session = fetcherOf().open()
    const asked = Array.from({ length: 24 }, (_, i) =>
      session.request({ url: `https://s${i % 5}.example/${i}`, maxBytes: 9 }),
    )
    expect((await Promise.all(asked)).every(({ kind }) => kind === 'answer')).toBe(true)
    expect([mostOfHost, most]).toEqual([2, 6])
  })
})

test('a large page is whole where the server closes behind it without saying so', async () => {
  // Some 800 kB on the wire, which take longer to decode than to send.
  const text = randomBytes(400_000).toString('hex') + 'x'.repeat(1_000_000)
  answer = (_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text))
    response.socket?.end()
  }
  for (let n = 0; n < 4; n += 1) {
    const session = fetcherOf().open()
    const seen = await session.request({ url: 'https://shop.example/', maxBytes: BODY_CAPS.page })
    await session.close()
    expect(seen).toMatchObject({ kind: 'answer', truncated: false })
    expect('body' in seen && seen.body.length).toBe(text.length)
  }
})

describe('time', () => {
  const silence: RequestListener = () => {}

  test('a server that says nothing is a timeout of the headers', async () => {
    answer = silence
    const session = fetcherOf({ headersMs: 50 }).open()
    expect(await session.request({ url: 'https://shop.example/', maxBytes: 9 })).toMatchObject({
      why: 'timeout',
      message: expect.stringContaining('headers'),
    })
  })

  test('the limit of one request starts when it is sent, not when it is queued', async () => {
    answer = async (_, response) => {
      await pause(500)
      response.end('late')
    }
    // The last one waits for longer than that; each by itself has time to spare on a busy machine.
    const session = fetcherOf({ totalMs: 4000, perHost: 1 }).open()
    const ask = () => session.request({ url: 'https://shop.example/', maxBytes: 9 })
    const seen = await Promise.all(Array.from({ length: 10 }, ask))
    expect(seen.map(({ kind }) => kind)).toEqual(Array(10).fill('answer'))
  })

  test('the deadline ends what is under way, and what waits is not asked', async () => {
    answer = silence
    // Long enough that the first is there on a busy machine as well.
    const session = fetcherOf({ perHost: 1 }).open({ deadlineMs: 5_000 })
    const ask = () => session.request({ url: 'https://shop.example/', maxBytes: 9 })
    const [first, second] = await Promise.all([ask(), ask()])
    expect(first).toMatchObject({ kind: 'no_answer', why: 'timeout' })
    expect(second).toEqual({
      kind: 'not_asked',
      reason: "the audit's time of 5000 ms was used up",
    })
    expect(requests).toHaveLength(1)
  })

  test('a name that never resolves holds a request no longer than its own limit', async () => {
    const fetcher = createFetcher({
      userAgent: 'Test/1',
      resolve: () => new Promise(() => {}),
      limits: { totalMs: 50 },
    })
    fetchers.push(fetcher)
    const seen = await fetcher.open().request({ url: 'https://shop.com/', maxBytes: 9 })
    expect(seen).toMatchObject({
      why: 'timeout',
      message: 'no complete response within 50 ms; respond faster',
    })
  })
})

describe('a connection', () => {
  const ask = (fetcher: Fetcher) => {
    const session = fetcher.open()
    return { session, get: () => session.request({ url: 'https://shop.example/', maxBytes: 9 }) }
  }

  test('serves one session alone', async () => {
    const fetcher = fetcherOf()
    const [a, b] = [ask(fetcher), ask(fetcher)]
    for (let i = 0; i < 5; i++) await a.get()
    const ofFirst = sockets.length
    expect(ofFirst).toBeLessThanOrEqual(2)
    await b.get()
    expect(sockets).toHaveLength(ofFirst + 1)
  })

  test('ends with its session, under way or not', async () => {
    const { session, get } = ask(fetcherOf())
    await get()
    answer = () => {}
    const waiting = get()
    await eventually(() => requests.length).toBe(2)
    await session.close()
    expect(await waiting).toMatchObject({ kind: 'no_answer', why: 'timeout' })
    expect(await get()).toEqual({ kind: 'not_asked', reason: 'the audit has ended' })
    await eventually(() => sockets.every(({ destroyed }) => destroyed)).toBe(true)
  })
})

test.each([
  ['a header that cannot be sent', { headers: { 'x-own': 'a\r\nb: c' } }],
  [
    'a reader that throws',
    {
      read: () => {
        throw new Error('reader')
      },
    },
  ],
])('%s is a failure of the request, not of the audit', async (_, given) => {
  const session = fetcherOf().open()
  const seen = await session.request({ url: 'https://shop.example/', maxBytes: 9, ...given })
  expect(seen).toMatchObject({ kind: 'no_answer', why: 'protocol' })
})
