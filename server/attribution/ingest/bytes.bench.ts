import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '../../../shared/testing/scratch.ts'
import { connect, type Database, MIGRATIONS } from '../../db/connect.ts'
import { renewMonthIndexes } from '../../db/events/month-indexes.ts'
import { monthOf } from '../../db/events/partitions.ts'
import { createLog } from '../../process/log.ts'
import type { IncomingEvent } from './event.ts'
import { createIngest, type Ingest } from './ingest.ts'
import { readBytes } from './testing/bytes.ts'
import { secondsOf } from './testing/processor-time.ts'
import { realSessions } from './testing/traffic.ts'

const EVENTS = Number(process.env.EVENTS ?? 1_000_000)

/** Three months that are over, and half of one that is not. */
const PERIOD = { start: '2026-08-01', days: 106 }
const NOW = new Date('2026-11-15T12:00:00Z')

/** Sessions that are sent at a time: a batch of some 500 events. */
const SESSIONS = 300

/** By how much an event may cost more when there are many. */
const MOST_GROWTH = 1.5

/** How many events are spread over shops. */
const OF_SHOPS = 50_000

/** After how many events it is told what those since the last step cost. */
const STEPS = [0.1, 0.2, 0.5, 1].map((part) => part * EVENTS)

/** A database of its own, and what stores events in it. */
async function open() {
  const dataDir = await mkdtemp(join(scratchFolder(), 'aisle-bytes-'))
  const database = await connect({ databaseUrl: undefined, dataDir, migrations: MIGRATIONS })
  onTestFinished(async () => {
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  const ingest = createIngest({
    sql: database.sql,
    now: () => NOW,
    log: createLog({ write: () => {} }),
  })
  return { database, ingest }
}

/** Microseconds of processor that this process and the connections to Postgres have used. */
async function usedMicros({ sql }: Database): Promise<number> {
  const pids = await sql<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database()`
  const { user, system } = process.cpuUsage()
  const ofPostgres = await Promise.all(pids.map(({ pid }) => secondsOf(pid)))
  return ofPostgres.reduce((sum, seconds) => sum + seconds * 1e6, user + system)
}

/** Stores sessions; calls `onStored` with the number of events after each batch. */
async function store(
  ingest: Ingest,
  sessions: Iterator<IncomingEvent[]>,
  onStored: (sent: number) => Promise<void> = async () => {},
): Promise<number> {
  let sent = 0
  while (true) {
    const batch = Array.from({ length: SESSIONS }, () => sessions.next().value ?? []).flat()
    if (batch.length === 0) break
    sent += batch.length
    await Promise.all(batch.map((event) => ingest.record(event)))
    await onStored(sent)
  }
  expect(ingest.counts).toMatchObject({ received: sent, accepted: sent })
  return sent
}

test(`what ${EVENTS} events of some months take`, async () => {
  const { database, ingest } = await open()
  const { sql } = database
  let last = { sent: 0, micros: await usedMicros(database) }
  const costs: number[] = []
  const sent = await store(ingest, realSessions(EVENTS, PERIOD), async (sent) => {
    if (sent < (STEPS[costs.length] ?? Number.POSITIVE_INFINITY)) return
    const micros = await usedMicros(database)
    costs.push((micros - last.micros) / (sent - last.sent))
    process.stdout.write(`to ${sent} events: ${costs.at(-1)?.toFixed(0)} µs of processor each\n`)
    last = { sent, micros }
  })
  expect(costs.at(-1)! / costs[0]!).toBeLessThan(MOST_GROWTH)
  const tell = async (when: string) => {
    const tables = await readBytes(sql)
    const all = tables.reduce((sum, { rows, indexes }) => sum + rows + indexes, 0)
    const each = tables.map(
      ({ table, rows, indexes }) =>
        `${table} ${Math.round(rows / sent)} + ${Math.round(indexes / sent)}`,
    )
    process.stdout.write(`${when}: ${Math.round(all / sent)} bytes per event: ${each.join(', ')}\n`)
  }
  await tell('As they came in')
  await renewMonthIndexes(database, monthOf(NOW))
  await tell('After the indexes of past months were made anew')
})

test('what events of one shop and of a thousand cost', async () => {
  const costs: number[] = []
  for (const shops of [1, 10, 100, 1_000]) {
    const { database, ingest } = await open()
    const before = await usedMicros(database)
    const sent = await store(ingest, realSessions(OF_SHOPS, { ...PERIOD, shops }))
    costs.push(((await usedMicros(database)) - before) / sent)
    process.stdout.write(`${shops} shops: ${costs.at(-1)?.toFixed(0)} µs of processor an event\n`)
  }
  expect(costs.at(-1)! / costs[0]!).toBeLessThan(MOST_GROWTH)
})
