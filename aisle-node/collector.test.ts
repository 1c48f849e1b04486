import { EventEmitter, once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Hono } from 'hono'
import { afterEach, expect, test } from 'vitest'
import { eventually } from '../shared/testing/wait.ts'
import { createCollector } from './collector.ts'
import type { CollectorOptions } from './index.d.ts'
import { startApi } from './testing/api.ts'

const AGENT = 'Mozilla/5.0; compatible; ChatGPT-User/1.0; +https://openai.com/bot'
const PERSON = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36'
const TAKEN = JSON.stringify({ lines: 1, stored: 1, wrong: 0, faults: [] })

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function start(url: string, options: Partial<CollectorOptions> = {}) {
  const problems: string[] = []
  const collector = createCollector({
    ...{ url, key: 'aisle_live_test', domain: 'shop.example', lingerMs: 0, retryDelays: [1] },
    onProblem: (message) => problems.push(message),
    ...options,
  })
  closing.unshift(() => collector.close(0))
  return { collector, problems }
}

const answers =
  (status: number, body = TAKEN, headers = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end(body)

/** A shop in Node that answers with a page. */
async function openShop(url: string, options: Partial<CollectorOptions> = {}) {
  const { collector, problems } = start(url, options)
  const shop = createServer((request, response) =>
    collector.node(request, response, () => {
      if (request.url === '/broken') response.destroy()
      else response.writeHead(request.url === '/none' ? 404 : 200).end('the page')
    }),
  )
  await once(shop.listen(0, '127.0.0.1'), 'listening')
  closing.push(async () => {
    shop.closeAllConnections()
    await new Promise((done) => shop.close(done))
  })
  const origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
  const ask = async (path: string, userAgent = AGENT, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${origin}${path}`, {
      headers: { 'User-Agent': userAgent, ...headers },
    }).catch(() => null)
    return answer && { status: answer.status, text: await answer.text() }
  }
  return { ask, problems, collector, origin }
}

type Line = Record<string, unknown>
const linesOf = (api: { got: { body: string }[] }): Line[] =>
  api.got.flatMap(({ body }) => body.split('\n').map((line) => JSON.parse(line)))

const OWN = { at: expect.any(Number), id: expect.stringMatching(/^[\da-f-]{36}$/) }

test('a request of an agent is sent when it is answered, and a person’s is not', async () => {
  const api = await startApi(closing, answers(202))
  const shop = await openShop(api.url)
  expect(await shop.ask('/products/boot?token=secret#a', PERSON)).toMatchObject({ status: 200 })
  expect(await shop.ask('/products/boot?token=secret', AGENT)).toMatchObject({ text: 'the page' })
  await shop.ask('/none')
  await shop.collector.close()
  expect(linesOf(api)).toEqual([
    {
      ...OWN,
      ...{ method: 'GET', path: '/products/boot', status: 200, userAgent: AGENT },
      address: '127.0.0.1',
    },
    expect.objectContaining({ path: '/none', status: 404 }),
  ])
  expect(api.got[0]).toMatchObject({
    url: '/api/fetches?domain=shop.example',
    headers: { authorization: 'Bearer aisle_live_test', 'content-type': 'application/x-ndjson' },
  })
  expect(JSON.stringify(api.got)).not.toMatch(/secret|Chrome/)
  expect(shop.problems).toEqual([])
})

test('a line has the host that proxies name, the signature, and the address that the shop trusts', async () => {
  const api = await startApi(closing, answers(202))
  const shop = await openShop(api.url, {
    address: (request) => String(Object(request).headers['x-real-ip']),
  })
  const signed = { Signature: 'sig1=:AAAA:', 'Signature-Input': 'sig1=("@authority")' }
  const proxy = { 'X-Forwarded-Host': 'www.shop.example, cdn.example', 'X-Real-IP': '203.0.113.7' }
  await shop.ask('/', AGENT, { ...signed, ...proxy })
  await shop.ask('/', AGENT, { Signature: 'sig1=:AAAA:', 'Signature-Input': 'x'.repeat(3000) })
  await shop.collector.close()
  const [one, two] = linesOf(api)
  expect(one).toMatchObject({
    ...{ host: 'www.shop.example', address: '203.0.113.7' },
    signature: { signature: 'sig1=:AAAA:', 'signature-input': 'sig1=("@authority")' },
  })
  // Half a signature proves nothing.
  expect(two).not.toHaveProperty('signature')
  expect(two).not.toHaveProperty('host')
})

test('requests that come together are sent together', async () => {
  const api = await startApi(closing, answers(202))
  const shop = await openShop(api.url, { lingerMs: 60_000 })
  await Promise.all(Array.from({ length: 20 }, (_, n) => shop.ask(`/${n}`)))
  expect(api.got).toEqual([])
  await shop.collector.close()
  expect(linesOf(api)).toHaveLength(20)
  expect(api.got).toHaveLength(1)
})

test('a request that gets no answer has the status 0', async () => {
  const api = await startApi(closing, answers(202))
  const shop = await openShop(api.url)
  expect(await shop.ask('/broken')).toBe(null)
  await eventually(() => linesOf(api)).toEqual([expect.objectContaining({ status: 0 })])
})

test.each([
  ['is busy', answers(429, '{}'), /HTTP 429/],
  ['has a fault', answers(500, '{}'), /HTTP 500/],
  ['breaks off', ((_, response) => response.destroy()) as RequestListener, /no answer/],
])('a service that %s gets the same lines again, with the same ids', async (_, answer, said) => {
  const api = await startApi(closing, answer)
  const shop = await openShop(api.url)
  expect(await shop.ask('/products/boot')).toEqual({ status: 200, text: 'the page' })
  await eventually(() => api.got.length).toBeGreaterThan(1)
  expect(shop.problems[0]).toMatch(said)
  api.answer = answers(202)
  const last = api.got.length
  await eventually(() => api.got.length).toBeGreaterThan(last)
  expect(new Set(linesOf(api).map(({ id }) => id)).size).toBe(1)
})

test('Retry-After is waited for', async () => {
  const api = await startApi(closing, answers(429, '{}', { 'Retry-After': '600' }))
  const shop = await openShop(api.url)
  await shop.ask('/1')
  await eventually(() => api.got.length).toBe(1)
  await eventually(() => shop.problems.length).toBe(1)
  for (let n = 0; n < 20; n += 1) await shop.ask(`/${n}`)
  expect(api.got).toHaveLength(1)
  // At the end all are tried once more.
  await shop.collector.close()
  expect(api.got).toHaveLength(2)
  expect(shop.problems.at(-1)).toMatch(/^21 lines were not sent to Aisle/)
})

test.each([
  [401, /refused the key with HTTP 401/],
  [403, /refused the key with HTTP 403/],
  [404, /takes no lines of logs \(HTTP 404\): it is too old/],
  [405, /takes no lines of logs \(HTTP 405\)/],
  [426, /refused lines with HTTP 426\. Update aisle-node\./],
  [302, /refused lines with HTTP 302/],
])('after HTTP %s nothing is collected for a while', async (status, said) => {
  const body = JSON.stringify({ error: status === 426 ? { message: 'Update aisle-node.' } : {} })
  const api = await startApi(closing, answers(status, body, { Location: '/' }))
  const shop = await openShop(api.url)
  expect(await shop.ask('/')).toEqual({ status: 200, text: 'the page' })
  await eventually(() => shop.problems).toEqual([expect.stringMatching(said)])
  for (let n = 0; n < 20; n += 1) await shop.ask(`/${n}`)
  await shop.collector.close()
  expect(api.got).toHaveLength(1)
})

test('lines that cannot be read are given up, and those after them are sent', async () => {
  const api = await startApi(closing, answers(422, '{}'))
  const shop = await openShop(api.url)
  await shop.ask('/first')
  await eventually(() => shop.problems).toEqual(['Aisle rejected 1 lines with HTTP 422.'])
  const faults = [{ line: 1, message: 'at: Send a time.' }]
  api.answer = answers(202, JSON.stringify({ lines: 0, wrong: 1, faults }))
  await shop.ask('/second')
  await eventually(() => shop.problems).toHaveLength(2)
  expect(shop.problems[1]).toBe('Aisle could not read 1 lines: at: Send a time.')
  expect(linesOf(api).map(({ path }) => path)).toEqual(['/first', '/second'])
})

test('a service that never answers holds up no visitor, and fills no memory', async () => {
  const api = await startApi(closing, () => {})
  const { collector, problems } = start(api.url, { timeoutMs: 60_000 })
  const long = { 'user-agent': `${AGENT} ${'x'.repeat(8000)}`, signature: 'x'.repeat(8000) }
  const visit = (n: number) => {
    const response = Object.assign(new EventEmitter(), { statusCode: 200, headersSent: true })
    const request = { url: `/${n}?${'x'.repeat(8000)}`, headers: long, socket: {} }
    let answered = false
    collector.node(request, response, () => {
      answered = true
    })
    response.emit('close')
    return answered
  }
  for (let n = 0; n < 2000; n += 1) visit(n)
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  let answered = 0
  for (let n = 0; n < 20_000; n += 1) answered += visit(n) ? 1 : 0
  expect(answered).toBe(20_000)
  globalThis.gc?.()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(64e6)
  await collector.close(0)
  expect(problems.at(-1)).toMatch(/^1000 lines were not sent/)
})

test('what a shop passes throws nowhere', () => {
  const { collector } = start('http://127.0.0.1:9')
  let asked = 0
  const next = () => {
    asked += 1
  }
  collector.node({ headers: null } as never, {} as never, next)
  collector.node({ headers: { 'user-agent': AGENT } }, {} as never, next)
  const response = { statusCode: 200, once: (_: string, done: () => void) => done() }
  const throwing = start('http://127.0.0.1:9', {
    address: () => {
      throw new Error('no address')
    },
  })
  throwing.collector.node({ headers: { 'user-agent': AGENT } }, response, next)
  expect(asked).toBe(3)
})

test.each([
  [{ url: undefined }, /url of Aisle/],
  [{ key: undefined }, /key of Aisle/],
  [{ domain: '' }, /domain of the collector/],
])('an option that is wrong shows when the shop starts: %o', (change, said) => {
  const own = { url: 'https://aisle.example', key: 'aisle_live_1', domain: 'shop.example' }
  expect(() => createCollector({ ...own, ...change })).toThrow(said)
})

test('the form of Hono', async () => {
  const api = await startApi(closing, answers(202))
  const { collector } = start(api.url)
  const app = new Hono()
  app.use(collector.hono)
  app.get('/products/:id', (c) => c.text('the page'))
  const ask = (path: string, userAgent: string) =>
    app.request(
      `https://shop.example${path}`,
      { headers: { 'User-Agent': userAgent } },
      { incoming: { socket: { remoteAddress: '203.0.113.7' } } },
    )
  expect(await (await ask('/products/1?a=b', AGENT)).text()).toBe('the page')
  await ask('/products/2', PERSON)
  await ask('/none', AGENT)
  await collector.close()
  expect(linesOf(api)).toEqual([
    expect.objectContaining({ path: '/products/1', status: 200, address: '203.0.113.7' }),
    expect.objectContaining({ path: '/none', status: 404 }),
  ])
})

test('a router of Express that has cut the path off does not hide it', async () => {
  const api = await startApi(closing, answers(202))
  const { collector } = start(api.url)
  const response = { statusCode: 200, once: (_: string, done: () => void) => done() }
  const headers = { 'user-agent': AGENT, host: 'shop.example:443' }
  collector.node({ url: '/boot', originalUrl: '/products/boot', headers }, response)
  await collector.close()
  expect(linesOf(api)).toEqual([
    expect.objectContaining({ path: '/products/boot', host: 'shop.example' }),
  ])
})
