import { expect, test } from 'vitest'
import { createIngest } from '../../attribution/ingest/ingest.ts'
import { listMonths } from '../../db/events/partitions.ts'
import { createLog } from '../../process/log.ts'
import { connectAgain, testApp } from '../../testing/app.ts'
import { EVENT, PROPERTIES, reportingApp, type Sent } from '../testing/reporting-app.ts'

const { ask, url, sql: pool, ingest, send, rowsOf, sumsOf, newShop } = await reportingApp()

test('is answered as the first time and counts once', async () => {
  const domain = newShop()
  const first = await send({ ...EVENT, domain })
  const again = await send({ ...EVENT, domain })
  expect(again.said).toEqual(first.said)
  expect([first, again].map(({ headers }) => headers.get('Idempotent-Replayed'))).toEqual([
    null,
    'true',
  ])
  expect(await rowsOf(domain)).toHaveLength(1)
})

test.each<[string, Sent, Sent, number]>([
  ['the same view', { event: 'ai_product_viewed' }, { event: 'ai_product_viewed' }, 1],
  [
    'a view of another product',
    { event: 'ai_product_viewed' },
    { event: 'ai_product_viewed', properties: { ...PROPERTIES, product_id: 'shoe' } },
    2,
  ],
  [
    'a view at another time',
    { event: 'ai_product_viewed', timestamp: '2026-11-01T10:00:00Z' },
    { event: 'ai_product_viewed', timestamp: '2026-11-01T11:00:00Z' },
    2,
  ],
  [
    'a view at the same time, said otherwise',
    { event: 'ai_product_viewed', timestamp: '2026-11-01T10:00:00Z' },
    { event: 'ai_product_viewed', timestamp: '2026-11-01T12:00:00.000+02:00' },
    1,
  ],
  [
    'a view of another variant',
    { event: 'ai_product_viewed' },
    { event: 'ai_product_viewed', properties: { ...PROPERTIES, variant_id: 'boot-43' } },
    2,
  ],
  [
    'a view in another session',
    { event: 'ai_product_viewed' },
    { event: 'ai_product_viewed', session_id: 'checkout_2' },
    2,
  ],
  [
    'a checkout that began again',
    { timestamp: '2026-11-01T10:00:00Z' },
    { timestamp: '2026-11-01T11:00:00Z', properties: { ...PROPERTIES, product_id: 'shoe' } },
    1,
  ],
  ['another event', {}, { event: 'ai_checkout_failed' }, 2],
  ['another session', {}, { session_id: 'checkout_2' }, 2],
])('%s', async (_, one, two, stored) => {
  const domain = newShop()
  await send({ ...EVENT, domain, ...one })
  await send({ ...EVENT, domain, ...two })
  expect(await rowsOf(domain)).toHaveLength(stored)
})

test('from another surface is told that the first counts', async () => {
  const order = { ...EVENT, domain: newShop(), event: 'ai_checkout_completed' }
  const first = await send(order)
  const again = await send({ ...order, ai_surface: 'perplexity' })
  expect(again.said).toMatchObject({ event_id: first.said.event_id, ai_source: 'chatgpt' })
  expect(again.said.notes).toHaveLength(1)
})

test('with another value is told that the first counts', async () => {
  const domain = newShop()
  const order = { ...EVENT, domain, event: 'ai_checkout_completed' }
  const first = await send(order)
  const again = await send({ ...order, properties: { ...PROPERTIES, value: 1 } })
  expect(again.said).toEqual({
    ...first.said,
    notes: [
      'This order was recorded before, with different fields or under another id. The first one counts.',
    ],
  })
  expect(await sumsOf(domain)).toMatchObject([{ completed: 1, revenue: 4999 }])
})

test('with another value in one array is told that the first counts', async () => {
  const domain = newShop()
  const order = { ...EVENT, domain, event: 'ai_checkout_completed' }
  const { said } = await send([order, { ...order, properties: { ...PROPERTIES, value: 1 } }])
  const [first, again] = said.results
  expect(again.ack).toEqual({
    ...first.ack,
    notes: [
      'This order was recorded before, with different fields or under another id. The first one counts.',
    ],
  })
  expect(await sumsOf(domain)).toMatchObject([{ completed: 1, revenue: 4999, sessions: 1 }])
})

test('among new events in one array counts once', async () => {
  const domain = newShop()
  const order = { ...EVENT, domain, event: 'ai_checkout_completed' }
  const { said: first } = await send(order)
  const { said } = await send([{ ...order, session_id: 'checkout_2' }, order])
  expect(said.results).toEqual([
    { status: 200, ack: expect.any(Object) },
    { status: 200, replayed: true, ack: first },
  ])
  expect(await sumsOf(domain)).toMatchObject([{ completed: 2, revenue: 2 * 4999, sessions: 2 }])
})

test('is none where another shop has the same session', async () => {
  const shops = [newShop(), newShop()]
  const { said } = await send(
    shops.map((domain) => ({ ...EVENT, domain, event: 'ai_checkout_completed' })),
  )
  for (const [n, domain] of shops.entries()) {
    expect(await rowsOf(domain)).toMatchObject([{ id: said.results[n].ack.event_id }])
    expect(await sumsOf(domain)).toMatchObject([{ completed: 1, revenue: 4999, sessions: 1 }])
  }
  // Another shop's new session opens none where it was known.
  const [known, third] = [shops[0] ?? '', newShop()]
  await send([known, third].map((domain) => ({ ...EVENT, domain, event: 'ai_product_viewed' })))
  for (const domain of [known, third]) {
    expect(await sumsOf(domain)).toMatchObject([{ viewed: 1, sessions: 1 }])
  }
})

test('is told from another event by the Idempotency-Key', async () => {
  const domain = newShop()
  const view = { ...EVENT, domain, event: 'ai_product_viewed' }
  const keyed = (name: string, body: unknown = view) => send(body, { 'Idempotency-Key': name })
  const [a, b, again] = [await keyed('a'), await keyed('b'), await keyed('a')]
  expect(again.said).toEqual(a.said)
  expect(b.said.event_id).not.toBe(a.said.event_id)
  const begun = await keyed('a', { ...view, event: 'ai_checkout_initiated' })
  expect(begun.headers.get('Idempotent-Replayed')).toBeNull()
  for (const change of [{ session_id: 'checkout_2' }, { ai_surface: 'perplexity' }]) {
    const other = await keyed('a', { ...view, ...change })
    expect([other.status, other.said.error.code]).toEqual([422, 'idempotency_conflict'])
  }
  // An order has one key, whatever the client calls it.
  const order = { ...view, event: 'ai_checkout_completed' }
  const orders = [await keyed('c', order), await keyed('d', order)]
  expect(orders[1]?.said).toEqual(orders[0]?.said)
  expect(await rowsOf(domain)).toHaveLength(4)
})

test('with other fields under its key is refused alone', async () => {
  const view = { ...EVENT, domain: newShop(), event: 'ai_product_viewed' }
  const of = (...events: Sent[]) => send(events, { 'Idempotency-Key': 'views' })
  const [one, two] = ['a', 'b'].map((session_id) => ({ ...view, session_id }))
  const first = await of({ ...one }, { ...two })
  const before = { ...ingest.counts }
  const { status, said } = await of({ ...one, ai_surface: 'perplexity' }, { ...two })
  expect(status).toBe(200)
  expect(ingest.counts).toEqual({
    ...before,
    received: before.received + 2,
    rejected: before.rejected + 1,
    duplicate: before.duplicate + 1,
  })
  expect(said.results).toMatchObject([
    { status: 422, error: { code: 'idempotency_conflict' } },
    first.said.results[1],
  ])
})

const UNDER_ONE_KEY = { 'Idempotency-Key': 'k'.repeat(255) }

test.each<[string, Record<string, string>[], (all: Sent[]) => (Sent | Sent[])[]]>([
  ['the same array', [{}, UNDER_ONE_KEY], (all) => [all]],
  ['another order', [{}, UNDER_ONE_KEY], (all) => [all.toReversed()]],
  ['what failed, in a shorter array', [{}, UNDER_ONE_KEY], (all) => [all.slice(1)]],
  ['arrays of one', [{}, UNDER_ONE_KEY], (all) => all.map((each) => [each])],
  ['what failed, alone', [{}], (all) => all.slice(1)],
])('of events of an array as %s counts once', async (_, headings, regrouped) => {
  const view = { ...EVENT, event: 'ai_product_viewed' }
  const all = [
    view,
    { ...view, session_id: 'checkout_2' },
    { ...view, event: 'ai_checkout_initiated' },
    { ...view, event: 'ai_checkout_completed' },
  ]
  for (const headers of headings) {
    const domain = newShop()
    const first = await send(
      all.map((each) => ({ ...each, domain })),
      headers,
    )
    expect(first.said.results.map(({ status }: { status: number }) => status)).toEqual(
      all.map(() => 200),
    )
    for (const body of regrouped(all.map((each) => ({ ...each, domain })))) {
      const { status } = await send(body, headers)
      expect(status).toBe(200)
    }
    expect(await rowsOf(domain)).toHaveLength(4)
  }
})

test('of a view within one array counts once, under a key as well', async () => {
  const domain = newShop()
  const view = { ...EVENT, domain, event: 'ai_product_viewed' }
  for (const headers of [{}, { 'Idempotency-Key': 'twice' }]) {
    const { said } = await send([view, view], headers)
    const ids = said.results.map((each: { ack: { event_id: string } }) => each.ack.event_id)
    expect(ids[0]).toBe(ids[1])
  }
  expect(await rowsOf(domain)).toHaveLength(2)
})

test.each(['ai_checkout_completed', 'ai_product_viewed'])(
  '100 at once of one %s, at two servers: one row, one event_id',
  async (event) => {
    const domain = newShop()
    const ids = new Set<string>()
    const again = await connectAgain(url)
    const deps = { sql: again.sql, now: () => new Date(), log: createLog({ write: () => {} }) }
    const two = await testApp({ db: again.db, ingest: createIngest(deps) })
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        send({ ...EVENT, domain, event }, {}, n % 2 === 0 ? { ask } : two),
      ),
    )
    for (const { status, said } of answers) {
      expect(status).toBe(200)
      ids.add(said.event_id)
    }
    expect(ids.size).toBe(1)
    expect(
      answers.filter(({ headers }) => headers.get('Idempotent-Replayed') === null),
    ).toHaveLength(1)
    expect(await rowsOf(domain)).toHaveLength(1)
  },
)

test('with its fields in another order is a retry', async () => {
  const domain = newShop()
  const event = { ...EVENT, domain, properties: { a: { b: 1, c: 2 }, d: 3 } }
  const { properties: _, ...bare } = event
  const turned = { properties: { d: 3, a: { c: 2, b: 1 } }, ...bare }
  const headers = { 'Idempotency-Key': 'turned' }
  const first = await send(event, headers)
  const again = await send(turned, headers)
  expect(again.headers.get('Idempotent-Replayed')).toBe('true')
  expect(again.said).toEqual(first.said)
})

/** An order that names a visit of which no browser has reported. */
const orderOf = (session_id: string, timestamp: string, more: Sent = {}) => ({
  ...{ event: 'ai_checkout_completed', session_id, source: 'web', timestamp },
  ...{ properties: { value: 100, currency: 'USD', visit_id: 'visit-0001' } },
  ...more,
})
const BEFORE = orderOf('A', '2026-11-01T10:00:00Z', { source: 'acp', ai_surface: 'chatgpt' })
const begun = (session_id: string, visit_id: string, more: Sent = {}) => ({
  ...{ event: 'ai_checkout_initiated', session_id, source: 'web', properties: { visit_id } },
  ...{ timestamp: '2026-11-01T10:00:00Z', ...more },
})

test.each<[string, Sent, Sent[]]>([
  [
    'of an order',
    { ...BEFORE, properties: {} },
    [
      orderOf('A', '2026-11-02T10:00:00Z', { ai_surface: 'perplexity' }),
      orderOf('C', '2026-11-04T10:00:00Z'),
      orderOf('E', '2026-11-02T10:00:00Z'),
    ],
  ],
  [
    'of an order, by an id that came with a new one',
    { ...BEFORE, properties: {} },
    [
      orderOf('B', '2026-11-02T10:00:00Z', {
        ai_surface: 'perplexity',
        properties: { checkout_id: 'A', visit_id: 'visit-0001' },
      }),
      orderOf('C', '2026-11-02T10:00:00Z'),
    ],
  ],
  [
    'that is refused',
    begun('X', 'visit-0001'),
    [
      begun('X', 'visit-0002', { ai_surface: 'perplexity' }),
      { ...begun('Y', 'visit-0002'), event: 'ai_checkout_completed' },
    ],
  ],
])('begins no visit for those after it in one array: %s', async (_, before, after) => {
  // In an array an event has the key of both, the header's and its own.
  const headers = { 'Idempotency-Key': 'again' }
  const take = async (split: (events: Sent[]) => Sent[][]) => {
    const domain = newShop()
    const results: unknown[] = []
    for (const events of [[before], ...split(after)]) {
      const { said } = await send(
        events.map((each) => ({ ...each, domain })),
        headers,
      )
      for (const { status, replayed, ack } of said.results) {
        results.push([status, replayed, ack?.ai_source, ack?.confidence, ack?.notes])
      }
    }
    // Notes name the domain.
    const counted = { results, sums: await sumsOf(domain) }
    return JSON.parse(JSON.stringify(counted).replaceAll(domain, 'shop.example'))
  }
  const alone = await take((events) => events.map((each) => [each]))
  expect(alone.results).toContainEqual([200, null, 'other_ai', 0, [expect.any(String)]])
  expect(await take((events) => [events])).toEqual(alone)
})

test('of a month that was dropped meanwhile is stored', async () => {
  const domain = newShop()
  await send({ ...EVENT, domain, event: 'ai_product_viewed' })
  const [month] = await listMonths(pool)
  await pool.unsafe(`drop table events_${month?.replace('-', '_')}`)
  const later = await send({ ...EVENT, domain })
  expect([later.status, later.said.status]).toEqual([200, 'recorded'])
  expect(await rowsOf(domain)).toMatchObject([{ id: later.said.event_id }])
})
