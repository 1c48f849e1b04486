import { expect, test } from 'vitest'
import { createIngest } from '../../attribution/ingest/ingest.ts'
import { eventOf } from '../../attribution/report/testing/rows.ts'
import { createLog } from '../../process/log.ts'
import { testDatabase } from '../../testing/app.ts'
import { recentEvents } from './recent.ts'

test('of all events of a domain, the twenty that came last are read', async () => {
  const { db, sql } = await testDatabase()
  const now = () => new Date('2026-11-20T12:00:00Z')
  const ingest = createIngest({ sql, now, log: createLog({ write: () => {} }) })
  const views = (domain: string, count: number) =>
    Array.from({ length: count }, (_, n) =>
      eventOf({ event: 'ai_product_viewed', domain, session_id: `s${n}`, source: 'acp' }, now()),
    )
  for (const each of [...views('shop.example', 25), ...views('other.example', 1)]) {
    await ingest.record(each)
  }
  expect((await recentEvents(db, 'shop.example')).map(({ session_id }) => session_id)).toEqual(
    Array.from({ length: 20 }, (_, n) => `s${24 - n}`),
  )
})
