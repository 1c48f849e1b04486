import { expect, test } from 'vitest'
import { Report } from '../../../shared/attribution/report.ts'
import { insertRollup } from '../../attribution/report/testing/rows.ts'
import { beacon_days } from '../../db/attribution/tables.ts'
import { testApp } from '../../testing/app.ts'

const { app, ask, db, createTestKey } = await testApp({
  now: () => new Date('2026-11-21T12:00:00Z'),
})

const get = (query: string, asking: Parameters<typeof ask>[1] = {}) =>
  ask(`/api/report?${query}`, asking)

async function reportOf(query: string): Promise<Report> {
  const answer = await get(query)
  expect(answer.status).toBe(200)
  return Report.strict().parse(await answer.json())
}

const NO_ORIGIN = {
  sessions: 0,
  orders: 0,
  checkouts: 0,
  revenue_cents: 0,
  orders_in_currency: 0,
  conversion_rate: 0,
  avg_order_value_cents: 0,
}
const NOTHING = { ...NO_ORIGIN, kind: { referral: 0, agent: 0, protocol: 0 } }
const NO_LIST = { rows: [], total: 0, next_offset: null, other: null }

/** What a report has besides, where none of it is asked for. */
const UTC = {
  time_zone: 'UTC',
  touch: 'last',
  lookback_days: 1,
  by_landing: NO_LIST,
  by_product: NO_LIST,
  share: null,
  totals_currencies: [],
}
const NO_ORDERS = { orders: 0, revenue_cents: 0, orders_in_currency: 0, avg_order_value_cents: 0 }

test('a domain without events has a report of zeros', async () => {
  const query = 'domain=Empty.Example.&start=2026-11-29&end=2026-12-01'
  const zero = { sessions: 0, checkouts: 0, orders: 0, revenue_cents: 0 }
  expect(await reportOf(query)).toEqual({
    domain: 'empty.example',
    period: { start: '2026-11-29', end: '2026-12-01' },
    summary: {
      ai_sessions: 0,
      ai_checkouts: 0,
      ai_orders: 0,
      ai_revenue_cents: 0,
      ai_conversion_rate: 0,
      avg_order_value_cents: 0,
    },
    by_surface: {
      chatgpt: NOTHING,
      google_ai_mode: NOTHING,
      perplexity: NOTHING,
      other_ai: NOTHING,
    },
    daily: ['2026-11-29', '2026-11-30', '2026-12-01'].map((date) => ({
      date,
      ...zero,
      orders_in_currency: 0,
      partial: true,
    })),
    ...UTC,
    by_customer: { new: NO_ORDERS, returning: NO_ORDERS, unknown: NO_ORDERS },
    complete_through: null,
    granularity: 'day',
    currency: null,
    revenue_by_currency: {},
    orders_without_value: 0,
    verification: {},
    by_source: { ucp: NOTHING, acp: NOTHING, web: NOTHING },
    by_kind: { click: NO_ORIGIN, agent: NO_ORIGIN, protocol: NO_ORIGIN },
    funnel: { viewed: 0, initiated: 0, completed: 0, failed: 0 },
    unattributed: { checkouts: 0, ...NO_ORDERS },
    set_aside: [],
  })
})

const asideOf = (day: string, property_id: string, domain = 'shop.example') => ({
  domain,
  day,
  property_id,
  admitted: 3,
  over_address: 0,
  over_network: 0,
  over_property: 0,
})
await db
  .insert(beacon_days)
  .values([
    { ...asideOf('2026-10-31', 'a'), over_address: 1000 },
    { ...asideOf('2026-11-30', 'a'), over_network: 4 },
    { ...asideOf('2026-11-01', 'a'), over_address: 5, over_property: 1 },
    { ...asideOf('2026-11-01', 'b'), over_address: 4, over_network: 2 },
    asideOf('2026-11-02', 'a'),
    { ...asideOf('2026-11-03', 'c', 'other.example'), over_address: 1000 },
    { ...asideOf('2026-12-01', 'a'), over_address: 1000 },
  ])
await insertRollup(db, 'shop.example', [
  { day: '2026-10-31', sessions: 100, completed: 50, currency: 'USD', revenue: 999_999 },
  { day: '2026-11-01', sessions: 10, viewed: 7, initiated: 4 },
  { day: '2026-11-01', completed: 2, currency: 'USD', revenue: 5001 },
  { day: '2026-11-01', completed: 1, failed: 1, currency: 'EUR', revenue: 90_000 },
  { day: '2026-11-02', kind: 'agent', sessions: 3, surface: 'claude' },
  { day: '2026-11-03', kind: 'protocol', source: 'acp', sessions: 2, initiated: 2 },
  // An order that came without a value, from ids that are on no row.
  { day: '2026-11-30', kind: 'protocol', source: 'ucp', surface: 'my_bot', completed: 1 },
  { day: '2026-11-30', kind: 'protocol', source: 'ucp', surface: 'constructor', sessions: 5 },
  { day: '2026-12-01', sessions: 1000 },
])
await insertRollup(db, 'other.example', [{ day: '2026-11-01', sessions: 5000, completed: 5000 }])

const UNPROVED = { sessions: 0, orders: 0 }
const PROVED = { signature: UNPROVED, platform: UNPROVED, address: UNPROVED }
const NOVEMBER = 'domain=shop.example&start=2026-11-01&end=2026-11-30'

test('a report adds up the days of its range and its domain, and nothing else', async () => {
  const { daily, ...report } = await reportOf(NOVEMBER)
  expect(report).toEqual({
    domain: 'shop.example',
    period: { start: '2026-11-01', end: '2026-11-30' },
    summary: {
      ai_sessions: 20,
      ai_checkouts: 6,
      ai_orders: 4,
      ai_revenue_cents: 5001,
      ai_conversion_rate: 0.2,
      avg_order_value_cents: 2501,
    },
    by_surface: {
      chatgpt: {
        sessions: 12,
        orders: 3,
        checkouts: 6,
        revenue_cents: 5001,
        orders_in_currency: 2,
        conversion_rate: 0.25,
        avg_order_value_cents: 2501,
        kind: { referral: 10, agent: 0, protocol: 2 },
      },
      google_ai_mode: NOTHING,
      perplexity: NOTHING,
      claude: { ...NOTHING, sessions: 3, kind: { referral: 0, agent: 3, protocol: 0 } },
      other_ai: {
        ...NOTHING,
        sessions: 5,
        orders: 1,
        conversion_rate: 0.2,
        kind: { referral: 0, agent: 0, protocol: 5 },
      },
    },
    granularity: 'day',
    currency: 'USD',
    revenue_by_currency: {
      USD: {
        orders: 2,
        revenue_cents: 5001,
        avg_order_value_cents: 2501,
        conversion_rate: 0.1,
      },
      EUR: {
        orders: 1,
        revenue_cents: 90_000,
        avg_order_value_cents: 90_000,
        conversion_rate: 0.05,
      },
    },
    ...UTC,
    by_customer: {
      new: NO_ORDERS,
      returning: NO_ORDERS,
      unknown: {
        orders: 4,
        revenue_cents: 5001,
        orders_in_currency: 2,
        avg_order_value_cents: 2501,
      },
    },
    complete_through: '2026-11-20',
    orders_without_value: 1,
    by_kind: {
      click: {
        ...NO_ORIGIN,
        sessions: 10,
        orders: 3,
        checkouts: 4,
        revenue_cents: 5001,
        orders_in_currency: 2,
        conversion_rate: 0.3,
        avg_order_value_cents: 2501,
      },
      agent: { ...NO_ORIGIN, sessions: 3 },
      protocol: { ...NO_ORIGIN, sessions: 7, checkouts: 2, orders: 1, conversion_rate: 1 / 7 },
    },
    verification: {
      chatgpt: { ...PROVED, claimed: { sessions: 2, orders: 0 } },
      claude: { ...PROVED, claimed: { sessions: 3, orders: 0 } },
      other_ai: { ...PROVED, claimed: { sessions: 5, orders: 1 } },
    },
    by_source: {
      ucp: {
        ...NOTHING,
        sessions: 5,
        orders: 1,
        conversion_rate: 0.2,
        kind: { referral: 0, agent: 0, protocol: 5 },
      },
      acp: { ...NOTHING, sessions: 2, checkouts: 2, kind: { referral: 0, agent: 0, protocol: 2 } },
      web: {
        sessions: 13,
        orders: 3,
        checkouts: 4,
        revenue_cents: 5001,
        orders_in_currency: 2,
        conversion_rate: 3 / 13,
        avg_order_value_cents: 2501,
        kind: { referral: 10, agent: 3, protocol: 0 },
      },
    },
    funnel: { viewed: 7, initiated: 6, completed: 4, failed: 1 },
    unattributed: { checkouts: 0, ...NO_ORDERS },
    set_aside: [
      { date: '2026-11-01', sessions: 12, by_address: 9, by_network: 2, by_property: 1 },
      { date: '2026-11-30', sessions: 4, by_address: 0, by_network: 4, by_property: 0 },
    ],
  })
  expect(daily).toHaveLength(30)
  expect(daily[0]).toEqual({
    date: '2026-11-01',
    sessions: 10,
    checkouts: 4,
    orders: 3,
    revenue_cents: 5001,
    orders_in_currency: 2,
    partial: false,
  })
  expect(daily[29]).toMatchObject({ date: '2026-11-30', sessions: 5, orders: 1 })
})

test('weeks begin on Monday and months on the first, but never before the range', async () => {
  const sessions = async (granularity: string) =>
    (await reportOf(`${NOVEMBER}&granularity=${granularity}`)).daily.map(
      (row) => `${row.date} ${row.sessions}`,
    )
  expect(await sessions('week')).toEqual([
    '2026-11-01 10',
    '2026-11-02 5',
    '2026-11-09 0',
    '2026-11-16 0',
    '2026-11-23 0',
    '2026-11-30 5',
  ])
  expect(await sessions('month')).toEqual(['2026-11-01 20'])
})

test('with a currency, orders and revenue are of that one alone', async () => {
  const { summary, currency, by_surface, daily, revenue_by_currency, orders_without_value } =
    await reportOf(`${NOVEMBER}&currency=EUR`)
  expect(currency).toBe('EUR')
  expect(summary).toEqual({
    ai_sessions: 20,
    ai_checkouts: 6,
    ai_orders: 1,
    ai_revenue_cents: 90_000,
    ai_conversion_rate: 0.05,
    avg_order_value_cents: 90_000,
  })
  expect(by_surface.chatgpt).toMatchObject({ orders: 1, revenue_cents: 90_000 })
  expect(daily[0]).toMatchObject({ sessions: 10, orders: 1, revenue_cents: 90_000 })
  // The others are named beside, whichever is chosen.
  expect(revenue_by_currency).toEqual((await reportOf(NOVEMBER)).revenue_by_currency)
  expect(orders_without_value).toBe(1)

  const main = await reportOf(`${NOVEMBER}&currency=main`)
  expect(main.currency).toBe('USD')
  expect(main.summary).toMatchObject({ ai_orders: 2, ai_revenue_cents: 5001 })
  const yen = await reportOf(`${NOVEMBER}&currency=JPY`)
  expect(yen.currency).toBe('JPY')
  expect(yen.summary).toMatchObject({
    ai_orders: 0,
    ai_revenue_cents: 0,
    avg_order_value_cents: 0,
  })
})

test.each([
  ['surface=chatgpt', { ai_sessions: 12, ai_orders: 3, ai_revenue_cents: 5001 }],
  ['surface=claude', { ai_sessions: 3, ai_orders: 0 }],
  ['surface=other_ai', { ai_sessions: 5, ai_orders: 1 }],
  ['surface=my_bot', { ai_sessions: 0, ai_orders: 0 }],
  ['kind=click', { ai_sessions: 10, ai_orders: 3, ai_revenue_cents: 5001 }],
  ['kind=agent', { ai_sessions: 3, ai_orders: 0 }],
  ['kind=protocol', { ai_sessions: 7, ai_orders: 1 }],
  ['kind=protocol&surface=chatgpt', { ai_sessions: 2, ai_orders: 0 }],
  ['kind=click&surface=chatgpt&currency=EUR', { ai_sessions: 10, ai_orders: 1 }],
])('%s filters all that the report says', async (filter, summary) => {
  const report = await reportOf(`${NOVEMBER}&${filter}&series=surface`)
  expect(report.summary).toMatchObject(summary)
  const sum = (rows: readonly { sessions: number; orders: number }[]) => ({
    ai_sessions: rows.reduce((total, { sessions }) => total + sessions, 0),
    ai_orders: rows.reduce((total, { orders }) => total + orders, 0),
  })
  for (const rows of [
    report.daily,
    Object.values(report.by_surface),
    Object.values(report.by_source),
    Object.values(report.by_kind),
    report.series ?? [],
  ]) {
    expect(sum(rows)).toEqual({
      ai_sessions: summary.ai_sessions,
      ai_orders: summary.ai_orders,
    })
  }
})

test('series=surface has a row per period and surface', async () => {
  const { series } = await reportOf(`${NOVEMBER}&granularity=week&series=surface`)
  expect(series).toHaveLength(6 * 5)
  expect(series?.slice(0, 6)).toMatchObject([
    { date: '2026-11-01', surface: 'chatgpt', sessions: 10, orders: 3, partial: true },
    { date: '2026-11-01', surface: 'google_ai_mode', sessions: 0 },
    { date: '2026-11-01', surface: 'perplexity', sessions: 0 },
    { date: '2026-11-01', surface: 'other_ai', sessions: 0 },
    { date: '2026-11-01', surface: 'claude', sessions: 0 },
    { date: '2026-11-02', surface: 'chatgpt', sessions: 2, partial: false },
  ])
})

test('of two currencies with as many orders, the first in the alphabet is the main one', async () => {
  await insertRollup(db, 'tie.example', [
    { day: '2026-11-01', completed: 1, currency: 'USD', revenue: 1 },
    { day: '2026-11-01', completed: 1, currency: 'EUR', revenue: 2 },
    { day: '2026-11-01', initiated: 9, currency: 'AUD' },
  ])
  const report = await reportOf('domain=tie.example&start=2026-11-01&end=2026-11-01')
  expect(report.currency).toBe('EUR')
  expect(Object.keys(report.revenue_by_currency)).toEqual(['EUR', 'USD'])
})

test('with compare=previous, as many days before stand beside it', async () => {
  const { previous } = await reportOf(
    'domain=shop.example&start=2026-11-01&end=2026-11-02&compare=previous',
  )
  expect(previous).toEqual({
    period: { start: '2026-10-30', end: '2026-10-31' },
    summary: {
      ai_sessions: 100,
      ai_checkouts: 0,
      ai_orders: 50,
      ai_revenue_cents: 999_999,
      ai_conversion_rate: 0.5,
      avg_order_value_cents: 20_000,
    },
    funnel: { viewed: 0, initiated: 0, completed: 50, failed: 0 },
    daily: [
      {
        date: '2026-10-30',
        sessions: 0,
        checkouts: 0,
        orders: 0,
        revenue_cents: 0,
        orders_in_currency: 0,
        partial: false,
      },
      {
        date: '2026-10-31',
        sessions: 100,
        checkouts: 0,
        orders: 50,
        revenue_cents: 999_999,
        orders_in_currency: 50,
        partial: false,
      },
    ],
    compared: {
      current: { start: '2026-11-01', end: '2026-11-02' },
      previous: { start: '2026-10-30', end: '2026-10-31' },
      summary: expect.objectContaining({ ai_sessions: 13 }),
      previous_summary: previous?.summary,
    },
    change: {
      ai_sessions: -0.87,
      ai_checkouts: null,
      ai_orders: -0.94,
      ai_revenue_cents: (5001 - 999_999) / 999_999,
      ai_conversion_rate: expect.closeTo(-0.538, 3),
      avg_order_value_cents: (2501 - 20_000) / 20_000,
    },
  })
})

test('today is not over: changes are between the days before it and the same of the last period', async () => {
  await insertRollup(db, 'today.example', [
    { day: '2026-10-05', sessions: 4, completed: 1, currency: 'USD', revenue: 1000 },
    { day: '2026-10-20', sessions: 16, surface: 'claude' },
    { day: '2026-10-21', sessions: 1000 },
    { day: '2026-11-01', sessions: 25, completed: 2, currency: 'USD', revenue: 3000 },
    { day: '2026-11-20', surface: 'claude', sessions: 24 },
    { day: '2026-11-21', sessions: 7000 },
  ])
  const asked = 'domain=today.example&start=2026-11-01&end=2026-11-30&compare=previous'
  const { complete_through, daily, previous, ...report } = await reportOf(asked)
  expect(complete_through).toBe('2026-11-20')
  expect(daily.filter(({ partial }) => partial)[0]?.date).toBe('2026-11-21')
  expect(previous).toMatchObject({
    period: { start: '2026-10-01', end: '2026-10-31' },
    summary: { ai_sessions: 1020 },
    compared: {
      current: { start: '2026-11-01', end: '2026-11-20' },
      previous: { start: '2026-10-01', end: '2026-10-20' },
      summary: { ai_sessions: 49 },
      previous_summary: { ai_sessions: 20 },
    },
    change: { ai_sessions: 1.45, ai_orders: 1, ai_revenue_cents: 2 },
  })
  expect(report.by_surface.claude?.change).toMatchObject({ sessions: 0.5, orders: null })
  expect(report.by_surface.chatgpt?.change).toMatchObject({ orders: 1, revenue_cents: 2 })
  expect(report.by_kind.click.change).toMatchObject({ sessions: 1.45 })
  expect(report.revenue_by_currency.USD?.change).toMatchObject({ orders: 1, revenue_cents: 2 })

  const today = await reportOf(
    'domain=today.example&start=2026-11-21&end=2026-11-21&compare=previous',
  )
  expect(today.previous).toMatchObject({ compared: null, change: { ai_sessions: null } })
  expect(today.by_surface.chatgpt?.change).toBeUndefined()
})

test('whole months are compared with whole months, by whatever they are counted', async () => {
  await insertRollup(db, 'monthly.example', [
    { day: '2026-01-31', sessions: 100 },
    { day: '2026-02-01', sessions: 10 },
    { day: '2026-03-31', sessions: 15 },
  ])
  for (const granularity of ['day', 'week', 'month']) {
    const { previous } = await reportOf(
      `domain=monthly.example&start=2026-03-01&end=2026-03-31&compare=previous&granularity=${granularity}`,
    )
    expect(previous).toMatchObject({
      period: { start: '2026-02-01', end: '2026-02-28' },
      summary: { ai_sessions: 10 },
      change: { ai_sessions: 0.5 },
    })
    expect(previous?.daily[0]).toMatchObject({ sessions: 10 })
  }
})

test('a period that is shared by both ranges is not added up over them', async () => {
  const { daily, previous } = await reportOf(
    'domain=shop.example&start=2026-11-01&end=2026-11-01&granularity=week&compare=previous',
  )
  expect(daily).toMatchObject([{ date: '2026-11-01', sessions: 10 }])
  expect(previous?.daily).toMatchObject([{ date: '2026-10-31', sessions: 100 }])
})

test('when nothing was sold, the currency is that of the days before', async () => {
  const query = 'domain=shop.example&start=2026-11-02&end=2026-11-03'
  expect((await reportOf(query)).currency).toBeNull()
  const { currency, previous } = await reportOf(`${query}&compare=previous`)
  expect(currency).toBe('USD')
  expect(previous?.summary.ai_revenue_cents).toBe(5001 + 999_999)
})

test('both ranges are shown in one currency, whichever sold most before', async () => {
  await insertRollup(db, 'abroad.example', [
    { day: '2026-11-01', completed: 1, currency: 'USD', revenue: 100 },
    { day: '2026-11-01', completed: 2, currency: 'EUR', revenue: 70_000 },
    { day: '2026-11-02', completed: 1, currency: 'USD', revenue: 150 },
  ])
  const { previous, revenue_by_currency } = await reportOf(
    'domain=abroad.example&start=2026-11-02&end=2026-11-02&compare=previous',
  )
  expect(revenue_by_currency).toMatchObject({ USD: { orders: 1, revenue_cents: 150 } })
  expect(Object.keys(revenue_by_currency)).toEqual(['USD'])
  expect(previous?.summary.ai_revenue_cents).toBe(100)
  expect(previous?.daily).toMatchObject([{ revenue_cents: 100 }])
  expect(previous?.change.ai_revenue_cents).toBe(0.5)
})

test('sums that no number holds exactly are the largest that one does', async () => {
  const half = 2 ** 52
  await insertRollup(db, 'rich.example', [
    { day: '2026-11-01', completed: 1, currency: 'USD', revenue: half - 1 },
    { day: '2026-11-02', completed: 1, currency: 'USD', revenue: half },
    { day: '2026-11-03', source: 'acp', completed: 1, currency: 'USD', revenue: half },
    { day: '2026-11-04', completed: 1, currency: 'USD', revenue: half },
  ])
  const revenueTo = async (end: string) =>
    (await reportOf(`domain=rich.example&start=2026-11-01&end=${end}`)).summary.ai_revenue_cents
  expect(await revenueTo('2026-11-02')).toBe(2 ** 53 - 1)
  // Over two sources, and within one.
  expect(await revenueTo('2026-11-03')).toBe(2 ** 53 - 1)
  expect(await revenueTo('2026-11-04')).toBe(2 ** 53 - 1)
})

const REACH = 'Send a date from 2000-01-01 to 2999-12-31.'
const DAY = 'Send a date such as 2026-11-30.'
const REQUIRED = 'This field is required. Send a'
const UNKNOWN = 'This field does not exist. Leave it out, or check its spelling.'
const ONCE = 'Send this parameter once.'
test.each<[string, Record<string, string>]>([
  [
    '',
    {
      domain: `${REQUIRED} string.`,
      start: `${REQUIRED} date such as 2026-11-30.`,
      end: `${REQUIRED} date such as 2026-11-30.`,
    },
  ],
  ['domain=shop.example&end=2026-11-30', { start: `${REQUIRED} date such as 2026-11-30.` }],
  [`${NOVEMBER}&granulraity=week`, { granulraity: UNKNOWN }],
  [`${NOVEMBER}&from=1&from=2&__proto__=x`, { from: UNKNOWN, ['__proto__']: UNKNOWN }],
  ['domain=shop.example&start=&end=2026-11-30', { start: DAY }],
  ['domain=shop.example&start=2026-02-30&end=2026-11-30', { start: DAY }],
  ['domain=shop.example&start=2026-11-01T00:00:00Z&end=30.11.2026', { start: DAY, end: DAY }],
  ['domain=shop.example&start=0000-01-01&end=1999-12-31', { start: REACH, end: REACH }],
  [
    'domain=shop.example&start=2026-11-30&end=2026-11-01',
    { start: 'start is after end. Swap them.' },
  ],
  [
    'domain=shop.example&start=2025-01-01&end=2026-02-05',
    { end: 'With granularity day, request at most 400 days, or use week or month.' },
  ],
  ['domain=shop.example&start=2000-01-01&end=9999-12-31&granularity=month', { end: REACH }],
  ...['', '&granularity=week', '&granularity=month', '&format=csv'].map(
    (more): [string, Record<string, string>] => [
      `domain=shop.example&start=9999-12-01&end=9999-12-31${more}`,
      { start: REACH, end: REACH },
    ],
  ),
  ['domain=shop.example&start=2999-12-31&end=+010000-01-01', { end: DAY }],
  [
    'domain=shop.example&start=2000-01-01&end=2999-12-31&granularity=month',
    { end: 'With granularity month, request at most 3660 days.' },
  ],
  [`${NOVEMBER}&granularity=hour`, { granularity: 'Use one of day, week, month.' }],
  [`${NOVEMBER}&compare=year`, { compare: 'Omit compare, or send previous.' }],
  [`${NOVEMBER}&format=xlsx`, { format: 'Use one of json, csv.' }],
  [`${NOVEMBER}&currency=usd`, { currency: 'Send an ISO 4217 code in capitals, such as USD.' }],
  [`${NOVEMBER}&series=kind`, { series: 'Omit series, or send surface.' }],
  [`${NOVEMBER}&surface=Chat GPT`, { surface: 'Send the id of a surface, such as chatgpt.' }],
  [`${NOVEMBER}&kind=referral`, { kind: 'Use one of click, agent, protocol.' }],
  [
    `${NOVEMBER}&landing=boot`,
    { landing: 'Send the path of a landing page, such as /products/boot.' },
  ],
  [
    `${NOVEMBER}&landing=/&product_id=boot`,
    { product_id: 'Send landing or product_id, and not both.' },
  ],
  [`${NOVEMBER}&product_id=a%00b`, { product_id: 'Leave out U+0000 and unpaired surrogates.' }],
  [`${NOVEMBER}&landing=/%00`, { landing: 'Leave out U+0000 and unpaired surrogates.' }],
  [`${NOVEMBER}&product_id=`, { product_id: 'Send the id of a product.' }],
  [`${NOVEMBER}&sort=name`, { sort: 'Use one of revenue, orders, sessions.' }],
  ...['0', '101', '1.5', 'all', '', 'null', '0x10', '1e1', '+1', ' 1'].map(
    (limit): [string, Record<string, string>] => [
      `${NOVEMBER}&limit=${limit}`,
      { limit: 'Send a whole number from 1 to 100.' },
    ],
  ),
  ...['-1', '10001', '', 'null', '0x10', '1e1'].map((offset): [string, Record<string, string>] => [
    `${NOVEMBER}&offset=${offset}`,
    { offset: 'Send a whole number from 0 to 10000.' },
  ]),
  [`${NOVEMBER}&start=2026-11-02`, { start: ONCE }],
  [
    `${NOVEMBER}&domain=other.example&granularity=day&granularity=day`,
    { domain: ONCE, granularity: ONCE },
  ],
  [
    'domain=https://shop.example&start=2026-11-01&end=2026-11-30',
    { domain: 'Send the domain without a scheme, such as "shop.example".' },
  ],
])('%s is refused', async (query, fields) => {
  const answer = await get(query)
  expect(answer.status).toBe(422)
  const { error } = (await answer.json()) as {
    error: { code: string; details: { field: string; message: string }[] }
  }
  expect(error.code).toBe('invalid_request')
  expect(Object.fromEntries(error.details.map(({ field, message }) => [field, message]))).toEqual(
    fields,
  )
})

test('what is missing or unknown has the code that a body has for it', async () => {
  const answer = await get('domain=shop.example&start=2026-11-01&strat=2026-11-01')
  expect((await answer.json()).error.details).toMatchObject([
    { field: 'end', code: 'required' },
    { field: 'strat', code: 'unknown_field' },
  ])
})

test('400 days are not too many', async () => {
  const { daily } = await reportOf('domain=shop.example&start=2025-01-01&end=2026-02-04')
  expect(daily).toHaveLength(400)
})

test('a key reads its own domains only, and needs the scope', async () => {
  const own = await createTestKey({ domains: ['shop.example'] })
  const read = (domain: string, { key }: { key: string }) =>
    get(`domain=${domain}&start=2026-11-01&end=2026-11-30`, { key })
  expect((await read('shop.example', own)).status).toBe(200)
  expect((await read('other.example', own)).status).toBe(403)
  const writer = await createTestKey({ scopes: ['report:write'] })
  expect((await read('shop.example', writer)).status).toBe(403)
})

test('the OpenAPI document names each parameter, and what the figures are', async () => {
  const document = await (await app.request('/openapi.json')).json()
  const { parameters, description } = document.paths['/api/report'].get
  for (const fact of [
    'in UTC',
    'Today is incomplete',
    'gross: refunds',
    'one row per period and surface',
  ]) {
    expect(description).toContain(fact)
  }
  expect(
    parameters.map((each: { name: string; required?: boolean }) => [each.name, each.required]),
  ).toEqual([
    ['domain', true],
    ['start', true],
    ['end', true],
    ['granularity', false],
    ['compare', false],
    ['format', false],
    ['currency', false],
    ['money_in', false],
    ['series', false],
    ['surface', false],
    ['kind', false],
    ['touch', false],
    ['landing', false],
    ['product_id', false],
    ['sort', false],
    ['limit', false],
    ['offset', false],
  ])
  expect(document.components.schemas.Report.properties.by_surface).toBeDefined()
})
