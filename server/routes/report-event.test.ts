import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { createIngest } from '../ingest/ingest.ts'
import { createLog } from '../log.ts'
import { connectAgain, testApp } from '../testing.ts'

const { app, db, url, key, createTestKey } = await testApp()
let shops = 0
const newShop = () => `shop${++shops}.example`

const EVENT = {
  event: 'ai_checkout_initiated',
  domain: 'shop.example',
  session_id: 'checkout_1',
  source: 'acp',
  ai_surface: 'chatgpt',
  properties: { product_id: 'boot', variant_id: 'boot-42', value: 4999, currency: 'USD' },
}
type Sent = Record<string, unknown>
const { properties: PROPERTIES, ...BARE } = EVENT

async function send(body: unknown, headers: Record<string, string> = {}, to = app) {
  const answer = await to.request('/api/report', {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const said = await answer.json()
  return { status: answer.status, headers: answer.headers, said }
}

const rowsOf = (domain: string) =>
  db.execute<Record<string, unknown>>(
    sql`select * from events where domain = ${domain} order by id`,
  )
const sumsOf = (domain: string) =>
  db.execute<Record<string, unknown>>(
    sql`select day::text, surface, kind, source, currency, sessions, viewed, initiated, completed,
      failed, revenue::int from rollup_daily where domain = ${domain} order by 1, 2, 3, 4, 5`,
  )

test('an event is stored as it came, and answered as the specification says', async () => {
  const domain = newShop()
  const { status, said } = await send({
    ...EVENT,
    domain: domain.toUpperCase(),
    properties: { ...PROPERTIES, note: 'ünï', user_agent: 'ChatGPT-User/1.0', nested: { a: [1] } },
    timestamp: '2026-10-31T23:30:00-02:00',
  })
  expect([status, said]).toEqual([
    200,
    {
      event_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'recorded',
      session_classified: true,
      ai_source: 'chatgpt',
      confidence: 0.96,
    },
  ])
  expect(await rowsOf(domain)).toMatchObject([
    {
      id: said.event_id,
      domain,
      ts: '2026-11-01 01:30:00+00',
      session_id: 'checkout_1',
      visit_id: 'checkout_1',
      opens_session: true,
      surface: 'chatgpt',
      kind: 'protocol',
      ai_surface: 'chatgpt',
      value: '4999',
      currency: 'USD',
      // Not the User-Agent.
      properties: { ...PROPERTIES, note: 'ünï', nested: { a: [1] } },
    },
  ])
  expect(await sumsOf(domain)).toMatchObject([{ day: '2026-11-01', sessions: 1, initiated: 1 }])
})

const FIELD = { status: 422, code: 'invalid_request' }
const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, n]))

const BAD: [string, unknown, object][] = [
  ['not JSON', '{"event":', { status: 400, code: 'malformed_json' }],
  ['an empty body', '', { status: 400, code: 'malformed_json' }],
  ['an empty array', [], { ...FIELD, details: ['body too_small Send at least one event.'] }],
  [
    '101 events',
    Array(101).fill(EVENT),
    { ...FIELD, details: ['body too_big Send at most 100 events in one request.'] },
  ],
  ['null', null, { ...FIELD, details: ['body invalid_type Send a JSON object.'] }],
  ['a text', '"x"', { ...FIELD, details: ['body invalid_type Send a JSON object.'] }],
  [
    'nothing',
    {},
    {
      ...FIELD,
      details: [
        'event invalid_value Use one of ai_checkout_initiated, ai_checkout_completed, ai_checkout_failed, ai_product_viewed.',
        'domain required This field is required. Send a string.',
        'session_id required This field is required. Send a string.',
        'source invalid_value Use one of ucp, acp, web.',
      ],
    },
  ],
  [
    'an unknown event',
    { ...EVENT, event: 'order' },
    {
      ...FIELD,
      details: [
        'event invalid_value Use one of ai_checkout_initiated, ai_checkout_completed, ai_checkout_failed, ai_product_viewed.',
      ],
    },
  ],
  [
    'the event of the snippet',
    { ...EVENT, event: 'ai_session' },
    { ...FIELD, details: [expect.stringContaining('event invalid_value')] },
  ],
  [
    'a domain with a scheme',
    { ...EVENT, domain: 'https://shop.example' },
    {
      ...FIELD,
      details: ['domain invalid Send the domain without a scheme, such as "shop.example".'],
    },
  ],
  [
    'an empty session',
    { ...EVENT, session_id: '' },
    { ...FIELD, details: [expect.stringContaining('session_id too_small')] },
  ],
  [
    'a long session',
    { ...EVENT, session_id: 'x'.repeat(201) },
    { ...FIELD, details: [expect.stringContaining('session_id too_big')] },
  ],
  [
    'a session that is a number',
    { ...EVENT, session_id: 7 },
    { ...FIELD, details: ['session_id invalid_type Send a string.'] },
  ],
  [
    'another source',
    { ...EVENT, source: 'mcp' },
    { ...FIELD, details: ['source invalid_value Use one of ucp, acp, web.'] },
  ],
  [
    'the web without its visit',
    { ...EVENT, source: 'web' },
    {
      ...FIELD,
      details: [
        'properties.visit_id invalid With source "web", send the visit that aisle.session().id named in the browser.',
      ],
    },
  ],
  [
    'a surface in capitals',
    { ...EVENT, ai_surface: 'ChatGPT' },
    { ...FIELD, details: [expect.stringContaining('ai_surface invalid_format Send a lowercase')] },
  ],
  [
    'an unknown field',
    { ...EVENT, value: 1 },
    {
      ...FIELD,
      details: [
        'value unknown_field This field does not exist. Leave it out, or check its spelling.',
      ],
    },
  ],
  [
    'properties as a list',
    { ...BARE, properties: [] },
    { ...FIELD, details: ['properties invalid_type Send a JSON object.'] },
  ],
  [
    '33 properties',
    { ...BARE, properties: many(33) },
    { ...FIELD, details: ['properties invalid Send at most 32 properties.'] },
  ],
  [
    'a price in major units',
    { ...BARE, properties: { value: 49.99, currency: 'USD' } },
    { ...FIELD, details: [expect.stringContaining('properties.value invalid_type')] },
  ],
  [
    'a negative value',
    { ...BARE, properties: { value: -1, currency: 'USD' } },
    { ...FIELD, details: [expect.stringContaining('properties.value too_small')] },
  ],
  [
    'a value that no number holds',
    `{"event":"ai_checkout_initiated","domain":"shop.example","session_id":"s","source":"ucp","properties":{"value":1e999,"currency":"USD"}}`,
    { ...FIELD, details: [expect.stringContaining('properties.value invalid_type')] },
  ],
  [
    'a value without a currency',
    { ...BARE, properties: { value: 1 } },
    { ...FIELD, details: [expect.stringContaining('properties.currency invalid Send the curr')] },
  ],
  [
    'a currency that is none',
    { ...BARE, properties: { value: 1, currency: 'usd' } },
    { ...FIELD, details: [expect.stringContaining('properties.currency invalid Send an ISO')] },
  ],
  [
    'a day for a time',
    { ...EVENT, timestamp: '2026-11-01' },
    { ...FIELD, details: [expect.stringContaining('timestamp invalid_format')] },
  ],
  [
    'a time without a zone',
    { ...EVENT, timestamp: '2026-11-01T10:00:00' },
    { ...FIELD, details: [expect.stringContaining('timestamp invalid_format')] },
  ],
  [
    'the 30th of February',
    { ...EVENT, timestamp: '2026-02-30T10:00:00Z' },
    { ...FIELD, details: [expect.stringContaining('timestamp invalid_format')] },
  ],
  [
    'U+0000 in a property',
    { ...BARE, properties: { note: 'a\u0000b' } },
    { ...FIELD, details: [expect.stringContaining('body invalid A text holds U+0000')] },
  ],
  [
    'U+0000 in the name of a property',
    { ...BARE, properties: { 'a\u0000': 1 } },
    { ...FIELD, details: [expect.stringContaining('body invalid A text holds U+0000')] },
  ],
  [
    'U+0000 in the session',
    { ...EVENT, session_id: '\u0000' },
    { ...FIELD, details: [expect.stringContaining('body invalid A text holds U+0000')] },
  ],
  [
    'half of a character',
    { ...BARE, properties: { note: '\ud83d' } },
    { ...FIELD, details: [expect.stringContaining('body invalid A text holds U+0000')] },
  ],
  [
    'over 8 KiB',
    { ...BARE, properties: { note: 'ü'.repeat(4100) } },
    {
      ...FIELD,
      details: ['body too_big An event has at most 8192 bytes. Send fewer or shorter properties.'],
    },
  ],
  [
    'a hundred thousand lists in each other',
    `{"event":"ai_checkout_initiated","domain":"shop.example","session_id":"s","source":"ucp","properties":{"a":${'['.repeat(1e5)}${']'.repeat(1e5)}}}`,
    { ...FIELD, details: [expect.stringContaining('body too_big')] },
  ],
  ['over 1 MiB', `"${'a'.repeat(2 ** 20)}"`, { status: 413, code: 'body_too_large' }],
]

test.each(BAD)('%s is refused', async (_, body, expected) => {
  const { status, said } = await send(body)
  const { code, details } = said.error
  expect({
    status,
    code,
    ...(details && {
      details: details.map((each: Record<string, string>) =>
        [each.field, each.code, each.message].join(' '),
      ),
    }),
  }).toEqual(expected)
})

test.each<[string, Record<string, string>, number, string]>([
  ['no key', { Authorization: '' }, 401, 'missing_key'],
  ['text/plain', { 'Content-Type': 'text/plain' }, 415, 'unsupported_media_type'],
  ['an empty Idempotency-Key', { 'Idempotency-Key': '' }, 422, 'invalid_request'],
  ['a long Idempotency-Key', { 'Idempotency-Key': 'k'.repeat(256) }, 422, 'invalid_request'],
])('%s is refused', async (_, headers, status, code) => {
  const answer = await send(EVENT, headers)
  expect([answer.status, answer.said.error.code]).toEqual([status, code])
})

test('a key writes for its domains only, and with its scope only', async () => {
  const own = newShop()
  const bearer = async (change: Parameters<typeof createTestKey>[0]) => ({
    Authorization: `Bearer ${(await createTestKey(change)).key}`,
  })
  const narrow = await bearer({ domains: [own] })
  const foreign = { ...EVENT, domain: newShop() }
  expect((await send({ ...EVENT, domain: own }, narrow)).status).toBe(200)
  const refused = await send(foreign, narrow)
  expect([refused.status, refused.said.error.code]).toEqual([403, 'domain_not_allowed'])
  const mixed = await send([{ ...EVENT, domain: own }, foreign], narrow)
  expect(mixed.said.results.map((each: { status: number }) => each.status)).toEqual([200, 403])
  const reader = await bearer({ scopes: ['report:read'] })
  expect((await send(EVENT, reader)).said.error.code).toBe('insufficient_scope')
  expect(await rowsOf(foreign.domain)).toEqual([])
})

test.each<[string, unknown]>([
  ['four thousand lists in each other', JSON.parse('['.repeat(3900) + ']'.repeat(3900))],
  ['names of the prototype', JSON.parse('{"__proto__":{"x":1},"constructor":1,"toString":2}')],
  ['a backslash before u0000', '\\u0000 \\\\u0000'],
  ['whole characters beyond the first plane', '😀'],
  ['numbers at the edge', [1e308, -0, 5e-324, 2 ** 53]],
])('%s: is stored', async (_, note) => {
  const domain = newShop()
  const properties = typeof note === 'object' && !Array.isArray(note) ? note : { note }
  const { status, said } = await send({ ...BARE, domain, properties })
  expect([status, said.status]).toEqual([200, 'recorded'])
  expect(await rowsOf(domain)).toHaveLength(1)
  expect(Object.prototype).not.toHaveProperty('x')
})

describe('the surface', () => {
  test.each<[string, Sent, [string, boolean, number]]>([
    ['declared', { ai_surface: 'perplexity' }, ['perplexity', true, 0.85]],
    ['declared and on no row', { ai_surface: 'my_assistant' }, ['my_assistant', true, 0.85]],
    ['only the protocol known', { ai_surface: undefined }, ['other_ai', false, 0.5]],
    ['declared as other_ai', { ai_surface: 'other_ai' }, ['other_ai', false, 0.93]],
    [
      'in the User-Agent',
      { ai_surface: undefined, properties: { user_agent: 'ChatGPT-User/1.0' } },
      ['chatgpt', true, 0.7],
    ],
    [
      'in the UCP-Agent',
      {
        ai_surface: undefined,
        source: 'ucp',
        properties: { ucp_agent: 'profile="https://gemini.google.com/ucp.json"' },
      },
      ['gemini', true, 0.75],
    ],
    [
      'in UCP’s attribution',
      { ai_surface: undefined, properties: { attribution: { campaign_source: 'chatgpt.com' } } },
      ['chatgpt', true, 0.7],
    ],
    [
      'in ACP’s affiliate attribution',
      {
        ai_surface: undefined,
        properties: { affiliate_attribution: { provider: 'chatgpt.com' } },
      },
      ['chatgpt', true, 0.7],
    ],
    [
      'of an unknown visit',
      { source: 'web', properties: { visit_id: 'nobody' }, ai_surface: undefined },
      ['other_ai', false, 0.5],
    ],
  ])('%s', async (_, change, expected) => {
    const { properties: __, ...bare } = EVENT
    const { said } = await send({ ...bare, ...change, domain: newShop() })
    expect([said.ai_source, said.session_classified, said.confidence]).toEqual(expected)
  })

  test('of a checkout is known when its order comes, in one array too', async () => {
    for (const together of [false, true]) {
      const domain = newShop()
      const { ai_surface, ...unnamed } = EVENT
      const both = [
        { ...EVENT, domain },
        { ...unnamed, domain, event: 'ai_checkout_completed' },
      ]
      const answers = together
        ? (await send(both)).said.results.map((each: { ack: unknown }) => each.ack)
        : [(await send(both[0])).said, (await send(both[1])).said]
      expect(answers[1]).toMatchObject({ ai_source: ai_surface, confidence: 0.85 })
      expect(await sumsOf(domain)).toMatchObject([
        { surface: 'chatgpt', sessions: 1, initiated: 1, completed: 1, revenue: 4999 },
      ])
    }
  })

  test('of the visit that brought it joins an order, and both are one session', async () => {
    const domain = newShop()
    const own = await testApp()
    const post = (body: unknown) => send(body, { Authorization: `Bearer ${own.key}` }, own.app)
    await own.ingest.record({
      domain,
      event: 'ai_session',
      source: 'web',
      session_id: 'visit_1',
      visit_id: 'visit_1',
      ts: new Date(),
      key: 'session:visit_1',
      fingerprint: 'session',
      signals: { referrer: 'https://www.perplexity.ai/' },
      ai_surface: null,
      value: null,
      currency: null,
      properties: {},
    })
    const order = {
      event: 'ai_checkout_completed',
      domain,
      session_id: 'order_1',
      source: 'web',
      properties: { visit_id: 'visit_1', value: 700, currency: 'EUR' },
    }
    expect((await post(order)).said).toMatchObject({
      ai_source: 'perplexity',
      session_classified: true,
      confidence: 0.95,
    })
    const sums = await own.db.execute(
      sql`select kind, source, sessions, completed, currency from rollup_daily order by currency`,
    )
    expect(sums).toMatchObject([
      { kind: 'referral', source: 'web', sessions: 1, completed: 0, currency: '' },
      { kind: 'referral', source: 'web', sessions: 0, completed: 1, currency: 'EUR' },
    ])
  })
})

describe('a timestamp', () => {
  const MINUTE = 60_000
  const DAY = 24 * 60 * MINUTE
  const at = new Date('2026-11-21T12:00:00.000Z')
  const clock = { now: () => at }
  const fixed = testApp(clock)
  const later = (ms: number) => new Date(at.getTime() + ms).toISOString()

  test.each<[string, string | undefined, string, boolean]>([
    ['left out: now', undefined, '2026-11-21 12:00:00+00', false],
    ['a minute ahead', later(MINUTE), '2026-11-21 12:01:00+00', false],
    ['five minutes ahead', later(5 * MINUTE), '2026-11-21 12:05:00+00', false],
    ['further ahead: now', later(5 * MINUTE + 1), '2026-11-21 12:00:00+00', true],
    ['years ahead: now', '9999-12-31T23:59:59Z', '2026-11-21 12:00:00+00', true],
    ['with an offset', '2026-11-21T00:30:00+05:30', '2026-11-20 19:00:00+00', false],
    ['400 days old', later(-400 * DAY), '2025-10-17 12:00:00+00', false],
  ])('%s', async (_, timestamp, ts, noted) => {
    const { app: own, db: kept, key: bearer } = await fixed
    const domain = newShop()
    const { status, said } = await send(
      { ...EVENT, domain, ...(timestamp && { timestamp }) },
      { Authorization: `Bearer ${bearer}` },
      own,
    )
    expect(status).toBe(200)
    expect(said.notes).toEqual(
      noted ? ['The timestamp lies in the future. The time of arrival was taken.'] : undefined,
    )
    const rows = await kept.execute(
      sql`select ts::text, day::text from events join ai_sessions using (domain, session_id)
        where domain = ${domain}`,
    )
    expect(rows).toEqual([{ ts, day: ts.slice(0, 10) }])
  })

  test('of more than 400 days is refused', async () => {
    const { app: own, key: bearer } = await fixed
    const { status, said } = await send(
      { ...EVENT, timestamp: later(-400 * DAY - 1) },
      { Authorization: `Bearer ${bearer}` },
      own,
    )
    expect([status, said.error.details]).toEqual([
      422,
      [
        {
          field: 'timestamp',
          code: 'too_old',
          message: 'Events can be sent for 400 days. Leave this one out.',
        },
      ],
    ])
  })
})

describe('a retry', () => {
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
    ['another event', {}, { event: 'ai_checkout_failed' }, 2],
    ['another session', {}, { session_id: 'checkout_2' }, 2],
  ])('%s', async (_, one, two, stored) => {
    const domain = newShop()
    await send({ ...EVENT, domain, ...one })
    await send({ ...EVENT, domain, ...two })
    expect(await rowsOf(domain)).toHaveLength(stored)
  })

  test('with another value is told that the first counts', async () => {
    const domain = newShop()
    const order = { ...EVENT, domain, event: 'ai_checkout_completed' }
    const first = await send(order)
    const again = await send({ ...order, properties: { ...PROPERTIES, value: 1 } })
    expect(again.said).toEqual({
      ...first.said,
      notes: ['This event was recorded before with other fields. The first counts.'],
    })
    expect(await sumsOf(domain)).toMatchObject([{ completed: 1, revenue: 4999 }])
  })

  test('is told from another event by the Idempotency-Key', async () => {
    const domain = newShop()
    const view = { ...EVENT, domain, event: 'ai_product_viewed' }
    const keyed = (name: string, body: unknown = view) => send(body, { 'Idempotency-Key': name })
    const [a, b, again] = [await keyed('a'), await keyed('b'), await keyed('a')]
    expect(again.said).toEqual(a.said)
    expect(b.said.event_id).not.toBe(a.said.event_id)
    const other = await keyed('a', { ...view, session_id: 'checkout_2' })
    expect([other.status, other.said.error.code]).toEqual([422, 'idempotency_conflict'])
    // An order has one key, whatever the client calls it.
    const order = { ...view, event: 'ai_checkout_completed' }
    const orders = [await keyed('c', order), await keyed('d', order)]
    expect(orders[1]?.said).toEqual(orders[0]?.said)
    expect(await rowsOf(domain)).toHaveLength(3)
  })

  test('of an array is a retry of each event in it', async () => {
    const domain = newShop()
    const view = { ...EVENT, domain, event: 'ai_product_viewed' }
    const body = [view, view, { ...view, session_id: 'checkout_2' }]
    const headers = { 'Idempotency-Key': 'k'.repeat(255) }
    const first = await send(body, headers)
    expect(await send(body, headers)).toMatchObject({ said: first.said })
    expect(await rowsOf(domain)).toHaveLength(3)
    const unkeyed = await send([
      { ...view, session_id: 'x' },
      { ...view, session_id: 'x' },
    ])
    const ids = unkeyed.said.results.map((each: { ack: { event_id: string } }) => each.ack.event_id)
    expect(ids[0]).toBe(ids[1])
    expect(await rowsOf(domain)).toHaveLength(4)
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
          send({ ...EVENT, domain, event }, {}, n % 2 === 0 ? app : two.app),
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
})
