import type { RequestListener } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import type * as z from 'zod'
import type { AttributionEvent } from '../shared/attribution/events.ts'
import { eventually, PATIENCE_MS } from '../shared/testing/wait.ts'
import { createAisle } from './aisle.ts'
import type { AisleAnswer, AisleEvent, AisleOptions, AisleOutcome } from './index.d.ts'
import { startApi } from './testing/api.ts'

const ORDER: AisleEvent = {
  event: 'ai_checkout_completed',
  source: 'web',
  session_id: 'order_1',
  properties: { visit_id: 'visit-12345', value: 4999, currency: 'USD' },
}
const VIEW: AisleEvent = { event: 'ai_product_viewed', source: 'ucp', session_id: 'view_1' }

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function start(url: string, options: Partial<AisleOptions> = {}) {
  const heard: AisleOutcome[] = []
  const aisle = createAisle({
    url,
    key: 'aisle_live_test',
    domain: 'shop.example',
    onResult: (outcome) => heard.push(outcome),
    retryDelays: [1, 1],
    ...options,
  })
  closing.unshift(() => aisle.close(0))
  return { aisle, heard }
}

const status =
  (code: number, body = '{}', headers = {}): RequestListener =>
  (_, response) =>
    response.writeHead(code, headers).end(body)

/** Answers for the first requests; the last one for all that follow. */
const each = (...answers: RequestListener[]): RequestListener => {
  let n = 0
  return (request, response) => answers[Math.min(n++, answers.length - 1)]!(request, response)
}

test('an event has the domain and the time of its call, and goes where the API is', async () => {
  const api = await startApi(closing, status(200))
  const { aisle, heard } = start(`${api.url}/below/`)
  const before = Date.now()
  expect(await aisle.report(ORDER)).toBe('sent')
  expect(api.got[0]).toMatchObject({
    url: '/below/api/report',
    headers: {
      authorization: 'Bearer aisle_live_test',
      'content-type': 'application/json',
    },
  })
  // With a key each, all reports of one checkout would count.
  expect(api.got[0]!.headers).not.toHaveProperty('idempotency-key')
  const sent = JSON.parse(api.got[0]!.body)
  expect(sent).toEqual({ ...ORDER, domain: 'shop.example', timestamp: expect.any(String) })
  expect(Date.parse(sent.timestamp)).toBeGreaterThanOrEqual(before)
  expect(heard).toEqual([{ result: 'sent', event: sent, message: null }])
})

test('what an event leaves undefined or null has the same domain and time', async () => {
  const api = await startApi(closing, status(200))
  const { aisle } = start(api.url)
  const none = undefined as unknown as string
  await aisle.report({ ...ORDER, domain: none, timestamp: none })
  await aisle.report({ ...ORDER, domain: null as never, timestamp: null as never })
  for (const { body } of api.got) {
    expect(JSON.parse(body)).toEqual({
      ...ORDER,
      domain: 'shop.example',
      timestamp: expect.stringMatching(/Z$/),
    })
  }
  expect(api.got).toHaveLength(2)
})

test('what an event says itself counts, and what is changed later does not', async () => {
  const api = await startApi(closing, status(200))
  const { aisle } = start(api.url)
  const event = { ...ORDER, domain: 'other.example', timestamp: '2026-06-01T12:00:00Z' }
  const done = aisle.report(event, { idempotencyKey: 'delivery-7' })
  event.session_id = 'changed'
  await done
  expect(JSON.parse(api.got[0]!.body)).toMatchObject({
    domain: 'other.example',
    timestamp: '2026-06-01T12:00:00Z',
    session_id: 'order_1',
  })
  expect(api.got[0]!.headers['idempotency-key']).toBe('delivery-7')
})

test('the number of an order is sent as a string', async () => {
  const api = await startApi(closing, status(200))
  const { aisle } = start(api.url)
  expect(await aisle.report({ ...ORDER, session_id: 10_042 })).toBe('sent')
  expect(JSON.parse(api.got[0]!.body)).toMatchObject({ session_id: '10042' })
})

test('an event is tried again under the same key of its own', async () => {
  const api = await startApi(closing, each(status(500), status(200)))
  const { aisle } = start(api.url)
  expect(await aisle.report(ORDER, { idempotencyKey: 'delivery-7' })).toBe('sent')
  expect(api.got.map(({ headers }) => headers['idempotency-key'])).toEqual([
    'delivery-7',
    'delivery-7',
  ])
})

test.each<[string, RequestListener]>([
  ['500', status(500)],
  ['429', status(429)],
  ['a broken connection', (request) => request.socket.destroy()],
  [
    'half an answer',
    (_, response) => void response.writeHead(200, { 'content-length': 9 }).write('{'),
  ],
  ['no answer', () => {}],
])('%s is tried again, as the same event', async (_, answer) => {
  const api = await startApi(closing, each(answer, status(200)))
  // On a busy machine, the second try may take as long.
  const { aisle } = start(api.url, { timeoutMs: 300, retryDelays: Array(20).fill(1) })
  expect(await aisle.report(ORDER)).toBe('sent')
  expect(api.got.length).toBeGreaterThan(1)
  expect(api.got[1]!.body).toBe(api.got[0]!.body)
})

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['no status', { body: '{}' }],
  ['a status of a request that failed', { status: 0, body: '' }],
  ['a number of seconds', { status: 503, retryAfter: 0, body: '' }],
  ['a body that is none', { status: 503, body: { toString: null } }],
])('a custom send that resolves to %s: tried again, and the next event too', async (_, answer) => {
  let sent = 0
  const send = async () => (sent++ % 2 === 0 ? answer : { status: 200, body: '{}' }) as AisleAnswer
  const { aisle } = start('https://aisle.example', { send })
  expect(await aisle.report(ORDER)).toBe('sent')
  expect(await aisle.report(VIEW)).toBe('sent')
})

test('a custom send that never resolves to an answer: dropped', async () => {
  const send = async () => undefined as unknown as AisleAnswer
  const { aisle, heard } = start('https://aisle.example', { send })
  expect(await aisle.report(ORDER)).toBe('dropped')
  expect(heard[0]!.message).toContain('There was no answer.')
})

test('a custom send may resolve to what fetch does', async () => {
  const { aisle } = start('https://aisle.example', {
    send: async () => new Response('{}') as never,
  })
  expect(await aisle.report(ORDER)).toBe('sent')
})

test('Retry-After is waited for', async () => {
  const api = await startApi(closing, each(status(429, '{}', { 'retry-after': '1' }), status(200)))
  const { aisle } = start(api.url)
  const before = performance.now()
  expect(await aisle.report(ORDER)).toBe('sent')
  expect(performance.now() - before).toBeGreaterThan(990)
})

test.each([
  [
    'how it can be fixed',
    422,
    'invalid_request',
    /HTTP 422 \(Correct it\. properties\.value: Send/,
  ],
  ['what to check', 401, 'no_key', /HTTP 401 \(Correct it\..*\)\. Check the URL and the key\.$/],
  ['that the address is another', 308, 'moved', /HTTP 308.*Check the URL and the key\.$/],
])('a refusal is final, and says %s', async (_, code, id, message) => {
  const details = [{ field: 'properties.value', message: 'Send an integer.' }]
  const body = JSON.stringify({ error: { code: id, message: 'Correct it.', details } })
  const api = await startApi(closing, status(code, body, { location: '/elsewhere' }))
  const { aisle, heard } = start(api.url)
  expect(await aisle.report(ORDER)).toBe('refused')
  expect(api.got).toHaveLength(1)
  expect(heard[0]!.message).toMatch(message)
  expect(heard[0]!.message).toContain('ai_checkout_completed of order_1')
})

test('a refusal of odd JSON is one', async () => {
  const odd = '{"error":{"message":"No.","details":[{"field":{"toString":1},"message":null}]}}'
  const api = await startApi(closing, status(422, odd))
  const { aisle } = start(api.url)
  expect(await aisle.report(ORDER)).toBe('refused')
  expect(await aisle.report({ ...ORDER, session_id: { toString: 1 } as never })).toBe('refused')
})

test('notes of Aisle reach the log', async () => {
  const api = await startApi(
    closing,
    status(200, '{"notes":["Unknown visit_id x at shop.example."]}'),
  )
  const { aisle, heard } = start(api.url)
  await aisle.report(ORDER)
  expect(heard[0]).toMatchObject({
    result: 'sent',
    message: expect.stringContaining('Unknown visit'),
  })
})

test.each<[string, RequestListener]>([
  ['endless', (_, response) => void response.writeHead(200).write('x'.repeat(100_000))],
  ['no JSON', status(200, '<html>')],
  ['odd JSON', status(200, '{"notes":{"length":-1},"error":7}')],
  ['null', status(200, 'null')],
  ['notes that are no texts', status(200, '{"notes":[{"toString":1}]}')],
])('an answer that is %s does no harm', async (_, answer) => {
  const api = await startApi(closing, answer)
  const { aisle } = start(api.url)
  expect(await aisle.report(ORDER)).toBe('sent')
})

test('an Aisle that is down does no harm: the event is dropped, with the reason', async () => {
  const { aisle, heard } = start('http://127.0.0.1:1')
  expect(await aisle.report(ORDER)).toBe('dropped')
  expect(heard[0]!.message).toMatch(/did not reach Aisle\. There was no answer\. Check http/)
})

const circle: Record<string, unknown> = {}
circle.self = circle
const ANYTHING: [string, unknown, unknown?][] = [
  ['nothing', undefined],
  ['null', null],
  ['a circle', circle],
  ['a bigint', { value: 1n }],
  [
    'what throws',
    {
      toJSON: () => {
        throw new Error('no')
      },
    },
  ],
  [
    'a getter that throws',
    {
      get event() {
        throw new Error('no')
      },
    },
  ],
  ['a symbol', { event: Symbol('x') }],
  ['too much', { ...ORDER, properties: { text: 'é'.repeat(5000) } }],
  ['a value that is not a number', { ...ORDER, properties: { value: Number.NaN } }],
  ['a value that is infinite', { ...ORDER, properties: { value: Number.POSITIVE_INFINITY } }],
  ['a key with a line break', ORDER, { idempotencyKey: 'a\nb' }],
  ['a key that is empty', ORDER, { idempotencyKey: '' }],
  [
    'options that throw',
    { ...ORDER, properties: null },
    {
      get idempotencyKey() {
        throw new Error('no')
      },
    },
  ],
  ['options that are null', { ...ORDER, properties: null }, null],
]
test.each(ANYTHING)('%s never throws nor rejects', async (what, event, options) => {
  const api = await startApi(closing, status(422))
  const { aisle, heard } = start(api.url)
  expect(await aisle.report(event as AisleEvent, options as object)).toBe('refused')
  expect(heard[0]!.message).toEqual(expect.any(String))
  if (what.startsWith('a value')) expect(heard[0]!.message).toContain('is not a number')
})

test('a log that throws stops nothing', async () => {
  const api = await startApi(closing, status(200))
  const { aisle } = start(api.url, {
    onResult: () => {
      throw new Error('the disk is full')
    },
  })
  expect(await aisle.report(ORDER)).toBe('sent')
  expect(await aisle.report(ORDER)).toBe('sent')
})

test('reporting returns immediately, and the memory has a bound: views go first', async () => {
  const api = await startApi(closing, () => {})
  const { aisle, heard } = start(api.url, { maxWaiting: 10 })
  const order = (n: number) => void aisle.report({ ...ORDER, session_id: `order_${n}` })
  // The first is under way; the others wait.
  for (let n = 0; n < 10; n += 1) order(n)
  for (let n = 0; n < 5; n += 1) void aisle.report(VIEW)
  for (let n = 10; n < 5000; n += 1) order(n)
  expect(heard).toHaveLength(5005 - 11)
  expect(heard.slice(0, 5).map(({ event }) => event.event)).toEqual(Array(5).fill(VIEW.event))
  expect(heard[5]).toMatchObject({ result: 'dropped', event: { session_id: 'order_1' } })
  expect(heard[5]!.message).toContain('10 events wait')
})

test('closing sends what waits, once; later events are dropped', async () => {
  const api = await startApi(closing, status(500))
  const { aisle } = start(api.url, { retryDelays: [60_000] })
  const results = [aisle.report(ORDER), aisle.report(ORDER), aisle.report(VIEW)]
  await eventually(() => api.got.length).toBe(1)
  api.answer = status(200)
  await aisle.close(PATIENCE_MS)
  expect(await Promise.all(results)).toEqual(['sent', 'sent', 'sent'])
  expect(await aisle.report(ORDER)).toBe('dropped')
  expect(api.got).toHaveLength(4)
})

test('a try that was under way when closing began is followed by one more', async () => {
  const failed = Promise.withResolvers<void>()
  let sent = 0
  const send = async () => {
    sent += 1
    if (sent === 1) await failed.promise
    return { status: sent === 1 ? 500 : 200, body: '{}' }
  }
  const { aisle } = start('https://aisle.example', { send, retryDelays: [60_000] })
  const result = aisle.report(ORDER)
  const closed = aisle.close(PATIENCE_MS)
  failed.resolve()
  await closed
  expect(await result).toBe('sent')
  expect(sent).toBe(2)
})

test('closing keeps its time limit, even if a custom send hangs', async () => {
  let sent = 0
  const send = () => {
    sent += 1
    return new Promise<never>(() => {})
  }
  const { aisle, heard } = start('https://aisle.example', { send })
  const results = [aisle.report(ORDER), aisle.report(ORDER)]
  await aisle.close(10)
  expect(await Promise.all(results)).toEqual(['dropped', 'dropped'])
  expect(heard).toHaveLength(2)
  expect(sent).toBe(1)
})

test.each([
  ['aisle.example', 'k'],
  ['ftp://aisle.example', 'k'],
  ['https://u:p@aisle.example', 'k'],
  ['https://aisle.example?x', 'k'],
  [undefined, 'k'],
  ['https://aisle.example', ''],
  ['https://aisle.example', undefined],
  ['https://aisle.example', 'a\nb'],
])('url %s with key %j is noticed at the start', (url, key) => {
  expect(() => createAisle({ url, key } as AisleOptions)).toThrow(TypeError)
})

test('its events are events of the API', () => {
  const taken = (event: z.input<typeof AttributionEvent>) => event
  type Sent = AisleEvent & { domain: string; session_id: string }
  expect(taken({ ...ORDER, domain: 'shop.example' } as Sent)).toBeTruthy()
})
