import { beforeEach, expect, test } from 'vitest'
import type { Db } from '../../db/connect.ts'
import { orders, sessions, webhook_deliveries } from '../db/tables.ts'
import { storeDatabase } from '../db/testing/database.ts'
import { NOON } from '../testing/store.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { holds, readRules, readScrape, type Scrape, select } from './testing/alerts.ts'
import { hours, insertDelivery, insertSession } from './testing/rows.ts'

const { db } = await storeDatabase()
const RULES = readRules()
const scrape = async (metrics: Metrics): Promise<Scrape> => readScrape((await metrics.reply()).body)

beforeEach(async () => {
  await db.delete(orders)
  await db.delete(sessions)
  await db.delete(webhook_deliveries)
})

test('every alert is whole, and asks for series that are exported with these labels', async () => {
  const exported = await scrape(createMetrics({ db, now: () => NOON }))
  expect(RULES.length).toBeGreaterThan(5)
  for (const { alert, expr, text } of RULES) {
    expect(alert).toMatch(/^[A-Z]\w+$/)
    expect(text, alert).toMatch(/^ {10}severity: (critical|warning)$/m)
    expect(text, alert).toMatch(/^ {10}summary: \S.+$/m)
    expect(text, alert).toMatch(/^ {10}description: \S.+$/m)
    expect(expr.split('(').length, alert).toBe(expr.split(')').length)
    const selectors = expr.match(/aisle_store_\w+(?:\{[^}]*\})?/g) ?? []
    expect(selectors.length, alert).toBeGreaterThan(0)
    for (const selector of selectors) {
      expect(select(exported, selector).length, `${alert}: ${selector}`).toBeGreaterThan(0)
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
  const rule = RULES.find((each) => each.alert === alert)
  expect(rule?.expr.endsWith(` ${threshold}`)).toBe(true)
})

type Day = (on: { db: Db; metrics: Metrics }) => unknown

const times = async (count: number, act: () => unknown) => {
  for (let n = 0; n < count; n += 1) await act()
}

/** Sessions that came to an order of this status. */
const ordered =
  (count: number, status: (typeof orders.$inferInsert)['status'], declines = 0): Day =>
  ({ db }) =>
    times(count, () => insertSession(db, { status: 'completed', declines }, { status }))

const expired =
  (count: number): Day =>
  ({ db }) =>
    times(count, () => insertSession(db, { status: 'expired' }))

const stillOpen =
  (count: number): Day =>
  ({ db }) =>
    times(count, () => insertSession(db, { expires_at: hours(0.2) }))

const delivered =
  (count: number, change: Parameters<typeof insertDelivery>[1]): Day =>
  ({ db }) =>
    times(count, () => insertDelivery(db, change))

const ended =
  (count: number, status: number, seconds: number): Day =>
  ({ metrics }) =>
    times(count, () => metrics.observeCompletion(seconds, status))

// At the threshold itself an alert stays silent.
test.each<[alert: string, fires: boolean, what: string, ...Day[]]>([
  [
    'OrderSuccessRateLow',
    true,
    '18 of 20',
    ordered(18, 'confirmed'),
    ordered(1, 'payment_failed'),
    ordered(1, 'canceled'),
  ],
  [
    'OrderSuccessRateLow',
    false,
    '19 of 20',
    ordered(19, 'shipped'),
    ordered(1, 'payment_failed'),
    ordered(5, 'awaiting_payment'),
  ],
  ['OrderSuccessRateLow', true, 'none of 1', ordered(1, 'payment_failed')],
  [
    'SessionExpiryRateHigh',
    true,
    '2 of 20, and open ones',
    ordered(18, 'confirmed'),
    expired(2),
    stillOpen(30),
  ],
  ['SessionExpiryRateHigh', false, '1 of 20', ordered(19, 'confirmed'), expired(1)],
  ['SessionExpiryRateHigh', true, 'all', expired(1)],
  [
    'PaymentFailureRateHigh',
    true,
    '1 of 9',
    ordered(8, 'confirmed'),
    ordered(1, 'payment_failed', 1),
  ],
  ['PaymentFailureRateHigh', false, '1 of 10', ordered(8, 'confirmed'), ordered(1, 'shipped', 1)],
  [
    'WebhookDeliveryIncomplete',
    true,
    'one given up',
    delivered(30, { delivered_at: NOON }),
    delivered(1, {}),
  ],
  [
    'WebhookDeliveryIncomplete',
    false,
    'none given up',
    delivered(3, { delivered_at: NOON }),
    delivered(2, { next_at: hours(1) }),
  ],
  ['CompletionRateLow', true, '8 of 10', ended(8, 200, 1), ended(1, 402, 1), ended(1, 503, 1)],
  [
    'CompletionRateLow',
    false,
    '9 of 10, and calls that were wrong',
    ended(8, 200, 1),
    ended(1, 202, 1),
    ended(1, 402, 1),
    ended(5, 404, 1),
    ended(5, 422, 1),
  ],
  ['CompletionRateLow', true, 'none since the start', ended(3, 402, 1)],
  ['CompletionSlow', true, '2 of 20', ended(18, 200, 0.3), ended(2, 200, 12)],
  ['CompletionSlow', true, 'all at 6 s', ended(20, 200, 6)],
  ['CompletionSlow', true, 'all beyond a minute', ended(20, 503, 90)],
  ['CompletionSlow', false, '1 of 40', ended(39, 200, 0.3), ended(1, 200, 12)],
  ['CompletionSlow', false, 'all at 4.9 s', ended(20, 200, 4.9)],
])('%s: fires %s at %s', async (alert, fires, _, ...day) => {
  const metrics = createMetrics({ db, now: () => NOON })
  const before = await scrape(metrics)
  for (const part of day) await part({ db, metrics })
  const now = await scrape(metrics)
  const rule = RULES.find((each) => each.alert === alert)
  expect(rule && holds(rule, before, now)).toBe(fires)
})

test('all are silent in a store that sold nothing yet', async () => {
  const metrics = createMetrics({ db, now: () => NOON })
  const before = await scrape(metrics)
  const now = await scrape(metrics)
  expect(RULES.filter((rule) => holds(rule, before, now))).toEqual([])
})
