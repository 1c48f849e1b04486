import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createLog } from '../../log.ts'
import { connectAgain, testApp, testDatabase } from '../../testing/app.ts'
import { createIngest } from './ingest.ts'
import { expectExactSums } from './testing/server.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

const CAPACITY = 20_000
const PER_REQUEST = 100
const MIB = 2 ** 20

function heap(): number {
  collect()
  return process.memoryUsage().heapUsed
}

/** Keeps all from the ledger, until it is called. */
async function pause(url: string): Promise<() => Promise<void>> {
  const other = await connectAgain(url)
  const held = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const paused = other.db.transaction(async (tx) => {
    await tx.execute(sql`lock table event_keys in access exclusive mode`)
    locked.resolve()
    await held.promise
  })
  await locked.promise
  return async () => {
    held.resolve()
    await paused
  }
}

test('with the database paused and ten times what fits, all are answered and memory is flat', async () => {
  // However slow the machine is, what was taken is stored: what waits too long is the next test.
  const database = await testDatabase()
  const log = createLog({ write: () => {} })
  const ingest = createIngest({ sql: database.sql, now: () => new Date(), log, waitMs: 100_000 })
  const { app, key, sql: raw, url } = await testApp({ database, ingest })
  let sent = 0
  const post = async () => {
    const events = Array.from({ length: PER_REQUEST }, () => ({
      event: 'ai_checkout_initiated',
      domain: 'shop.example',
      session_id: `checkout_${++sent}`,
      source: 'acp',
      ai_surface: 'chatgpt',
      properties: { value: 4999, currency: 'USD' },
    }))
    const answer = await app.request('/api/report', {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(events),
    })
    return { status: answer.status, headers: answer.headers, said: await answer.json() }
  }
  expect((await post()).status).toBe(200)

  const release = await pause(url)

  const before = heap()
  const answers: ReturnType<typeof post>[] = []
  while (!ingest.isFull()) {
    answers.push(post())
    await new Promise(setImmediate)
  }
  const full = heap()
  while (sent < 10 * CAPACITY) {
    answers.push(post())
    await new Promise(setImmediate)
  }
  const over = heap()
  expect(full - before).toBeLessThan(64 * MIB)
  // What was turned away left nothing.
  expect(over - full).toBeLessThan(8 * MIB)
  await release()

  const answered = await Promise.all(answers)
  const shed = answered.filter(({ status }) => status === 503)
  expect(new Set(shed.map(({ said }) => said.error.code))).toEqual(new Set(['busy']))
  for (const { headers } of shed) expect(headers.get('Retry-After')).toBe('1')
  const stored = answered.flatMap(({ status, said }) =>
    status === 200 ? said.results.filter((each: { status: number }) => each.status === 200) : [],
  )
  expect(shed.length).toBeGreaterThan((8 * CAPACITY) / PER_REQUEST)
  expect(stored.length).toBeGreaterThan(0)

  const { received, ...became } = ingest.counts
  expect(Object.values(became).reduce((sum, count) => sum + count)).toBe(received)
  expect(became.accepted).toBe(stored.length + PER_REQUEST)
  const [kept] = await raw`select count(*)::int as events from events`
  expect(kept?.events).toBeGreaterThanOrEqual(became.accepted)
  await expectExactSums(raw)

  expect(ingest.isFull()).toBe(false)
  expect((await post()).said.results[0].status).toBe(200)
}, 120_000)

test('with the database paused for longer than an event may wait, each request is answered', async () => {
  const { app, key, ingest, sql: raw, url } = await testApp()
  const release = await pause(url)
  const started = performance.now()
  const answers = []
  for (let n = 0; n < 100; n += 1) {
    answers.push(
      app.request('/api/report', {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          event: 'ai_checkout_completed',
          domain: 'shop.example',
          session_id: `order_${n}`,
          source: 'acp',
          properties: { value: 1, currency: 'USD' },
        }),
      }),
    )
    await sleep(10)
  }
  // Some are overdue by then, and some are not.
  await sleep(10_500 - (performance.now() - started))
  await release()
  const statuses = (await Promise.all(answers)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200, 503]))

  const { received, accepted, shed, ...none } = ingest.counts
  expect(none).toEqual({ duplicate: 0, rejected: 0 })
  expect([received, accepted + shed]).toEqual([100, 100])
  expect(accepted).toBe(statuses.filter((status) => status === 200).length)
  await expectExactSums(raw)
})
