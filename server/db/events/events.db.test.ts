import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import { testDatabase } from '../../testing/app.ts'
import { shardsOf } from '../sharding/shards.ts'
import { countWaiting } from '../testing/locks.ts'
import { type EventRow, insertEvents } from './events.ts'
import { shortKey } from './ids.ts'
import { ensureMonths } from './partitions.ts'

const ts = new Date('2026-11-20T12:00:00Z')
const rowOf = (key: string): EventRow => ({
  domain: 'shop.example',
  id: uuidv7(),
  key,
  may_open: true,
  opener: null,
  fingerprint: 0,
  other_keys: [],
  shared_keys: [],
  notes: [],
  double_key: null,
  began: null,
  day: '2026-11-20',
  landing: null,
  ts,
  received_at: ts,
  event: 'ai_product_viewed',
  source: 'acp',
  session_id: key,
  visit_id: `session:${key}`,
  surface: 'chatgpt',
  kind: 'protocol',
  confidence: 0.85,
  model: 'test',
  properties: {},
})

test('batches that share their keys in another order do not wait in a circle', async () => {
  const { sql } = await testDatabase()
  await ensureMonths(sql, ['2026-11'])
  const at = shardsOf(sql).at(['shop.example'])
  // Both get as far as the key that somebody else holds, and then go on to each other's.
  const other = await sql.reserve()
  await other`begin`
  await other`insert into event_keys
      (domain, key, event_id, fingerprint, surface, confidence, received_at)
    values ('shop.example', ${shortKey('m')}, gen_random_uuid(), 0, '', 1, now())`
  const batches = ['zma', 'amz'].map((keys) => insertEvents(at, [...keys].map(rowOf)))
  const stored = Promise.allSettled(batches)
  await eventually(() => countWaiting(sql)).toBe(2)
  await other`rollback`
  other.release()
  expect(await stored).toEqual([
    { status: 'fulfilled', value: expect.any(Object) },
    { status: 'fulfilled', value: expect.any(Object) },
  ])
})
