import { expect } from 'vitest'
import { testOnOnePostgres } from '../../db/testing/locks.ts'
import { createLog } from '../../log.ts'
import { testDatabase } from '../../testing/app.ts'
import { createIngest } from './ingest.ts'
import { realTraffic } from './testing/traffic.ts'

const EVENTS = 20_000

/** With indexes, per event of `realTraffic`. */
const MOST_BYTES = 840

/** What an event adds to. */
const TABLES = /^(events|event_keys|ai_sessions|rollup_)/

testOnOnePostgres(
  `an event takes at most ${MOST_BYTES} bytes, in all tables and their indexes`,
  async () => {
    const { sql } = await testDatabase()
    const log = createLog({ write: () => {} })
    const ingest = createIngest({ sql, now: () => new Date('2026-10-31T00:00:00Z'), log })
    const sent = realTraffic(EVENTS)
    for (let at = 0; at < sent.length; at += 300) {
      await Promise.all(sent.slice(at, at + 300).map((event) => ingest.record(event)))
    }
    expect(ingest.counts).toMatchObject({ received: sent.length, accepted: sent.length })
    await sql`vacuum`
    const rows = await sql<{ name: string; bytes: number }[]>`
    select regexp_replace(relname, '_\\d{4}_\\d\\d$', '') as name,
      sum(pg_total_relation_size(oid))::float8 as bytes
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
    group by 1 order by 2 desc`
    const each = rows.flatMap(({ name, bytes }) =>
      TABLES.test(name) ? [{ name, bytes: Math.round(bytes / sent.length) }] : [],
    )
    const all = each.reduce((sum, { bytes }) => sum + bytes, 0)
    const said = each.map(({ name, bytes }) => `${name} ${bytes}`).join(', ')
    expect(all, said).toBeLessThanOrEqual(MOST_BYTES)
    process.stdout.write(`${all} bytes per event: ${said}\n`)
  },
)
