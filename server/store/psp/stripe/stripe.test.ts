import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../../../shared/testing/wait.ts'
import { type Charge, type RefundResult, RefusedCall } from '../psp.ts'
import { startTestPsp, type TestPsp } from '../test/server.ts'
import { createStripePsp, type StripeOptions } from './stripe.ts'

const WEBHOOK_SECRET = 'whsec_test'

let service: TestPsp
beforeAll(async () => {
  service = await startTestPsp({ webhookSecret: WEBHOOK_SECRET, slowMs: 4000, settleMs: null })
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

const chargesOf = ({ sessionId }: Charge) =>
  service.charges().filter(({ metadata }) => metadata.session_id === sessionId)

const soughtOf = ({ sessionId, idempotencyKey }: Charge) => ({
  sessionId,
  idempotencyKey,
  since: new Date(),
})

test.each(['tok_visa', 'tok_mastercard', 'pm_card_visa', 'success_token'])(
  '%s is charged once',
  async (token) => {
    const psp = connect()
    const charge = chargeOf(token)
    const result = await psp.charge(charge)
    expect(result).toEqual({
      status: 'succeeded',
      paymentId: expect.stringMatching(/^pi_/),
      amount: charge.amount,
    })
    expect(await psp.charge(charge)).toEqual(result)
    expect(chargesOf(charge)).toMatchObject([
      { amount: 4200, currency: 'usd', status: 'succeeded' },
    ])
  },
)

test('50 charges at once with one key take money once', async () => {
  const psp = connect()
  const charge = chargeOf('tok_visa')
  const results = await Promise.allSettled(Array.from({ length: 50 }, () => psp.charge(charge)))
  const ids = results.flatMap((each) => (each.status === 'fulfilled' ? each.value.paymentId : []))
  expect(new Set(ids).size).toBe(1)
  expect(chargesOf(charge)).toHaveLength(1)
})

test.each(['tok_declined', 'fail_token'])(
  '%s is a decline, in words for the buyer',
  async (token) => {
    const charge = chargeOf(token)
    const result = await connect().charge(charge)
    expect(result).toEqual({
      status: 'declined',
      paymentId: expect.stringMatching(/^pi_/),
      message: 'Your card was declined.',
    })
    expect(await connect().find(soughtOf(charge))).toEqual(result)
  },
)

test.each(['tok_unknown', 'pm_unknown'])(
  'a token that is not known is a decline: %s',
  async (token) => {
    const charge = chargeOf(token)
    expect(await connect().charge(charge)).toEqual({
      status: 'declined',
      paymentId: null,
      message: expect.stringContaining('Please pay another way'),
    })
    expect(await connect().find(soughtOf(charge))).toBeNull()
  },
)

test('after a decline, the next key charges another token', async () => {
  const psp = connect()
  const first = chargeOf('tok_declined')
  await psp.charge(first)
  const second = { ...first, token: 'tok_visa', idempotencyKey: `${first.sessionId}:1` }
  expect(await psp.charge(second)).toMatchObject({ status: 'succeeded' })
  expect(await psp.find(soughtOf(first))).toMatchObject({ status: 'declined' })
  expect(await psp.find(soughtOf(second))).toMatchObject({ status: 'succeeded' })
  expect(chargesOf(first)).toHaveLength(1)
})

test('the same key with another token is unknown, not a decline, and takes no more', async () => {
  const psp = connect()
  const charge = chargeOf('tok_visa')
  await psp.charge(charge)
  await expect(psp.charge({ ...charge, token: 'tok_mastercard' })).rejects.toThrow(/key was used/)
  expect(chargesOf(charge)).toHaveLength(1)
})

test('a payment that takes its time is pending, until it is decided', async () => {
  const psp = connect()
  const charge = chargeOf('tok_pending')
  const result = await psp.charge(charge)
  expect(result).toMatchObject({ status: 'pending' })
  expect(await psp.find(soughtOf(charge))).toEqual(result)
  service.settle(result.paymentId ?? '', 'succeeded')
  expect(await psp.find(soughtOf(charge))).toEqual({ ...result, status: 'succeeded' })
})

test('an answer that comes late is found while it is under way, and comes', async () => {
  const psp = connect({ retries: 0 })
  const charge = chargeOf('tok_slow')
  const answer = psp.charge(charge)
  await eventually(() => psp.find(soughtOf(charge))).toMatchObject({ status: 'pending' })
  await expect(psp.charge(charge)).rejects.toThrow(/in use/)
  expect(await answer).toMatchObject({ status: 'succeeded' })
  expect(chargesOf(charge)).toHaveLength(1)
})

test.each(['tok_error', 'tok_lost'])(
  '%s: the next try with the same key settles it',
  async (token) => {
    const patient = chargeOf(token)
    expect(await connect().charge(patient)).toMatchObject({ status: 'succeeded' })
    expect(chargesOf(patient)).toHaveLength(1)
  },
)

test('a failing PSP is unknown, and nothing is found', async () => {
  const psp = connect({ retries: 0 })
  const charge = chargeOf('tok_error')
  await expect(psp.charge(charge)).rejects.toThrow()
  expect(await psp.find(soughtOf(charge))).toBeNull()
  expect(await psp.charge(charge)).toMatchObject({ status: 'succeeded' })
  expect(chargesOf(charge)).toHaveLength(1)
})

test.each([
  ['a wrong key', { secretKey: 'sk_wrong' }],
  ['a port where nobody listens', { port: 1, retries: 0 }],
])('%s is unknown, and so is what became of it', async (_, change) => {
  const psp = connect(change)
  await expect(psp.charge(chargeOf('tok_visa'))).rejects.toThrow()
  await expect(psp.find(soughtOf(chargeOf('tok_visa')))).rejects.toThrow()
})

test('a wrong key has charged nothing', async () => {
  const charging = connect({ secretKey: 'sk_wrong' }).charge(chargeOf('tok_visa'))
  await expect(charging).rejects.toThrow(RefusedCall)
})

test('a charge is found among many, over pages, and not before its time', async () => {
  const psp = connect()
  const charge = chargeOf('tok_visa')
  await psp.charge(charge)
  for (let n = 0; n < 120; n += 1) await psp.charge(chargeOf('tok_visa'))
  expect(await psp.find(soughtOf(charge))).toMatchObject({ status: 'succeeded' })
  const later = new Date(Date.now() + 3_600_000)
  expect(await psp.find({ ...soughtOf(charge), since: later })).toBeNull()
})

test('a payment whose id is known is read, however old it is, and none is searched for', async () => {
  const psp = connect()
  const charge = chargeOf('tok_visa')
  const { paymentId } = await psp.charge(charge)
  const later = { ...soughtOf(charge), since: new Date(Date.now() + 3_600_000) }
  const known = await psp.find({ ...later, paymentId: paymentId ?? '' })
  expect(known).toMatchObject({ status: 'succeeded', paymentId })
  expect(await psp.find({ ...soughtOf(charge), paymentId: 'pi_none' })).toBeNull()
})

test('a search ends at the newest that a try can be, and when nobody waits for it', async () => {
  const psp = connect()
  const charge = chargeOf('tok_visa')
  await psp.charge(charge)
  const sought = { ...soughtOf(charge), since: new Date(0) }
  expect(await psp.find({ ...sought, until: new Date() })).toMatchObject({ status: 'succeeded' })
  expect(await psp.find({ ...sought, until: new Date(Date.now() - 3_600_000) })).toBeNull()
  await expect(psp.find({ ...sought, signal: AbortSignal.abort() })).rejects.toThrow(/aborted/)
})

test.each([
  ['no secret key', { secretKey: '' }],
  ['no webhook secret', { webhookSecrets: [] }],
  ['an empty webhook secret', { webhookSecrets: ['whsec_a', ''] }],
  ['a webhook secret with a line break', { webhookSecrets: ['whsec_a\n'] }],
])('it does not start with %s', (_, change) => {
  expect(() => connect(change)).toThrow(/Copy it/)
})

/** A payment of 42.00 USD, and how to refund it. */
async function paid(token = 'tok_visa', change: Partial<StripeOptions> = {}) {
  const psp = connect(change)
  const charge = chargeOf(token)
  const paymentId = (await psp.charge(charge)).paymentId ?? ''
  const askedFor = (amount: number, key: string) => ({
    paymentId,
    amount: { amount, currency: 'USD' },
    idempotencyKey: `${charge.sessionId}-${key}`,
  })
  return {
    psp,
    askedFor,
    refund: (amount: number, key: string) => psp.refund(askedFor(amount, key)),
    find: (key: string) => psp.findRefund(askedFor(0, key)),
    /** What went back so far. */
    back: () =>
      service
        .refunds()
        .filter((one) => one.payment_intent === paymentId && one.status !== 'failed')
        .reduce((sum, { amount }) => sum + amount, 0),
  }
}

const SUCCEEDED: RefundResult = { status: 'succeeded', refundId: expect.stringMatching(/^re_/) }

test('a payment is refunded in part, then the rest, and never more', async () => {
  const { refund, find, back } = await paid()
  expect(await refund(1200, 'a')).toEqual(SUCCEEDED)
  expect(await refund(3001, 'b')).toEqual({
    status: 'failed',
    refundId: null,
    message: expect.stringContaining('greater than unrefunded amount'),
  })
  expect(await refund(3000, 'c')).toEqual(SUCCEEDED)
  expect(await refund(1, 'd')).toMatchObject({
    status: 'failed',
    message: 'The charge has already been refunded.',
  })
  expect(back()).toBe(4200)
  expect(await find('c')).toEqual(SUCCEEDED)
  expect(await find('b')).toBeNull()
})

test('20 refunds at once with one key give money back once', async () => {
  const { refund, back } = await paid()
  const made = await Promise.allSettled(Array.from({ length: 20 }, () => refund(1200, 'a')))
  const ids = made.flatMap((each) => (each.status === 'fulfilled' ? each.value.refundId : []))
  expect(new Set(ids).size).toBe(1)
  expect(back()).toBe(1200)
  await expect(refund(1300, 'a')).rejects.toThrow(/key was used/)
  expect(back()).toBe(1200)
})

test('a refund that its bank rejects gives nothing back, and leaves it to be refunded', async () => {
  const { refund, find, back } = await paid('tok_refund_failed')
  const result = await refund(4200, 'a')
  expect(result).toEqual({
    status: 'failed',
    refundId: expect.stringMatching(/^re_/),
    message: 'The refund failed (expired_or_canceled_card).',
  })
  expect(await find('a')).toEqual(result)
  expect(await refund(4200, 'b')).toMatchObject({ status: 'failed', refundId: expect.any(String) })
  expect(back()).toBe(0)
})

test.each<['succeeded' | 'failed', number]>([
  ['succeeded', 4200],
  ['failed', 0],
])('a refund that is pending is found when it %s', async (outcome, given) => {
  const { refund, find, back } = await paid('tok_refund_pending')
  const result = await refund(4200, 'a')
  expect(result.status).toBe('pending')
  expect(await find('a')).toEqual(result)
  service.settleRefund(result.refundId ?? '', outcome)
  expect(await find('a')).toMatchObject({ status: outcome, refundId: result.refundId })
  expect(back()).toBe(given)
  expect(() => service.settleRefund(result.refundId ?? '', outcome)).toThrow(/is pending/)
})

test('a refund whose answers are lost is in doubt, and found', async () => {
  const { refund, find, back } = await paid('tok_refund_lost', { retries: 0 })
  await expect(refund(1200, 'a')).rejects.toThrow()
  await expect(refund(1200, 'a')).rejects.toThrow()
  expect(await find('a')).toEqual(SUCCEEDED)
  expect(back()).toBe(1200)
})

test('a refund at which the service fails is in doubt, and not found: the next try makes it', async () => {
  const { refund, find, back } = await paid('tok_refund_error', { retries: 0 })
  await expect(refund(1200, 'a')).rejects.toThrow()
  expect(await find('a')).toBeNull()
  expect(await refund(1200, 'a')).toEqual(SUCCEEDED)
  expect(back()).toBe(1200)
})

test('what cannot be refunded has failed; whom nobody answers is in doubt', async () => {
  const { psp, askedFor } = await paid('tok_pending')
  expect(await psp.refund(askedFor(4200, 'a'))).toMatchObject({ status: 'failed', refundId: null })
  const unknown = { ...askedFor(4200, 'b'), paymentId: 'pi_none' }
  expect(await psp.refund(unknown)).toMatchObject({
    status: 'failed',
    refundId: null,
    message: expect.stringContaining('forgets its payments when the store stops'),
  })
  for (const change of [{ secretKey: 'sk_wrong' }, { port: 1, retries: 0 }]) {
    await expect(connect(change).refund(askedFor(4200, 'c'))).rejects.toThrow()
    await expect(connect(change).findRefund(askedFor(4200, 'c'))).rejects.toThrow()
  }
})

test('a refund is found among many, over pages', async () => {
  const { refund, find } = await paid()
  await refund(1, 'first')
  await Promise.all(Array.from({ length: 100 }, (_, n) => refund(1, `later-${n}`)))
  expect(await find('first')).toEqual(SUCCEEDED)
})
