import { eq } from 'drizzle-orm'
import { describe, expect, onTestFinished, test } from 'vitest'
import { eventually, PATIENCE_MS } from '../../../../shared/testing/wait.ts'
import { applyPaymentEvent } from '../../checkout/payment-events.ts'
import { orders, sessions } from '../../db/tables.ts'
import { createStripePsp } from '../../psp/stripe/stripe.ts'
import { startTestPsp } from '../../psp/test/server.ts'
import { stockOf, testStore } from '../../testing/store.ts'
import { ACP_SETTINGS, officialAcpAgent, paymentData, WHOLE_ADDRESS } from './testing/agent.ts'

const { send, deps, bank } = await testStore({ acp: ACP_SETTINGS })
const agent = officialAcpAgent(send)
const { newKey, create, read, update, complete, pay, cancel, ready } = agent

const chargesOf = (id: string) => bank.charges.filter(({ sessionId }) => sessionId === id)
const callsOf = (id: string) => bank.calls.filter(({ sessionId }) => sessionId === id)
const ordersOf = (id: string) => deps.db.select().from(orders).where(eq(orders.session_id, id))
const codes = (said: { messages: { code: string }[] }) => said.messages.map(({ code }) => code)

const told = (type: 'succeeded' | 'payment_failed', id: string) => {
  const name = `payment_intent.${type}` as const
  const charge = chargesOf(id).at(-1)
  return applyPaymentEvent(deps, 'scripted', {
    id: newKey(),
    type: name,
    name,
    paymentId: charge?.result.paymentId ?? null,
    sessionId: id,
    amount: charge?.amount ?? null,
  })
}

describe('exactly once: fifty completes at a time', () => {
  test.each([
    ['with one key', () => 'the-key'],
    ['with fifty keys', newKey],
  ])('%s', async (_, keyOf) => {
    const stock = stockOf(deps, 'ao-1102')
    await stock.setPieces(10)
    const id = await ready({ line_items: [{ id: 'ao-1102' }] })
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => complete(id, {}, { 'idempotency-key': keyOf() })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect(answers[0]?.said.status).toBe('completed')
    expect([(await ordersOf(id)).length, chargesOf(id).length]).toEqual([1, 1])
    expect(await stock.pieces()).toBe(9)
  })

  test('and creates with one key: one session', async () => {
    const before = await deps.db.$count(sessions)
    const headers = { 'idempotency-key': newKey() }
    const answers = await Promise.all(Array.from({ length: 50 }, () => create({}, headers)))
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect(await deps.db.$count(sessions)).toBe(before + 1)
  })
})

describe('idempotency', async () => {
  // Members that no schema has: named faults keep the schemas out.
  const store = await testStore({ faults: [] })
  const loose = officialAcpAgent(store.send)
  const operations = {
    create: (body: object, headers: object) => loose.create(body, headers),
    update: (body: object, headers: object, id: string) => loose.update(id, body, headers),
    cancel: (body: object, headers: object, id: string) => loose.cancel(id, body, headers),
    complete: (body: object, headers: object, id: string) => loose.complete(id, body, headers),
  }
  const cases = Object.entries(operations).map(([name, call]) => ({ name, call }))

  test.each(cases)('$name: the same again, and a conflict', async ({ call }) => {
    const id = await loose.ready()
    const headers = { 'idempotency-key': newKey() }
    const first = await call({ extra: { b: 1.0, a: [1, 2] } }, headers, id)
    expect(first.status).toBeLessThan(300)
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    const again = await call({ extra: { a: [1, 2], b: 1 } }, headers, id)
    expect([again.status, again.body]).toEqual([first.status, first.body])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.headers.get('idempotency-key')).toBe(headers['idempotency-key'])
    for (const extra of [{ a: [2, 1], b: 1 }, { a: [1, 2] }, { a: [1, 2], b: 1, c: null }]) {
      const other = await call({ extra }, headers, id)
      expect([other.status, other.said.code]).toEqual([422, 'idempotency_conflict'])
    }
    expect(store.bank.charges.filter(({ sessionId }) => sessionId === id).length).toBeLessThan(2)
  })

  test('an answer is repeated as it was, although the session has moved on', async () => {
    const headers = { 'idempotency-key': newKey() }
    const first = await create({}, headers)
    await cancel(first.said.id)
    expect((await create({}, headers)).body).toBe(first.body)
    expect((await read(first.said.id)).said.status).toBe('canceled')
  })

  test('while the first call is under way: 409 for its key, in progress for others', async () => {
    const id = await ready()
    const headers = { 'idempotency-key': newKey() }
    const first = pay(id, 'tok_held', headers)
    await eventually(() => callsOf(id).length).toBe(1)
    deps.answerMs = 300
    const [same, other, between] = await Promise.all([
      pay(id, 'tok_held', headers),
      pay(id, 'tok_visa'),
      cancel(id),
    ])
    deps.answerMs = PATIENCE_MS
    expect([same.status, same.said.code]).toEqual([409, 'idempotency_in_flight'])
    expect(same.headers.get('retry-after')).toBe('1')
    expect([other.status, other.said.status]).toEqual([200, 'complete_in_progress'])
    expect(other.said).not.toHaveProperty('order')
    expect([between.status, between.said.code]).toEqual([409, 'conflict'])
    bank.releaseHeld()
    expect((await first).said.status).toBe('completed')
    expect((await pay(id, 'tok_held', headers)).headers.get('idempotent-replayed')).toBe('true')
    expect(chargesOf(id)).toHaveLength(1)
  })

  test('a payment whose outcome is unknown is not kept: the same call asks again', async () => {
    const id = await ready()
    const headers = { 'idempotency-key': newKey() }
    const unknown = await pay(id, 'tok_unreachable', headers)
    expect([unknown.status, unknown.said.type, unknown.said.code]).toEqual([
      503,
      'service_unavailable',
      'payment_unknown',
    ])
    expect(unknown.headers.get('retry-after')).toBe('1')
    const again = await pay(id, 'tok_visa', headers)
    expect([again.status, again.said.status]).toEqual([200, 'completed'])
  })

  test('keys of one agent are not those of another', async () => {
    const headers = { 'idempotency-key': newKey() }
    const mine = await create({}, headers)
    const theirs = await officialAcpAgent(send, { token: 'other' }).create({}, headers)
    expect(theirs.status).toBe(201)
    expect(theirs.said.id).not.toBe(mine.said.id)
  })
})

test('a decline: 200, a message, and another token pays', async () => {
  const id = await ready()
  const headers = { 'idempotency-key': newKey() }
  const { status, said, body } = await pay(id, 'tok_declined', headers)
  expect([status, said.status, said.order]).toEqual([200, 'ready_for_payment', undefined])
  expect(said.messages).toEqual([
    {
      type: 'error',
      code: 'payment_declined',
      content: 'Your card was declined.',
      content_type: 'plain',
      param: '$.payment_data',
      resolution: 'requires_buyer_input',
    },
  ])
  expect((await pay(id, 'tok_declined', headers)).body).toBe(body)
  expect(chargesOf(id)).toHaveLength(1)
  expect((await pay(id, 'spt_1')).said.status).toBe('completed')
  expect(chargesOf(id).at(-1)).toMatchObject({ token: 'spt_1', type: 'card' })
})

test('a payment that the PSP works on: in progress until it is settled', async () => {
  const id = await ready()
  const { status, said } = await pay(id, 'tok_pending')
  expect([status, said.status, said.order]).toEqual([200, 'complete_in_progress', undefined])
  expect(said.continue_url).toBe(`https://shop.example/checkout/${id}`)
  expect((await cancel(id)).status).toBe(409)
  await told('succeeded', id)
  expect((await read(id)).said).toMatchObject({
    status: 'completed',
    order: { status: 'confirmed' },
  })
  expect((await cancel(id)).status).toBe(405)
})

test('one that fails later: ready again, without an order', async () => {
  const id = await ready()
  await pay(id, 'tok_pending')
  await told('payment_failed', id)
  const { said } = await read(id)
  expect([said.status, said.order]).toEqual(['ready_for_payment', undefined])
  expect((await complete(id)).said.status).toBe('completed')
  expect(await ordersOf(id)).toHaveLength(1)
})

test('one that fails and succeeds after all: the session shows what was bought with it', async () => {
  const buyer = { first_name: 'Ada', email: 'ada@example.com' }
  const id = await ready({ buyer })
  const before = (await read(id)).said
  await pay(id, 'tok_pending')
  await told('payment_failed', id)
  const changed = await update(id, {
    buyer: { email: 'grace@example.com' },
    line_items: [{ id: 'ao-1102', quantity: 2 }],
    fulfillment_details: { address: { ...WHOLE_ADDRESS, country: 'DE', postal_code: '10115' } },
    selected_fulfillment_options: [
      { type: 'shipping', option_id: 'international', item_ids: ['ao-1102'] },
    ],
  })
  expect(changed.said.line_items).toMatchObject([{ id: 'li_ao-1102', quantity: 2 }])
  await told('succeeded', id)
  const { said } = await read(id)
  const { selected_fulfillment_options, fulfillment_details, totals } = before
  const [{ availability_status: _, max_quantity_per_order: __, ...line }] = before.line_items
  expect(said).toMatchObject({
    ...{ status: 'completed', buyer, fulfillment_details, totals },
    fulfillment_options: [{ id: 'standard' }],
    selected_fulfillment_options,
  })
  expect(said.line_items).toEqual([line])
  expect(said.order.totals).toEqual(totals)
})

test('ten declines are enough: 429', async () => {
  const id = await ready()
  for (let tries = 0; tries < 10; tries += 1) await pay(id, 'tok_declined')
  const { status, said, headers } = await complete(id)
  expect([status, said.code]).toEqual([429, 'rate_limited'])
  expect(headers.get('retry-after')).toBe('21600')
})

const PROOF = {
  three_ds_cryptogram: 'BwABBylVaQAAAAFwllVpAAAAAAA=',
  electronic_commerce_indicator: '05',
  transaction_id: 'ds_1',
  version: '2.2.0',
}
const THREE_DS = paymentData('tok_3ds')

describe('3DS', () => {
  /** A session whose bank wants an authentication. */
  const challenged = async () => {
    const id = await ready()
    const payment_data = {
      ...THREE_DS,
      instrument: { ...THREE_DS.instrument, brand: 'amex' },
    }
    return { id, ...(await complete(id, { payment_data })) }
  }

  test('the agent authenticates the buyer, and completes again', async () => {
    const { id, status, said } = await challenged()
    expect([status, said.status, codes(said)]).toEqual([
      200,
      'authentication_required',
      ['requires_3ds'],
    ])
    expect(said.authentication_metadata).toEqual({
      acquirer_details: {
        acquirer_bin: '400000',
        acquirer_country: 'US',
        acquirer_merchant_id: 'merchant_test',
        merchant_name: 'Aisle Outfitters',
      },
      directory_server: 'american_express',
      flow_preference: { type: 'challenge' },
    })
    expect((await read(id)).said).toEqual(said)

    const without = await pay(id, 'tok_3ds')
    expect([without.status, without.said]).toEqual([
      400,
      {
        type: 'invalid_request',
        code: 'requires_3ds',
        message: expect.any(String),
        param: '$.authentication_result',
      },
    ])
    expect(callsOf(id)).toHaveLength(1)

    const authentication_result = { outcome: 'authenticated', outcome_details: PROOF }
    const paid = await complete(id, { payment_data: THREE_DS, authentication_result })
    expect([paid.said.status, paid.said.messages]).toEqual(['completed', []])
    expect(callsOf(id).at(-1)?.authentication).toEqual({
      cryptogram: PROOF.three_ds_cryptogram,
      eci: '05',
      transactionId: 'ds_1',
      version: '2.2.0',
    })
    expect(await ordersOf(id)).toHaveLength(1)
  })

  test.each<[string, object, number, string[]]>([
    ['attempt_acknowledged', { outcome_details: PROOF }, 2, []],
    ['informational', { outcome_details: PROOF }, 2, ['payment_declined']],
    ['not_supported', {}, 2, ['payment_declined']],
    ['processing_error', {}, 2, ['payment_declined']],
    ['denied', {}, 1, ['payment_declined']],
    ['rejected', {}, 1, ['payment_declined']],
    ['canceled', {}, 1, ['payment_declined']],
    ['abandoned', {}, 1, ['payment_declined']],
    ['internal_error', {}, 1, ['payment_declined']],
  ])('an authentication that ended as %s', async (outcome, more, calls, messages) => {
    const { id } = await challenged()
    const authentication_result = { outcome, ...more }
    const { status, said } = await complete(id, { payment_data: THREE_DS, authentication_result })
    const ends = messages.length === 0 ? 'completed' : 'ready_for_payment'
    expect([status, said.status, codes(said)]).toEqual([200, ends, messages])
    expect(callsOf(id)).toHaveLength(calls)
  })

  test('an update takes it back', async () => {
    const { id } = await challenged()
    expect((await update(id, {})).said.status).toBe('ready_for_payment')
    expect((await pay(id, 'tok_visa')).said.status).toBe('completed')
  })

  test.each<[string, object]>([
    ['the agent cannot', { capabilities: {} }],
    [
      'the agent can do other things',
      { capabilities: { interventions: { supported: ['biometric'] } } },
    ],
  ])('%s: the buyer pays on the page of the shop', async (_, change) => {
    const id = await ready(change)
    const { status, said } = await pay(id, 'tok_3ds')
    expect([status, said.status, codes(said)]).toEqual([
      200,
      'requires_escalation',
      ['requires_3ds'],
    ])
    expect(said).not.toHaveProperty('authentication_metadata')
    expect(said.continue_url).toBe(`https://shop.example/checkout/${id}`)
    // Another card may do without.
    expect((await pay(id, 'tok_visa')).said.status).toBe('completed')
  })
})

test('a store without an acquirer has nobody authenticated by an agent', async () => {
  const store = await testStore()
  const buyer = officialAcpAgent(store.send)
  const id = await buyer.ready()
  expect((await buyer.pay(id, 'tok_3ds')).said.status).toBe('requires_escalation')
  const { body } = await store.ask('/.well-known/acp.json')
  expect(JSON.parse(body).capabilities).not.toHaveProperty('intervention_types')
})

test('the test PSP: declined for want of an authentication, paid with one', async () => {
  const testPsp = await startTestPsp({ webhookSecret: 'whsec_test' })
  onTestFinished(() => testPsp.close())
  const psp = createStripePsp(testPsp.access)
  const store = await testStore({ acp: ACP_SETTINGS }, { psp })
  const buyer = officialAcpAgent(store.send)
  const id = await buyer.ready()
  expect((await buyer.pay(id, 'tok_3ds')).said.status).toBe('authentication_required')
  const authentication_result = { outcome: 'authenticated', outcome_details: PROOF }
  const paid = await buyer.complete(id, { payment_data: THREE_DS, authentication_result })
  expect([paid.status, paid.said.status]).toEqual([200, 'completed'])
  // A proof that is none pays for nothing.
  const other = await buyer.ready()
  await buyer.pay(other, 'tok_3ds')
  const outcome_details = { ...PROOF, three_ds_cryptogram: 'nonsense' }
  const refused = await buyer.complete(other, {
    payment_data: THREE_DS,
    authentication_result: { outcome: 'authenticated', outcome_details },
  })
  expect([refused.status, refused.said.status, codes(refused.said)]).toEqual([
    200,
    'ready_for_payment',
    ['payment_declined'],
  ])
})
