import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const AGENT = 'Mozilla/5.0; compatible; ChatGPT-User/1.0'
const OPTIONS = { url: 'https://aisle.example', key: 'aisle_live_1', domain: 'shop.example' }

let edge: typeof import('./edge.ts')
const sent: string[][] = []
const sending: Promise<void>[] = []
let answer: () => Promise<Response>
const warned = vi.fn()

beforeEach(async () => {
  vi.useFakeTimers()
  vi.resetModules()
  sent.length = 0
  sending.length = 0
  answer = async () => Response.json({}, { status: 202 })
  warned.mockClear()
  vi.stubGlobal('fetch', (_: string, { body }: { body: string }) => {
    sent.push(body.split('\n'))
    return answer()
  })
  vi.spyOn(console, 'warn').mockImplementation(warned)
  edge = await import('./edge.ts')
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

function visit(path: string) {
  const request = new Request(`https://shop.example${path}`, { headers: { 'user-agent': AGENT } })
  edge.collectAtEdge(OPTIONS, {
    ...{ request, at: Date.now(), status: 200, address: null, id: path },
    waitUntil: (each) => void sending.push(each),
  })
}
const pathsOf = (lines: string[] | undefined) => lines?.map((line) => JSON.parse(line).path)

test('requests that come together are sent together, by the first of them', async () => {
  visit('/a')
  visit('/b')
  expect(sending).toHaveLength(1)
  expect(sent).toEqual([])
  await vi.advanceTimersByTimeAsync(2000)
  expect(sent.map(pathsOf)).toEqual([['/a', '/b']])
  visit('/c')
  await vi.advanceTimersByTimeAsync(2000)
  expect(pathsOf(sent[1])).toEqual(['/c'])
  await Promise.all(sending)
})

test('what comes while others are sent is sent after them', async () => {
  let done = (_: Response) => {}
  answer = () =>
    new Promise((resolve) => {
      done = resolve
    })
  visit('/a')
  await vi.advanceTimersByTimeAsync(2000)
  visit('/b')
  done(Response.json({}, { status: 202 }))
  await vi.advanceTimersByTimeAsync(2000)
  expect(sent.map(pathsOf)).toEqual([['/a'], ['/b']])
})

test.each([
  ['is away', () => Promise.reject(new TypeError('fetch failed'))],
  ['is busy', async () => new Response(null, { status: 429 })],
  ['has a fault', async () => new Response('{}', { status: 500 })],
])('a service that %s is asked again later, and the newest 500 are kept', async (_, failing) => {
  answer = failing
  for (let n = 0; n < 600; n += 1) visit(`/${n}`)
  await vi.advanceTimersByTimeAsync(2000)
  expect(sent).toHaveLength(1)
  expect(warned).toHaveBeenCalledTimes(1)
  visit('/too-early')
  expect(sending).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(5000)
  answer = async () => Response.json({}, { status: 202 })
  visit('/last')
  await vi.advanceTimersByTimeAsync(2000)
  const paths = pathsOf(sent[1])
  expect(paths).toHaveLength(500)
  expect(paths?.slice(-2)).toEqual(['/too-early', '/last'])
  expect(paths?.[0]).toBe('/102')
})

test('it waits longer after each failure', async () => {
  answer = async () => new Response(null, { status: 503 })
  const pauses = [5, 10, 20, 40, 80, 160, 320, 600, 600]
  for (const seconds of pauses) {
    visit('/')
    await vi.advanceTimersByTimeAsync(2000)
    const before = sending.length
    await vi.advanceTimersByTimeAsync(seconds * 1000 - 1)
    visit('/')
    expect(sending).toHaveLength(before)
    await vi.advanceTimersByTimeAsync(1)
  }
  expect(sent).toHaveLength(pauses.length)
})

test.each([401, 404, 422])('what is refused with HTTP %s is given up', async (status) => {
  answer = async () => new Response(null, { status })
  visit('/a')
  await vi.advanceTimersByTimeAsync(2000)
  expect(warned).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(5000)
  visit('/b')
  await vi.advanceTimersByTimeAsync(2000)
  expect(sent.map(pathsOf)).toEqual([['/a'], ['/b']])
})

test('a sending that ended with its request is followed by another', async () => {
  answer = () => new Promise(() => {})
  visit('/a')
  await vi.advanceTimersByTimeAsync(23_999)
  visit('/b')
  expect(sending).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  visit('/c')
  expect(sending).toHaveLength(2)
})

test('nothing that goes wrong reaches the visitor', () => {
  const request = new Request('https://shop.example/', { headers: { 'user-agent': AGENT } })
  const waitUntil = () => {
    throw new Error('too late')
  }
  const seen = { request, at: 0, status: 200, address: null, id: null, waitUntil }
  expect(() => edge.collectAtEdge(OPTIONS, seen)).not.toThrow()
  expect(() => edge.collectAtEdge(OPTIONS, { ...seen, request: {} as Request })).not.toThrow()
})

test('only agents are reported', () => {
  const asks = (userAgent?: string) =>
    edge.isOfAgent(
      new Request('https://shop.example/', { headers: { 'user-agent': userAgent ?? '' } }),
    )
  expect(asks(AGENT)).toBe(true)
  expect(asks('Mozilla/5.0 (X11; Linux x86_64) Chrome/142.0.0.0 Safari/537.36')).toBe(false)
  expect(asks()).toBe(false)
})
