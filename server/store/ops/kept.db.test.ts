import { is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import { expireSessions } from '../checkout/sessions.ts'
import * as tables from '../db/tables.ts'
import { anOrder } from '../outbox/testing/receiver.ts'
import { NOON, testDeps } from '../testing/store.ts'
import { keptStoreTables } from './kept.ts'
import { sweep } from './sweeper.ts'
import { hours, insertDelivery, insertSession } from './testing/rows.ts'

const days = (count: number) => hours(24 * count)

test('each table has its words, once', () => {
  const all = Object.values(tables).flatMap((each) => {
    if (!is(each, PgTable)) return []
    const { schema, name } = getTableConfig(each)
    return [`${schema}.${name}`]
  })
  expect(
    keptStoreTables(NOON)
      .map(({ table }) => table)
      .toSorted(),
  ).toEqual(all.toSorted())
})

test('what is over goes, and what may be asked for stays', async () => {
  const { deps } = await testDeps()
  const { db } = deps
  const { sessions, idempotency_keys, psp_events, webhook_deliveries, store_rate_limits } = tables
  await insertSession(db, { id: 'gone', status: 'expired', expires_at: days(-31) })
  await insertSession(db, { id: 'recent', status: 'expired', expires_at: days(-29) })
  await insertSession(db, { id: 'paid', status: 'completed', expires_at: days(-31) })
  await insertSession(
    db,
    { id: 'failed', status: 'expired', expires_at: days(-31) },
    anOrder({ session_id: 'failed', status: 'payment_failed' }),
  )
  for (const [key, created_at] of [
    ['gone', hours(-24)],
    ['recent', hours(-23)],
  ] as const) {
    await db.insert(idempotency_keys).values({ scope: 's', key, fingerprint: '', created_at })
  }
  for (const [id, received_at] of [
    ['gone', days(-30)],
    ['recent', days(-29)],
  ] as const) {
    await db.insert(psp_events).values({ psp: 'p', id, type: 't', received_at })
  }
  await insertDelivery(db, { id: 'gone', created_at: days(-31), delivered_at: days(-31) })
  await insertDelivery(db, { id: 'given up', created_at: days(-31) })
  await insertDelivery(db, { id: 'due', created_at: days(-31), next_at: days(1) })
  await insertDelivery(db, { id: 'recent', created_at: days(-29), delivered_at: days(-29) })
  const soon = new Date(Date.now() + 3_600_000)
  await db.insert(store_rate_limits).values([
    { key: 'gone', points: 1, expire: new Date(Date.now() - 1000) },
    { key: 'recent', points: 1, expire: soon },
  ])
  await sweep(deps)
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id).toSorted()
  expect(ids(await db.select().from(sessions))).toEqual(['failed', 'paid', 'recent'])
  expect(await db.select({ key: idempotency_keys.key }).from(idempotency_keys)).toEqual([
    { key: 'recent' },
  ])
  expect(ids(await db.select().from(psp_events))).toEqual(['recent'])
  expect(ids(await db.select().from(webhook_deliveries))).toEqual(['due', 'recent'])
  expect(await db.select({ key: store_rate_limits.key }).from(store_rate_limits)).toEqual([
    { key: 'recent' },
  ])
})

test('a session whose payment begins while it would expire goes on', async () => {
  const { deps } = await testDeps()
  const { db } = deps
  await insertSession(db, { id: 'late', expires_at: hours(-1) })
  const other = await db.$client.reserve()
  await other`begin`
  await other`update store.sessions set status = 'completing' where id = 'late'`
  const expiring = expireSessions(db, NOON)
  await eventually(async () => {
    const [row] = await db.$client<{ waiting: number }[]>`
      select count(*)::int as waiting from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`
    return row?.waiting
  }).toBe(1)
  await other`commit`
  other.release()
  await expiring
  expect(await db.select({ status: tables.sessions.status }).from(tables.sessions)).toEqual([
    { status: 'completing' },
  ])
})
