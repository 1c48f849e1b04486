import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onLoopback } from '../../../testing/on-loopback.ts'
import type { Charge, ChargeResult, ThreeDsResult } from '../psp.ts'
import { startTestPsp, type TestPsp } from '../test/server.ts'
import { createStripePsp, type StripeOptions } from './stripe.ts'

const RETURN_URL = 'https://shop.example/back?order=1&step=2'
const NEEDED: ChargeResult = {
  status: 'declined',
  paymentId: expect.stringMatching(/^pi_/),
  message: expect.stringContaining('Your bank asks you to confirm'),
  needsAuthentication: true,
}
const AUTHENTICATION: ThreeDsResult = {
  cryptogram: 'AAABBWcSNIdjeUZThmNHAAAAAAA=',
  eci: '05',
  transactionId: '4f7c6a30-6c0a-4f5e-9a1b-2d3c4b5a6978',
  version: '2.2.0',
}

let service: TestPsp
beforeAll(async () => {
  service = await startTestPsp({ webhookSecret: 'whsec_test', settleMs: null })
})
afterAll(() => service.close())

const connect = (change: Partial<StripeOptions> = {}) =>
  createStripePsp({ ...service.access, ...change })

let sessions = 0
function chargeOf(token: string, change: Partial<Charge> = {}): Charge {
  sessions += 1
  const sessionId = `cs_${sessions}`
  const amount = { amount: 4200, currency: 'USD' }
  return { amount, token, type: 'card', idempotencyKey: `${sessionId}:0`, sessionId, ...change }
}

const find = ({ sessionId, idempotencyKey }: Charge, change: Partial<StripeOptions> = {}) =>
  connect(change).find({ sessionId, idempotencyKey, since: new Date() })

const paymentsOf = ({ sessionId }: Charge) =>
  service.payments().filter(({ metadata }) => metadata.session_id === sessionId)

const taken = (charge: Charge) =>
  paymentsOf(charge).filter(({ status }) => status === 'succeeded').length

/** The buyer decides on the page of the test bank. */
const decide = (url: string, decision: string) =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ decision }), redirect: 'manual' })

/** A charge that waits for its challenge. */
async function challenged() {
  const charge = chargeOf('tok_3ds', { returnUrl: RETURN_URL })
  const result = await connect().charge(charge)
  if (result.status !== 'pending') throw new Error(`The charge is ${result.status}.`)
  return { charge, result, url: result.challengeUrl ?? '' }
}

const LATER = { now: () => new Date(Date.now() + 3_601_000) }

describe('a card that needs a challenge', () => {
  test('waits for it at a page, and is found so', async () => {
    const { charge, result, url } = await challenged()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//)
    expect(result).toMatchObject({ status: 'pending', amount: charge.amount })
    expect(await find(charge)).toEqual(result)
    expect(await connect().charge(charge)).toEqual(result)
    expect(paymentsOf(charge)).toHaveLength(1)
    expect(taken(charge)).toBe(0)
  })

  test('is paid when the buyer approves', async () => {
    const { charge, result, url } = await challenged()
    await decide(url, 'approve')
    const { paymentId, amount } = result
    expect(await find(charge)).toEqual({ status: 'succeeded', paymentId, amount })
    expect(taken(charge)).toBe(1)
  })

  test('is declined when the buyer refuses', async () => {
    const { charge, result, url } = await challenged()
    await decide(url, 'refuse')
    expect(await find(charge)).toEqual({
      status: 'declined',
      paymentId: result.paymentId,
      message: expect.stringContaining('Your bank did not confirm this payment'),
    })
    expect(taken(charge)).toBe(0)
  })

  test('is given up after an hour, and cannot be approved any more', async () => {
    const { charge, url } = await challenged()
    expect(await find(charge, LATER)).toEqual(NEEDED)
    expect(paymentsOf(charge)).toMatchObject([{ status: 'canceled' }])
    await decide(url, 'approve')
    expect(await find(charge)).toEqual(NEEDED)
    expect(taken(charge)).toBe(0)
  })

  test('is given up when asked to be, once, and cannot be approved any more', async () => {
    const { charge, result, url } = await challenged()
    const paymentId = result.paymentId ?? ''
    expect(await connect().abandon?.(paymentId)).toEqual({ ...NEEDED, isGivenUp: true })
    expect(await connect().abandon?.(paymentId)).toEqual({ ...NEEDED, isGivenUp: true })
    await decide(url, 'approve')
    expect(await find(charge)).toEqual(NEEDED)
    expect(taken(charge)).toBe(0)
  })

  test('is not given up once the buyer has refused: that is a decline', async () => {
    const { result, url } = await challenged()
    await decide(url, 'refuse')
    const ended = await connect().abandon?.(result.paymentId ?? '')
    expect(ended).toMatchObject({ status: 'declined', isGivenUp: false })
  })

  test('is not given up once the buyer has approved', async () => {
    const { charge, result, url } = await challenged()
    await decide(url, 'approve')
    expect(await connect().abandon?.(result.paymentId ?? '')).toMatchObject({
      ...{ status: 'succeeded', isGivenUp: false },
    })
    expect(taken(charge)).toBe(1)
  })

  test('is not given up when it was approved in the meantime', async () => {
    const { charge, result, url } = await challenged()
    await decide(url, 'approve')
    // The repeated answer is as old as the charge: it still waits for the challenge.
    expect(await connect(LATER).charge(charge)).toMatchObject({
      status: 'succeeded',
      paymentId: result.paymentId,
    })
    expect(taken(charge)).toBe(1)
  })

  test('is declined without a way back for the buyer', async () => {
    const charge = chargeOf('tok_3ds')
    const result = await connect().charge(charge)
    expect(result).toEqual(NEEDED)
    expect(await find(charge)).toEqual(result)
    expect(() => service.settle(result.paymentId ?? '', 'succeeded')).toThrow(/is pending/)
  })

  test('is canceled when the buyer cannot reach the challenge', async () => {
    const charge = chargeOf('tok_3ds_in_app', { returnUrl: RETURN_URL })
    const result = await connect().charge(charge)
    expect(result).toEqual(NEEDED)
    expect(await find(charge)).toEqual(result)
    expect(await connect().charge(charge)).toEqual(result)
    expect(paymentsOf(charge)).toMatchObject([{ status: 'canceled' }])
    expect(() => service.settle(result.paymentId ?? '', 'succeeded')).toThrow(/is pending/)
  })
})

describe('a 3DS result', () => {
  test.each<[string, string, Partial<Charge>]>([
    ['pays', 'tok_3ds', {}],
    ['pays, and no second one is asked for', 'tok_3ds', { returnUrl: RETURN_URL }],
    ['pays where no page could', 'tok_3ds_in_app', { returnUrl: RETURN_URL }],
    ['does no harm to a card that needs none', 'tok_visa', {}],
  ])('%s: %s', async (_, token, change) => {
    const charge = chargeOf(token, { ...change, authentication: AUTHENTICATION })
    expect(await connect().charge(charge)).toMatchObject({ status: 'succeeded' })
    expect(taken(charge)).toBe(1)
  })

  test('of a buyer who was not authenticated is declined, and not challenged again', async () => {
    const authentication = { ...AUTHENTICATION, eci: '07' }
    const charge = chargeOf('tok_3ds', { authentication, returnUrl: RETURN_URL })
    expect(await connect().charge(charge)).toEqual(NEEDED)
  })

  test.each<Partial<ThreeDsResult>>([
    { cryptogram: '' },
    { cryptogram: 'made up' },
    { eci: '99' },
    { transactionId: '' },
    { version: '3' },
  ])('that cannot be read is a decline: %j', async (change) => {
    const charge = chargeOf('tok_3ds', { authentication: { ...AUTHENTICATION, ...change } })
    expect(await connect().charge(charge)).toMatchObject({ status: 'declined' })
    expect(taken(charge)).toBe(0)
  })

  test('pays after a decline that asked for it', async () => {
    const first = chargeOf('tok_3ds')
    expect(await connect().charge(first)).toEqual(NEEDED)
    const idempotencyKey = `${first.sessionId}:1`
    const second = { ...first, idempotencyKey, authentication: AUTHENTICATION }
    expect(await connect().charge(second)).toMatchObject({ status: 'succeeded' })
    expect(taken(first)).toBe(1)
  })
})

const PREVIEW = { 'stripe-version': '2026-04-22.preview' }

const callStripe = async (path: string, form: Record<string, string>, headers: object = PREVIEW) =>
  fetch(`${service.url}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.secretKey}`, ...headers },
    body: new URLSearchParams(form),
  })

/** A shared payment token of 50.00 USD. */
async function grant(payment_method: string, limits: Record<string, string> = {}): Promise<string> {
  const made = await callStripe('test_helpers/shared_payment/granted_tokens', {
    payment_method,
    'usage_limits[currency]': limits.currency ?? 'usd',
    'usage_limits[max_amount]': limits.max_amount ?? '5000',
    'usage_limits[expires_at]': limits.expires_at ?? String(Math.floor(Date.now() / 1000) + 3600),
  })
  return ((await made.json()) as { id: string }).id
}

const revoke = (token: string) =>
  callStripe(`test_helpers/shared_payment/granted_tokens/${token}/revoke`, {})

describe('a shared payment token', () => {
  test('pays for one charge', async () => {
    const charge = chargeOf(await grant('pm_card_visa'))
    expect(charge.token).toMatch(/^spt_/)
    const result = await connect().charge(charge)
    expect(result).toMatchObject({ status: 'succeeded', amount: charge.amount })
    // The answer was lost: the token is used up by now, and the charge is still the same.
    expect(await connect().charge(charge)).toEqual(result)
    expect(await find(charge)).toEqual(result)
    const other = chargeOf(charge.token)
    expect(await connect().charge(other)).toMatchObject({
      status: 'declined',
      message: expect.stringMatching(/already used.* pay another way/),
    })
    expect([taken(charge), taken(other)]).toEqual([1, 0])
  })

  test('that was revoked after it paid has paid, also for a try whose answer was lost', async () => {
    const charge = chargeOf(await grant('pm_card_visa'))
    await connect().charge(charge)
    await revoke(charge.token)
    expect(await connect().charge(charge)).toMatchObject({ status: 'succeeded' })
    expect(taken(charge)).toBe(1)
  })

  test.each<[string, Record<string, string>, RegExp]>([
    ['another currency', { currency: 'eur' }, /in another currency.* pay another way/],
    ['a smaller amount', { max_amount: '4199' }, /more than you approved.* pay another way/],
  ])('of %s is declined before a charge', async (_, limits, message) => {
    const charge = chargeOf(await grant('pm_card_visa', limits))
    expect(await connect().charge(charge)).toEqual({
      status: 'declined',
      paymentId: null,
      message: expect.stringMatching(message),
    })
    expect(paymentsOf(charge)).toEqual([])
  })

  test('that has expired is declined', async () => {
    const charge = chargeOf(await grant('pm_card_visa', { expires_at: '1' }))
    expect(await connect().charge(charge)).toMatchObject({
      status: 'declined',
      message: expect.stringMatching(/has expired.* pay another way/),
    })
    expect(taken(charge)).toBe(0)
  })

  test('of exactly the total pays', async () => {
    const charge = chargeOf(await grant('pm_card_visa', { max_amount: '4200' }))
    expect(await connect().charge(charge)).toMatchObject({ status: 'succeeded' })
  })

  test('that was revoked is declined', async () => {
    const charge = chargeOf(await grant('pm_card_visa'))
    await revoke(charge.token)
    const result = await connect().charge(charge)
    expect(result).toMatchObject({ status: 'declined' })
    expect(result).toHaveProperty('message', expect.stringContaining('was withdrawn'))
    expect(taken(charge)).toBe(0)
  })

  test.each(['spt_unknown', 'spt_../../payment_intents', 'spt_é\n'])(
    'that is not known is declined: %j',
    async (token) => {
      const charge = chargeOf(token)
      expect(await connect().charge(charge)).toMatchObject({ status: 'declined', paymentId: null })
      expect(paymentsOf(charge)).toHaveLength(0)
    },
  )

  test('of a declined card is a decline, with its payment, and pays nothing later', async () => {
    const charge = chargeOf(await grant('tok_declined'))
    const result = await connect().charge(charge)
    expect(result).toEqual({
      status: 'declined',
      paymentId: expect.stringMatching(/^pi_/),
      message: 'Your card was declined.',
    })
    expect(await find(charge)).toEqual(result)
  })

  test('of a card that needs a challenge waits for it', async () => {
    const charge = chargeOf(await grant('tok_3ds'), { returnUrl: RETURN_URL })
    const result = await connect().charge(charge)
    expect(result).toMatchObject({ status: 'pending', challengeUrl: expect.any(String) })
    await decide(result.status === 'pending' ? (result.challengeUrl ?? '') : '', 'approve')
    expect(await find(charge)).toMatchObject({ status: 'succeeded' })
    expect(await connect().charge(chargeOf(charge.token))).toMatchObject({ status: 'declined' })
  })

  test('is refunded like another payment', async () => {
    const { paymentId } = await connect().charge(chargeOf(await grant('pm_card_visa')))
    const amount = { amount: 4200, currency: 'USD' }
    const refund = { paymentId: paymentId ?? '', amount, idempotencyKey: `r_${paymentId}` }
    expect(await connect().refund(refund)).toMatchObject({ status: 'succeeded' })
  })

  test('is unknown, not declined, when Stripe cannot be asked', async () => {
    const charge = chargeOf(await grant('pm_card_visa'))
    await expect(connect({ port: 1, retries: 0 }).charge(charge)).rejects.toThrow()
    await expect(connect({ secretKey: 'sk_wrong' }).charge(charge)).rejects.toThrow()
  })

  test('is known to the preview alone', async () => {
    const token = await grant('pm_card_visa')
    const form = { 'payment_method_data[shared_payment_granted_token]': token, amount: '1' }
    const charged = await callStripe('payment_intents', { ...form, currency: 'usd' }, {})
    expect(charged.status).toBe(400)
    const made = await callStripe('test_helpers/shared_payment/granted_tokens', {}, {})
    expect(made.status).toBe(404)
  })
})

describe('on the wire', async () => {
  const INTENT = {
    ...{ id: 'pi_1', object: 'payment_intent', amount: 4200, currency: 'usd', metadata: {} },
    ...{ created: Math.floor(Date.now() / 1000), next_action: { type: 'use_stripe_sdk' } },
    ...{ status: 'requires_action', last_payment_error: null },
  }
  const CANCELED = { ...INTENT, status: 'canceled', cancellation_reason: 'abandoned' }
  const answers = {
    token: { status: 200, body: {} },
    charge: { status: 200, body: {} },
    cancel: { status: 200, body: {} },
  }
  const heard: { path: string; version: string | undefined; form: Record<string, string> }[] = []

  /** A Stripe that answers as it is told, and notes what it is asked. */
  const app = new Hono().post('*', async (c) => {
    const form = Object.fromEntries(new URLSearchParams(await c.req.text()))
    heard.push({ path: c.req.path, version: c.req.header('stripe-version'), form })
    const { status, body } = c.req.path.endsWith('/cancel') ? answers.cancel : answers.charge
    return c.json(body, status as 200)
  })
  app.get('/v1/shared_payment/*', (c) => c.json(answers.token.body, answers.token.status as 200))
  app.get('/v1/payment_intents/:id', (c) => c.json(INTENT))
  const { port, close } = await onLoopback(app)
  afterAll(close)

  const charge = async (token: string, change: Partial<Charge> = {}) => {
    heard.length = 0
    return connect({ port, retries: 0 }).charge(chargeOf(token, change))
  }

  test('a charge says how it takes challenges', async () => {
    answers.charge.body = { ...INTENT, status: 'succeeded' }
    const authentication = AUTHENTICATION
    await charge('tok_visa')
    const without = { error_on_requires_action: 'true', [REDIRECTS]: 'never' }
    expect(heard[0]?.form).toMatchObject({ ...without, confirm: 'true' })
    await charge('tok_visa', { returnUrl: RETURN_URL })
    expect(heard[0]?.form).toMatchObject({ return_url: RETURN_URL })
    for (const name of Object.keys(without)) expect(heard[0]?.form).not.toHaveProperty([name])
    await charge('tok_visa', { returnUrl: RETURN_URL, authentication })
    const card = 'payment_method_options[card][three_d_secure]'
    expect(heard[0]?.form).toMatchObject({
      ...without,
      [`${card}[cryptogram]`]: authentication.cryptogram,
      [`${card}[electronic_commerce_indicator]`]: authentication.eci,
      [`${card}[transaction_id]`]: authentication.transactionId,
      [`${card}[version]`]: authentication.version,
    })
    expect(heard[0]?.form).not.toHaveProperty('return_url')
  })

  test('a shared token goes under its own name, to the version of the preview', async () => {
    answers.charge.body = { ...INTENT, status: 'succeeded' }
    await charge('spt_1')
    const { form, version } = heard[0] ?? {}
    expect(version).toBe(PREVIEW['stripe-version'])
    expect(form).toHaveProperty(['payment_method_data[shared_payment_granted_token]'], 'spt_1')
    expect(
      Object.keys(form ?? {}).filter((name) => name.startsWith('payment_method_')),
    ).toHaveLength(1)
    await charge('tok_visa')
    expect(heard[0]?.version).not.toContain('preview')
  })

  test.each(['amount', 'currency'])(
    'what Stripe does not charge is declined, not in doubt: %s',
    async (param) => {
      const error = { type: 'invalid_request_error', param }
      answers.charge = { status: 400, body: { error } }
      expect(await charge('tok_visa')).toEqual({
        status: 'declined',
        paymentId: null,
        message: expect.stringMatching(/amount/),
      })
    },
  )

  test.each(['metadata', undefined])('another complaint leaves it in doubt: %s', async (param) => {
    answers.charge = { status: 400, body: { error: { type: 'invalid_request_error', param } } }
    await expect(charge('tok_visa')).rejects.toThrow()
  })

  test.each([
    ['in the answer', 200, INTENT],
    ['inside of an error', 402, { error: { type: 'card_error', payment_intent: INTENT } }],
  ])('a challenge that was not asked for is canceled: %s', async (_, status, body) => {
    answers.charge = { status, body }
    answers.cancel = { status: 200, body: CANCELED }
    expect(await charge('tok_visa')).toEqual(NEEDED)
    expect(heard.map(({ path }) => path)).toEqual([
      '/v1/payment_intents',
      '/v1/payment_intents/pi_1/cancel',
    ])
  })

  test.each([
    ['is gone', { status: 404, body: { error: {} } }, /was not accepted/],
    ['has expired', { status: 200, body: { deactivated_reason: 'expired' } }, /has expired/],
    ['is used up', { status: 200, body: { deactivated_at: 1 } }, /already used/],
  ])(
    'a shared token that %s is declined, even if Stripe does not say why',
    async (_, token, message) => {
      answers.token = token
      answers.charge = { status: 400, body: { error: { type: 'invalid_request_error' } } }
      expect(await charge('spt_1')).toEqual({
        status: 'declined',
        paymentId: null,
        message: expect.stringMatching(message),
      })
    },
  )

  test('a challenge that could not be canceled is unknown, not declined', async () => {
    answers.charge = { status: 200, body: INTENT }
    answers.cancel = { status: 500, body: { error: { type: 'api_error', message: 'Try again.' } } }
    await expect(charge('tok_visa')).rejects.toThrow()
  })
})

const REDIRECTS = 'automatic_payment_methods[allow_redirects]'
