import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Db } from '../../db/connect.ts'
import {
  type CheckoutSession,
  orders,
  sessions,
  webhook_deliveries,
  webhook_endpoints,
} from '../db/tables.ts'
import { storeDatabase } from '../db/testing/database.ts'
import { anOrder } from '../outbox/testing/receiver.ts'
import { NOON } from '../testing/store.ts'
import { createMetrics } from './metrics.ts'

const hours = (count: number) => new Date(NOON.getTime() + count * 3_600_000)

/** Sessions, and for each status given an order. */
async function insertSession(
  db: Db,
  change: Partial<typeof sessions.$inferInsert>,
  order?: Parameters<typeof anOrder>[0],
) {
  const { session_id, items, currency, subtotal, tax } = anOrder()
  const row: typeof sessions.$inferInsert = {
    id: session_id,
    protocol: 'acp',
    status: 'pending_confirmation',
    host: 'shop.example',
    buyer: 'a-buyer',
    items,
    currency,
    subtotal,
    tax,
    shipping_options: [],
    created_at: hours(-1),
    expires_at: hours(-0.5),
    ...change,
  }
  await db.insert(sessions).values(row)
  if (order) await db.insert(orders).values(anOrder({ session_id, ...order }))
}

const insertDelivery = (db: Db, change: Partial<typeof webhook_deliveries.$inferInsert>) =>
  db.insert(webhook_deliveries).values({
    id: crypto.randomUUID(),
    endpoint_id: 'whe_1',
    message_id: 'msg_1',
    event: 'order.confirmed',
    payload: '{}',
    created_at: hours(-1),
    ...change,
  })

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

  const metrics = createMetrics({ db, now: () => NOON })
  const reply = await metrics.reply()
  expect(reply.status).toBe(200)
  expect(reply.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
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
    aisle_store_webhook_overdue_seconds: '360',
  }
  expect(samplesOf(reply.body)).toEqual(expected)
  const replica = createMetrics({ db, now: () => NOON })
  expect(samplesOf((await replica.reply()).body)).toEqual(expected)

  await db.delete(orders)
  expect(samplesOf((await metrics.reply()).body)).not.toHaveProperty(
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
  expect(samplesOf((await metrics.reply()).body)).toMatchObject({
    'aisle_store_completion_seconds_bucket{le="5",status="200"}': '1',
    'aisle_store_completion_seconds_count{status="200"}': '2',
    'aisle_store_completion_seconds_count{status="402"}': '1',
    'aisle_store_reports_total{result="dropped"}': '1',
  })
})

interface Rule {
  alert: string
  expr: string
  text: string
}

/** The rules of the file, whose form is strict enough to be read by lines. */
function readRules(): Rule[] {
  const text = readFileSync(new URL('./alerts.yml', import.meta.url), 'utf8')
  expect(text).toMatch(/^(#.*\n)*groups:\n {2}- name: aisle-store\n {4}rules:\n/)
  expect(text).not.toContain('\t')
  return text
    .split(/^ {6}- alert: /m)
    .slice(1)
    .map((rule) => {
      const body = rule.replaceAll(/^ *#.*\n/gm, '')
      const [, block, line] = /^ {8}expr: (?:\|\n((?: {10}.*\n)+)|(.+)\n)/m.exec(body) ?? []
      const expr = (block ?? line ?? '').replaceAll(/\s+/g, ' ').trim()
      return { alert: body.split('\n')[0] ?? '', expr, text: body }
    })
}

test('every alert is whole, and asks for series that are exported with these labels', async () => {
  const { db } = await storeDatabase()
  const metrics = createMetrics({ db, now: () => NOON })
  metrics.observeCompletion(1, 200)
  const exported = (await metrics.reply()).body
  for (const { alert, expr, text } of readRules()) {
    expect(alert).toMatch(/^[A-Z]\w+$/)
    expect(text, alert).toMatch(/^ {10}severity: (critical|warning)$/m)
    expect(text, alert).toMatch(/^ {10}summary: \S.+$/m)
    expect(text, alert).toMatch(/^ {10}description: \S.+$/m)
    expect(expr.split('(').length, alert).toBe(expr.split(')').length)
    const selectors = [...expr.matchAll(/(aisle_store_\w+)(?:\{(\w+)(=~|!~|=|!=)"([^"]+)"\})?/g)]
    expect(selectors.length, alert).toBeGreaterThan(0)
    for (const [, name, label, operator, value] of selectors) {
      const series = exported.split('\n').filter((line) => line.match(`^${name}[ {]`))
      expect(series.length, `${alert}: ${name}`).toBeGreaterThan(0)
      if (label === undefined) continue
      const matching = series.filter((line) => {
        const [, found = ''] = line.match(`${label}="([^"]*)"`) ?? []
        const isEqual = operator?.endsWith('~')
          ? new RegExp(`^(?:${value})$`).test(found)
          : found === value
        return isEqual === operator?.startsWith('=')
      })
      expect(matching.length, `${alert}: ${name} ${label} ${value}`).toBeGreaterThan(0)
    }
  }
})

test.each([
  ['OrderSuccessRateLow', '< 0.95'],
  ['SessionExpiryRateHigh', '> 0.05'],
  ['PaymentFailureRateHigh', '> 0.10'],
  ['WebhookDeliveryIncomplete', '< 1'],
  ['CompletionRateLow', '< 0.90'],
  ['CompletionSlow', '> 5'],
])('the specification’s threshold: %s at %s', (alert, threshold) => {
  const rule = readRules().find((each) => each.alert === alert)
  expect(rule?.expr.endsWith(` ${threshold}`)).toBe(true)
})

/** A day on which every series has a weight of its own. */
const DAY: Readonly<Record<string, number>> = {
  'aisle_store_declines{protocol="acp"}': 7,
  'aisle_store_declines{protocol="ucp"}': 1,
  'aisle_store_orders{status="confirmed"}': 60,
  'aisle_store_orders{status="shipped"}': 20,
  'aisle_store_orders{status="delivered"}': 5,
  'aisle_store_orders{status="awaiting_payment"}': 7,
  'aisle_store_orders{status="payment_failed"}': 3,
  'aisle_store_orders{status="canceled"}': 2,
  'aisle_store_sessions{state="open"}': 50,
  'aisle_store_sessions{state="completed"}': 90,
  'aisle_store_sessions{state="expired"}': 10,
  'aisle_store_webhook_deliveries{state="delivered"}': 30,
  'aisle_store_webhook_deliveries{state="waiting"}': 5,
  'aisle_store_webhook_deliveries{state="given_up"}': 2,
  'aisle_store_completion_seconds_count{status="200"}': 70,
  'aisle_store_completion_seconds_count{status="202"}': 10,
  'aisle_store_completion_seconds_count{status="402"}': 15,
  'aisle_store_completion_seconds_count{status="404"}': 40,
  'aisle_store_completion_seconds_count{status="422"}': 80,
  'aisle_store_completion_seconds_count{status="503"}': 5,
}

/** What PromQL's `sum` gives for a selector on that day. */
function sumOfDay(selector: string): number {
  const [, name, label = '', operator = '', value = ''] =
    /^(\w+)(?:\{(\w+)(=~|!~|=|!=)"(.+)"\})?$/.exec(selector) ?? []
  const isSelected = (series: string) => {
    if (!series.startsWith(`${name}{`)) return false
    const found = new RegExp(`${label}="([^"]*)"`).exec(series)?.[1] ?? ''
    const isEqual = operator.endsWith('~')
      ? new RegExp(`^(?:${value})$`).test(found)
      : found === value
    return operator === '' || isEqual === operator.startsWith('=')
  }
  return Object.entries(DAY).reduce((sum, [key, count]) => sum + (isSelected(key) ? count : 0), 0)
}

/** The ratio that a rule compares: sums over sums. */
function ratioOf({ expr }: Rule): number {
  const numbers = expr
    .replace(/ [<>] \S+$/, '')
    .replaceAll(
      /sum\((?:max without \(instance, pod\) |rate)\(([^()[\]]+)(?:\[1h\])?\)\)/g,
      (_, selector) => String(sumOfDay(selector)),
    )
  expect(numbers).toMatch(/^[\d ()+]+\/[\d ()+]+$/)
  const [over = 0, under = 0] = numbers
    .split('/')
    .map((side) => (side.match(/\d+/g) ?? []).reduce((sum, text) => sum + Number(text), 0))
  return over / under
}

test.each([
  ['OrderSuccessRateLow', 85 / 90],
  ['SessionExpiryRateHigh', 10 / 100],
  // 8 tries were declined, 3 of which were orders first; 94 orders were not.
  ['PaymentFailureRateHigh', 8 / (8 + 94)],
  ['WebhookDeliveryIncomplete', 30 / 32],
  ['CompletionRateLow', 80 / 100],
])('the ratio of %s on a fixed day', (alert, ratio) => {
  const rule = readRules().find((each) => each.alert === alert)
  expect(rule && ratioOf(rule)).toBe(ratio)
})
