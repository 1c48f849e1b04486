import { beforeAll, describe, expect, test } from 'vitest'
import type { LogLine } from '../../../shared/attribution/fetches/fetch.ts'
import { Report } from '../../../shared/attribution/report.ts'
import { FetchReport } from '../../../shared/audit/fetch-report.ts'
import { rebuildRollup } from '../../db/events/rebuild.ts'
import { testApp } from '../../testing/app.ts'
import { type HistoryVisit, makeHistory, recordHistory } from './history.ts'

// Every figure of the report is compared with a sum made here from the sent events, without the
// report's own code or the rollups.

const UNTIL = new Date('2026-11-20T23:59:59Z')
const DOMAIN = 'shop.example'
const PLAN = { domain: DOMAIN, seed: 7, days: 60, visitsPerDay: 40, until: UNTIL }
const HISTORY = makeHistory(PLAN)
const { ask, db, ingest } = await testApp({ now: () => new Date('2026-11-21T12:00:00Z') })

beforeAll(() => recordHistory(HISTORY, { db, ingest, domain: DOMAIN }), 120_000)

/** One event, with everything that it is counted by. */
interface Fact {
  day: string
  surface: string
  kind: 'click' | 'agent' | 'protocol'
  source: string
  currency: string | null
  landing: string | null
  product: string | null
  customer: boolean | null
  session: number
  viewed: number
  checkout: number
  failed: number
  order: number
  revenue: number
  refund: number
  refunded: number
}

const dayAt = (at: Date) => at.toISOString().slice(0, 10)
const NONE = {
  session: 0,
  viewed: 0,
  checkout: 0,
  failed: 0,
  order: 0,
  revenue: 0,
  refund: 0,
  refunded: 0,
}

/** The counts of the sent events, by the report's description. */
function factsOf(): Fact[] {
  const facts: Fact[] = []
  const kindOf = (visit: HistoryVisit | null) =>
    visit === null ? 'protocol' : visit.kind === 'agent' ? 'agent' : 'click'
  for (const visit of HISTORY.visits) {
    const { surface, landing } = visit
    facts.push({
      ...{ ...NONE, day: dayAt(visit.at), surface, kind: kindOf(visit), source: 'web', landing },
      ...{ currency: null, product: null, customer: null, session: 1 },
    })
  }
  /** A session counts once, on the day on which it began. */
  const begun = new Set(HISTORY.visits.map(({ id }) => id))
  for (const { at, surface, visit, body } of HISTORY.events) {
    const { event, session_id, source, properties = {} } = body
    const day = dayAt(at)
    const id = visit?.id ?? session_id
    const isFirst = !begun.has(id)
    begun.add(id)
    const isOrder = event === 'ai_checkout_completed'
    const isRefund = event === 'ai_order_refunded'
    facts.push({
      ...NONE,
      day,
      surface,
      kind: kindOf(visit),
      source,
      currency: properties.value === undefined ? null : (properties.currency ?? null),
      landing: visit?.landing ?? null,
      product: properties.product_id ?? null,
      customer: isOrder ? (properties.new_customer ?? null) : null,
      session: isFirst ? 1 : 0,
      viewed: event === 'ai_product_viewed' ? 1 : 0,
      checkout: event === 'ai_checkout_initiated' ? 1 : 0,
      failed: event === 'ai_checkout_failed' ? 1 : 0,
      order: isOrder ? 1 : 0,
      revenue: isOrder ? (properties.value ?? 0) : 0,
      refund: isRefund ? 1 : 0,
      refunded: isRefund ? (properties.value ?? 0) : 0,
    })
  }
  return facts
}
const FACTS = factsOf()

type Sum = keyof typeof NONE
const sum = (facts: readonly Fact[], figure: Sum) =>
  facts.reduce((total, fact) => total + fact[figure], 0)

/** The figures of any row: orders of all currencies or, if one is given, of that one. */
function figuresOf(facts: readonly Fact[], currency: string, isFilter: boolean) {
  const priced = facts.filter((fact) => fact.currency === currency)
  const counted = isFilter ? priced : facts
  const [orders, revenue_cents] = [sum(counted, 'order'), sum(priced, 'revenue')]
  const refunds = sum(counted, 'refund')
  return {
    sessions: sum(facts, 'session'),
    checkouts: sum(facts, 'checkout'),
    orders,
    revenue_cents,
    ...(refunds > 0 && {
      refunds,
      refunded_cents: sum(priced, 'refunded'),
      net_revenue_cents: revenue_cents - sum(priced, 'refunded'),
    }),
  }
}

function ratesOf(facts: readonly Fact[], currency: string, isFilter: boolean) {
  const { sessions, orders, revenue_cents } = figuresOf(facts, currency, isFilter)
  const orders_in_currency = sum(
    facts.filter((fact) => fact.currency === currency),
    'order',
  )
  return {
    orders_in_currency,
    conversion_rate: sessions === 0 ? 0 : Math.min(1, orders / sessions),
    avg_order_value_cents:
      orders_in_currency === 0 ? 0 : Math.round(revenue_cents / orders_in_currency),
  }
}

const periodOf = (...given: Parameters<typeof figuresOf>) => ({
  ...figuresOf(...given),
  orders_in_currency: ratesOf(...given).orders_in_currency,
})

const rowOf = (facts: readonly Fact[], currency: string, isFilter: boolean) => ({
  ...figuresOf(facts, currency, isFilter),
  ...ratesOf(facts, currency, isFilter),
})

async function reported(query: Record<string, string>) {
  const path = `/api/report?${new URLSearchParams({ domain: DOMAIN, limit: '100', ...query })}`
  const answer = await ask(path)
  expect(answer.status).toBe(200)
  return Report.strict().parse(await answer.json())
}

const FIRST = '2026-09-22'
const LAST = '2026-11-20'
const within =
  (start: string, end: string) =>
  ({ day }: Fact) =>
    day >= start && day <= end

test('a history is of eight surfaces and two currencies, and always the same', () => {
  expect(makeHistory(PLAN)).toEqual(HISTORY)
  expect(makeHistory({ ...PLAN, seed: 8 })).not.toEqual(HISTORY)
  expect(new Set(FACTS.map(({ surface }) => surface)).size).toBe(8)
  expect(new Set(FACTS.map(({ currency }) => currency))).toEqual(new Set(['USD', 'EUR', null]))
  expect(new Set(FACTS.map(({ day }) => day)).size).toBe(60)
  expect([FACTS[0]?.day, dayAt(HISTORY.events.at(-1)!.at)]).toEqual([FIRST, LAST])
  for (const figure of Object.keys(NONE)) expect(sum(FACTS, figure as Sum)).toBeGreaterThan(10)
})

const FILTERS: [string, Record<string, string>, (fact: Fact) => boolean][] = [
  ['nothing', {}, () => true],
  ['a surface', { surface: 'chatgpt' }, ({ surface }) => surface === 'chatgpt'],
  ['clicks', { kind: 'click' }, ({ kind }) => kind === 'click'],
  ['agents', { kind: 'agent' }, ({ kind }) => kind === 'agent'],
  ['protocols', { kind: 'protocol' }, ({ kind }) => kind === 'protocol'],
  [
    'a surface and a kind',
    { surface: 'chatgpt', kind: 'protocol' },
    ({ surface, kind }) => surface === 'chatgpt' && kind === 'protocol',
  ],
  [
    'a landing page',
    { landing: '/products/trail-boot' },
    ({ landing }) => landing === '/products/trail-boot',
  ],
  ['a product', { product_id: 'ao-1101' }, ({ product }) => product === 'ao-1101'],
]

describe.each(['', 'USD', 'EUR'])('with currency=%s', (asked) => {
  const currency = asked || 'USD'
  const isFilter = asked !== ''
  const inCurrency: Record<string, string> = isFilter ? { currency } : {}

  test.each(FILTERS)('every figure is right where it filters %s', async (_, filter, matches) => {
    const own = FACTS.filter(matches)
    const facts = own.filter(within('2026-10-01', '2026-11-15'))
    const report = await reported({
      start: '2026-10-01',
      end: '2026-11-15',
      granularity: 'week',
      series: 'surface',
      ...inCurrency,
      ...filter,
    })
    const row = (some: readonly Fact[]) => rowOf(some, currency, isFilter)
    const whole = row(facts)
    expect(report.currency).toBe(currency)
    expect(report.summary).toEqual({
      ai_sessions: whole.sessions,
      ai_checkouts: whole.checkouts,
      ai_orders: whole.orders,
      ai_revenue_cents: whole.revenue_cents,
      ai_conversion_rate: whole.conversion_rate,
      avg_order_value_cents: whole.avg_order_value_cents,
      ...(whole.refunds !== undefined && {
        ai_refunds: whole.refunds,
        ai_refunded_cents: whole.refunded_cents,
        ai_net_revenue_cents: whole.net_revenue_cents,
      }),
    })
    expect(report.funnel).toEqual({
      viewed: sum(facts, 'viewed'),
      initiated: sum(facts, 'checkout'),
      completed: whole.orders,
      failed: sum(facts, 'failed'),
    })

    for (const [surface, { kind, ...figures }] of Object.entries(report.by_surface)) {
      const some = facts.filter((fact) => fact.surface === surface)
      expect(figures).toEqual(row(some))
      const sessions = (name: string) =>
        sum(
          some.filter((fact) => fact.kind === name),
          'session',
        )
      expect(kind).toEqual({
        referral: sessions('click'),
        agent: sessions('agent'),
        protocol: sessions('protocol'),
      })
    }
    const surfaces = new Set(facts.map(({ surface }) => surface))
    expect(Object.keys(report.by_surface)).toEqual(expect.arrayContaining([...surfaces]))
    for (const [source, { kind: _kind, ...figures }] of Object.entries(report.by_source)) {
      expect(figures).toEqual(row(facts.filter((fact) => fact.source === source)))
    }
    for (const [kind, figures] of Object.entries(report.by_kind)) {
      expect(figures).toEqual(row(facts.filter((fact) => fact.kind === kind)))
    }

    // 2026-10-01 is a Thursday and 2026-11-15 a Sunday.
    const weeks = ['2026-10-01', '2026-10-05', '2026-10-12', '2026-10-19', '2026-10-26'].concat([
      '2026-11-02',
      '2026-11-09',
    ])
    const factsOfWeek = (at: number) =>
      facts.filter(({ day }) => day >= weeks[at]! && day < (weeks[at + 1] ?? '9999'))
    expect(report.daily).toEqual(
      weeks.map((date, at) => ({
        date,
        ...periodOf(factsOfWeek(at), currency, isFilter),
        partial: at === 0,
      })),
    )
    expect(report.series).toHaveLength(weeks.length * Object.keys(report.by_surface).length)
    for (const { date, surface, partial, ...figures } of report.series ?? []) {
      const some = factsOfWeek(weeks.indexOf(date)).filter((fact) => fact.surface === surface)
      expect(figures).toEqual(periodOf(some, currency, isFilter))
      expect(partial).toBe(date === '2026-10-01')
    }

    for (const [code, { orders, revenue_cents }] of Object.entries(report.revenue_by_currency)) {
      const some = facts.filter((fact) => fact.currency === code)
      expect([orders, revenue_cents]).toEqual([sum(some, 'order'), sum(some, 'revenue')])
    }

    if (filter.landing !== undefined || filter.product_id !== undefined) {
      expect([report.by_landing, report.by_product, report.by_customer]).toEqual([null, null, null])
      return
    }
    const landings = new Set(facts.flatMap(({ landing }) => landing ?? []))
    expect(report.by_landing).toMatchObject({ total: landings.size, other: null })
    for (const { landing, ...figures } of report.by_landing?.rows ?? []) {
      expect(figures).toEqual(row(facts.filter((fact) => fact.landing === landing)))
    }
    const revenues = report.by_landing?.rows.map(({ revenue_cents }) => revenue_cents) ?? []
    expect(revenues).toEqual(revenues.toSorted((a, b) => b - a))
    const products = new Set(facts.flatMap(({ product }) => product ?? []))
    expect(report.by_product).toMatchObject({ total: products.size, other: null })
    for (const { product_id, name: _name, views, ...figures } of report.by_product?.rows ?? []) {
      const some = facts.filter(({ product }) => product === product_id)
      const { sessions: _sessions, conversion_rate: _rate, ...expected } = row(some)
      expect({ views, ...figures }).toEqual({ views: sum(some, 'viewed'), ...expected })
    }
    for (const [name, said] of [
      ['new', true],
      ['returning', false],
    ] as const) {
      const some = row(facts.filter(({ customer }) => customer === said))
      const { orders, revenue_cents, orders_in_currency, avg_order_value_cents } = some
      expect(report.by_customer?.[name]).toEqual({
        ...{ orders, revenue_cents, orders_in_currency, avg_order_value_cents },
      })
    }
    expect(report.by_customer?.unknown).toMatchObject({ orders: 0, revenue_cents: 0 })
  })
})

test('changes are between the days that are over and those before', async () => {
  const report = await reported({ start: '2026-11-01', end: '2026-11-30', compare: 'previous' })
  const now = FACTS.filter(within('2026-11-01', '2026-11-20'))
  const before = FACTS.filter(within('2026-10-01', '2026-10-20'))
  expect(report.previous?.summary.ai_sessions).toBe(
    sum(FACTS.filter(within('2026-10-01', '2026-10-31')), 'session'),
  )
  expect(report.previous?.compared).toMatchObject({
    current: { start: '2026-11-01', end: '2026-11-20' },
    previous: { start: '2026-10-01', end: '2026-10-20' },
    summary: { ai_sessions: sum(now, 'session'), ai_orders: sum(now, 'order') },
    previous_summary: { ai_sessions: sum(before, 'session'), ai_orders: sum(before, 'order') },
  })
  const change = (matches: (fact: Fact) => boolean) => {
    const [a, b] = [now, before].map((facts) => rowOf(facts.filter(matches), 'USD', false))
    const relative = (figure: 'sessions' | 'checkouts' | 'orders' | 'revenue_cents') =>
      b![figure] === 0 ? null : a![figure] / b![figure] - 1
    return [
      relative('sessions'),
      relative('checkouts'),
      relative('orders'),
      relative('revenue_cents'),
    ]
  }
  const told = (row: { change?: Report['by_surface'][string]['change'] } | undefined) => [
    row?.change?.sessions,
    row?.change?.checkouts,
    row?.change?.orders,
    row?.change?.revenue_cents,
  ]
  const close = (expected: (number | null)[]) =>
    expected.map((each) => (each === null ? null : expect.closeTo(each, 9)))
  for (const [surface, row] of Object.entries(report.by_surface)) {
    expect(told(row)).toEqual(close(change((fact) => fact.surface === surface)))
  }
  for (const row of report.by_landing?.rows ?? []) {
    expect(told(row)).toEqual(close(change((fact) => fact.landing === row.landing)))
  }
  expect(told(report.by_kind.click)).toEqual(close(change(({ kind }) => kind === 'click')))
})

test('the share of AI is of the days that the shop told its totals of', async () => {
  const { share } = await reported({ start: FIRST, end: LAST, currency: 'EUR' })
  const told = HISTORY.totals.filter(({ currency }) => currency === 'EUR')
  const days = new Set(told.map(({ day }) => day))
  const facts = FACTS.filter(({ day, currency }) => currency === 'EUR' && days.has(day))
  const all = told.reduce((total, { revenue }) => total + revenue, 0)
  expect(share).toMatchObject({
    days: days.size,
    orders: told.reduce((total, { orders }) => total + orders, 0),
    revenue_cents: all,
    ai_orders: sum(facts, 'order'),
    ai_revenue_cents: sum(facts, 'revenue'),
    of_revenue: expect.closeTo(sum(facts, 'revenue') / all, 9),
  })
  expect((await reported({ start: FIRST, end: LAST, surface: 'chatgpt' })).share).toBeNull()
})

test('what agents read is what the history has, and an agent that is walled becomes a gap', async () => {
  const query = `domain=${DOMAIN}&start=${FIRST}&end=${LAST}`
  const report = FetchReport.parse(await (await ask(`/api/fetches?${query}`)).json())
  const { fetches } = HISTORY
  const tokenOf = ({ userAgent }: LogLine) => / (.*)\//.exec(userAgent)?.[1] ?? ''
  const by = (of: (line: LogLine) => string) =>
    Object.fromEntries([...Map.groupBy(fetches, of)].map(([key, lines]) => [key, lines.length]))
  expect(Object.fromEntries(report.agents.map((each) => [each.agent, each.fetches]))).toEqual(
    by(tokenOf),
  )
  const days = Object.fromEntries(
    [...Map.groupBy(report.days, ({ day }) => day)].map(([day, rows]) => [
      day,
      rows.reduce((total, row) => total + row.fetches, 0),
    ]),
  )
  expect(days).toEqual(by(({ at }) => dayAt(new Date(at))))
  const [first] = report.pages
  const isRead = ({ path, status, challenged }: LogLine) =>
    path === first?.path && status === 200 && !challenged
  const answers = fetches.filter((line) => isRead(line) && tokenOf(line).endsWith('-User'))
  expect(first?.answers).toBe(answers.length)
  expect(report.surfaces.find(({ surface }) => surface === 'chatgpt')?.answers).toBe(
    fetches.filter((line) => tokenOf(line) === 'ChatGPT-User' && line.status === 200).length,
  )
  const lastDays = `domain=${DOMAIN}&start=${dayAt(new Date(UNTIL.getTime() - 2 * 86_400_000))}&end=${LAST}`
  const recent = FetchReport.parse(await (await ask(`/api/fetches?${lastDays}`)).json())
  expect(recent.gaps.map(({ id }) => id)).toEqual(['agents_refused', 'agents_challenged'])
})

test('the totals are those of the events, and a history that is sent again changes nothing', async () => {
  const before = await reported({ start: FIRST, end: LAST })
  expect(await rebuildRollup(db, { domain: DOMAIN, since: '2026-01', dryRun: true })).toEqual([])
  await recordHistory(HISTORY, { db, ingest, domain: DOMAIN })
  expect(await reported({ start: FIRST, end: LAST })).toEqual(before)
})
