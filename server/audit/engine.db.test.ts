import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { eventually } from '../../shared/testing/wait.ts'
import { createOwnKey } from '../access/make-key.ts'
import { SCOPES } from '../db/access/scopes.ts'
import { rate_limits } from '../db/access/tables.ts'
import { audits } from '../db/audit/tables.ts'
import { testApp } from '../testing/app.ts'
import { onLoopback } from '../testing/on-loopback.ts'
import { createEngine } from './engine.ts'
import type { JudgingAccount } from './judging/judges.ts'
import { JUDGES_HERE } from './judging/testing/judges-here.ts'

/** Requests whose answer stores below slow.example never end, and the order of their arrival. */
const open = new Map<string, ServerResponse>()
const asked: string[] = []
const answers: Record<string, (response: ServerResponse) => void> = {}

const stores = await onLoopback((request, response) => {
  const host = String(request.headers.host)
  const answer = answers[`${host}${request.url}`]
  if (answer) return answer(response)
  if (!host.endsWith('.slow.example')) return response.end('<title>A shop</title>')
  asked.push(host)
  open.set(host, response)
  // A whole request has ten seconds; without headers it would have five.
  response.writeHead(200, { 'Content-Type': 'application/json' }).write(' ')
  return response.once('close', () => open.delete(host))
})
const testHosts = [{ pattern: '*.example', origin: stores.origin }]
const engine = createEngine(
  { baseUrl: 'https://aisle.example', testHosts },
  () => new Date(),
  JUDGES_HERE,
)
const { app, db, lines, createTestKey } = await testApp(engine)
const service = await onLoopback(app)

afterAll(async () => {
  await Promise.all([service.close(), stores.close()])
  await engine.close()
})

const leavers: AbortController[] = []
afterEach(async () => {
  for (const leaver of leavers.splice(0)) leaver.abort()
  await eventually(() => [...open.keys()]).toEqual([])
  asked.length = 0
})

/** How many requests have been counted against a quota. */
const counted = async (): Promise<number> => {
  const counts = await db.select({ points: rate_limits.points }).from(rate_limits)
  return counts.reduce((sum, { points }) => sum + points, 0)
}

/** A client with a key, whose requests can be given up. */
async function client(made?: { key: string }) {
  const { key } = made ?? (await createTestKey())
  const send = (path: string, body: object) => {
    const leaver = new AbortController()
    leavers.push(leaver)
    const answer = fetch(`${service.origin}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: leaver.signal,
    })
    answer.catch(() => {})
    return { answer, leave: () => leaver.abort() }
  }
  return {
    audit: (domain: string) => send('/api/audit', { domain, checks: ['feed'] }),
    validate: (host: string) =>
      send('/api/manifest/validate', { url: `https://${host}/.well-known/ucp` }),
  }
}

test('60 validations that hang: of the key 24 are refused, and another key notices nothing', async () => {
  const [a, b] = [await client(), await client()]
  const sent = Array.from({ length: 60 }, (_, n) => a.validate(`n${n}.slow.example`))
  const refused: Response[] = []
  for (const { answer } of sent) answer.then((each) => refused.push(each)).catch(() => {})
  await eventually(() => refused.length).toBe(24)
  for (const answer of refused) {
    expect(answer.status).toBe(429)
    expect(answer.headers.get('Retry-After')).toBe('10')
    expect(await answer.json()).toMatchObject({ error: { code: 'too_many_waiting' } })
  }
  for (const shop of ['one.example', 'two.example', 'three.example']) {
    expect((await b.audit(shop).answer).status).toBe(200)
  }
  // None of A's has ended meanwhile, so B was not served after one of them.
  expect(asked).toHaveLength(6)
  expect(open.size).toBe(6)
})

const ALL = { name: 'child', scopes: [...SCOPES], domains: ['*'], expires_at: null }

test.each([1, 5, 50])(
  '%i keys that were made with one have the slots of one, and another key notices nothing',
  async (many) => {
    const parent = await createTestKey()
    const children = await Promise.all(
      Array.from({ length: many }, () => createOwnKey(db, parent, ALL, new Date())),
    )
    const clients = await Promise.all(children.map((child) => client(child)))
    const sent = clients.flatMap((each, child) =>
      Array.from({ length: 4 }, (_, n) => each.validate(`n${n}.c${child}.slow.example`)),
    )
    const most = Math.min(6, sent.length)
    const answered: number[] = []
    for (const { answer } of sent) {
      answer.then(({ status }) => answered.push(status)).catch(() => {})
    }
    await eventually(() => [open.size, answered.length]).toEqual([
      most,
      Math.max(0, sent.length - 36),
    ])
    const other = await client()
    for (const shop of ['one.example', 'two.example', 'three.example']) {
      expect((await other.audit(shop).answer).status).toBe(200)
    }
    expect(asked).toHaveLength(most)
    expect(new Set(answered)).toEqual(new Set(sent.length > 36 ? [429] : []))
  },
)

test('keys that were made with one count together with it', async () => {
  const parent = await createTestKey()
  const child = await createOwnKey(db, parent, ALL, new Date())
  const left: (string | null)[] = []
  for (const { key } of [parent, child, parent]) {
    const { answer } = (await client({ key })).audit('one.example')
    left.push((await answer).headers.get('X-RateLimit-Remaining'))
  }
  expect(left).toEqual(['59', '58', '57'])
})

test('a client that leaves: its connections close, and what waited is not asked', async () => {
  const { validate } = await client()
  const sent: ReturnType<typeof validate>[] = []
  for (let n = 0; n < 6; n += 1) {
    sent.push(validate(`n${n}.slow.example`))
    await eventually(() => open.size).toBe(n + 1)
  }
  const gone = validate('gone.slow.example')
  gone.leave()
  await expect(gone.answer).rejects.toThrow()
  sent.push(validate('late.slow.example'))
  sent[2]?.leave()
  await eventually(() => [...open.keys()]).toContain('late.slow.example')
  // By leaving and not by a time-out: those that were asked before still wait.
  expect([...open.keys()].slice(0, 3)).toEqual(['n0', 'n1', 'n3'].map((n) => `${n}.slow.example`))
  sent[4]?.leave()
  validate('last.slow.example')
  await eventually(() => asked.at(-1)).toBe('last.slow.example')
  expect(asked).not.toContain('gone.slow.example')
})

test('an audit ends when the last of those who wait for it has left, and is not stored', async () => {
  const [a, b] = [await client(), await client()]
  // Its home page is answered, so that what was seen would make a result.
  answers['half.slow.example/'] = (response) => response.end('<title>A shop</title>')
  b.validate('earlier.slow.example')
  await eventually(() => open.size).toBe(1)
  const before = await counted()
  const [one, two] = [a.audit('half.slow.example'), a.audit('half.slow.example')]
  await eventually(() => open.size).toBe(2)
  // Both have been counted, so that the one which did not begin the audit waits for it too.
  await eventually(counted).toBe(before + 2)
  expect((await b.audit('quicker.example').answer).status).toBe(200)
  one.leave()
  await expect(one.answer).rejects.toThrow()
  // Another key's request arrives after the leaving has.
  expect((await b.audit('quick.example').answer).status).toBe(200)
  expect([...open.keys()]).toEqual(['earlier.slow.example', 'half.slow.example'])
  const stored = await db.$count(audits)
  lines.length = 0
  two.leave()
  await eventually(() => lines.filter((line) => line.includes('"status":499')).length).toBe(2)
  expect([...open.keys()]).toEqual(['earlier.slow.example'])
  expect(lines.join('')).not.toContain('request failed')
  expect(await db.$count(audits)).toBe(stored)
})

test('keys do not wait for each other, not even for an audit of the same domain', async () => {
  const [a, b] = [await client(), await client()]
  for (let n = 0; n < 6; n += 1) a.validate(`n${n}.slow.example`)
  await eventually(() => open.size).toBe(6)
  const before = await db.$count(rate_limits)
  a.audit('same.example')
  // What has been counted waits.
  await eventually(() => db.$count(rate_limits)).toBe(before + 1)
  expect((await b.audit('same.example').answer).status).toBe(200)
  expect(open.size).toBe(6)
})

test('strangers hold four slots, two of a network, and no slot of a key', async () => {
  const { validate } = await client()
  const leaver = new AbortController()
  leavers.push(leaver)
  const visit = (network: number, host: string) =>
    app.request(
      '/tools/validate',
      {
        method: 'POST',
        headers: { Accept: 'text/html', 'Sec-Fetch-Site': 'same-origin' },
        body: new URLSearchParams({ url: `https://${host}/.well-known/ucp` }),
        signal: leaver.signal,
      },
      { incoming: { socket: { remoteAddress: `192.0.2.${network}` } } },
    )
  const sent = Array.from({ length: 8 }, (_, n) => visit(1, `a${n}.slow.example`))
  const [refused] = await Promise.all([sent[7], eventually(() => open.size).toBe(2)])
  expect(refused?.status).toBe(429)
  expect(await refused?.text()).toContain('Too many of your requests are waiting')
  for (const network of [2, 3, 4, 5]) {
    sent.push(...[1, 2, 3].map((n) => visit(network, `b${network}${n}.slow.example`)))
  }
  await eventually(() => asked.map((host) => host.slice(0, 2))).toEqual(['a0', 'a1', 'b2', 'b3'])
  expect((await visit(6, 'shop.example')).status).toBe(503)
  validate('key.slow.example')
  await eventually(() => asked.at(-1)).toBe('key.slow.example')
  leaver.abort()
  await Promise.all(sent)
  expect((await visit(7, 'shop.example')).status).not.toBe(503)
})

/**
 * The channel on which undici says that the headers of an answer have come (its
 * docs/api/DiagnosticsChannel.md).
 */
const HEADERS = 'undici:request:headers'

const TIMERS = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const

test('a validation ends after 15 seconds, as an audit does after 30', async () => {
  vi.useFakeTimers({ toFake: [...TIMERS, 'performance'] })
  try {
    const manifest = JSON.stringify({
      version: '1.0',
      capabilities: { product_catalog: { endpoint: 'https://drip.example/catalog' } },
    })
    // The limit for headers is not what this is about. Promises, because waiting with a poll would
    // move the clock.
    const headersOf = (path: string) =>
      new Promise<void>((resolve) => {
        const listen = (message: unknown) => {
          if ((message as { request: { path: string } }).request.path !== path) return
          unsubscribe(HEADERS, listen)
          resolve()
        }
        subscribe(HEADERS, listen)
      })
    const [profileBegan, catalogBegan] = ['/.well-known/ucp', '/catalog'].map(headersOf)
    const profile = Promise.withResolvers<ServerResponse>()
    const catalog = Promise.withResolvers<ServerResponse>()
    const drip = (text: string, began: (response: ServerResponse) => void) => {
      return (response: ServerResponse) => {
        response.writeHead(200, { 'Content-Type': 'application/json' }).write(text)
        began(response)
      }
    }
    answers['drip.example/.well-known/ucp'] = drip(manifest.slice(0, 10), profile.resolve)
    answers['drip.example/catalog'] = drip('{', catalog.resolve)
    let ended = false
    const call = { caller: { key: 'a' }, signal: new AbortController().signal }
    const validated = engine.validateManifest('https://drip.example/.well-known/ucp', call)
    void validated.then(() => {
      ended = true
    })
    const [beginning] = await Promise.all([profile.promise, profileBegan])
    await vi.advanceTimersByTimeAsync(9_000)
    beginning.end(manifest.slice(10))
    await Promise.all([catalog.promise, catalogBegan])
    await vi.advanceTimersByTimeAsync(5_900)
    expect(ended).toBe(false)
    await vi.advanceTimersByTimeAsync(100)
    expect(JSON.stringify((await validated).errors)).toContain(
      'no complete response within 6000 ms',
    )
  } finally {
    vi.useRealTimers()
  }
})

test('what an audit reads is read for its caller, with a time of its own', async () => {
  const accounts: (JudgingAccount | undefined)[] = []
  const other = createEngine({ baseUrl: 'https://aisle.example', testHosts }, () => new Date(), {
    ...JUDGES_HERE,
    run: (task, input, account) => {
      accounts.push(account)
      return JUDGES_HERE.run(task, input)
    },
  })
  const call = { caller: { key: 'k' }, signal: new AbortController().signal }
  const ofOne = async (work: () => Promise<unknown>) => {
    accounts.length = 0
    await work()
    expect(accounts.length).toBeGreaterThan(0)
    expect(accounts[0]).toMatchObject({ caller: '{"key":"k"}', mostMs: 10_000 })
    expect(new Set(accounts).size).toBe(1)
    return accounts[0]
  }
  const order = { domain: 'fast.example', checks: ['entity' as const] }
  const used = [
    await ofOne(() => other.audit(order, call)),
    await ofOne(() => other.audit(order, call)),
    await ofOne(() => other.readPage('https://fast.example/', call)),
    await ofOne(() => other.readEvidence({ domain: 'fast.example', reads: ['site'] }, call)),
  ]
  expect(new Set(used).size).toBe(4)
  await other.close()
})

test('a shop on this machine is opened when it is asked for, after a restart too', async () => {
  const port = new URL(stores.origin).port
  const restarted = createEngine(
    { baseUrl: 'http://localhost:8787', testHosts: [], localShops: true },
    () => new Date(),
    JUDGES_HERE,
  )
  const call = { signal: new AbortController().signal, caller: { id: 'a' } } as never
  const { page } = await restarted.readPage(`http://localhost:${port}/a`, call)
  expect(page?.title).toBe('A shop')
  await expect(restarted.readPage('http://localhost:1/', call)).rejects.toThrow(
    'Nothing answers at http://localhost:1.',
  )
  await restarted.close()
})
