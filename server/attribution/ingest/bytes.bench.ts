import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '../../../shared/testing/scratch.ts'
import { connect, MIGRATIONS } from '../../db/connect.ts'
import { renewMonthIndexes } from '../../db/events/month-indexes.ts'
import { monthOf } from '../../db/events/partitions.ts'
import { createLog } from '../../process/log.ts'
import { createIngest } from './ingest.ts'
import { readBytes } from './testing/bytes.ts'
import { realSessions } from './testing/traffic.ts'

const EVENTS = Number(process.env.EVENTS ?? 1_000_000)

/** Three months that are over, and half of one that is not. */
const PERIOD = { start: '2026-08-01', days: 106 }
const NOW = new Date('2026-11-15T12:00:00Z')

/** Sessions that are sent at a time: a batch of some 500 events. */
const SESSIONS = 300

test(`what ${EVENTS} events of some months take`, async () => {
  const dataDir = await mkdtemp(join(scratchFolder(), 'aisle-bytes-'))
  const database = await connect({ databaseUrl: undefined, dataDir, migrations: MIGRATIONS })
  const { sql } = database
  onTestFinished(async () => {
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  const ingest = createIngest({ sql, now: () => NOW, log: createLog({ write: () => {} }) })
  let sent = 0
  const sessions = realSessions(EVENTS, PERIOD)
  while (true) {
    const batch = Array.from({ length: SESSIONS }, () => sessions.next().value ?? []).flat()
    if (batch.length === 0) break
    sent += batch.length
    await Promise.all(batch.map((event) => ingest.record(event)))
  }
  expect(ingest.counts).toMatchObject({ received: sent, accepted: sent })
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
