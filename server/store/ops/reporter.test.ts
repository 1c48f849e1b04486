import type { RequestListener } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { MAX_WAITING } from '../../../aisle-node/aisle.ts'
import type { AisleResult } from '../../../aisle-node/index.d.ts'
import { startApi } from '../../../aisle-node/testing/api.ts'
import { eventually, PATIENCE_MS } from '../../../shared/testing/wait.ts'
import type { CheckoutEvent, StoreEvent } from '../checkout/deps.ts'
import { createReporter, type Reporter } from './reporter.ts'

const EVENT: CheckoutEvent = {
  event: 'ai_checkout_completed',
  domain: 'shop.example',
  session_id: 'checkout_1',
  source: 'acp',
  properties: { value: 11_398, currency: 'USD' },
  timestamp: '2026-06-01T12:00:00.000Z',
}

const VIEW: StoreEvent = {
  event: 'ai_product_viewed',
  domain: 'shop.example',
  session_id: 'view_1',
  source: 'ucp',
  ai_surface: 'chatgpt',
  properties: { product_id: 'ao-1001' },
  timestamp: '2026-06-01T12:00:00.000Z',
}

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function startReporter(url: string, change: Partial<Parameters<typeof createReporter>[0]> = {}) {
  const results: AisleResult[] = []
  const refusals: string[] = []
  const reporter: Reporter = createReporter({
    url,
    key: 'aisle_live_test',
    count: (result) => results.push(result),
    onRefused: (message) => refusals.push(message),
    fetcherOptions: { userAgent: 'Test/1', limits: { totalMs: PATIENCE_MS } },
    delays: [1, 1],
    ...change,
  })
  closing.unshift(() => reporter.stop(0))
  return { reporter, results, refusals }
}

const status =
  (code: number, body = '{}'): RequestListener =>
  (_, response) =>
    response.writeHead(code).end(body)

test('an event is posted as the specification says', async () => {
  const api = await startApi(closing, status(200))
  const { reporter, results } = startReporter(`${api.url}/service/`)
  reporter.report(EVENT)
  await eventually(() => results).toEqual(['sent'])
  expect(api.got[0]!.url).toBe('/service/api/report')
  expect(api.got[0]!.headers).toMatchObject({
    authorization: 'Bearer aisle_live_test',
    'content-type': 'application/json',
  })
  // A session is counted once by what the event says; under a key of its own each report would
  // count.
  expect(api.got[0]!.headers).not.toHaveProperty('idempotency-key')
  expect(JSON.parse(api.got[0]!.body)).toEqual(EVENT)
})

test('a public address goes through the guard of all requests', async () => {
  const api = await startApi(closing, status(200))
  const { reporter, results } = startReporter('https://aisle.example', {
    fetcherOptions: {
      userAgent: 'Test/1',
      testHosts: [{ pattern: 'aisle.example', origin: api.url }],
    },
  })
  reporter.report(EVENT)
  await eventually(() => results).toEqual(['sent'])
  expect(api.got[0]!.headers.host).toBe('aisle.example')
})

test.each<[string, RequestListener, totalMs?: number]>([
  ['500', status(500)],
  ['429', status(429)],
  ['no answer', () => {}, 2000],
  ['a broken connection', (request) => request.socket.destroy()],
])('%s: it is tried again, the same to the byte', async (_, answer, totalMs = PATIENCE_MS) => {
  const api = await startApi(closing, (request, response) => {
    api.answer = status(200)
    answer(request, response)
  })
  const { reporter, results } = startReporter(api.url, {
    fetcherOptions: { userAgent: 'Test/1', limits: { totalMs } },
  })
  reporter.report(EVENT)
  await eventually(() => results).toEqual(['sent'])
  expect(api.got.length).toBeGreaterThan(1)
  expect(new Set(api.got.map(({ body }) => body)).size).toBe(1)
})

test('an event that never gets through is dropped, and the next one is tried', async () => {
  const api = await startApi(closing, status(503))
  const dropped: StoreEvent[] = []
  const { reporter, results } = startReporter(api.url, {
    onDropped: (event) => dropped.push(event),
  })
  const other = { ...EVENT, session_id: 'checkout_2' }
  reporter.report(EVENT)
  reporter.report(other)
  await eventually(() => results).toEqual(['dropped', 'dropped'])
  expect(api.got).toHaveLength(6)
  expect(dropped).toEqual([EVENT, other])
})

test('what the API refuses is not sent again, and someone hears why', async () => {
  const api = await startApi(
    closing,
    status(403, '{"error":{"message":"This key lacks the scope."}}'),
  )
  const { reporter, results, refusals } = startReporter(api.url)
  reporter.report(EVENT)
  await eventually(() => results).toEqual(['refused'])
  expect(api.got).toHaveLength(1)
  expect(refusals).toEqual([
    'Aisle rejected ai_checkout_completed of checkout_1 with HTTP 403 (This key lacks the scope.). Check the URL and the key.',
  ])
})

test('while the API hangs the oldest events make room, and reporting takes no time', async () => {
  const api = await startApi(closing, () => {})
  const { reporter, results } = startReporter(api.url, {
    fetcherOptions: { userAgent: 'Test/1', limits: { totalMs: 30_000 } },
  })
  for (let n = 0; n < MAX_WAITING + 11; n += 1) reporter.report(EVENT)
  expect(results).toEqual(Array(10).fill('dropped'))
  await reporter.stop(0)
  await eventually(() => results.length).toBe(MAX_WAITING + 11)
  reporter.report(EVENT)
  expect(new Set(results)).toEqual(new Set(['dropped']))
})

/** So many may wait where each of them is sent, one after the other. */
const FEW = 50

test.each([
  [
    'before',
    (report: (event: StoreEvent) => void) => {
      for (let n = 0; n < 20; n += 1) report(VIEW)
      for (let n = 0; n < FEW; n += 1) report(EVENT)
    },
  ],
  [
    'after',
    (report: (event: StoreEvent) => void) => {
      for (let n = 0; n < FEW; n += 1) report(EVENT)
      for (let n = 0; n < 20; n += 1) report(VIEW)
    },
  ],
])('views that come %s the checkouts make room for every one of them', async (_, fill) => {
  const gate = Promise.withResolvers<void>()
  const api = await startApi(closing, async (_request, response) => {
    await gate.promise
    response.writeHead(200).end('{}')
  })
  const { reporter, results } = startReporter(api.url, {
    fetcherOptions: { userAgent: 'Test/1', limits: { totalMs: 30_000 } },
    maxWaiting: FEW,
  })
  reporter.report(VIEW)
  fill(reporter.report)
  expect(results).toEqual(Array(20).fill('dropped'))
  gate.resolve()
  await eventually(() => results.length).toBe(FEW + 21)
  const names = api.got.map(({ body }) => JSON.parse(body).event)
  expect(names.filter((name) => name === EVENT.event)).toHaveLength(FEW)
})

test('what waits when it stops gets one try', async () => {
  const api = await startApi(closing, status(500))
  const { reporter, results } = startReporter(api.url, { delays: [60_000] })
  reporter.report(EVENT)
  reporter.report(EVENT)
  await eventually(() => api.got.length).toBe(1)
  api.answer = status(200)
  await reporter.stop(PATIENCE_MS)
  expect(results).toEqual(['sent', 'sent'])
})

test('an API that is not there harms nobody', async () => {
  const { reporter, results } = startReporter('http://127.0.0.1:1')
  reporter.report(EVENT)
  await eventually(() => results).toEqual(['dropped'])
})

test.each(['aisle.example', 'ftp://aisle.example', 'https://u:p@aisle.example', 'https://a.b?x'])(
  'AISLE_URL %s is refused at the start',
  (url) => {
    expect(() => startReporter(url)).toThrow('AISLE_URL is not a valid URL')
  },
)
