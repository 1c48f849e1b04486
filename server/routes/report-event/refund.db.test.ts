import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { AttributionEvent } from '../../../shared/attribution/events.ts'
import { Report } from '../../../shared/attribution/report.ts'
import { classifyEvents } from '../../attribution/ingest/classify-events.ts'
import { createIngest } from '../../attribution/ingest/ingest.ts'
import { ERASED } from '../../attribution/ingest/notes.ts'
import { eventOf } from '../../attribution/report/testing/rows.ts'
import { insertEvents } from '../../db/events/events.ts'
import { forgetSession } from '../../db/events/forget.ts'
import { dropBefore, ensureMonths } from '../../db/events/partitions.ts'
import { rebuildRollup } from '../../db/events/rebuild.ts'
import { shardsOf } from '../../db/sharding/shards.ts'
import { createLog } from '../../process/log.ts'
import { connectAgain, testApp } from '../../testing/app.ts'
import { BARE, reportingApp, type Sent } from '../testing/reporting-app.ts'

const now = () => new Date('2026-11-25T12:00:00Z')
const own = await reportingApp({ now })
const { ask, db, send, rowsOf, newShop } = own

const orderOf = (domain: string, session_id = 'chk', properties: object = {}) => ({
  ...BARE,
  domain,
  session_id,
  event: 'ai_checkout_completed',
  properties: { value: 4999, currency: 'USD', ...properties },
  timestamp: '2026-11-20T10:00:00Z',
})
/** It names no surface, and another source: those of its order count. */
const refundOf = (domain: string, properties: object = {}, session_id = 'chk') => ({
  event: 'ai_order_refunded',
  domain,
  session_id,
  source: 'ucp',
  properties: { refund_id: 're_1', value: 1000, currency: 'USD', ...properties },
  timestamp: '2026-11-22T10:00:00Z',
})

async function reportOf(domain: string, start = '2026-11-20'): Promise<Report> {
  const query = `domain=${domain}&start=${start}&end=2026-11-25&compare=previous`
  const answer = await ask(`/api/report?${query}`)
  return Report.strict().parse(await answer.json())
}
/** What the report says of refunds; null where it does not name them. */
async function refundsIn(domain: string) {
  const { summary } = await reportOf(domain)
  const { ai_refunds, ai_refunded_cents, ai_net_revenue_cents } = summary
  return ai_refunds === undefined ? null : [ai_refunds, ai_refunded_cents, ai_net_revenue_cents]
}
const UNKNOWN = (domain: string, id = 'chk') =>
  `No order ${id} was reported for ${domain}, so this refund is kept and not counted. It counts once the order is reported.`

test('a refund counts on its own day, for the surface and source of its order; revenue stays gross', async () => {
  const domain = newShop()
  await send(orderOf(domain))
  const before = await reportOf(domain)
  expect(JSON.stringify(before)).not.toMatch(/refund|net_/)
  const { said } = await send({ ...refundOf(domain), ai_surface: 'claude' })
  expect(said).toEqual({
    event_id: expect.any(String),
    status: 'recorded',
    session_classified: true,
    ai_source: 'chatgpt',
    confidence: expect.any(Number),
  })
  await send(refundOf(domain, { refund_id: 're_2', value: 999 }))

  const refunded = { refunds: 2, refunded_cents: 1999 }
  const net_revenue_cents = 3000
  const after = await reportOf(domain)
  const inSummary = { ai_refunds: 2, ai_refunded_cents: 1999, ai_net_revenue_cents: 3000 }
  expect(after).toEqual({
    ...before,
    summary: { ...before.summary, ...inSummary },
    by_kind: {
      ...before.by_kind,
      protocol: { ...before.by_kind.protocol, ...refunded, net_revenue_cents },
    },
    previous: {
      ...before.previous,
      compared: {
        ...before.previous?.compared,
        summary: { ...before.previous?.compared?.summary, ...inSummary },
      },
    },
    by_surface: {
      ...before.by_surface,
      chatgpt: { ...before.by_surface.chatgpt, ...refunded, net_revenue_cents },
    },
    by_source: {
      ...before.by_source,
      acp: { ...before.by_source.acp, ...refunded, net_revenue_cents },
    },
    revenue_by_currency: {
      USD: { ...before.revenue_by_currency.USD, ...refunded, net_revenue_cents },
    },
    daily: before.daily.map((row) =>
      row.date === '2026-11-22' ? { ...row, ...refunded, net_revenue_cents: -1999 } : row,
    ),
  })
  expect(after.summary).toMatchObject({ ai_orders: 1, ai_revenue_cents: 4999, ai_sessions: 1 })
  expect(await rebuildRollup(db, { domain, since: '2026-01', dryRun: true })).toEqual([])
})

test('days that are over keep their figures, and a range of refunds alone is below 0', async () => {
  const domain = newShop()
  await send(orderOf(domain))
  await send(refundOf(domain, { value: 4999 }))
  const { currency, summary, previous } = await reportOf(domain, '2026-11-22')
  expect([currency, previous?.summary.ai_revenue_cents]).toEqual(['USD', 4999])
  const { compared, ...earlier } = previous ?? expect.fail()
  expect(JSON.stringify(earlier)).not.toMatch(/refund|net_/)
  expect(compared?.summary.ai_refunds).toBe(1)
  expect(summary).toMatchObject({
    ...{ ai_orders: 0, ai_revenue_cents: 0, ai_conversion_rate: 0 },
    ...{ ai_refunds: 1, ai_refunded_cents: 4999, ai_net_revenue_cents: -4999 },
  })
})

describe('one refund counts once', () => {
  test.each<[string, Record<string, string>[], object]>([
    ['sent again', [{}, {}], {}],
    ['under two idempotency keys', [{ 'Idempotency-Key': 'a' }, { 'Idempotency-Key': 'b' }], {}],
    ['with another amount', [{}, {}], { value: 1001 }],
    ['with its id as a number', [{}, {}], { refund_id: 7 }],
  ])('%s', async (_, [first, second], change) => {
    const domain = newShop()
    await send(orderOf(domain))
    const refund_id = 'refund_id' in change ? '7' : 're_1'
    const one = await send(refundOf(domain, { refund_id }), first)
    const other = await send(refundOf(domain, { refund_id, ...change }), second)
    expect(other.said.event_id).toBe(one.said.event_id)
    expect(other.headers.get('Idempotent-Replayed')).toBe('true')
    expect(await refundsIn(domain)).toEqual([1, 1000, 3999])
    const isSame = Object.keys(change).length === 0
    expect(other.said.notes).toEqual(
      isSame
        ? undefined
        : ['This event was recorded before with different fields. The first one counts.'],
    )
  })

  test('at two servers at once, under the ids of its order', async () => {
    const again = await connectAgain(own.url)
    const deps = { sql: again.sql, now, log: createLog({ write: () => {} }) }
    const two = await testApp({ db: again.db, now, ingest: createIngest(deps) })
    const domains = Array.from({ length: 20 }, newShop)
    await Promise.all(domains.map((domain) => send(orderOf(domain, 'chk', { order_id: 'ord' }))))
    await Promise.all(
      domains.flatMap((domain) => [
        send(refundOf(domain)),
        send(refundOf(domain, {}, 'ord'), {}, two),
        send(refundOf(domain)),
      ]),
    )
    for (const domain of domains) expect(await refundsIn(domain)).toEqual([1, 1000, 3999])
  })

  test('in one array, the first of two amounts', async () => {
    const domain = newShop()
    await send(orderOf(domain))
    const { said } = await send([refundOf(domain), refundOf(domain, { value: 1001 })])
    const [{ ack: first }, { ack: second }] = said.results
    expect(second.event_id).toBe(first.event_id)
    expect([first.notes, second.notes?.length]).toEqual([undefined, 1])
    expect(await refundsIn(domain)).toEqual([1, 1000, 3999])
  })

  test('in one array, whichever place its order has', async () => {
    for (const turn of [false, true]) {
      const domain = newShop()
      const events = [orderOf(domain), refundOf(domain), refundOf(domain)]
      const { said } = await send(turn ? events.toReversed() : events)
      const acks: Sent[] = said.results.map(({ ack }: { ack: Sent }) => ack)
      expect(acks.map(({ ai_source, notes }) => [ai_source, notes])).toEqual(
        Array(3).fill(['chatgpt', undefined]),
      )
      expect(await refundsIn(domain)).toEqual([1, 1000, 3999])
    }
  })
})

test.each<[string, object]>([
  ['its checkout', { checkout_id: 'chk' }],
  ['its order number', { order_id: 1001 }],
])('a refund under an id of its own names %s', async (_, ids) => {
  const domain = newShop()
  await send(orderOf(domain, 'chk', { order_id: 1001 }))
  expect((await send(refundOf(domain, ids, 'anything'))).said.ai_source).toBe('chatgpt')
  expect(await refundsIn(domain)).toEqual([1, 1000, 3999])
})

test.each<[string, string, object, string]>([
  ['the session of one', '12', {}, 'chatgpt'],
  ['the order of the other', 'any', { order_id: 12 }, 'perplexity'],
  ['the other', '57', { order_id: 12 }, 'perplexity'],
  ['the order of one, as its session', '3', {}, 'chatgpt'],
])(
  'where a number is a cart and an order, a refund is of what it names: %s',
  async (_, id, ids, surface) => {
    const domain = newShop()
    await send(orderOf(domain, '12', { order_id: 3 }))
    await send({ ...orderOf(domain, '57', { order_id: 12 }), ai_surface: 'perplexity' })
    expect((await send(refundOf(domain, ids, id))).said.ai_source).toBe(surface)
  },
)

test.each([
  // The erased order had a number, or none; the refund names that of the new one, or not.
  { erased: {}, named: {}, orders: 0, refunds: null },
  { erased: {}, named: { order_id: 'new' }, orders: 0, refunds: null },
  { erased: { order_id: 'old' }, named: {}, orders: 1, refunds: null },
  { erased: { order_id: 'old' }, named: { order_id: 'new' }, orders: 1, refunds: 1 },
])(
  'with an order of the session of an erased one, in one call or in two: $erased $named',
  async ({ erased, named, orders, refunds }) => {
    for (const order of [1, -1, 0]) {
      const domain = newShop()
      await send(orderOf(domain, 'chk', erased))
      await forgetSession(db, domain, 'chk')
      const both = [orderOf(domain, 'chk', { order_id: 'new' }), refundOf(domain, named)]
      if (order === 0) for (const each of both) await send(each)
      else await ask('/api/report', { body: order > 0 ? both : both.toReversed() })
      const { ai_orders, ai_refunds = null } = (await reportOf(domain)).summary
      expect([order, ai_orders, ai_refunds]).toEqual([order, orders, refunds])
    }
  },
)

test('an order in the own checkout is refunded without naming its visit, and erased with it', async () => {
  const domain = newShop()
  const inShop = { source: 'web', ai_surface: undefined }
  const opened = { ...orderOf(domain, 'ord', { visit_id: 'visit-1' }), ...inShop }
  await send({ ...opened, ai_surface: 'perplexity' })
  const { said } = await send({ ...refundOf(domain, {}, 'ord'), ...inShop })
  expect(said.ai_source).toBe((await rowsOf(domain))[0]?.surface)
  expect((await reportOf(domain)).by_source.web).toMatchObject({ refunds: 1 })
  expect((await rowsOf(domain)).map(({ visit_id, kind }) => [visit_id, kind])).toEqual([
    ['visit:visit-1', 'referral'],
    ['visit:visit-1', 'referral'],
  ])
  expect(await forgetSession(db, domain, 'visit-1')).toMatchObject({ events: 2, orders: 1 })
  expect(await rowsOf(domain)).toEqual([])
  expect(await db.execute(`select from rollup_daily where domain = '${domain}'`)).toHaveLength(0)
  expect((await send({ ...refundOf(domain, {}, 'ord'), ...inShop })).said.notes).toEqual([ERASED])
  expect(await rowsOf(domain)).toEqual([])
})

test.each<[string, (domain: string) => object[]]>([
  ['nobody reported', () => []],
  ['was begun and not paid', (domain) => [{ ...orderOf(domain), event: 'ai_checkout_initiated' }]],
  ['another shop has', () => [orderOf('elsewhere.example')]],
])(
  'a refund of an order that %s is kept and not counted, until the order is reported',
  async (_, earlier) => {
    const domain = newShop()
    for (const event of earlier(domain)) await send(event)
    const before = await reportOf(domain)
    const first = await send(refundOf(domain))
    expect(first.said).toMatchObject({
      ...{ session_classified: false, ai_source: 'other_ai', notes: [UNKNOWN(domain)] },
    })
    expect((await send(refundOf(domain))).said).toEqual(first.said)
    expect(await reportOf(domain)).toEqual(before)
    expect((await rowsOf(domain)).at(-1)).toMatchObject({
      ...{ event: 'ai_refund_unmatched', opens_session: false },
    })
    await send(orderOf(domain))
    expect(await refundsIn(domain)).toEqual([1, 1000, 3999])
    const { said } = await send(refundOf(domain))
    expect([said.ai_source, said.notes]).toEqual(['chatgpt', undefined])
    await send(orderOf(domain))
    expect(await refundsIn(domain)).toEqual([1, 1000, 3999])
    expect(await rebuildRollup(db, { domain, since: '2026-01', dryRun: true })).toEqual([])
    expect(await db.execute(sql`select from waiting_refunds where domain = ${domain}`)).toEqual([])
  },
)

describe('refunds that came before their order', () => {
  test('count each once, with what they would have been told after it', async () => {
    const domain = newShop()
    const order = orderOf(domain, 'chk', { order_id: 7, visit_id: 'visit-9' })
    for (const [refund_id, change] of Object.entries({
      whole: { value: 4999, product_id: 'boot' },
      more: { value: 5000, checkout_id: 'c9' },
      euro: { currency: 'EUR', order_id: 7 },
    })) {
      await send([
        refundOf(domain, { refund_id, ...change }),
        refundOf(domain, { refund_id, ...change }),
      ])
    }
    await send(refundOf(domain, { refund_id: 'whole', value: 1 }))
    await send(refundOf(domain, { refund_id: 'other', order_id: 8 }))
    await send(order)
    expect(await refundsIn(domain)).toEqual([3, 9999, -5000])
    const notes = async (refund_id: string, change: object) =>
      (await send(refundOf(domain, { refund_id, ...change }))).said.notes
    expect(await notes('whole', { value: 4999, product_id: 'boot' })).toBeUndefined()
    expect(await notes('more', { value: 5000, checkout_id: 'c9' })).toEqual([
      expect.stringMatching(/^The refund is larger than its order\. /),
    ])
    expect(await notes('euro', { currency: 'EUR', order_id: 7 })).toEqual([
      'The refund is in EUR and its order in USD. It counts in EUR.',
    ])
    // Another order of the same session, which that refund names.
    await send(orderOf(domain, 'chk', { order_id: 8 }))
    expect(await refundsIn(domain)).toEqual([4, 10_999, -1001])
    expect(await rebuildRollup(db, { domain, since: '2026-01', dryRun: true })).toEqual([])
  })

  test('count when a further id of an order comes that is known', async () => {
    const domain = newShop()
    await send(orderOf(domain, 'chk'))
    await send(refundOf(domain, {}, 'ord'))
    expect(await refundsIn(domain)).toBeNull()
    await send(orderOf(domain, 'chk', { order_id: 'ord' }))
    expect(await refundsIn(domain)).toEqual([1, 1000, 3999])
  })

  test('count once at two servers, whichever of order and refund is sooner', async () => {
    const again = await connectAgain(own.url)
    const deps = { sql: again.sql, now, log: createLog({ write: () => {} }) }
    const two = await testApp({ db: again.db, now, ingest: createIngest(deps) })
    const domains = Array.from({ length: 40 }, newShop)
    await Promise.all(
      domains.flatMap((domain, n) => [
        send(orderOf(domain, 'chk', { order_id: 'ord' }), {}, n % 2 ? two : own),
        send(refundOf(domain), {}, n % 2 ? own : two),
        send(refundOf(domain, {}, 'ord'), {}, two),
        send(refundOf(domain, { refund_id: 're_2' }, 'ord'), {}, own),
      ]),
    )
    for (const domain of domains) expect(await refundsIn(domain)).toEqual([2, 2000, 2999])
  })

  test('count when an order is sent again whose server died before they were counted', async () => {
    const domain = newShop()
    await send(refundOf(domain))
    const order = orderOf(domain)
    const { rows } = classifyEvents([eventOf(order as AttributionEvent, now())], [], now())
    await insertEvents(shardsOf(own.sql).at([domain]), rows)
    expect(await refundsIn(domain)).toBeNull()
    await send(order)
    expect(await refundsIn(domain)).toEqual([1, 1000, 3999])
  })

  test('are erased with their session, and leave nothing behind', async () => {
    const domain = newShop()
    await send(refundOf(domain, { order_id: 'ord' }, 'theirs'))
    await send(refundOf(domain, { refund_id: 're_2', order_id: 'ord' }, 'also'))
    await send(refundOf(domain, { refund_id: 're_3' }, 'else'))
    expect(await forgetSession(db, domain, 'theirs')).toMatchObject({ events: 2, orders: 0 })
    const left = await db.execute(sql`select from event_keys where domain = ${domain}`)
    expect([left.length, (await rowsOf(domain)).length]).toEqual([2, 1])
    await send(orderOf(domain, 'theirs', { order_id: 'ord' }))
    expect(await refundsIn(domain)).toBeNull()
    await send(orderOf(domain, 'else'))
    expect(await refundsIn(domain)).toEqual([1, 1000, 8998])
  })
})

test('an order whose month is dropped still has refunds, once each', async () => {
  const dropped = await reportingApp({ now })
  const domain = dropped.newShop()
  await ensureMonths(dropped.sql, ['2026-10', '2026-11'])
  await dropped.send({ ...orderOf(domain), timestamp: '2026-10-20T10:00:00Z' })
  await dropped.db.execute(
    sql`update event_keys set received_at = '2026-10-20T10:00:00Z' where received_at < 'infinity'`,
  )
  expect(await dropBefore(dropped.sql, '2026-11')).toEqual(['2026-10'])
  for (const _ of [1, 2]) {
    const { said } = await dropped.send(refundOf(domain))
    expect([said.ai_source, said.notes]).toEqual(['chatgpt', undefined])
  }
  expect(
    await dropped.db.execute(sql`select sum(refunds)::int as refunds from rollup_daily`),
  ).toEqual([{ refunds: 1 }])
})

test('what cannot be a part of its order is counted and noted', async () => {
  const whole = newShop()
  await send(orderOf(whole))
  expect((await send(refundOf(whole, { value: 4999 }))).said.notes).toBeUndefined()
  const domain = newShop()
  await send(orderOf(domain))
  const { said } = await send(refundOf(domain, { value: 5000 }))
  expect(said.notes).toEqual([expect.stringMatching(/^The refund is larger than its order\. /)])
  const euro = await send(refundOf(domain, { refund_id: 're_2', currency: 'EUR' }))
  expect(euro.said.notes).toEqual(['The refund is in EUR and its order in USD. It counts in EUR.'])
  const { summary, revenue_by_currency } = await reportOf(domain)
  expect(summary).toMatchObject({
    ai_refunds: 2,
    ai_refunded_cents: 5000,
    ai_net_revenue_cents: -1,
  })
  expect(revenue_by_currency).toMatchObject({
    USD: {
      orders: 1,
      revenue_cents: 4999,
      refunds: 1,
      refunded_cents: 5000,
      net_revenue_cents: -1,
    },
    EUR: {
      orders: 0,
      revenue_cents: 0,
      refunds: 1,
      refunded_cents: 1000,
      net_revenue_cents: -1000,
    },
  })
})

const REQUIRED = 'This field is required.'
test.each<[string, object | undefined, string[]]>([
  ['nothing', undefined, ['refund_id required', 'value required', 'currency required']],
  ['no id', { refund_id: undefined }, ['refund_id required']],
  ['null for an id', { refund_id: null }, ['refund_id required']],
  ['an empty id', { refund_id: '' }, ['refund_id invalid_format']],
  ['no value', { value: undefined }, ['value required']],
  ['nothing given back', { value: 0 }, ['value invalid']],
  ['less than nothing', { value: -1 }, ['value too_small']],
  ['no currency', { currency: undefined }, ['currency required']],
])('a refund with %s is refused', async (_, change, faults) => {
  const domain = newShop()
  await send(orderOf(domain))
  const refund = {
    ...refundOf(domain, change),
    ...(change === undefined && { properties: undefined }),
  }
  const { status, said } = await send(refund)
  const details: { field: string; code: string; message: string }[] = said.error.details
  expect([status, details.map(({ field, code }) => `${field} ${code}`)]).toEqual([
    422,
    faults.map((fault) => `properties.${fault}`),
  ])
  for (const { code, message } of details) {
    expect(message.startsWith(REQUIRED)).toBe(code === 'required')
  }
  expect(await refundsIn(domain)).toBeNull()
})
