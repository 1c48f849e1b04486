import { expect, test } from 'vitest'
import { askPromtool, testWithPromtool } from '../../metrics/testing/promtool.ts'
import { type Input, playAlerts, readRules, STORE_RULES } from '../../metrics/testing/rules.ts'

const RULES = readRules(STORE_RULES)

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

const orders = (counts: Record<string, number>): Input =>
  Object.fromEntries(
    Object.entries({ awaiting_payment: 0, payment_failed: 0, canceled: 0, ...counts }).flatMap(
      ([status, count]) =>
        // The same figures on two replicas, which read one database.
        ['a', 'b'].map((instance) => [
          `aisle_store_orders{instance="${instance}",protocol="acp",status="${status}"}`,
          `${count}x300`,
        ]),
    ),
  )

const gauges = (name: string, label: string, counts: Record<string, number>): Input =>
  Object.fromEntries(
    Object.entries(counts).map(([value, count]) => [
      `aisle_store_${name}{${label}="${value}"}`,
      `${count}x300`,
    ]),
  )

const sessions = (counts: Record<string, number>) => gauges('sessions', 'state', counts)
const deliveries = (counts: Record<string, number>) => gauges('webhook_deliveries', 'state', counts)
const declines = (count: number): Input => ({
  'aisle_store_declines{protocol="acp"}': `${count}x300`,
})

/** Completions a minute by the status that they ended with. */
const ended = (counts: Record<string, number>): Input =>
  Object.fromEntries(
    Object.entries(counts).map(([status, count]) => [
      `aisle_store_completion_seconds_count{status="${status}"}`,
      `0+${count}x300`,
    ]),
  )

/** Of 40 completions a minute, how many took no longer than so many seconds. */
const took = (counts: Record<string, number>): Input =>
  Object.fromEntries(
    Object.entries({ ...counts, '+Inf': 40 }).map(([le, count]) => [
      `aisle_store_completion_seconds_bucket{le="${le}",status="200"}`,
      `0+${count}x300`,
    ]),
  )

const requests = (counts: Record<string, number>): Input =>
  Object.fromEntries(
    Object.entries(counts).map(([route, count]) => [
      `aisle_store_http_request_seconds_count{route="${route}",status="5xx"}`,
      `0+${count}x300`,
    ]),
  )

/** A store at work: a quarter of what would be alarming of each kind. */
const HEALTHY: Input = {
  'up{job="aisle-store",instance="a"}': '1x300',
  'process_resident_memory_bytes{job="aisle-store",instance="a"}': '120000000x300',
  aisle_store_database_up: '1x300',
  'aisle_store_http_request_seconds_count{route="/ucp/products",status="2xx"}': '0+100x300',
  ...requests({ '/ucp/checkout': 0 }),
  ...orders({ confirmed: 40, shipped: 59, payment_failed: 1, awaiting_payment: 5 }),
  ...sessions({ open: 30, completed: 99, expired: 1 }),
  ...declines(2),
  ...deliveries({ delivered: 30, waiting: 2, given_up: 0 }),
  aisle_store_webhook_overdue_seconds: '2x300',
  aisle_store_webhook_endpoints_disabled: '1x300',
  aisle_store_payment_reviews_open: '0x300',
  ...ended({ 200: 40, 402: 1, 404: 3, 503: 0 }),
  ...took({ 0.5: 39, 5: 40 }),
  'aisle_store_reports_total{result="sent"}': '0+40x300',
  'aisle_store_reports_total{result="dropped"}': '0x300',
}

/** At the threshold itself an alert is silent. */
const CASES: [alert: string, fires: boolean, what: string, change: Input][] = [
  ['StoreDown', true, 'one replica', { 'up{job="aisle-store",instance="b"}': '0x300' }],
  ['StoreDown', false, 'another job', { 'up{job="aisle"}': '0x300' }],
  ['StoreAbsent', true, 'no replica', { 'up{job="aisle-store",instance="a"}': '' }],
  ['StoreAbsent', false, 'one that is down', { 'up{job="aisle-store",instance="a"}': '0x300' }],
  ['StoreDatabaseDown', true, 'one replica', { 'aisle_store_database_up{instance="b"}': '0x300' }],
  [
    'StoreDatabaseDown',
    false,
    'a minute of it',
    { 'aisle_store_database_up{instance="b"}': '0x40 1x18 0 1x300' },
  ],
  ['StoreErrors', true, '3 of 103', requests({ '/ucp/checkout': 3 })],
  [
    'StoreErrors',
    false,
    '2 of 102, and an orchestrator',
    requests({ '/ucp/checkout': 2, '/readyz': 60 }),
  ],
  [
    'StoreMemoryHigh',
    true,
    '460 MB',
    { 'process_resident_memory_bytes{job="aisle-store",instance="b"}': '460000000x300' },
  ],
  [
    'StoreMemoryHigh',
    false,
    '460 MB of the service',
    { 'process_resident_memory_bytes{job="aisle"}': '460000000x300' },
  ],
  [
    'OrderSuccessRateLow',
    true,
    '18 of 20',
    orders({ confirmed: 18, shipped: 0, payment_failed: 1, canceled: 1, awaiting_payment: 0 }),
  ],
  [
    'OrderSuccessRateLow',
    false,
    '19 of 20',
    orders({ confirmed: 0, shipped: 19, payment_failed: 1, awaiting_payment: 5 }),
  ],
  [
    'OrderSuccessRateLow',
    true,
    'none of 1',
    orders({ confirmed: 0, shipped: 0, payment_failed: 1 }),
  ],
  [
    'SessionExpiryRateHigh',
    true,
    '2 of 20, and open ones',
    sessions({ open: 30, completed: 18, expired: 2 }),
  ],
  ['SessionExpiryRateHigh', false, '1 of 20', sessions({ open: 0, completed: 19, expired: 1 })],
  ['SessionExpiryRateHigh', true, 'all', sessions({ open: 0, completed: 0, expired: 1 })],
  [
    'PaymentFailureRateHigh',
    true,
    '1 of 9',
    { ...declines(1), ...orders({ confirmed: 8, shipped: 0, payment_failed: 1 }) },
  ],
  [
    'PaymentFailureRateHigh',
    false,
    '1 of 10',
    {
      ...declines(1),
      ...orders({ confirmed: 8, shipped: 1, payment_failed: 0, awaiting_payment: 0 }),
    },
  ],
  ['PaymentsToReview', true, 'one', { aisle_store_payment_reviews_open: '1x300' }],
  ['PaymentsToReview', false, 'none any more', { aisle_store_payment_reviews_open: '1x20 0x300' }],
  [
    'WebhookDeliveryIncomplete',
    true,
    'one given up',
    deliveries({ delivered: 30, waiting: 0, given_up: 1 }),
  ],
  [
    'WebhookDeliveryIncomplete',
    false,
    'none given up',
    deliveries({ delivered: 3, waiting: 2, given_up: 0 }),
  ],
  ['WebhookDeliveryLate', true, '301 s', { aisle_store_webhook_overdue_seconds: '301x300' }],
  ['WebhookDeliveryLate', false, '300 s', { aisle_store_webhook_overdue_seconds: '300x300' }],
  [
    'WebhookEndpointDisabled',
    true,
    'one more',
    { aisle_store_webhook_endpoints_disabled: '1x40 2x300' },
  ],
  [
    'WebhookEndpointDisabled',
    false,
    'one fewer',
    { aisle_store_webhook_endpoints_disabled: '2x40 1x300' },
  ],
  ['CompletionRateLow', true, '8 of 10', ended({ 200: 8, 402: 1, 503: 1 })],
  [
    'CompletionRateLow',
    false,
    '9 of 10, and calls that were wrong',
    ended({ 200: 8, 202: 1, 402: 1, 404: 5, 422: 5, 503: 0 }),
  ],
  ['CompletionRateLow', true, 'none', ended({ 200: 0, 402: 3 })],
  ['CompletionSlow', true, '4 of 40', took({ 0.5: 36, 5: 36, 10: 36, 15: 40 })],
  ['CompletionSlow', true, 'all at 6 s', took({ 0.5: 0, 5: 0, 7.5: 40 })],
  ['CompletionSlow', true, 'all beyond a minute', took({ 0.5: 0, 5: 0, 60: 0 })],
  ['CompletionSlow', false, '1 of 40', took({ 0.5: 39, 5: 39, 15: 40 })],
  ['CompletionSlow', false, 'all at 4.9 s', took({ 0.5: 0, 3: 0, 5: 40 })],
  [
    'AttributionEventsLost',
    true,
    'one',
    { 'aisle_store_reports_total{result="dropped"}': '0x40 1x300' },
  ],
  [
    'AttributionEventsLost',
    false,
    'one, long ago',
    { 'aisle_store_reports_total{result="refused"}': '1x300' },
  ],
]

test('each alert has a case in which it fires and one in which it is silent', () => {
  for (const fires of [true, false]) {
    const tried = new Set(CASES.filter((each) => each[1] === fires).map(([alert]) => alert))
    expect([...tried].toSorted()).toEqual(RULES.map(({ alert }) => alert).toSorted())
  }
})

test('each says in words what is wrong and what to do', () => {
  for (const { alert, text } of RULES) {
    expect(text, alert).toMatch(/^ {10}severity: (critical|warning)$/m)
    expect(text, alert).toMatch(/^ {10}summary: \S.+$/m)
    expect(text, alert).toMatch(/^ {10}description: \S.+\.$/m)
  }
})

/** A series of the healthy store that is given an empty text is not there. */
const input = (change: Input): Input =>
  Object.fromEntries(Object.entries({ ...HEALTHY, ...change }).filter(([, values]) => values))

testWithPromtool('the rules are valid', async () => {
  expect(await askPromtool('check', 'rules', STORE_RULES)).toContain(`${RULES.length} rules found`)
})

testWithPromtool('each alert fires, or is silent', async () => {
  const cases = CASES.map(([looked, fires, what, change]) => ({
    name: `${looked}: ${fires ? 'fires' : 'is silent'} at ${what}`,
    input: input(change),
    minutes: 60,
    firing: fires ? [looked] : [],
    looked,
  }))
  await playAlerts(STORE_RULES, cases)
})

testWithPromtool('all are silent as long as nothing happens', async () => {
  const cases = [{ name: 'healthy', input: HEALTHY, minutes: [1, 60, 290], firing: [] }]
  // A store that has sold nothing yet: every figure is there, and zero.
  const unused = Object.fromEntries(
    Object.entries(HEALTHY).map(([series, values]) => [
      series,
      /^(up|process|aisle_store_database)/.test(series) ? values : '0x300',
    ]),
  )
  cases.push({ name: 'nothing sold', input: unused, minutes: [120], firing: [] })
  await playAlerts(STORE_RULES, cases)
})

testWithPromtool('where nothing is known, that is said', async () => {
  const up = 'up{job="aisle-store"}'
  const cases = [
    { name: 'no job', input: { 'up{job="aisle"}': '1x60' }, minutes: 30, firing: ['StoreAbsent'] },
    { name: 'down', input: { [up]: '0x60' }, minutes: 30, firing: ['StoreDown'] },
  ]
  await playAlerts(STORE_RULES, cases)
})
