import { expect, test } from 'vitest'
import { connect } from '../../db/connect.ts'
import { type CheckoutSession, orders, payment_reviews, webhook_endpoints } from '../db/tables.ts'
import { storeDatabase } from '../db/testing/database.ts'
import { NOON } from '../testing/store.ts'
import { createMetrics } from './metrics.ts'
import { hours, insertDelivery, insertSession } from './testing/rows.ts'

/** The samples that are not zero, by name and labels. */
const samplesOf = (text: string) =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.split(/ (?=\S+$)/) as [string, string])
      .filter(([, value]) => value !== '0'),
  )

test('the database’s figures are counted where they belong', async () => {
  const { db } = await storeDatabase()
  const completed: Partial<CheckoutSession> = { status: 'completed' }
  await insertSession(db, completed, { status: 'confirmed' })
  await insertSession(db, completed, { status: 'delivered' })
  await insertSession(db, { ...completed, protocol: 'ucp', declines: 2 }, { status: 'confirmed' })
  await insertSession(db, completed, { status: 'awaiting_payment' })
  await insertSession(db, { declines: 1 }, { status: 'payment_failed' })
  await insertSession(db, { status: 'expired' })
  await insertSession(db, { protocol: 'ucp', expires_at: hours(0.2) })
  await insertSession(db, { status: 'completing' })
  await insertSession(db, { ...completed, expires_at: hours(-25) }, { status: 'confirmed' })
  await db.insert(webhook_endpoints).values([
    { id: 'whe_1', url: '', secret: '', events: [], created_at: NOON },
    { id: 'whe_2', url: '', secret: '', events: [], created_at: NOON, disabled_at: NOON },
  ])
  await insertDelivery(db, { delivered_at: NOON })
  await insertDelivery(db, { next_at: hours(-0.1) })
  await insertDelivery(db, { next_at: hours(3), last_status: 500 })
  await insertDelivery(db, {})
  await insertDelivery(db, { created_at: hours(-8 * 24) })

  for (const reviewed_at of [null, NOON]) {
    await db.insert(payment_reviews).values({
      ...{ psp: 'test', payment_id: `pay_${reviewed_at}`, cause: 'dispute', session_id: '' },
      ...{ noted_at: hours(-100), reviewed_at },
    })
  }

  const metrics = createMetrics({ db, now: () => NOON })
  const expected = {
    'aisle_store_sessions{protocol="acp",state="completed"}': '3',
    'aisle_store_sessions{protocol="acp",state="expired"}': '2',
    'aisle_store_sessions{protocol="acp",state="open"}': '1',
    'aisle_store_sessions{protocol="ucp",state="completed"}': '1',
    'aisle_store_sessions{protocol="ucp",state="open"}': '1',
    'aisle_store_declines{protocol="ucp"}': '2',
    'aisle_store_declines{protocol="acp"}': '1',
    'aisle_store_orders{protocol="acp",status="awaiting_payment"}': '1',
    'aisle_store_orders{protocol="acp",status="confirmed"}': '1',
    'aisle_store_orders{protocol="acp",status="delivered"}': '1',
    'aisle_store_orders{protocol="acp",status="payment_failed"}': '1',
    'aisle_store_orders{protocol="ucp",status="confirmed"}': '1',
    'aisle_store_webhook_deliveries{state="delivered"}': '1',
    'aisle_store_webhook_deliveries{state="waiting"}': '2',
    'aisle_store_webhook_deliveries{state="given_up"}': '1',
    aisle_store_webhook_endpoints_disabled: '1',
    aisle_store_payment_reviews_open: '1',
    aisle_store_webhook_overdue_seconds: '360',
    aisle_store_database_up: '1',
  }
  expect(samplesOf(await metrics.text())).toEqual(expected)
  const replica = createMetrics({ db, now: () => NOON })
  expect(samplesOf(await replica.text())).toEqual(expected)

  await db.delete(orders)
  expect(samplesOf(await metrics.text())).not.toHaveProperty(
    'aisle_store_orders{protocol="ucp",status="confirmed"}',
  )
})

test('completions and reports are counted by the process', async () => {
  const { db } = await storeDatabase()
  const metrics = createMetrics({ db, now: () => NOON })
  metrics.observeCompletion(0.2, 200)
  metrics.observeCompletion(6, 200)
  metrics.observeCompletion(0.01, 402)
  metrics.countReport('dropped')
  expect(samplesOf(await metrics.text())).toMatchObject({
    'aisle_store_completion_seconds_bucket{le="5",status="200"}': '1',
    'aisle_store_completion_seconds_bucket{le="7.5",status="200"}': '2',
    'aisle_store_completion_seconds_count{status="200"}': '2',
    'aisle_store_completion_seconds_count{status="402"}': '1',
    'aisle_store_reports_total{result="dropped"}': '1',
  })
})

test('without its database it says so, and shows no figure of it', async () => {
  const { db, url } = await storeDatabase()
  const gone = await connect({ databaseUrl: url, dataDir: '', migrations: null })
  const metrics = createMetrics({ db: gone.db, now: () => NOON })
  await insertSession(db, { status: 'expired' })
  metrics.observeCompletion(0.2, 200)
  expect(samplesOf(await metrics.text())).toMatchObject({ aisle_store_database_up: '1' })
  await gone.close()
  const text = await metrics.text()
  expect(text).toContain('\naisle_store_database_up 0\n')
  expect(text).toContain('\naisle_store_completion_seconds_count{status="200"} 1\n')
  expect(text).not.toMatch(/^aisle_store_(sessions|orders|declines|webhook\w+)[ {]/m)
})
