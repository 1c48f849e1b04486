import { expect, test } from 'vitest'
import { ApiError } from '../errors.ts'
import { createLog } from '../log.ts'
import { eventOf } from '../report/testing.ts'
import { testDatabase } from '../testing.ts'
import { createIngest } from './ingest.ts'
import { expectExactSums } from './testing.ts'

const log = createLog({ write: () => {} })
const now = () => new Date()
const order = (n: number) =>
  eventOf({
    event: 'ai_checkout_completed',
    domain: 'shop.example',
    session_id: `order-${n}`,
    source: 'acp',
    properties: { value: 100, currency: 'USD' },
  })

test('an event that the database refuses fails alone', async () => {
  const { sql } = await testDatabase()
  const ingest = createIngest({ sql, now, log })
  const sent = Array.from({ length: 40 }, (_, n) => order(n))
  for (const n of [7, 31]) sent[n] = { ...order(n), value: 1e300 }
  const results = await Promise.allSettled(sent.map((event) => ingest.record(event)))
  const refused = results.flatMap((each, n) =>
    each.status === 'rejected' ? [[n, each.reason]] : [],
  )
  expect(refused).toEqual([
    [7, expect.any(ApiError)],
    [31, expect.any(ApiError)],
  ])
  expect(refused[0]?.[1]).toMatchObject({ status: 422, code: 'not_storable' })
  expect(ingest.counts).toMatchObject({ received: 40, accepted: 38, rejected: 2, shed: 0 })
  await expectExactSums(sql)
})

test('a deadlock with somebody else is tried again', async () => {
  const { sql } = await testDatabase()
  const ingest = createIngest({ sql, now, log })
  await ingest.record(order(0))
  // The other waits longer before it looks for a circle, so that the event is the one that ends.
  const other = await sql.reserve()
  await other`begin`
  await other`set local deadlock_timeout = '20s'`
  await other`lock table rollup_daily in share mode`
  const recording = ingest.record(order(1))
  await expect
    .poll(async () => {
      const [row] = await sql`select count(*)::int as waiting from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`
      return row?.waiting
    })
    .toBe(1)
  await other`lock table event_keys in share mode`
  await other`commit`
  other.release()
  expect(await recording).toMatchObject({ replayed: false })
  expect(ingest.counts).toMatchObject({ accepted: 2, shed: 0 })
})
