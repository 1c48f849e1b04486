import { expect, test } from 'vitest'
import { createIngest } from '../../attribution/ingest/ingest.ts'
import { realTraffic } from '../../attribution/ingest/testing/traffic.ts'
import { createLog } from '../../process/log.ts'
import { testDatabase } from '../../testing/app.ts'
import { ledgerKeysOf } from './events.ts'
import { shortKey, shortKeyIn } from './ids.ts'
import { dropBefore } from './partitions.ts'

test('Postgres makes the same hash of a text', async () => {
  const { sql } = await testDatabase()
  const texts = ['ai_checkout_completed:#1001', 'session:ümlaut 店', `key:${'x'.repeat(300)}`]
  const rows = await sql<{ key: string }[]>`
    select ${sql.unsafe(shortKeyIn('text'))} as key from unnest(${texts}::text[]) as text`
  expect(rows.map(({ key }) => key)).toEqual(texts.map(shortKey))
  expect(shortKey('a')).toMatch(/^[\w-]{16}$/)
})

test('the hashes of orders and refunds stay when their month goes', async () => {
  const { sql } = await testDatabase()
  const sent = realTraffic(1200)
  const ingest = createIngest({
    sql,
    now: () => new Date('2026-10-31T00:00:00Z'),
    log: createLog({ write: () => {} }),
  })
  await Promise.all(sent.map((event) => ingest.record(event)))
  expect(await dropBefore(sql, '2026-12')).toEqual(['2026-10'])
  const left = await sql<{ key: string; age: string }[]>`
    select key, received_at::text as age from event_keys`
  const orders = sent.filter(({ event }) => event === 'ai_checkout_completed')
  const refunds = sent.filter(({ event }) => event === 'ai_order_refunded')
  expect(refunds.length).toBeGreaterThan(0)
  const stay = [...orders, ...refunds].flatMap(ledgerKeysOf)
  expect(left.map(({ key }) => key).toSorted()).toEqual(stay.map(shortKey).toSorted())
  expect(new Set(left.map(({ age }) => age))).toEqual(new Set(['infinity']))
  expect(await sql`select from ai_sessions`).toHaveLength(0)
})
