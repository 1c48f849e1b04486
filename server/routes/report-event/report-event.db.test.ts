import { expect, test } from 'vitest'
import { recordingIngest } from '../../attribution/beacon/testing/beacon.ts'
import { toEventError } from '../../attribution/ingest/event-errors.ts'
import { QueueFull } from '../../db/batching/batcher.ts'
import { ApiError } from '../../http/api-error.ts'
import { testApp } from '../../testing/app.ts'
import { BARE, EVENT, PROPERTIES, reportingApp } from '../testing/reporting-app.ts'

const { send, rowsOf, sumsOf, newShop, createTestKey } = await reportingApp()

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
  const rows = await rowsOf(domain)
  expect(rows).toMatchObject([
    {
      id: said.event_id,
      domain,
      ts: '2026-11-01 01:30:00+00',
      session_id: 'checkout_1',
      visit_id: 'session:checkout_1',
      opens_session: true,
      surface: 'chatgpt',
      kind: 'protocol',
      ai_surface: 'chatgpt',
      value: '4999',
      currency: 'USD',
    },
  ])
  // Not the User-Agent.
  expect(rows[0]?.properties).toEqual({ ...PROPERTIES, note: 'ünï', nested: { a: [1] } })
  expect(await sumsOf(domain)).toMatchObject([{ day: '2026-11-01', sessions: 1, initiated: 1 }])
})

test('of two visits in one visit_id, the order is of the last, and the first is kept', async () => {
  const domain = newShop()
  const [last, first] = ['1793525400000-1234567890', '1793525000000-2e-7']
  await send({
    ...EVENT,
    event: 'ai_checkout_completed',
    domain,
    source: 'web',
    timestamp: '2026-11-01T10:00:00Z',
    properties: { value: 4999, currency: 'USD', visit_id: `${last}_${first}` },
  })
  expect(await rowsOf(domain)).toMatchObject([
    { visit_id: `visit:${last}`, properties: { visit_id: last, first_visit_id: first } },
  ])
})

test('null for an optional field is the same as no field', async () => {
  const domain = newShop()
  const { event, session_id, source } = EVENT
  const bare = { event, session_id, source, domain }
  const nulls = { value: null, currency: null, product_id: null, variant_id: null, visit_id: null }
  const { status, said } = await send({
    ...bare,
    ai_surface: null,
    timestamp: null,
    properties: { ...nulls, user_agent: null, attribution: null, own: null },
  })
  expect([status, said.notes]).toEqual([200, undefined])
  expect(await rowsOf(domain)).toMatchObject([{ properties: { own: null }, value: null }])
  const again = await send({ ...bare, properties: { own: null } })
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect((await send({ ...bare, session_id: 'other', properties: null })).status).toBe(200)
  expect((await send({ ...bare, session_id: null })).said.error.details).toEqual([
    expect.objectContaining({ field: 'session_id', code: 'invalid_type' }),
  ])
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
  ['a character that another program could not read', '\ufffd'],
  ['numbers at the edge', [1e308, -0, 5e-324, 2 ** 53]],
])('%s: is stored', async (_, note) => {
  const domain = newShop()
  const properties = typeof note === 'object' && !Array.isArray(note) ? note : { note }
  const { status, said } = await send({ ...BARE, domain, properties })
  expect([status, said.status]).toEqual([200, 'recorded'])
  expect(await rowsOf(domain)).toHaveLength(1)
  expect(Object.prototype).not.toHaveProperty('x')
})

test('a currency without a value is no sale in it', async () => {
  const domain = newShop()
  await send({ ...BARE, domain, event: 'ai_checkout_completed', properties: { currency: 'USD' } })
  expect(await sumsOf(domain)).toMatchObject([{ completed: 1, revenue: 0, currency: '' }])
})

test('of a long campaign the beginning is kept, in whole characters', async () => {
  const domain = newShop()
  const attribution = { campaign_name: `${'x'.repeat(199)}😀` }
  const { status } = await send({ ...BARE, domain, properties: { attribution } })
  expect(status).toBe(200)
  expect((await rowsOf(domain))[0]?.properties).toEqual({
    attribution: { campaign_name: `${'x'.repeat(199)}\ufffd` },
  })
})

test('of what a purchase says of its visitor, no id is stored', async () => {
  const domain = newShop()
  await send({
    ...BARE,
    domain,
    properties: {
      attribution: {
        campaign_source: 'chatgpt.com',
        campaign_medium: 'cpc',
        campaign_id: 'SECRET',
        utm_source: 'chatgpt.com',
        utm_term: 'SECRET',
        gclid: 'SECRET',
        msclkid: 'SECRET',
        ttclid: '',
        nested: { fbclid: 'SECRET' },
      },
      affiliate_attribution: {
        provider: 'chatgpt.com',
        touchpoint: 'last',
        token: 'SECRET',
        source: { type: 'url', url: 'https://chatgpt.com/c/SECRET?u=SECRET' },
      },
    },
  })
  const [row] = await rowsOf(domain)
  expect(row?.properties).toEqual({
    attribution: {
      campaign_source: 'chatgpt.com',
      campaign_medium: 'cpc',
      utm_source: 'chatgpt.com',
      gclid: '1',
      msclkid: '1',
    },
    affiliate_attribution: {
      provider: 'chatgpt.com',
      touchpoint: 'last',
      source: { url: 'https://chatgpt.com/' },
    },
  })
  expect(JSON.stringify(row)).not.toContain('SECRET')
})

test('a request whose key cannot be looked up now is told to come again, and counted', async () => {
  const busy = async () => {
    throw Object.assign(new Error('too many connections'), { code: '53300' })
  }
  const own = await reportingApp()
  const db = Object.assign(Object.create(own.db), { $client: busy })
  const without = await testApp({ db, ingest: own.ingest })
  const { status, headers } = await own.send({ ...EVENT }, {}, without)
  expect([status, headers.get('Retry-After')]).toEqual([503, '5'])
  expect(own.ingest.counts).toMatchObject({ received: 1, shed: 1 })
  expect((await own.send(EVENT, { Authorization: '' })).status).toBe(401)
  expect(own.ingest.counts).toMatchObject({ received: 1, shed: 1 })
})

test('when more comes in than can be stored, it is told before its body is read', async () => {
  const { ingest, refused, state } = recordingIngest()
  const own = await reportingApp({ ingest })
  state.full = true
  const { status, said, headers } = await own.send('{', { Authorization: '' })
  expect([status, said.error.code, headers.get('Retry-After')]).toEqual([503, 'busy', '1'])
  expect(refused).toEqual(['shed'])
  // In few words: when too much comes in, as much comes here.
  expect(own.lines.map((line) => JSON.parse(line))).toEqual([
    {
      level: 40,
      time: expect.any(String),
      request_id: expect.any(String),
      code: 'busy',
      msg: 'temporarily unavailable',
    },
    expect.objectContaining({ level: 30, status: 503 }),
  ])
})

const RESULT = {
  event_id: 'e1',
  replayed: false,
  conflict: false,
  surface: 'x',
  confidence: 1,
  notes: [],
}
const LATER = toEventError(new QueueFull())
const FAULT = new Error('SECRET')
const INVALID = new ApiError(422, 'x', 'X')
const FOREIGN = new ApiError(403, 'y', 'Y')
const BUSY = { code: 'busy', message: expect.stringContaining('Try again') }

test.each<[string, unknown[], [number, string | null, object | undefined]]>([
  ['nothing of an array', [LATER, LATER], [503, '1', BUSY]],
  ['nothing, by a fault of ours too', [FAULT, LATER], [503, '1', BUSY]],
  [
    'nothing, by faults of ours',
    [FAULT, FAULT],
    [500, null, { code: 'internal_error', message: expect.any(String) }],
  ],
  ['a part of an array', [RESULT, LATER], [200, '1', undefined]],
  ['nothing yet, and one never', [INVALID, LATER], [503, '1', BUSY]],
  ['nothing ever', [FOREIGN, INVALID], [422, null, { code: 'x', message: 'X' }]],
  ['nothing by this key', [FOREIGN, FOREIGN], [403, null, { code: 'y', message: 'Y' }]],
  ['what is not refused', [INVALID, RESULT], [200, null, undefined]],
  ['all but for a fault of ours', [RESULT, FAULT], [200, null, undefined]],
])('where %s is stored, the status and Retry-After say so', async (_, outcomes, expected) => {
  const { ingest } = recordingIngest()
  const left = [...outcomes]
  const record = async () => {
    const next = left.shift()
    if (next instanceof Error) throw next
    return next as typeof RESULT
  }
  const own = await reportingApp({ ingest: { ...ingest, record } })
  const { status, headers, said } = await own.send(outcomes.map(() => EVENT))
  const { request_id = null, ...error } = said.error ?? {}
  expect([status, headers.get('Retry-After'), said.error && error]).toEqual(expected)
  expect(request_id).toBe(said.error ? headers.get('X-Request-Id') : null)
  expect(headers.get('Cache-Control')).toBe('no-store')
  expect(said.results.map((each: { status: number }) => each.status)).toEqual(
    outcomes.map((each) => (each === FAULT ? 500 : ((each as Partial<ApiError>).status ?? 200))),
  )
})

test('the log says how many events of an array were refused, and by which key they were sent', async () => {
  const own = await reportingApp({})
  const wrong = { ...EVENT, source: 'mcp' }
  expect((await own.send([wrong, EVENT, wrong])).status).toBe(200)
  expect((await own.send([wrong, wrong])).status).toBe(422)
  expect((await own.send([EVENT])).status).toBe(200)
  const lines = own.lines.map((line) => JSON.parse(line))
  const of = { request_id: expect.any(String), key_id: expect.any(String) }
  expect(lines.filter(({ msg }) => msg === 'events refused')).toMatchObject([
    { ...of, events: 3, refused: 2 },
    { ...of, events: 2, refused: 2 },
  ])
  // That no event was stored stands beside it, as for one that is sent alone.
  const { request_id, key_id } = lines.find(({ refused, events }) => refused === events)
  expect(lines).toContainEqual(expect.objectContaining({ request_id, key_id, status: 422 }))
})

test('of a fault of ours, one event or one in an array tells the log alone what it was', async () => {
  const { ingest } = recordingIngest()
  const record = async () => {
    throw new Error('SECRET')
  }
  const own = await reportingApp({ ingest: { ...ingest, record } })
  for (const body of [EVENT, [EVENT]]) {
    const { said } = await own.send(body)
    const error = said.error ?? said.results[0].error
    expect(error).toMatchObject({
      code: 'internal_error',
      message: expect.stringContaining('Something failed on our side.'),
    })
    expect(JSON.stringify(said)).not.toContain('SECRET')
    expect(own.lines.splice(0).join()).toContain('SECRET')
  }
})
