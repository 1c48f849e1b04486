import { expect } from 'vitest'
import { testOnOnePostgres } from '../../db/testing/locks.ts'
import { createLog } from '../../process/log.ts'
import { testDatabase } from '../../testing/app.ts'
import { createIngest } from './ingest.ts'
import { readBytes } from './testing/bytes.ts'
import { realTraffic } from './testing/traffic.ts'

const EVENTS = 20_000

/**
 * With indexes, per event of `realTraffic`. Totals are left out: so few events have many of them,
 * whose room depends on how busy the machine is (`bytes.bench.ts` has the whole of a million).
 */
const MOST_BYTES = 650

testOnOnePostgres(
  `an event takes at most ${MOST_BYTES} bytes beside totals, indexes included`,
  async () => {
    const { sql } = await testDatabase()
    const log = createLog({ write: () => {} })
    const ingest = createIngest({ sql, now: () => new Date('2026-10-31T00:00:00Z'), log })
    const sent = realTraffic(EVENTS)
    for (let at = 0; at < sent.length; at += 300) {
      await Promise.all(sent.slice(at, at + 300).map((event) => ingest.record(event)))
    }
    expect(ingest.counts).toMatchObject({ received: sent.length, accepted: sent.length })
    const tables = await readBytes(sql)
    const each = tables.map(({ table, rows, indexes }) => ({
      table,
      bytes: Math.round((rows + indexes) / sent.length),
    }))
    const said = each.map(({ table, bytes }) => `${table} ${bytes}`).join(', ')
    const sumOf = (some: typeof each) => some.reduce((sum, { bytes }) => sum + bytes, 0)
    const own = each.filter(({ table }) => !table.startsWith('rollup_'))
    expect(sumOf(own), said).toBeLessThanOrEqual(MOST_BYTES)
    process.stdout.write(`${sumOf(each)} bytes per event: ${said}\n`)
  },
)
