import { expect, test } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import { BARE, EVENT, reportingApp } from '../testing/reporting-app.ts'

const { send, ingest } = await reportingApp()

const FIELD = { status: 422, code: 'invalid_request' }
const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, n]))

const latin1 = (event: unknown) =>
  Uint8Array.from(Buffer.from(JSON.stringify(event), 'latin1')).buffer

const BAD: [string, unknown, object][] = [
  ['not JSON', '{"event":', { status: 400, code: 'malformed_json' }],
  ['an empty body', '', { status: 400, code: 'malformed_json' }],
  ['in Latin-1', latin1({ ...EVENT, session_id: 'ord-é' }), { status: 400, code: 'not_utf8' }],
  [
    'in Latin-1, in an array',
    latin1([EVENT, { ...EVENT, session_id: 'ord-é' }]),
    { status: 400, code: 'not_utf8' },
  ],
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
        'event invalid_value Use one of ai_checkout_initiated, ai_checkout_completed, ai_checkout_failed, ai_product_viewed, ai_order_refunded.',
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
        'event invalid_value Use one of ai_checkout_initiated, ai_checkout_completed, ai_checkout_failed, ai_product_viewed, ai_order_refunded.',
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
        'properties.visit_id invalid With source "web", send visit_id: the value of aisle.session().id in the browser.',
      ],
    },
  ],
  ...['undefined', 'null', 'NaN', ' Undefined '].map((visit_id): [string, unknown, object] => [
    `the visit ${JSON.stringify(visit_id)}`,
    { ...EVENT, source: 'web', properties: { visit_id } },
    {
      ...FIELD,
      details: [
        'properties.visit_id invalid Send the value of aisle.session().id in the browser. Without a session, AI brought no visit: do not report the order.',
      ],
    },
  ]),
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
    'a value that no order has',
    { ...BARE, properties: { value: 10 ** 12 + 1, currency: 'USD' } },
    {
      ...FIELD,
      details: [
        'properties.value too_big Send at most 1000000000000, in the smallest unit of the currency: 4999 is 49.99.',
      ],
    },
  ],
  [
    'a value that no number holds',
    `{"event":"ai_checkout_initiated","domain":"shop.example","session_id":"s","source":"ucp","properties":{"value":1e999,"currency":"USD"}}`,
    { ...FIELD, details: [expect.stringContaining('properties.value invalid_type')] },
  ],
  [
    'a currency that is none',
    { ...BARE, properties: { value: 1, currency: 'usd' } },
    { ...FIELD, details: [expect.stringContaining('properties.currency invalid Send an ISO')] },
  ],
  [
    'the 30th of February',
    { ...EVENT, timestamp: '2026-02-30T10:00:00Z' },
    {
      ...FIELD,
      details: ['timestamp invalid Send an ISO 8601 timestamp, such as 2026-11-20T10:00:00Z.'],
    },
  ],
  [
    'a time in seconds',
    { ...EVENT, timestamp: 1763632800 },
    { ...FIELD, details: ['timestamp invalid_type Send a string.'] },
  ],
  [
    'a number deep inside that no number holds',
    `{"event":"ai_checkout_initiated","domain":"shop.example","session_id":"s","source":"ucp","properties":{"a":[1e999]}}`,
    { ...FIELD, details: [expect.stringContaining('body invalid A number is too large')] },
  ],
  [
    'U+0000 in a property',
    { ...BARE, properties: { note: 'a\u0000b' } },
    { ...FIELD, details: [expect.stringContaining('body invalid A string contains U+0000')] },
  ],
  [
    'U+0000 in the name of a property',
    { ...BARE, properties: { 'a\u0000': 1 } },
    { ...FIELD, details: [expect.stringContaining('body invalid A string contains U+0000')] },
  ],
  [
    'U+0000 in the session',
    { ...EVENT, session_id: '\u0000' },
    { ...FIELD, details: [expect.stringContaining('body invalid A string contains U+0000')] },
  ],
  [
    'half of a character',
    { ...BARE, properties: { note: '\ud83d' } },
    { ...FIELD, details: [expect.stringContaining('body invalid A string contains U+0000')] },
  ],
  [
    'the other half',
    { ...BARE, properties: { note: '\ude00' } },
    { ...FIELD, details: [expect.stringContaining('body invalid A string contains U+0000')] },
  ],
  [
    'over 8 KiB',
    { ...BARE, properties: { note: 'ü'.repeat(4100) } },
    {
      ...FIELD,
      details: [
        'body too_big An event may have at most 8192 bytes. Send fewer or shorter properties.',
      ],
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

test('an array of which nothing is stored is refused, and says why of each', async () => {
  const wrong = { ...EVENT, source: 'mcp' }
  const alone = (await send(wrong)).said.error
  const { status, said } = await send([wrong, { ...EVENT, event: 'sold' }])
  expect([status, said.error]).toEqual([422, { ...alone, request_id: said.error.request_id }])
  const fieldOf = (each: { error: { details: { field: string }[] } }) =>
    each.error.details[0]?.field
  expect(said.results.map(fieldOf)).toEqual(['source', 'event'])
})

test('an event of an array is refused as it would be alone', async () => {
  const wrong = { ...EVENT, source: 'mcp' }
  const { error } = (await send(wrong)).said
  const { request_id: _, ...refusal } = error
  const before = { ...ingest.counts }
  const { status, said } = await send([wrong, EVENT])
  expect(status).toBe(200)
  expect(said.results).toEqual([
    { status: 422, error: refusal },
    { status: 200, ack: expect.any(Object) },
  ])
  expect(ingest.counts).toEqual({
    ...before,
    received: before.received + 2,
    accepted: before.accepted + 1,
    rejected: before.rejected + 1,
  })
})

test.each<[string, Record<string, string>, number, string]>([
  ['no key', { Authorization: '' }, 401, 'missing_key'],
  ['text/plain', { 'Content-Type': 'text/plain' }, 415, 'unsupported_media_type'],
  ['text/x-json', { 'Content-Type': 'text/x-json' }, 415, 'unsupported_media_type'],
  ['an empty Idempotency-Key', { 'Idempotency-Key': '' }, 422, 'invalid_request'],
  ['a long Idempotency-Key', { 'Idempotency-Key': 'k'.repeat(256) }, 422, 'invalid_request'],
])('%s is refused', async (_, headers, status, code) => {
  const answer = await send(EVENT, headers)
  expect([answer.status, answer.said.error.code]).toEqual([status, code])
})

test('bodies of one key that do not end hold 16 MiB together, and then its next is told to come again', async () => {
  const own = await reportingApp()
  const endless = () => {
    const { readable, writable } = new TransformStream<Uint8Array>()
    const headers = {
      Authorization: `Bearer ${own.key}`,
      'Content-Type': 'application/json',
      'Content-Length': String(2 ** 20),
    }
    const init = { method: 'POST', headers, body: readable, duplex: 'half' as const }
    return { answer: own.app.request('/api/report', init), end: () => writable.close() }
  }
  const held = Array.from({ length: 16 }, endless)
  // They are admitted when their key was looked up; until then there is room for another.
  const ask = () => own.send({ ...EVENT, domain: own.newShop() })
  await eventually(async () => (await ask()).status).toBe(503)
  const next = await ask()
  expect(next.said.error.code).toBe('busy')
  expect(next.headers.get('Retry-After')).toBe('1')
  const { key } = await own.createTestKey()
  const another = { Authorization: `Bearer ${key}` }
  expect((await own.send({ ...EVENT, domain: own.newShop() }, another)).status).toBe(200)
  for (const { end } of held) await end()
  for (const { answer } of held) expect((await answer).status).toBe(400)
  expect((await own.send({ ...EVENT, domain: own.newShop() })).status).toBe(200)
})
