import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import { createLog } from '../../process/log.ts'
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

/** An app whose events wait as long as `clock` says, however slow this machine is. */
async function appWaiting(clock: () => number) {
  const database = await testDatabase()
  const log = createLog({ write: () => {} })
  const ingest = createIngest({ sql: database.sql, now: () => new Date(), log, clock })
  return testApp({ database, ingest })
}

test('with the database paused and ten times what fits, all are answered and memory is flat', async () => {
  const { ask, ingest, sql: raw, url } = await appWaiting(() => 0)
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
    const answer = await ask('/api/report', { body: events })
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
  const unstored = answered.filter(({ status }) => status === 503)
  const codeOf = ({ said }: (typeof unstored)[number]) => said.error.code
  const shed = unstored.filter((answer) => codeOf(answer) === 'busy')
  // On a slow machine the pause outlasts the time that Postgres gives the statement that waits.
  expect(['busy', 'not_confirmed']).toEqual(
    expect.arrayContaining([...new Set(unstored.map(codeOf))]),
  )
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
})

test('with the database paused for longer than an event may wait, each request is answered', async () => {
  let clock = 0
  const { ask, ingest, sql: raw, url } = await appWaiting(() => clock)
  const release = await pause(url)
  const send = (from: number) =>
    Array.from({ length: 50 }, (_, n) => {
      const body = JSON.stringify({
        event: 'ai_checkout_completed',
        domain: 'shop.example',
        session_id: `order_${from + n}`,
        source: 'acp',
        properties: { value: 1, currency: 'USD' },
      })
      const headers = {
        // Without it, so many at once would be taken for the largest that there are.
        'Content-Length': String(body.length),
      }
      return ask('/api/report', { headers, body })
    })
  const early = send(0)
  await eventually(() => ingest.counts.received).toBe(50)
  clock = 600
  const late = send(50)
  await eventually(() => ingest.counts.received).toBe(100)
  // The early ones are overdue now, and the late ones are not.
  clock = 10_500
  await eventually(() => ingest.counts.shed).toBe(50)
  await release()
  const statusesOf = async (answers: typeof early) =>
    new Set((await Promise.all(answers)).map(({ status }) => status))
  expect(await statusesOf(early)).toEqual(new Set([503]))
  expect(await statusesOf(late)).toEqual(new Set([200]))
  expect(ingest.counts).toEqual({
    received: 100,
    accepted: 50,
    duplicate: 0,
    rejected: 0,
    shed: 50,
  })
  // The early ones were answered, and are stored meanwhile: a cluster does not count all at one
  // moment.
  await ingest.drain()
  await expectExactSums(raw)
})
