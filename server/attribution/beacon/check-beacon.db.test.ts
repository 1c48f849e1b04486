import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { parseTrustProxy } from '../../http/client-address.ts'
import { testApp } from '../../testing/app.ts'
import { onLoopback } from '../../testing/on-loopback.ts'
import { createProperty } from '../properties.ts'
import {
  type Ask,
  asBrowser,
  beacon,
  beaconApp,
  CHROME,
  recordingIngest,
  SHOP,
} from './testing/beacon.ts'

const { db, property, ask, recorded, refused, state, reset } = await beaconApp()
beforeEach(reset)

/**
 * The rest of the test happens at one moment, so that how much it asks in a second does not depend
 * on the machine: the limiters read the time, and forget by timers.
 */
function stopTheClock() {
  vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
}

const refusal = async (answer: Response, code: string, message: string) => {
  const request_id = answer.headers.get('X-Request-Id')
  expect(await answer.json()).toEqual({ error: { code, message, request_id } })
  expect(recorded).toEqual([])
}

const UNKNOWN = 'No property has this id. Use the tag from "aisle properties list".'
const FOREIGN =
  'This property accepts sessions only from https://shop.example, https://*.shop.example. Create a property for the origin of this page.'

test.each([
  '',
  '?id=',
  '?id=prop_00000000000000000000',
  '?id=x',
  "?id=prop_'%3B--",
  '?id=%00',
  `?id=${'x'.repeat(5000)}`,
  '?ID=x',
])('the property %s is unknown', async (query) => {
  const answer = await ask({ query })
  expect(answer.status).toBe(404)
  expect(answer.headers.has('Access-Control-Allow-Origin')).toBe(false)
  await refusal(answer, 'unknown_property', UNKNOWN)
})

test.each([
  { name: 'no origin', headers: { Origin: undefined } },
  { name: 'null', headers: { Origin: 'null', Referer: `${SHOP}/` } },
  { name: 'http', headers: { Origin: 'http://www.shop.example' } },
  { name: 'another port', headers: { Origin: `${SHOP}:8443` } },
  { name: 'a longer name', headers: { Origin: 'https://shop.example.evil.example' } },
  { name: 'a name that ends alike', headers: { Origin: 'https://evil-shop.example' } },
  { name: 'a foreign Referer', headers: { Origin: undefined, Referer: 'https://evil.example/' } },
])('$name is not allowed', async ({ headers }) => {
  const answer = await ask({ headers })
  expect(answer.status).toBe(403)
  expect(answer.headers.has('Access-Control-Allow-Origin')).toBe(false)
  expect(answer.headers.get('Vary')).toBe('Origin')
  await refusal(answer, 'origin_not_allowed', FOREIGN)
})

test('a Referer stands in for an Origin that is not sent', async () => {
  const answer = await ask({ headers: { Origin: undefined, Referer: `${SHOP}/cart?x` } })
  expect(await answer.json()).toMatchObject({ status: 'recorded' })
})

test('a preflight is answered to an origin of the property alone', async () => {
  const preflight = (origin: string) =>
    ask({
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Content-Type': undefined,
      },
    })
  const answer = await preflight(SHOP)
  expect(answer.status).toBe(204)
  expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(SHOP)
  expect(answer.headers.get('Access-Control-Allow-Methods')).toBe('POST')
  expect(answer.headers.get('Access-Control-Allow-Headers')).toBe('Content-Type')
  expect(answer.headers.has('Access-Control-Allow-Credentials')).toBe(false)
  expect((await preflight('https://evil.example')).status).toBe(403)
})

test('GET is not served', async () => {
  const answer = await ask({ method: 'GET' })
  expect(answer.status).toBe(405)
  expect(answer.headers.get('Allow')).toBe('POST')
  await refusal(answer, 'method_not_allowed', 'This path does not support GET. Use POST.')
})

test('while properties cannot be looked up, what comes is counted as shed', async () => {
  const select = () => {
    throw new Error('the database is away')
  }
  const kept = recordingIngest()
  const away = Object.assign(Object.create(db), { select })
  const own = await testApp({ db: away, ingest: kept.ingest })
  const answer = await asBrowser(own.app, property.id)()
  expect(answer.status).toBe(500)
  expect(kept.refused).toEqual(['shed'])
})

test('when more comes in than can be stored, it says so', async () => {
  state.full = true
  const answer = await ask()
  expect(answer.status).toBe(503)
  expect(answer.headers.get('Retry-After')).toBe('1')
  expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(SHOP)
  expect(refused).toEqual(['shed'])
  await refusal(answer, 'busy', 'The service is overloaded. Try again in a second.')
})

describe('too many', () => {
  const limited = (where: string) => `Too many sessions per second ${where}. Try again in a second.`
  const elsewhere = { headers: { Origin: 'https://evil.example' } }
  const flood = async (times: number, given: (n: number) => Ask) => {
    stopTheClock()
    const answers = await Promise.all(Array.from({ length: times }, (_, n) => ask(given(n))))
    recorded.length = 0
    return {
      refused: answers.filter(({ status }) => status === 429),
      passed: answers.filter(({ status }) => status === 200).length,
    }
  }

  test('from one address', async () => {
    const { refused, passed } = await flood(250, () => ({ from: '203.0.113.99' }))
    expect([passed, refused.length]).toEqual([10, 240])
    expect(refused[0]?.headers.get('Retry-After')).toBe('1')
    expect(refused[0]?.headers.get('Access-Control-Allow-Origin')).toBe(SHOP)
    await refusal(refused[0]!, 'rate_limited', limited('from this address'))
  })

  test.each<[string, Ask]>([
    ['of unknown properties', { from: '203.0.113.98', query: '?id=x' }],
    ['of foreign pages', { from: '203.0.113.97', ...elsewhere }],
  ])('from one address, %s too', async (_, given) => {
    const { refused } = await flood(250, () => given)
    expect(refused.length).toBeGreaterThan(0)
    await refusal(refused[0]!, 'rate_limited', limited('from this address'))
  })

  test('from one address, wherever the snippet stands', async () => {
    const given = { from: '203.0.113.96', ...elsewhere }
    await flood(250, () => given)
    const { refused } = await flood(100, () => ({ ...given, path: '/0123456789abcdef/sessions' }))
    expect(refused.length).toBeGreaterThan(0)
  })

  test('a preflight takes no room from the sessions of its property', async () => {
    const preflight = { method: 'OPTIONS', headers: { 'Content-Type': undefined } }
    expect((await flood(700, () => preflight)).refused).toEqual([])
  })

  test('for one property, and others are not concerned', async () => {
    const [busy, other] = await Promise.all(
      ['busy.example', 'busy.example'].map((domain) => createProperty(db, { domain }, new Date())),
    )
    const to = (each: typeof busy): Ask => ({
      query: `?id=${each!.id}`,
      headers: { Origin: `https://${each!.domain}` },
    })
    const { refused, passed } = await flood(700, () => to(busy))
    expect([passed, refused.length]).toEqual([300, 400])
    await refusal(refused[0]!, 'rate_limited', limited('for this property'))
    expect((await ask(to(other))).status).toBe(200)
  })
})

test('a private address that is over a limit may be a proxy: the log says so once', async () => {
  const own = await beaconApp()
  const told = async (from: string) => {
    own.lines.length = 0
    for (let n = 0; n < 30; n += 1) await own.ask({ from })
    return own.lines.filter((line) => line.includes('TRUST_PROXY')).length
  }
  stopTheClock()
  expect([
    await told('203.0.113.95'),
    await told('192.168.0.1'),
    await told('192.168.0.2'),
  ]).toEqual([0, 1, 0])
})

describe('over a socket', () => {
  async function listen(trust: string) {
    const own = await testApp({
      ingest: recordingIngest().ingest,
      trustedProxies: parseTrustProxy(trust),
    })
    const { id } = await createProperty(own.db, { domain: 'shop.example' }, new Date())
    const { origin, close } = await onLoopback(own.app)
    onTestFinished(close)
    return (body: BodyInit, headers: Record<string, string> = {}) =>
      fetch(`${origin}/sessions?id=${id}`, {
        method: 'POST',
        headers: { Origin: SHOP, 'Content-Type': 'text/plain', 'User-Agent': CHROME, ...headers },
        body,
        duplex: 'half',
      } as RequestInit)
  }

  test.each([
    { trust: '', limited: true },
    { trust: '192.0.2.1', limited: true },
    { trust: 'loopback', limited: false },
  ])('TRUST_PROXY=$trust: an address that a client names counts: $limited', async (given) => {
    const send = await listen(given.trust)
    stopTheClock()
    const answers = await Promise.all(
      Array.from({ length: 250 }, (_, n) =>
        send(beacon({}), { 'X-Forwarded-For': `203.0.${n}.113` }),
      ),
    )
    expect(answers.some(({ status }) => status === 429)).toBe(given.limited)
  })

  test('a body of more than 4 KiB is refused, declared or not', async () => {
    const send = await listen('')
    const text = beacon({ landing: 'x'.repeat(100_000) })
    const stream = () => new Blob([text]).stream()
    for (const body of [text, stream()]) {
      const answer = await send(body)
      expect(answer.status).toBe(413)
      expect((await answer.json()).error.code).toBe('body_too_large')
    }
  })
})
