import './testing/packed.ts'
import { expect, test } from 'vitest'
import { asBrowser } from '../server/attribution/beacon/testing/beacon.ts'
import { createProperty } from '../server/attribution/properties.ts'
import { rebuildRollup } from '../server/db/events/rebuild.ts'
import { testApp } from '../server/testing/app.ts'
import { Report } from '../shared/attribution/report.ts'
import { classifyLanding } from './classify-landing.ts'
import { pack } from './pack.ts'

/*
 * A week of one store in Berlin, whose clocks go back in its last night: what the tag sends of each
 * visit, what the store's server reports, and each figure of the report next to one that is counted
 * here by hand.
 */

interface Visit {
  at: string
  id: string
  from?: string
  query?: string
  path?: string
  /** The host of the page; by default the store itself. */
  on?: string
  /** Its surface; null: none. */
  is: string | null
}

const MONDAY = '2026-10-19'
const SUNDAY = '2026-10-25'

const VISITS: readonly Visit[] = [
  { at: '2026-10-19T07:00Z', id: 'ann-1', from: 'chatgpt.com', path: '/boot', is: 'chatgpt' },
  // Ann comes back, by a bookmark and by another assistant.
  { at: '2026-10-20T07:00Z', id: 'ann-2', path: '/boot', is: null },
  { at: '2026-10-21T07:00Z', id: 'ann-3', from: 'claude.ai', path: '/boot', is: 'claude' },
  // Advertisements: one that a tag takes for an assistant, one in it, and one that it linked to.
  { at: '2026-10-20T08:00Z', id: 'bob-1', query: 'utm_source=chatgpt.com&gclid=x', is: null },
  { at: '2026-10-20T09:00Z', id: 'bob-2', query: 'utm_medium=paid&oppref=x', is: 'chatgpt' },
  { at: '2026-10-20T10:00Z', id: 'bob-3', from: 'chatgpt.com', query: 'gclid=x', is: 'chatgpt' },
  // A newsletter with a tag of an assistant.
  { at: '2026-10-20T11:00Z', id: 'cat-1', query: 'utm_source=gemini&utm_medium=email', is: null },
  // Lands before midnight and buys after it.
  { at: '2026-10-21T21:50Z', id: 'dan-1', query: 'utm_source=perplexity', is: 'perplexity' },
  // The checkout of the store has its own host: it is not another site, and may be the landing.
  { at: '2026-10-22T09:00Z', id: 'eve-1', from: 'chatgpt.com', path: '/bag', is: 'chatgpt' },
  { at: '2026-10-22T09:05Z', id: 'eve-2', from: 'shop.example', on: 'pay.shop.example', is: null },
  {
    ...{ at: '2026-10-22T10:00Z', id: 'fay-1', from: 'copilot.microsoft.com' },
    ...{ on: 'pay.shop.example', path: '/bag', is: 'copilot' },
  },
  // The first minute of Sunday, its hour that comes twice, its last minute, and Monday.
  { at: '2026-10-24T21:59Z', id: 'gus-1', from: 'chatgpt.com', path: '/bag', is: 'chatgpt' },
  { at: '2026-10-24T22:00Z', id: 'gus-2', from: 'chatgpt.com', path: '/bag', is: 'chatgpt' },
  { at: '2026-10-25T00:30Z', id: 'gus-3', from: 'chatgpt.com', path: '/bag', is: 'chatgpt' },
  { at: '2026-10-25T01:30Z', id: 'gus-4', from: 'chatgpt.com', path: '/bag', is: 'chatgpt' },
  { at: '2026-10-25T22:59Z', id: 'gus-5', from: 'chatgpt.com', path: '/bag', is: 'chatgpt' },
  { at: '2026-10-25T23:00Z', id: 'gus-6', from: 'chatgpt.com', path: '/bag', is: 'chatgpt' },
]

interface Sale {
  at: string
  event: 'initiated' | 'completed' | 'failed' | 'refunded'
  order: string
  /** The visit that it is of; null: bought over ACP in ChatGPT. */
  of: string | null
  value?: number
  currency?: string
  refund?: string
  isNew?: boolean
}

const SALES: readonly Sale[] = [
  // JPY has no decimals, and KWD three: amounts are whole in the smallest unit.
  { at: '2026-10-19T07:30Z', event: 'initiated', order: '1', of: 'ann-1' },
  {
    ...{ at: '2026-10-19T07:31Z', event: 'completed', order: '1', of: 'ann-1' },
    ...{ value: 5400, currency: 'JPY', isNew: true },
  },
  {
    ...{ at: '2026-10-21T07:40Z', event: 'completed', order: '2', of: 'ann-3' },
    ...{ value: 8999, currency: 'EUR', isNew: false },
  },
  {
    ...{ at: '2026-10-20T10:30Z', event: 'completed', order: '3', of: 'bob-3' },
    ...{ value: 12_345, currency: 'KWD' },
  },
  { at: '2026-10-20T09:30Z', event: 'failed', order: '4', of: 'bob-2' },
  {
    ...{ at: '2026-10-21T22:10Z', event: 'completed', order: '5', of: 'dan-1' },
    ...{ value: 2500, currency: 'EUR', isNew: true },
  },
  // Paid a day later, and a second order in the same visit.
  { at: '2026-10-22T09:10Z', event: 'initiated', order: '6', of: 'eve-1' },
  {
    ...{ at: '2026-10-23T09:20Z', event: 'completed', order: '6', of: 'eve-1' },
    ...{ value: 4999, currency: 'EUR', isNew: true },
  },
  {
    ...{ at: '2026-10-22T09:30Z', event: 'completed', order: '7', of: 'eve-1' },
    ...{ value: 1001, currency: 'EUR', isNew: false },
  },
  {
    ...{ at: '2026-10-22T09:40Z', event: 'completed', order: '8', of: 'eve-1' },
    ...{ value: 999, currency: 'EUR', isNew: false },
  },
  { at: '2026-10-24T21:58Z', event: 'initiated', order: '9', of: null },
  {
    ...{ at: '2026-10-24T22:01Z', event: 'completed', order: '9', of: null },
    ...{ value: 700, currency: 'EUR' },
  },
  {
    ...{ at: '2026-10-25T22:59:40Z', event: 'completed', order: '10', of: 'gus-5' },
    ...{ value: 300, currency: 'JPY' },
  },
  // In part, twice; the second after the clocks went back.
  {
    ...{ at: '2026-10-24T10:00Z', event: 'refunded', order: '1', of: 'ann-1' },
    ...{ refund: 'r1', value: 1400, currency: 'JPY' },
  },
  {
    ...{ at: '2026-10-25T22:45Z', event: 'refunded', order: '6', of: 'eve-1' },
    ...{ refund: 'r2', value: 1000, currency: 'EUR' },
  },
]

const { clickId } = pack()

/** The store, its property and its clock. */
async function openShop() {
  const clock = { at: new Date(`${MONDAY}T00:00Z`) }
  const { app, ask, db } = await testApp({ now: () => clock.at })
  const given = { domain: 'shop.example', time_zone: 'Europe/Berlin', currency: 'EUR' }
  const send = asBrowser(app, (await createProperty(db, given, clock.at)).id)

  /** Like attribution.ts, which sends nothing of visits without a surface. */
  async function land({ id, from, query = '', path = '/', on = 'shop.example' }: Visit) {
    const url = new URL(`https://${on}${path}?${query}`)
    const advertised = url.search.match(clickId)?.[1]
    const found = classifyLanding(from, url, advertised)
    if (!found) return null
    const [surface, confidence] = found
    const answer = await send({
      headers: { Origin: url.origin },
      body: JSON.stringify({
        ...{ id: `visit-${id}`, surface, confidence },
        referrer: from === undefined ? '' : `https://${from}`,
        landing: `${url.origin}?${advertised ?? ''}=1&${query}#${path}`,
      }),
    })
    const said = await answer.json()
    // The service ignores what the tag does not read, such as another medium.
    if (said.status === 'ignored') return null
    expect(said).toMatchObject({ status: 'recorded', ai_source: surface, confidence })
    return surface
  }

  /** Like a store's server: with the visit, if the order has one. */
  async function tell({ at, event, order, of, value, currency, refund, isNew }: Sale) {
    const body = {
      event: event === 'refunded' ? 'ai_order_refunded' : `ai_checkout_${event}`,
      domain: 'shop.example',
      session_id: `order-${order}`,
      ...(of === null ? { source: 'acp', ai_surface: 'chatgpt' } : { source: 'web' }),
      timestamp: at,
      properties: {
        ...(of !== null && { visit_id: `visit-${of}` }),
        ...(value !== undefined && { value, currency }),
        ...(refund !== undefined && { refund_id: refund }),
        ...(isNew !== undefined && { new_customer: isNew }),
      },
    }
    expect((await ask('/api/report', { body })).status).toBe(200)
  }
  return { clock, ask, db, land, tell }
}

// --- What it comes to, counted otherwise ----------------------------------------------------

/** Berlin is two hours ahead until Sunday at 01:00 UTC, and one from then on. */
const dayOf = (at: string) => {
  const time = Date.parse(at)
  const ahead = time < Date.parse('2026-10-25T01:00Z') ? 2 : 1
  return new Date(time + ahead * 3_600_000).toISOString().slice(0, 10)
}
const inWeek = ({ at }: { at: string }) => dayOf(at) >= MONDAY && dayOf(at) <= SUNDAY

/** What happened, in the order of the week. */
const happened = [...VISITS, ...SALES].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))

/** A line for each session, checkout, order and refund. */
interface Line {
  what: 'session' | 'initiated' | 'completed' | 'failed' | 'refunded'
  day: string
  surface: string
  source: string
  value: number
  currency: string
  isNew: boolean | undefined
  landing: string | null
}

function linesOf(sales: readonly Sale[]): Line[] {
  return [...VISITS, ...sales].filter(inWeek).flatMap((each): Line[] => {
    const line = { day: dayOf(each.at), value: 0, currency: '', isNew: undefined }
    if (!('order' in each)) {
      if (each.is === null) return []
      const landing = each.path ?? '/'
      return [{ ...line, what: 'session', surface: each.is, source: 'web', landing }]
    }
    const { event, order, of, value = 0, currency = '', isNew } = each
    const visit = VISITS.find(({ id }) => id === of)
    const sale: Line = {
      ...{ ...line, what: event, value, currency, isNew },
      ...{ surface: visit?.is ?? 'chatgpt', source: of === null ? 'acp' : 'web' },
      landing: visit === undefined ? null : (visit.path ?? '/'),
    }
    // The first event of a purchase over a protocol begins its session.
    const first = sales.find((other) => other.of === of && other.order === order)
    const begins = visit === undefined && first === each
    return begins ? [{ ...sale, what: 'session' }, sale] : [sale]
  })
}

const count = (all: readonly Line[], what: Line['what']) =>
  all.filter((line) => line.what === what).length
const sum = (all: readonly Line[], what: Line['what'], currency: string) =>
  all
    .filter((line) => line.what === what && line.currency === currency)
    .reduce((total, { value }) => total + value, 0)

/** The figures of some lines under the names of the report. */
const figures = (all: readonly Line[], currency: string) => ({
  sessions: count(all, 'session'),
  checkouts: count(all, 'initiated'),
  orders: count(all, 'completed'),
  revenue_cents: sum(all, 'completed', currency),
  ...(count(all, 'refunded') > 0 && {
    refunds: count(all, 'refunded'),
    refunded_cents: sum(all, 'refunded', currency),
    net_revenue_cents: sum(all, 'completed', currency) - sum(all, 'refunded', currency),
  }),
})

/** A page has the results of the visits that began there. */
const landed = (all: readonly Line[], currency: string) => {
  const { sessions, orders, revenue_cents } = figures(all, currency)
  return { sessions, orders, revenue_cents }
}

const average = (all: readonly Line[], currency: string) => {
  const orders = all.filter((line) => line.what === 'completed' && line.currency === currency)
  return orders.length === 0 ? 0 : Math.round(sum(all, 'completed', currency) / orders.length)
}

const DAYS = Array.from({ length: 7 }, (_, n) => `2026-10-${19 + n}`)

/** Of a purchase over a protocol, its first report begins the session. */
const told = SALES.filter(({ of, event }) => of !== null || event === 'completed')

test.each([
  ['as it happened', happened, SALES],
  ['its orders at last, the newest first', [...VISITS, ...told.toReversed()], told],
])('every figure of the report is what happened: %s', async (_, week, sales) => {
  const { clock, ask, db, land, tell } = await openShop()
  for (const each of week) {
    clock.at = new Date(each.at)
    if (week !== happened && 'order' in each) clock.at = new Date('2026-10-26T12:00Z')
    if ('order' in each) await tell(each)
    else expect([each.id, await land(each)]).toEqual([each.id, each.is])
  }
  // Webhooks are repeated.
  for (const sale of sales) await tell(sale)
  clock.at = new Date('2026-10-27T12:00Z')

  const totals = [{ date: SUNDAY, currency: 'EUR', orders: 10, revenue_cents: 7000 }]
  const body = { domain: 'shop.example', totals }
  expect((await ask('/api/totals', { method: 'PUT', body })).status).toBe(200)
  const lines = linesOf(sales)
  for (const currency of [undefined, 'EUR', 'JPY', 'KWD']) {
    for (const granularity of ['day', 'week'] as const) {
      const query = `domain=shop.example&start=${MONDAY}&end=${SUNDAY}&granularity=${granularity}`
      const path = `/api/report?${query}${currency ? `&currency=${currency}` : ''}`
      expectWeek(lines, Report.parse(await (await ask(path)).json()), granularity, currency)
    }
  }
  const rebuilt = { domain: 'shop.example', since: '2026-01', dryRun: true }
  expect(await rebuildRollup(db, rebuilt)).toEqual([])
})

/**
 * Without a currency, counts are of all currencies, and amounts of the one with the most orders.
 */
function expectWeek(
  lines: readonly Line[],
  report: Report,
  granularity: 'day' | 'week',
  only?: string,
) {
  const currency = only ?? 'EUR'
  const counted = lines.filter(
    (line) =>
      only === undefined ||
      line.currency === currency ||
      !['completed', 'refunded'].includes(line.what),
  )
  const of = (is: (line: Line) => boolean) => figures(counted.filter(is), currency)

  const { sessions, checkouts, orders, revenue_cents, ...refunded } = of(() => true)
  expect(report.currency).toBe(currency)
  expect(report.summary).toEqual({
    ai_sessions: sessions,
    ai_checkouts: checkouts,
    ai_orders: orders,
    ai_revenue_cents: revenue_cents,
    ai_conversion_rate: orders / sessions,
    avg_order_value_cents: average(counted, currency),
    ...(refunded.refunds !== undefined && {
      ai_refunds: refunded.refunds,
      ai_refunded_cents: refunded.refunded_cents,
      ai_net_revenue_cents: refunded.net_revenue_cents,
    }),
  })
  expect(report.daily).toEqual(
    (granularity === 'week' ? [MONDAY] : DAYS).map((date) =>
      expect.objectContaining({
        date,
        ...of(({ day }) => granularity === 'week' || day === date),
      }),
    ),
  )
  expect(report.by_surface).toEqual(
    Object.fromEntries(
      ['chatgpt', 'google_ai_mode', 'perplexity', 'claude', 'copilot', 'other_ai'].map((id) => [
        id,
        expect.objectContaining(of(({ surface }) => surface === id)),
      ]),
    ),
  )
  for (const source of ['ucp', 'acp', 'web'] as const) {
    expect(report.by_source[source]).toMatchObject(of((line) => line.source === source))
  }
  const { click, agent, protocol } = report.by_kind
  expect(click).toMatchObject(of(({ source }) => source === 'web'))
  expect(protocol).toMatchObject(of(({ source }) => source === 'acp'))
  expect(agent.sessions).toBe(0)
  expect(report.funnel).toEqual({
    viewed: 0,
    initiated: checkouts,
    completed: orders,
    failed: count(counted, 'failed'),
  })
  expect(report.revenue_by_currency).toEqual(
    Object.fromEntries(
      ['EUR', 'JPY', 'KWD'].map((each) => {
        const its = lines.filter((line) => line.currency === each || line.what === 'session')
        const { sessions: all, checkouts: _, ...sold } = figures(its, each)
        return [
          each,
          {
            ...sold,
            avg_order_value_cents: average(its, each),
            conversion_rate: sold.orders / all,
          },
        ]
      }),
    ),
  )
  const byCustomer = (isNew: boolean | undefined) => {
    const its = counted.filter((line) => line.isNew === isNew && line.what === 'completed')
    return { orders: its.length, revenue_cents: sum(its, 'completed', currency) }
  }
  expect(report.by_customer).toMatchObject({
    new: byCustomer(true),
    returning: byCustomer(false),
    unknown: byCustomer(undefined),
  })
  const sold = lines.filter(({ day, what }) => day === SUNDAY && what === 'completed')
  const inEuros = sold.filter((line) => line.currency === 'EUR')
  expect(report.share).toEqual(
    currency !== 'EUR'
      ? null
      : {
          ...{ days: 1, orders: 10, revenue_cents: 7000 },
          ...{ ai_orders: inEuros.length, ai_revenue_cents: sum(inEuros, 'completed', 'EUR') },
          ...{
            of_orders: inEuros.length / 10,
            of_revenue: sum(inEuros, 'completed', 'EUR') / 7000,
          },
        },
  )
  for (const path of ['/boot', '/bag', '/']) {
    const row = report.by_landing?.rows.find((each) => each.landing === path)
    const its = counted.filter((line) => line.landing === path)
    expect([path, row]).toEqual([path, expect.objectContaining(landed(its, currency))])
  }
}
