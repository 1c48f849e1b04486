import { expect, test } from 'vitest'
import type { Report } from '../../../shared/attribution/report.ts'
import { DAY_MS } from '../../../shared/web/moment.ts'
import { asBrowser } from '../../attribution/beacon/testing/beacon.ts'
import { createProperty } from '../../attribution/properties.ts'
import { forgetSession } from '../../db/events/forget.ts'
import { rebuildRollup } from '../../db/events/rebuild.ts'
import { testApp } from '../../testing/app.ts'

const START = Date.parse('2026-11-02T09:00:00Z')
const at = (days: number) => new Date(START + days * DAY_MS)
/** As the tag makes them. */
const idOf = (days: number) => `${at(days).getTime()}-1234567890`

const HOSTS = { chatgpt: 'chatgpt.com', perplexity: 'www.perplexity.ai' }

/** A store whose property looks back so far, with a visit by each of these surfaces, by the day. */
async function openStore(
  lookback_days: number | undefined,
  visits: Partial<Record<keyof typeof HOSTS, number>>,
) {
  const clock = { at: at(0) }
  const { app, ask, db } = await testApp({ now: () => clock.at })
  const property = { domain: 'shop.example', ...(lookback_days && { lookback_days }) }
  const send = asBrowser(app, (await createProperty(db, property, clock.at)).id)
  const land = async () => {
    for (const [surface, days] of Object.entries(visits)) {
      clock.at = at(days)
      const visit = { id: idOf(days), surface, confidence: 0.95 }
      const referrer = `https://${HOSTS[surface as keyof typeof HOSTS]}/`
      const landing = `https://shop.example?=1&#/${surface}`
      const body = JSON.stringify({ ...visit, referrer, landing })
      expect((await send({ body })).status).toBe(200)
    }
    clock.at = at(20)
  }
  /** An order so many days after the start, or what was given back of it. */
  const sell = async (visit_id: string, days: number, more: object = {}) => {
    clock.at = at(20)
    const body = {
      event: 'ai_checkout_completed',
      domain: 'shop.example',
      session_id: `order-${days}`,
      source: 'web',
      timestamp: at(days).toISOString(),
      properties: { visit_id, value: 1000, currency: 'EUR', product_id: 'boot', ...more },
    }
    const answer = await ask('/api/report', { body })
    expect(answer.status).toBe(200)
    return (await answer.json()).notes ?? []
  }
  const refund = async (order: number, days: number) => {
    const body = {
      event: 'ai_order_refunded',
      domain: 'shop.example',
      session_id: `order-${order}`,
      source: 'web',
      timestamp: at(days).toISOString(),
      properties: { refund_id: `refund-${order}`, value: 400, currency: 'EUR' },
    }
    expect((await ask('/api/report', { body })).status).toBe(200)
  }
  const read = (query = '') =>
    ask(`/api/report?domain=shop.example&start=2026-11-01&end=2026-11-30${query}`)
  const report = async (query = ''): Promise<Report> => (await read(query)).json()
  const csv = async (query = '') => (await read(`&format=csv${query}`)).text()
  return { db, land, sell, refund, report, csv }
}

const ordersOf = ({ by_surface, unattributed }: Report) => ({
  chatgpt: by_surface.chatgpt?.orders,
  perplexity: by_surface.perplexity?.orders,
  apart: unattributed?.orders,
})

test.each([
  // The hour in which a checkout that was begun in time is paid.
  [undefined, 1 + 1 / 24, {}, true],
  [undefined, 1 + 2 / 24, {}, false],
  [undefined, 4, { ordered_at: at(0.5).toISOString() }, true],
  [undefined, 4, { ordered_at: at(9).toISOString() }, false],
  [7, 7, {}, true],
  [7, 7.1, {}, false],
])(
  'with a look-back of %s days, an order after %s days %j: it is of its visit: %s',
  async (days, after, more, isJoined) => {
    const joined = { chatgpt: 1, perplexity: 0, apart: 0 }
    const expected = isJoined ? joined : { ...joined, chatgpt: 0, apart: 1 }
    for (const isLate of [false, true]) {
      const { db, land, sell, report } = await openStore(days, { chatgpt: 0 })
      if (!isLate) await land()
      const notes = await sell(idOf(0), after, more)
      if (isLate) await land()
      const read = await report()
      expect(ordersOf(read)).toEqual(expected)
      expect(read.summary).toMatchObject({ ai_sessions: 1, ai_orders: isJoined ? 1 : 0 })
      if (!isLate) {
        expect(notes).toEqual(isJoined ? [] : [expect.stringContaining(`over ${days ?? 1} day`)])
      }
      const rebuilt = { domain: 'shop.example', since: '2026-01', dryRun: true }
      expect(await rebuildRollup(db, rebuilt)).toEqual([])
    }
  },
)

test('an order that is too late for its visit and names a surface is of that', async () => {
  const { land, sell, report } = await openStore(undefined, { chatgpt: 0 })
  await land()
  await sell(idOf(0), 3, { attribution: { utm_source: 'perplexity' } })
  expect(ordersOf(await report())).toEqual({ chatgpt: 0, perplexity: 1, apart: 0 })
})

const VISITS = { chatgpt: 0, perplexity: 3 }
const BOTH = `${idOf(3)}_${idOf(0)}`

test.each([
  ['land', 'sell', 'refund'],
  ['refund', 'sell', 'land'],
  ['sell', 'land', 'refund'],
] as const)(
  'an order of two visits counts for the last, or on request for the first: %s, %s, %s',
  async (...steps) => {
    const { db, ...store } = await openStore(7, VISITS)
    const happen = {
      land: store.land,
      sell: async () => {
        await store.sell(BOTH, 4)
        await store.sell(idOf(3), 4.5)
        // Too late for the first of them.
        await store.sell(BOTH, 8)
      },
      refund: () => store.refund(4, 10),
    }
    for (const step of steps) await happen[step]()
    const last = await store.report('&series=surface&compare=previous')
    const first = await store.report('&series=surface&compare=previous&touch=first')
    expect([last.touch, first.touch, first.lookback_days]).toEqual(['last', 'first', 7])
    expect(ordersOf(last)).toEqual({ chatgpt: 0, perplexity: 3, apart: 0 })
    expect(ordersOf(first)).toEqual({ chatgpt: 1, perplexity: 2, apart: 0 })
    const money = { revenue_cents: 1000, refunds: 1, refunded_cents: 400, net_revenue_cents: 600 }
    expect(first.by_surface.chatgpt).toMatchObject({ sessions: 1, conversion_rate: 1, ...money })
    expect(first.by_surface.perplexity).toMatchObject({ sessions: 1, revenue_cents: 2000 })
    // What is not by the visit is the same.
    for (const same of [
      'summary',
      'daily',
      'revenue_by_currency',
      'funnel',
      'unattributed',
    ] as const) {
      expect(first[same]).toEqual(last[same])
    }
    expect(first.previous).toEqual(last.previous)
    const landings = ({ by_landing }: Report) =>
      Object.fromEntries(by_landing?.rows.map((row) => [row.landing, row.orders]) ?? [])
    expect(landings(last)).toEqual({ '/chatgpt': 0, '/perplexity': 3 })
    expect(landings(first)).toEqual({ '/chatgpt': 1, '/perplexity': 2 })
    const ofDay = ({ series }: Report) =>
      series?.filter(({ orders }) => orders > 0).map(({ date, surface }) => `${date} ${surface}`)
    expect(ofDay(first)).toEqual([
      '2026-11-06 chatgpt',
      '2026-11-06 perplexity',
      '2026-11-10 perplexity',
    ])
    const ofChatGpt = await store.report('&surface=chatgpt&touch=first')
    expect(ofChatGpt.summary).toMatchObject({ ai_sessions: 1, ai_orders: 1, ai_refunds: 1 })
    expect(ofChatGpt.by_product?.rows).toMatchObject([{ product_id: 'boot', orders: 1 }])
    const onPage = await store.report('&landing=/chatgpt&touch=first&granularity=week')
    expect(onPage.summary).toMatchObject({ ai_orders: 1, ai_revenue_cents: 1000 })
    const rows = (await store.csv('&touch=first&granularity=month')).split('\r\n')
    expect(rows).toContain('2026-11-01,chatgpt,EUR,1,0,1,10,1,4,6,0,0,0')
    expect(rows).toContain('2026-11-01,perplexity,EUR,1,0,2,20,0,0,20,0,0,0')
    const rebuilt = { domain: 'shop.example', since: '2026-01', dryRun: true }
    expect(await rebuildRollup(db, rebuilt)).toEqual([])
    // All of one person: what both visits were, and the orders.
    await forgetSession(db, 'shop.example', idOf(0))
    const { summary, by_surface } = await store.report('&touch=first')
    expect(summary).toMatchObject({ ai_sessions: 0, ai_orders: 0 })
    expect(by_surface.perplexity).toMatchObject({ sessions: 0, orders: 0 })
  },
)

test('a first visit that nothing is known of changes nothing', async () => {
  const { land, sell, report } = await openStore(7, { perplexity: 3 })
  await land()
  await sell(BOTH, 4)
  expect(ordersOf(await report('&touch=first'))).toEqual({ chatgpt: 0, perplexity: 1, apart: 0 })
})

test('an order whose last visit is not known counts for neither', async () => {
  const { land, sell, report } = await openStore(7, { chatgpt: 0 })
  await land()
  await sell(BOTH, 4)
  for (const touch of ['last', 'first']) {
    expect(ordersOf(await report(`&touch=${touch}`))).toEqual({
      chatgpt: 0,
      perplexity: 0,
      apart: 1,
    })
  }
})
