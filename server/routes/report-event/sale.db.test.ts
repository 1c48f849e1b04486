import { describe, expect, test } from 'vitest'
import { createIngest } from '../../attribution/ingest/ingest.ts'
import { ERASED } from '../../attribution/ingest/notes.ts'
import { forgetSession } from '../../db/events/forget.ts'
import { createLog } from '../../process/log.ts'
import { connectAgain, testApp } from '../../testing/app.ts'
import { BARE, reportingApp, type Sent } from '../testing/reporting-app.ts'

const { db, url, send, rowsOf, sumsOf, newShop } = await reportingApp()

const PRICE = { value: 4999, currency: 'USD' }
const saleOf = (domain: string, session_id: string, ids: object = {}, at = '10:00:00') => ({
  ...BARE,
  domain,
  session_id,
  event: 'ai_checkout_completed',
  properties: { ...PRICE, ...ids },
  timestamp: `2026-11-20T${at}Z`,
})
const NOTE =
  'This order was recorded before, with different fields or under another id. The first one counts.'
const DOUBLE = expect.stringContaining('If both are one sale, send the same properties.checkout_id')

type Report = [session_id: string, ids?: object]
const JOINED: [string, Report, Report][] = [
  ['the order names its checkout', ['chk'], ['ord', { checkout_id: 'chk' }]],
  ['the checkout names its order', ['chk', { order_id: 'ord' }], ['ord']],
  [
    'each names both',
    ['chk', { checkout_id: 'chk', order_id: 'ord' }],
    ['ord', { checkout_id: 'chk' }],
  ],
  [
    'a third id is of the same checkout',
    ['ord', { checkout_id: 'chk' }],
    ['inv', { checkout_id: 'chk' }],
  ],
  ['the order has a number', ['chk', { order_id: 1001 }], ['1001']],
]
const BOTH_WAYS = JOINED.flatMap(([name, one, other]): [string, Report, Report][] => [
  [name, one, other],
  [`${name}, the other first`, other, one],
])

describe.each(BOTH_WAYS)('one sale, where %s', (_, one, other) => {
  const pairIn = (domain: string) => [saleOf(domain, ...one), saleOf(domain, ...other, '10:01:00')]
  const expectOne = async (domain: string) => {
    expect(await rowsOf(domain)).toHaveLength(1)
    expect(await sumsOf(domain)).toMatchObject([{ completed: 1, revenue: 4999, sessions: 1 }])
  }

  test('counts once, and each retry gets its own answer', async () => {
    const domain = newShop()
    const [a, b] = pairIn(domain)
    const first = await send(a)
    const second = await send(b)
    expect(first.said.notes).toBeUndefined()
    expect(second.said).toEqual({ ...first.said, notes: [NOTE] })
    expect(second.headers.get('Idempotent-Replayed')).toBe('true')
    expect((await send(a)).said).toEqual(first.said)
    expect((await send(b)).said).toEqual(second.said)
    await expectOne(domain)
  })

  test('counts once in one array', async () => {
    const domain = newShop()
    const pair = pairIn(domain)
    const { said } = await send(pair)
    const [{ ack: first }, { ack: second }] = said.results
    expect(second).toEqual({ ...first, notes: [NOTE] })
    const later = await send(pair.toReversed())
    expect(later.said.results.map(({ ack }: { ack: Sent }) => ack.event_id)).toEqual([
      first.event_id,
      first.event_id,
    ])
    await expectOne(domain)
  })
})

describe('a session or a checkout that became several orders', () => {
  const [A, B]: [Report, Report] = [
    ['chk', { order_id: 'A' }],
    ['chk', { order_id: 'B', value: 100 }],
  ]
  const ORDERS: [string, Report[], number][] = [
    ['two of one session', [A, B], 2],
    ['two of one checkout', [['a', { checkout_id: 'chk', order_id: 'A' }], B], 2],
    ['and the session alone', [A, B, ['chk']], 2],
    ['by their numbers again', [A, B, ['A'], ['B'], A, B], 2],
    ['by mere numbers', [['57', { order_id: 1 }], ['57', { order_id: 2 }], ['57']], 2],
    ['three', [A, B, ['chk', { order_id: 'C' }]], 3],
    ['of which one was never numbered', [['chk'], A], 1],
    ['of which one was numbered later', [['chk'], A, B, A, ['chk']], 2],
  ]
  test.each(ORDERS)('%s, in any order and together', async (_, reports, completed) => {
    for (const each of [reports, reports.toReversed()]) {
      for (const together of [false, true]) {
        const domain = newShop()
        const sent = each.map((report) => saleOf(domain, ...report))
        for (const body of together ? [sent] : sent) expect((await send(body)).status).toBe(200)
        // And once more, as a retry.
        await send(sent)
        const sums = await sumsOf(domain)
        expect(sums.map((row) => row.completed)).toEqual([completed])
        expect(sums).toMatchObject([{ sessions: 1 }])
      }
    }
  })

  test('each is answered and refunded by its own number', async () => {
    const domain = newShop()
    const [a, b] = [await send(saleOf(domain, ...A)), await send(saleOf(domain, ...B))]
    expect(b.said.event_id).not.toBe(a.said.event_id)
    expect((await send(saleOf(domain, ...B))).said).toEqual(b.said)
    const refund = { refund_id: 'r', value: 101, currency: 'USD', order_id: 'B' }
    const { said } = await send({
      ...saleOf(domain, 'chk'),
      event: 'ai_order_refunded',
      properties: refund,
    })
    expect(said.notes).toEqual([expect.stringContaining('larger than its order')])
  })

  test('at two servers at once they are as many', async () => {
    const again = await connectAgain(url)
    const deps = { sql: again.sql, now: () => new Date(), log: createLog({ write: () => {} }) }
    const two = await testApp({ db: again.db, ingest: createIngest(deps) })
    const domains = Array.from({ length: 20 }, newShop)
    await Promise.all(
      domains.flatMap((domain) => [
        send(saleOf(domain, ...A)),
        send(saleOf(domain, ...B), {}, two),
        send(saleOf(domain, 'chk'), {}, two),
        send(saleOf(domain, ...A), {}, two),
      ]),
    )
    for (const domain of domains) {
      await send([A, B].map((report) => saleOf(domain, ...report)))
      expect(await sumsOf(domain)).toMatchObject([{ completed: 2 }])
    }
  })
})

test('one sale counts once when it is reported at two servers at once', async () => {
  const again = await connectAgain(url)
  const deps = { sql: again.sql, now: () => new Date(), log: createLog({ write: () => {} }) }
  const two = await testApp({ db: again.db, ingest: createIngest(deps) })
  const domains = Array.from({ length: 40 }, newShop)
  const answers = await Promise.all(
    domains.flatMap((domain) => [
      send(saleOf(domain, 'chk', { order_id: 'ord' })),
      send(saleOf(domain, 'ord', { checkout_id: 'chk' }), {}, two),
    ]),
  )
  for (const [n, domain] of domains.entries()) {
    expect(await rowsOf(domain)).toHaveLength(1)
    const ids = answers.slice(2 * n, 2 * n + 2).map(({ said }) => said.event_id)
    expect(new Set(ids).size).toBe(1)
    for (const id of ['chk', 'ord']) {
      expect((await send(saleOf(domain, id))).said.event_id).toBe(ids[0])
    }
  }
})

describe('mere numbers are of one kind each', () => {
  const sumsOfBoth = async (one: Report, other: Report) => {
    const domain = newShop()
    const pair = [saleOf(domain, ...one), saleOf(domain, ...other, '10:01:00')]
    for (const each of [...pair, ...pair, pair]) {
      expect(JSON.stringify((await send(each)).said)).not.toContain('notes')
    }
    return sumsOf(domain)
  }

  test.each<[string, Report, Report]>([
    ['a cart and an order', ['57', { order_id: 12 }], ['12', { order_id: 3 }]],
    ['an order and a cart', ['12', { order_id: 3 }], ['57', { order_id: 12 }]],
    ['a checkout and a session', ['12', { checkout_id: 57 }], ['57', { checkout_id: 80 }]],
    [
      'each names all',
      ['1', { checkout_id: 2, order_id: 3 }],
      ['3', { checkout_id: 1, order_id: 2 }],
    ],
    ['as texts', ['a', { checkout_id: '57', order_id: '12' }], ['b', { order_id: '57' }]],
  ])('%s with one number are two sales', async (_, one, other) => {
    expect(await sumsOfBoth(one, other)).toMatchObject([{ completed: 2, revenue: 2 * 4999 }])
  })

  test.each<[string, Report, Report]>([
    ['by its cart', ['57', { order_id: 12 }], ['57']],
    ['by its order', ['57', { order_id: 12 }], ['12']],
    ['by its checkout', ['12', { checkout_id: 57 }], ['57']],
    [
      'by all of it',
      ['1', { checkout_id: 2, order_id: 3 }],
      ['1', { checkout_id: 2, order_id: 3 }],
    ],
  ])('a sale that is told again %s counts once', async (_, one, other) => {
    for (const pair of [
      [one, other],
      [other, one],
    ]) {
      const domain = newShop()
      for (const [id = '', ids] of pair) await send(saleOf(domain, id, ids))
      expect(await sumsOf(domain)).toMatchObject([{ completed: 1, revenue: 4999 }])
    }
  })
})

test('a checkout that was begun and its order are one session', async () => {
  const domain = newShop()
  await send({ ...saleOf(domain, 'chk'), event: 'ai_checkout_initiated' })
  await send(saleOf(domain, 'ord', { checkout_id: 'chk' }))
  expect(await sumsOf(domain)).toMatchObject([{ sessions: 1, initiated: 1, completed: 1 }])
})

test('an order is erased by any of its ids, and by none of them does it come back', async () => {
  for (const id of ['chk', 'ord']) {
    const domain = newShop()
    await send(saleOf(domain, 'chk', { order_id: 'ord' }))
    expect(await forgetSession(db, domain, id)).toMatchObject({ events: 1, orders: 1 })
    expect(await sumsOf(domain)).toEqual([])
    for (const again of [
      saleOf(domain, 'chk'),
      saleOf(domain, 'ord'),
      saleOf(domain, 'chk', { order_id: 'ord' }),
    ]) {
      expect((await send(again)).said.notes).toEqual([ERASED])
    }
    expect(await sumsOf(domain)).toEqual([])
  }
})

test('what may be one sale is noted, counts, and is noted again for a retry', async () => {
  const domain = newShop()
  const first = await send(saleOf(domain, 'chk', {}, '10:00:01'))
  const second = await send(saleOf(domain, 'ord', {}, '10:00:59'))
  expect([first.said.notes, second.said.notes]).toEqual([undefined, [DOUBLE]])
  expect((await send(saleOf(domain, 'ord', {}, '10:00:59'))).said).toEqual(second.said)
  expect((await send(saleOf(domain, 'chk', {}, '10:00:01'))).said).toEqual(first.said)
  expect(await sumsOf(domain)).toMatchObject([{ completed: 2, revenue: 2 * 4999 }])
  const { said } = await send([
    saleOf(domain, 'c', {}, '11:00:00'),
    saleOf(domain, 'd', {}, '11:00:00'),
  ])
  expect(said.results.map(({ ack }: { ack: Sent }) => ack.notes)).toEqual([undefined, [DOUBLE]])
})

test.each<[string, object, string]>([
  ['another minute', {}, '10:01:00'],
  ['another value', { value: 5000 }, '10:00:00'],
  ['another currency', { currency: 'EUR' }, '10:00:00'],
  ['no value', { value: undefined }, '10:00:00'],
])('an order of %s is no double', async (_, ids, at) => {
  const domain = newShop()
  await send(saleOf(domain, 'a'))
  expect((await send(saleOf(domain, 'b', ids, at))).said.notes).toBeUndefined()
})

test('the same ids are of another sale at another shop', async () => {
  const domains = [newShop(), newShop()]
  await send(saleOf(domains[0] ?? '', 'chk', { order_id: 'ord' }))
  expect((await send(saleOf(domains[1] ?? '', 'ord', { checkout_id: 'chk' }))).said.notes).toBe(
    undefined,
  )
})

test.each([
  { checkout_id: '' },
  { order_id: {} },
  { order_id: 'x'.repeat(201) },
  { order_id: 1.5 },
])('an id such as %j is refused by its name', async (ids) => {
  const { status, said } = await send(saleOf(newShop(), 'a', ids))
  expect([status, said.error.details[0].field]).toEqual([422, `properties.${Object.keys(ids)[0]}`])
})
