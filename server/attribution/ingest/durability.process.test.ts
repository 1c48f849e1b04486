import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import { createKey } from '../../access/make-key.ts'
import { SCOPES } from '../../db/access/scopes.ts'
import { countWaiting, testOnOnePostgres } from '../../db/testing/locks.ts'
import { testDatabase } from '../../testing/app.ts'
import { buildServer, expectExactSums } from './testing/server.ts'

const { start, killAll } = await buildServer()
afterAll(killAll)

const CLIENTS = 16
const SURFACES = ['chatgpt', 'perplexity', undefined]
const EVENTS = ['ai_product_viewed', 'ai_checkout_initiated', 'ai_checkout_completed']

/** The `n`th event of all: three of a session, in a few domains. */
const eventOf = (n: number) => {
  const session = Math.floor(n / EVENTS.length)
  return {
    event: EVENTS[n % EVENTS.length],
    domain: `shop${session % 3}.example`,
    session_id: `checkout_${session}`,
    source: session % 2 === 0 ? 'acp' : 'ucp',
    ai_surface: SURFACES[session % SURFACES.length],
    properties: { value: session, currency: session % 5 === 0 ? 'EUR' : 'USD' },
  }
}

async function withKey() {
  const database = await testDatabase()
  const request = { name: 'test', scopes: [...SCOPES], domains: ['*'], expires_at: null }
  const { key } = await createKey(database.db, request, new Date())
  const post = async (origin: string, body: unknown) => {
    const answer = await fetch(`${origin}/api/report`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: answer.status, said: await answer.json() }
  }
  return { ...database, post }
}

/** The acknowledged ids that are no stored event. */
const lost = async (sql: Awaited<ReturnType<typeof withKey>>['sql'], ids: ReadonlySet<string>) => {
  const stored = new Set((await sql`select id from events`).map(({ id }) => id))
  return [...ids].filter((id) => !stored.has(id))
}

test('killed 20 times under load, it loses no event that it acknowledged', async () => {
  const { url, sql, post } = await withKey()
  const acknowledged = new Set<string>()
  let sent = 0
  for (let round = 0; round < 20; round += 1) {
    const server = await start(url)
    const before = acknowledged.size
    const clients = Array.from({ length: CLIENTS }, async () => {
      for (;;) {
        const answer = await post(server.origin, eventOf(sent++)).catch(() => null)
        if (answer === null) return
        expect(answer.status).toBe(200)
        acknowledged.add(answer.said.event_id)
      }
    })
    await eventually(() => acknowledged.size).toBeGreaterThan(before + CLIENTS)
    await sleep(round * 5)
    await server.kill('SIGKILL')
    await Promise.all(clients)
  }
  expect(acknowledged.size).toBeGreaterThan(20 * CLIENTS)
  expect(await lost(sql, acknowledged)).toEqual([])
  await expectExactSums(sql)
}, 900_000)

test('two servers on one database add up to what they acknowledged', async () => {
  const { url, sql, post } = await withKey()
  const servers = await Promise.all([start(url), start(url)])
  const orders = new Map<string, number>()
  let fresh = 0
  const total = 1200
  await Promise.all(
    Array.from({ length: 2 * CLIENTS }, async (_, client) => {
      // Every event goes to both, at different times: half of the answers are replays.
      const own = Array.from({ length: total / CLIENTS }, (_, n) => n * CLIENTS + (client >> 1))
      if (client % 2 === 1) own.reverse()
      const { origin } = servers[client % 2]!
      for (let at = 0; at < own.length; at += 25) {
        const events = own.slice(at, at + 25).map(eventOf)
        const { status, said } = await post(origin, events)
        expect(status).toBe(200)
        for (const [n, { ack }] of said.results.entries()) {
          fresh += 1
          if (events[n]!.event !== 'ai_checkout_completed') continue
          orders.set(ack.event_id, events[n]!.properties.value)
        }
      }
    }),
  )
  await Promise.all(servers.map((server) => server.kill('SIGTERM')))
  expect(fresh).toBe(2 * total)
  const [sums] = await sql`
    select sum(viewed + initiated + completed + failed)::int as events, sum(completed)::int as
      completed, sum(revenue)::int as revenue from rollup_daily`
  expect(sums).toEqual({
    events: total,
    completed: orders.size,
    revenue: [...orders.values()].reduce((sum, value) => sum + value, 0),
  })
  expect(orders.size).toBe(total / EVENTS.length)
  await expectExactSums(sql)
})

testOnOnePostgres('on SIGTERM it stores what waits, answers it and exits in order', async () => {
  const { url, sql, post } = await withKey()
  const server = await start(url)
  expect((await post(server.origin, eventOf(0))).status).toBe(200)

  const other = await sql.reserve()
  await other`begin`
  await other`lock table event_keys in access exclusive mode`
  const first = post(server.origin, eventOf(1))
  await eventually(() => countWaiting(sql)).toBe(1)
  // The others reach the server's memory meanwhile.
  const others = Array.from({ length: 29 }, (_, n) => post(server.origin, eventOf(n + 2)))
  await eventually(async () => (await fetch(server.metrics)).text()).toContain(
    '\naisle_ingest_queue_events 29\n',
  )
  const stopped = server.kill('SIGTERM')
  await eventually(() => server.logged.join()).toContain('"stopping"')
  await other`commit`
  other.release()

  const answered = await Promise.all([first, ...others])
  expect(answered.map(({ status }) => status)).toEqual(Array(30).fill(200))
  expect(await stopped).toBe(0)
  expect(await lost(sql, new Set(answered.map(({ said }) => said.event_id)))).toEqual([])
  await expectExactSums(sql)
})
