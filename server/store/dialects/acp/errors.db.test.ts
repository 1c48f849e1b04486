import { createHmac } from 'node:crypto'
import canonicalize from 'canonicalize'
import { describe, expect, test } from 'vitest'
import { NOON, testStore } from '../../testing/store.ts'
import { ACP_SETTINGS, createBody, officialAcpAgent, paymentData } from './testing/agent.ts'

const KEYS = ['agent', 'another']
const { ask, send, bank } = await testStore({ acp: { ...ACP_SETTINGS, keys: KEYS } })
const agent = officialAcpAgent(send)
const { call, create, read, update, complete, ready } = agent

const CARD = '4242 4242 4242 4242'

describe('headers', () => {
  test.each<[string, Record<string, string | undefined>, number, object]>([
    ['no Authorization', { authorization: undefined }, 401, { code: 'unauthorized' }],
    ['another scheme', { authorization: 'Basic agent' }, 401, { code: 'unauthorized' }],
    ['a key that is not known', { authorization: 'Bearer agents' }, 401, { code: 'unauthorized' }],
    [
      'no API-Version',
      { 'api-version': undefined },
      400,
      { code: 'missing_api_version', supported_versions: ['2026-04-17', '2026-01-30'] },
    ],
    [
      'an older API-Version',
      { 'api-version': '2025-09-29' },
      400,
      { code: 'unsupported_api_version', supported_versions: ['2026-04-17', '2026-01-30'] },
    ],
    ['no key', { 'idempotency-key': undefined }, 400, { code: 'idempotency_key_required' }],
    ['an empty key', { 'idempotency-key': '' }, 400, { code: 'idempotency_key_required' }],
    [
      'a long key',
      { 'idempotency-key': 'k'.repeat(256) },
      400,
      { code: 'idempotency_key_required' },
    ],
  ])('%s', async (_, headers, status, error) => {
    const answer = await create({}, headers)
    expect([answer.status, answer.said]).toEqual([
      status,
      { type: 'invalid_request', message: expect.any(String), ...error },
    ])
  })

  test('Request-Id and the key come back, unless they look like a card', async () => {
    const sent = { 'request-id': 'req-1', 'idempotency-key': 'key-1' }
    const { headers } = await create({}, sent)
    expect(headers.get('request-id')).toBe('req-1')
    expect(headers.get('idempotency-key')).toBe('key-1')
    expect(headers.get('cache-control')).toBe('no-store')
    const { headers: others } = await create({}, { 'request-id': CARD })
    expect(others.get('request-id')).toBeNull()
  })

  test('a session belongs to the agent that opened it', async () => {
    const { said } = await create()
    const other = officialAcpAgent(send, { token: 'another' })
    for (const answer of [
      await other.read(said.id),
      await other.update(said.id, {}),
      await other.complete(said.id),
      await other.cancel(said.id),
      await read('checkout_nothing'),
      await read('%00'),
    ]) {
      expect([answer.status, answer.said.code]).toEqual([404, 'not_found'])
    }
  })
})

describe('signatures', async () => {
  const signed = await testStore({ acp: { ...ACP_SETTINGS, signingKeys: ['old', 'new'] } })
  const { create: sendSigned } = officialAcpAgent(signed.send)
  const sign = (body: unknown, key: string) =>
    createHmac('sha256', key)
      .update(canonicalize(body) ?? '')
      .digest('base64url')
  const at = (ms: number) => new Date(NOON.getTime() + ms).toISOString()
  const right = sign(createBody(), 'new')

  test.each<[string, Record<string, string>, number]>([
    ['the first key', { signature: sign(createBody(), 'old'), timestamp: at(0) }, 201],
    ['the second key, a little late', { signature: right, timestamp: at(-299_000) }, 201],
    ['nothing', {}, 401],
    ['no time', { signature: right }, 401],
    ['too old', { signature: right, timestamp: at(-301_000) }, 401],
    ['too early', { signature: right, timestamp: at(301_000) }, 401],
    ['a time that is none', { signature: right, timestamp: 'noon' }, 401],
    ['another key', { signature: sign(createBody(), 'other'), timestamp: at(0) }, 401],
    ['another body', { signature: sign({}, 'new'), timestamp: at(0) }, 401],
  ])('%s', async (_, headers, status) => {
    const answer = await sendSigned({}, headers)
    expect(answer.status).toBe(status)
    if (status === 401) expect(answer.said.code).toBe('invalid_signature')
  })

  test('of a body that has no canonical form', async () => {
    const answer = await sendSigned({ 'x\ud800': 1 }, { signature: right, timestamp: at(0) })
    expect([answer.status, answer.said.code]).toEqual([401, 'invalid_signature'])
  })
})

describe('create', () => {
  test.each<[string, unknown, number, string, string | undefined]>([
    ['no JSON', '{', 400, 'invalid_request', undefined],
    ['no object', '[]', 400, 'invalid_request', '$'],
    ['no items', createBody({ line_items: undefined }), 400, 'missing_field', '$.line_items'],
    [
      'an empty list of items',
      createBody({ line_items: [] }),
      400,
      'invalid_request',
      '$.line_items',
    ],
    [
      'no capabilities',
      createBody({ capabilities: undefined }),
      400,
      'missing_field',
      '$.capabilities',
    ],
    [
      'another currency',
      createBody({ currency: 'eur' }),
      400,
      'unsupported_currency',
      '$.currency',
    ],
    [
      'an item that is not sold',
      createBody({ line_items: [{ id: 'ao-9' }] }),
      400,
      'invalid_item_id',
      '$.line_items[0].id',
    ],
    [
      'such a line',
      createBody({ line_items: [{ id: 'ao-1101' }, { item: { id: 'ao-9' } }] }),
      400,
      'invalid_item_id',
      '$.line_items[1].item.id',
    ],
    [
      'a product of several versions',
      createBody({ line_items: [{ id: 'ao-1001' }] }),
      400,
      'invalid_item_id',
      '$.line_items[0].id',
    ],
    [
      'a hundred of one',
      createBody({ line_items: [{ id: 'ao-1101', quantity: 100 }] }),
      400,
      'quantity_exceeded',
      '$.line_items',
    ],
    [
      'half an item',
      createBody({ line_items: [{ id: 'ao-1101', quantity: 1.5 }] }),
      400,
      'invalid_request',
      '$.line_items[0]',
    ],
    [
      'no e-mail address',
      createBody({ buyer: { email: 'ada' } }),
      400,
      'invalid_request',
      '$.buyer.email',
    ],
    [
      'a number for a name',
      createBody({ fulfillment_details: { name: 7 } }),
      400,
      'invalid_request',
      '$.fulfillment_details.name',
    ],
    [
      'a card number',
      createBody({ order_notes: `Use ${CARD}` }),
      400,
      'card_number_not_allowed',
      undefined,
    ],
    ['NUL', createBody({ order_notes: 'a\u0000b' }), 400, 'invalid_request', undefined],
    [
      'NUL in a name',
      createBody({ metadata: { 'a\u0000b': 1 } }),
      400,
      'invalid_request',
      undefined,
    ],
    [
      'half a surrogate pair in a name that nothing reads',
      createBody({ 'x\ud800': 1 }),
      400,
      'invalid_request',
      undefined,
    ],
    [
      'a number beyond all',
      JSON.stringify(createBody()).replace('{', '{"x":1e999,'),
      400,
      'invalid_request',
      undefined,
    ],
    [
      'too many levels',
      JSON.stringify(createBody({ metadata: 0 })).replace(
        '"metadata":0',
        `"metadata":{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`,
      ),
      400,
      'invalid_request',
      undefined,
    ],
    [
      'an e-mail address of the attribution',
      createBody({ affiliate_attribution: { provider: 'p', sub_id: 'ada@king.example' } }),
      400,
      'pii_not_allowed',
      '$.affiliate_attribution',
    ],
    [
      'a phone number there',
      createBody({ affiliate_attribution: { metadata: { x: '+1 415 555 0123' } } }),
      400,
      'pii_not_allowed',
      '$.affiliate_attribution',
    ],
  ])('%s', async (_, body, status, code, param) => {
    const answer = await call('POST', '', body)
    expect([answer.status, answer.said.code, answer.said.param]).toEqual([status, code, param])
    expect(answer.said.type).toBe('invalid_request')
    expect(answer.body).not.toContain('4242')
    expect(answer.body).not.toContain('king')
  })
})

// A pattern that is tried at each character would take seconds.
test('a long text of the attribution costs no time', { timeout: 1500 }, async () => {
  const affiliate_attribution = { provider: 'p', token: 't', sub_id: 'a'.repeat(60_000) }
  const answer = await call('POST', '', createBody({ affiliate_attribution }))
  expect(answer.status).toBe(201)
})

describe('complete', () => {
  const spt = (credential: object) => ({
    payment_data: { handler_id: 'card', instrument: { type: 'card', credential } },
  })
  test.each<[string, object, string, string | undefined]>([
    ['no payment', { payment_data: undefined }, 'missing_field', '$.payment_data'],
    [
      'another handler',
      { payment_data: { ...paymentData(), handler_id: 'crypto' } },
      'unsupported_payment_handler',
      '$.payment_data.handler_id',
    ],
    [
      'an invoice',
      { payment_data: { purchase_order_number: 'PO-1' } },
      'unsupported_payment_handler',
      '$.payment_data.handler_id',
    ],
    [
      'no instrument',
      { payment_data: { handler_id: 'card' } },
      'unsupported_payment_handler',
      '$.payment_data.instrument',
    ],
    [
      'a bank account',
      {
        payment_data: {
          handler_id: 'card',
          instrument: { type: 'sepa', credential: { type: 'spt', token: 't' } },
        },
      },
      'unsupported_payment_instrument',
      '$.payment_data.instrument.type',
    ],
    [
      'a card number for a token',
      spt({ type: 'spt', token: CARD.replaceAll(' ', '') }),
      'card_number_not_allowed',
      undefined,
    ],
    [
      'a card',
      spt({ type: 'card', token: 't', number: CARD, cvc: '123' }),
      'card_number_not_allowed',
      undefined,
    ],
    [
      'an empty token',
      spt({ type: 'spt', token: '' }),
      'invalid_request',
      '$.payment_data.instrument.credential.token',
    ],
    [
      'an outcome without its proof',
      { authentication_result: { outcome: 'authenticated' } },
      'missing_field',
      '$.authentication_result.outcome_details',
    ],
    [
      'an outcome that there is not',
      { authentication_result: { outcome: 'fine' } },
      'invalid_request',
      '$.authentication_result.outcome',
    ],
  ])('%s', async (_, change, code, param) => {
    const id = await ready()
    const answer = await complete(id, change)
    expect([answer.status, answer.said.code, answer.said.param]).toEqual([400, code, param])
    expect(answer.body).not.toContain('4242')
    expect(bank.calls.filter(({ sessionId }) => sessionId === id)).toEqual([])
    expect((await read(id)).said.status).toBe('ready_for_payment')
  })

  test('not ready: what is missing, and no charge', async () => {
    const { said } = await create()
    const answer = await complete(said.id)
    expect([answer.status, answer.said.status, answer.said.messages.length]).toEqual([
      200,
      'incomplete',
      2,
    ])
    expect(bank.calls.filter(({ sessionId }) => sessionId === said.id)).toEqual([])
  })
})

test.each([
  ['DELETE', '/acp/checkout_sessions', 405, 'method_not_allowed'],
  ['GET', '/acp/mcp', 405, 'method_not_allowed'],
  ['POST', '/acp/checkout_sessions/x/y', 404, 'not_found'],
])('%s %s: a flat error with a type', async (method, path, status, code) => {
  const answer = await ask(path, undefined, { method })
  expect([answer.status, JSON.parse(answer.body)]).toEqual([
    status,
    { type: 'invalid_request', code, message: expect.any(String) },
  ])
})

test('more than an agent may open: 429', async () => {
  const few = await testStore({}, { platformQuota: { requests: 1, seconds: 60 } })
  const one = officialAcpAgent(few.send)
  await one.create()
  const { status, headers, said } = await one.create()
  expect([status, said.type, said.code]).toEqual([429, 'service_unavailable', 'rate_limited'])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await officialAcpAgent(few.send, { token: 'other' }).create()).status).toBe(201)
})

test('an update of an item that is not sold changes nothing', async () => {
  const id = await ready()
  const { status, said } = await update(id, {
    line_items: [{ id: 'ao-9' }],
    buyer: { email: 'a@b.example' },
  })
  expect([status, said.code]).toEqual([400, 'invalid_item_id'])
  expect((await read(id)).said).toMatchObject({ status: 'ready_for_payment' })
  expect((await read(id)).said).not.toHaveProperty('buyer')
})
