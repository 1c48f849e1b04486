import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Charge } from '../psp.ts'
import { createStripePsp } from '../stripe/stripe.ts'
import { startTestPsp, type TestPsp } from './server.ts'
import { TEST_CARDS } from './tokens.ts'

const HOUR_MS = 3_600_000

let clock = Date.now()
let service: TestPsp
beforeAll(async () => {
  service = await startTestPsp({
    webhookSecret: 'whsec_test',
    settleMs: null,
    merchantId: 'acme',
    agentKey: 'pk_agent',
    now: () => new Date(clock),
  })
})
afterAll(() => service.close())

const psp = () => createStripePsp(service.access)

let requests = 0
const PATH = '/agentic_commerce/delegate_payment'

interface Body {
  payment_method: Record<string, unknown>
  allowance: Record<string, unknown>
  [more: string]: unknown
}

const bodyOf = (change: Partial<Body> = {}): Body => ({
  ...{ risk_signals: [], metadata: { campaign: 'q4' } },
  ...change,
  payment_method: {
    type: 'card',
    card_number_type: 'fpan',
    number: '4242424242424242',
    exp_month: '11',
    exp_year: '2031',
    cvc: '223',
    display_card_funding_type: 'credit',
    metadata: {},
    ...change.payment_method,
  },
  allowance: {
    reason: 'one_time',
    max_amount: 4200,
    currency: 'usd',
    checkout_session_id: 'cs_1',
    merchant_id: 'acme',
    expires_at: new Date(clock + HOUR_MS).toISOString(),
    ...change.allowance,
  },
})

const HEADERS = { authorization: 'Bearer pk_agent', 'api-version': '2026-04-17' }

function send(body: unknown, change: Record<string, string | undefined> = {}) {
  requests += 1
  const headers = { ...HEADERS, 'idempotency-key': `key_${requests}`, ...change }
  return fetch(service.url + PATH, {
    method: 'POST',
    headers: Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as [string, string]],
    ),
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

async function tokenOf(change: Partial<Body> = {}): Promise<string> {
  const reply = await send(bodyOf(change))
  expect(reply.status).toBe(201)
  return ((await reply.json()) as { id: string }).id
}

function chargeOf(token: string, change: Partial<Charge> = {}): Charge {
  requests += 1
  return {
    ...{ token, type: 'card', sessionId: 'cs_1', idempotencyKey: `charge_${requests}` },
    ...{ amount: { amount: 4200, currency: 'USD' } },
    ...change,
  }
}

test('a delegated card pays once, for what was allowed, and is refunded', async () => {
  const before = service.charges().length
  const reply = await send(bodyOf(), { 'request-id': 'req_1', 'idempotency-key': 'key_first' })
  expect(reply.status).toBe(201)
  expect(reply.headers.get('idempotency-key')).toBe('key_first')
  expect(reply.headers.get('request-id')).toBe('req_1')
  const made = (await reply.json()) as { id: string }
  expect(made).toEqual({
    id: expect.stringMatching(/^vt_/),
    created: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    metadata: { campaign: 'q4', merchant_id: 'acme', idempotency_key: 'key_first' },
  })
  const charge = chargeOf(made.id)
  const result = await psp().charge(charge)
  expect(result).toMatchObject({ status: 'succeeded' })
  expect(await psp().charge(charge)).toEqual(result)
  expect(await psp().charge(chargeOf(made.id))).toMatchObject({
    status: 'declined',
    message: expect.stringContaining('already used'),
  })
  expect(service.charges()).toHaveLength(before + 1)
  const refund = { ...charge, paymentId: result.paymentId ?? '', idempotencyKey: 'r_1' }
  expect(await psp().refund(refund)).toMatchObject({ status: 'succeeded' })
})

test.each<[string, Record<string, unknown>, Partial<Charge>, RegExp]>([
  ['another merchant', { merchant_id: 'other' }, {}, /another shop/],
  ['another session', {}, { sessionId: 'cs_2' }, /another order/],
  ['another currency', {}, { amount: { amount: 4200, currency: 'EUR' } }, /another currency/],
  ['a larger amount', {}, { amount: { amount: 4201, currency: 'USD' } }, /more than was approved/],
])('for %s it is declined, and found so', async (_, allowance, change, message) => {
  const charge = chargeOf(await tokenOf({ allowance }), change)
  const result = await psp().charge(charge)
  expect(result).toMatchObject({ status: 'declined', message: expect.stringMatching(message) })
  const since = new Date(clock)
  expect(await psp().find({ ...charge, since })).toEqual(result)
})

test('it is declined from the moment that it expires', async () => {
  const [first, second] = [await tokenOf(), await tokenOf()]
  const begun = clock
  clock += HOUR_MS - 2000
  expect(await psp().charge(chargeOf(first))).toMatchObject({ status: 'succeeded' })
  clock = begun + HOUR_MS
  expect(await psp().charge(chargeOf(second))).toMatchObject({
    status: 'declined',
    message: expect.stringContaining('expired'),
  })
  clock = begun
})

test('50 charges with one token and 50 keys take money once', async () => {
  const token = await tokenOf()
  const before = service.charges().length
  const results = await Promise.all(Array.from({ length: 50 }, () => psp().charge(chargeOf(token))))
  expect(results.filter(({ status }) => status === 'succeeded')).toHaveLength(1)
  expect(service.charges()).toHaveLength(before + 1)
})

test('a payment that failed leaves the token for the next try', async () => {
  const token = await tokenOf({ payment_method: { number: '4000002760003184' } })
  expect(await psp().charge(chargeOf(token))).toMatchObject({ needsAuthentication: true })
  const returnUrl = 'https://shop.example/'
  const pending = await psp().charge(chargeOf(token, { returnUrl }))
  expect(pending).toMatchObject({ status: 'pending' })
  expect(await psp().charge(chargeOf(token))).toMatchObject({
    message: expect.stringContaining('already used'),
  })
  service.settle(pending.paymentId ?? '', 'failed')
  const authentication = {
    cryptogram: 'AAABBWcSNIdjeUZThmNHAAAAAAA=',
    ...{ eci: '05', transactionId: 't', version: '2.2.0' },
  }
  const paid = await psp().charge(chargeOf(token, { authentication }))
  expect(paid).toMatchObject({ status: 'succeeded' })
})

test.each([
  ['4242424242424242', 'succeeded'],
  ['5555555555554444', 'succeeded'],
  ['4000000000000002', 'declined'],
  ['4000002760003184', 'declined'],
  ['4000000000001109', 'pending'],
  ['4000000000001208', 'pending'],
  ['4000000000001307', 'succeeded'],
  ['4000000000001406', 'succeeded'],
  ['4000000000007726', 'succeeded'],
  ['4000000000005126', 'succeeded'],
])('the test card %s is %s', async (number, status) => {
  expect(TEST_CARDS.map((card) => card.number)).toContain(number)
  const before = service.charges().length
  const token = await tokenOf({ payment_method: { number } })
  expect(await psp().charge(chargeOf(token))).toMatchObject({ status })
  expect(service.charges()).toHaveLength(before + (status === 'succeeded' ? 1 : 0))
})

test.each(['4111111111111111', '4242 4242 4242 4242', '4242424242424241', ''])(
  'another number is refused, and not repeated: %s',
  async (number) => {
    const reply = await send(bodyOf({ payment_method: { number } }))
    expect(reply.status).toBe(400)
    const text = await reply.text()
    expect(JSON.parse(text)).toEqual({
      type: 'invalid_request',
      code: 'invalid_card',
      message: expect.any(String),
      param: '$.payment_method.number',
    })
    if (number !== '') expect(text).not.toContain(number)
  },
)

const PAN = '4111111111111111'

test.each<[string, unknown, string]>([
  ['no JSON', '{', '$'],
  ['a list', [], '$'],
  ['nested deeply', '['.repeat(30_000), '$'],
  ['half a surrogate pair', bodyOf({ metadata: { a: '\ud800' } }), '$'],
  ['half a surrogate pair in a name', bodyOf({ metadata: { 'a\ud800': '' } }), '$'],
  ['no card', { ...bodyOf(), payment_method: null }, '$.payment_method'],
  ['another method', bodyOf({ payment_method: { type: 'bank' } }), '$.payment_method.type'],
  ['an unknown field', bodyOf({ payment_method: { [PAN]: PAN } }), '$.payment_method'],
  ['a wrong month', bodyOf({ payment_method: { exp_month: '13' } }), '$.payment_method.exp_month'],
  ['a long iin', bodyOf({ payment_method: { iin: '424242424' } }), '$.payment_method.iin'],
  ['no amount', bodyOf({ allowance: { max_amount: undefined } }), '$.allowance.max_amount'],
  ['half a cent', bodyOf({ allowance: { max_amount: 0.5 } }), '$.allowance.max_amount'],
  ['capitals', bodyOf({ allowance: { currency: 'USD' } }), '$.allowance.currency'],
  ['another reason', bodyOf({ allowance: { reason: 'recurring' } }), '$.allowance.reason'],
  ['no time', bodyOf({ allowance: { expires_at: 'soon' } }), '$.allowance.expires_at'],
  [
    'a time that is over',
    bodyOf({ allowance: { expires_at: '2020-01-01T00:00:00Z' } }),
    '$.allowance.expires_at',
  ],
  ['a strange risk', bodyOf({ risk_signals: [{ type: 'x' }] }), '$.risk_signals[0].type'],
  ['metadata of numbers', bodyOf({ metadata: { [PAN]: 7 } }), '$.metadata'],
  ['a card number in its metadata', bodyOf({ metadata: { note: PAN } }), '$.metadata'],
  ['a billing address of lists', bodyOf({ billing_address: { [PAN]: [] } }), '$.billing_address'],
])('a request with %s is refused', async (_, body, param) => {
  const reply = await send(body)
  expect(reply.status).toBe(400)
  const text = await reply.text()
  expect(JSON.parse(text)).toMatchObject({ type: 'invalid_request', code: 'invalid_card', param })
  expect(text).not.toContain(PAN)
})

test('2026-01-30 wants a risk signal, and shorter numbers of issuers', async () => {
  const old = { 'api-version': '2026-01-30' }
  const risk_signals = [{ type: 'card_testing', score: 1, action: 'authorized' }]
  const iin = { iin: '42424242' }
  expect((await send(bodyOf(), old)).status).toBe(400)
  expect((await send(bodyOf({ risk_signals }), old)).status).toBe(201)
  expect((await send(bodyOf({ risk_signals, payment_method: iin }), old)).status).toBe(400)
  expect((await send(bodyOf({ payment_method: iin }))).status).toBe(201)
})

test.each<[string, Record<string, string | undefined>, number, string]>([
  ['no key of an agent', { authorization: undefined }, 401, 'unauthorized'],
  ['a wrong key', { authorization: 'Bearer pk_other' }, 401, 'unauthorized'],
  ['no version', { 'api-version': undefined }, 400, 'missing_api_version'],
  ['an old version', { 'api-version': '2025-09-29' }, 400, 'unsupported_api_version'],
  ['no idempotency key', { 'idempotency-key': undefined }, 400, 'idempotency_key_required'],
  ['a long one', { 'idempotency-key': 'k'.repeat(256) }, 400, 'idempotency_key_required'],
])('a request with %s is refused', async (_, headers, status, code) => {
  const reply = await send(bodyOf(), headers)
  expect(reply.status).toBe(status)
  expect(await reply.json()).toMatchObject({ type: 'invalid_request', code })
})

test("the merchant's own key delegates nothing, and an agent's charges nothing", async () => {
  const { secretKey, url } = service
  expect((await send(bodyOf(), { authorization: `Bearer ${secretKey}` })).status).toBe(401)
  const headers = { authorization: 'Bearer pk_agent' }
  expect((await fetch(`${url}/v1/payment_intents`, { headers })).status).toBe(401)
})

test('the same request with the same key is the same token, in any order of its fields', async () => {
  const key = { 'idempotency-key': 'key_again' }
  const body = bodyOf({ metadata: { a: '1', b: '2' } })
  const first = await send(body, key)
  const turned = { ...Object.fromEntries(Object.entries(body).toReversed()) }
  turned.metadata = { b: '2', a: '1' }
  const second = await send(turned, key)
  expect([first.status, second.status]).toEqual([201, 201])
  expect(await second.text()).toBe(await first.text())
  expect(first.headers.get('idempotent-replayed')).toBeNull()
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  const other = await send(bodyOf({ allowance: { max_amount: 1 } }), key)
  expect(other.status).toBe(422)
  expect(await other.json()).toMatchObject({
    type: 'invalid_request',
    code: 'idempotency_conflict',
  })
})

test('a request that was refused does not hold its key', async () => {
  const key = { 'idempotency-key': 'key_refused' }
  const wrong = bodyOf({ allowance: { expires_at: '2020-01-01T00:00:00Z' } })
  expect((await send(wrong, key)).status).toBe(400)
  expect((await send(bodyOf(), key)).status).toBe(201)
})

test('a token that was not delegated here is declined', async () => {
  expect(await psp().charge(chargeOf('vt_none'))).toMatchObject({
    status: 'declined',
    paymentId: null,
  })
})
