import { afterAll, expect, test } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import { createGate, pretendStore } from '../../audit/walk/testing/pretend-store.ts'
import { revokeKey } from '../../db/access/keys.ts'
import { parseTrustProxy } from '../../http/client-address.ts'
import { createListener } from '../../process/listener.ts'
import { STOP_TIMES } from '../../process/stop-times.ts'
import { testApp } from '../../testing/app.ts'

const closing: (() => unknown)[] = []
afterAll(() => Promise.all(closing.map((close) => close())))

/** The service on a port of its own. */
async function served(options: Parameters<typeof testApp>[0] = {}) {
  const made = await testApp(options)
  const listener = createListener(STOP_TIMES)
  const port = await listener.listen(made.app.fetch, {
    host: '127.0.0.1',
    port: 0,
    setting: 'PORT',
  })
  closing.push(() => listener.stop())
  return { ...made, origin: `http://127.0.0.1:${port}` }
}

interface Seen {
  id: string
  event: string
  data: { event: string; transcript?: { id: string } }
}

/** What is read of a stream, as it comes. */
function watch(answer: Response) {
  const seen: Seen[] = []
  const raw: string[] = []
  let isOver = false
  const read = async () => {
    let text = ''
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      raw.push(chunk)
      const messages = text.split('\n\n')
      text = messages.pop() ?? ''
      for (const message of messages) {
        const fields = new Map(
          message.split('\n').map((line) => {
            const at = line.indexOf(': ')
            return [line.slice(0, at), line.slice(at + 2)] as const
          }),
        )
        if (!fields.has('data')) continue
        const [id = '', event = ''] = [fields.get('id'), fields.get('event')]
        seen.push({ id, event, data: JSON.parse(fields.get('data') ?? '') })
      }
    }
    isOver = true
  }
  const reading = read().catch(() => {})
  return { seen, raw, reading, isOver: () => isOver }
}

const headersOf = (key: string) => ({
  Authorization: `Bearer ${key}`,
  'Content-Type': 'application/json',
})

async function begin(origin: string, key: string, body: object) {
  const headers = headersOf(key)
  const answer = await fetch(`${origin}/api/walk`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(202)
  const { id } = await answer.json()
  const events = (more: Record<string, string> = {}, from = origin) =>
    fetch(`${from}/api/walk/${id}/events`, { headers: { ...headers, ...more } })
  return { id: String(id), events }
}

const WHOLE = ['route', 'browsed', 'purchase', 'step', 'step', 'purchased', 'ended']

test('a walk is seen as it goes on, by the replica that walks and by another', async () => {
  const gate = createGate()
  const one = await served({ store: pretendStore({ hold: gate.hold }) })
  const other = await served({ database: one.database })
  const { id, events } = await begin(one.origin, one.key, {
    domain: 'live.example',
    intents: ['po_box'],
  })
  const answers = await Promise.all([events(), events({}, other.origin)])
  for (const answer of answers) {
    expect(answer.status).toBe(200)
    expect(answer.headers.get('Content-Type')).toBe('text/event-stream')
    expect(answer.headers.get('Content-Encoding')).toBeNull()
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
  }
  const watched = answers.map(watch)
  for (const { seen } of watched) {
    await eventually(() => seen.map(({ event }) => event)).toEqual(WHOLE.slice(0, 4))
  }
  expect(watched.map(({ isOver }) => isOver())).toEqual([false, false])
  gate.letGo()
  for (const { seen, reading, raw } of watched) {
    await reading
    expect(raw.join('')).toMatch(/^retry: \d+\n\n/)
    expect(seen.map(({ event }) => event)).toEqual(WHOLE)
    expect(seen.map(({ id: n }) => n)).toEqual(WHOLE.map((_, n) => String(n + 1)))
    expect(seen.every(({ event, data }) => data.event === event)).toBe(true)
    expect(seen.at(-1)?.data.transcript?.id).toBe(id)
  }
})

test('a stream goes on after the last event that was read, wherever it broke', async () => {
  const { origin, key } = await served()
  const { events } = await begin(origin, key, { domain: 'resume.example', intents: ['po_box'] })
  const whole = watch(await events())
  await whole.reading
  expect(whole.seen).toHaveLength(WHOLE.length)
  for (let last = 0; last < WHOLE.length; last += 1) {
    const rest = watch(await events({ 'Last-Event-ID': String(last) }))
    await rest.reading
    expect(rest.seen).toEqual(whole.seen.slice(last))
  }
  // Browsers do not connect again after it (HTML, 9.2.3).
  expect((await events({ 'Last-Event-ID': String(WHOLE.length) })).status).toBe(204)
  for (const forged of ['x', '-1', '1e3', '99999999999999999999']) {
    const all = watch(await events({ 'Last-Event-ID': forged }))
    await all.reading
    expect(all.seen).toEqual(whole.seen)
  }
})

test('once its events are swept, a stream begins with the end', async () => {
  const { origin, key, sql } = await served()
  const { id, events } = await begin(origin, key, { domain: 'late.example', intents: ['po_box'] })
  await watch(await events()).reading
  await sql`delete from walk_events where walk_id = ${id}`
  const late = watch(await events())
  await late.reading
  expect(late.seen.map(({ id: n, event }) => [n, event])).toEqual([['7', 'ended']])
})

test('a cancelled walk ends its streams', async () => {
  const store = pretendStore({ hold: createGate().hold })
  const { origin, key } = await served({ store })
  const { id, events } = await begin(origin, key, { domain: 'cut.example' })
  const watched = watch(await events())
  await eventually(() => watched.seen.length).toBe(4)
  const headers = headersOf(key)
  expect((await fetch(`${origin}/api/walk/${id}`, { method: 'DELETE', headers })).status).toBe(200)
  await watched.reading
  expect(watched.seen.at(-1)?.event).toBe('ended')
})

test('while the service stops, streams end without an end, and go on elsewhere', async () => {
  const gate = createGate()
  let isStopping = false
  const one = await served({
    store: pretendStore({ hold: gate.hold }),
    isShuttingDown: () => isStopping,
  })
  const other = await served({ database: one.database })
  const { events } = await begin(one.origin, one.key, {
    domain: 'move.example',
    intents: ['po_box'],
  })
  const first = watch(await events())
  await eventually(() => first.seen.length).toBe(4)
  isStopping = true
  await first.reading
  expect(first.seen).toHaveLength(4)
  const last = first.seen.at(-1)?.id ?? ''
  const second = watch(await events({ 'Last-Event-ID': last }, other.origin))
  gate.letGo()
  await second.reading
  expect([...first.seen, ...second.seen].map(({ event }) => event)).toEqual(WHOLE)
})

test('a stream ends when its key is revoked', async () => {
  const gate = createGate()
  const { origin, db, createTestKey } = await served({ store: pretendStore({ hold: gate.hold }) })
  const { id, key } = await createTestKey()
  const { events } = await begin(origin, key, { domain: 'revoked.example' })
  const watched = watch(await events())
  await revokeKey(db, id, new Date())
  await eventually(() => watched.isOver()).toBe(true)
  gate.letGo()
})

test('20 may watch a walk, ten of one network; who leaves makes room', async () => {
  const gate = createGate()
  const { origin, key } = await served({
    store: pretendStore({ hold: gate.hold }),
    trustedProxies: parseTrustProxy('loopback'),
  })
  const { id, events: watching } = await begin(origin, key, { domain: 'crowd.example' })
  const events = (network = 3) => watching({ 'X-Forwarded-For': `198.51.${network}.1` })
  // Each would stay open, as its body is not sent.
  for (let n = 0; n < 20; n += 1) {
    const url = `${origin}/api/walk/${id}/events`
    const { status, headers } = await fetch(url, { method: 'HEAD', headers: headersOf(key) })
    expect([status, headers.get('Content-Type')]).toEqual([200, 'text/event-stream'])
  }
  const watchers: Response[] = []
  for (const network of [1, 2]) {
    const some = await Promise.all(Array.from({ length: 12 }, () => events(network)))
    const statuses = some.map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([...Array(10).fill(200), 503, 503])
    watchers.push(...some.filter(({ status }) => status === 200))
    for (const { status, body } of some) if (status !== 200) await body?.cancel()
  }
  const refused = await events()
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '1'])
  expect((await refused.json()).error.code).toBe('busy')
  await watchers[0]!.body!.cancel()
  await eventually(async () => {
    const { status, body } = await events()
    if (status !== 200) await body?.cancel()
    return status
  }).toBe(200)
  gate.letGo()
  for (const { body } of watchers.slice(1)) await body?.cancel()
})
