import { Hono } from 'hono'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createFetcher, type Fetcher } from '../../../audit/probe/fetch/fetch.ts'
import { onLoopback } from '../../../testing/on-loopback.ts'
import { type Charge, RefusedCall } from '../psp.ts'
import { createRazorpayPsp, type RazorpayOptions } from './razorpay.ts'

interface Payment {
  id: string
  amount: number
  currency: string
  status: string
  notes: Record<string, string> | []
  error_description: string | null
  created_at: number
  order_id: string | null
  invoice_id: string | null
}

const BEGUN = new Date('2026-06-01T12:00:00.000Z')
const BEGUN_S = BEGUN.getTime() / 1000

interface RazorpayRefund {
  id: string
  payment_id: string
  amount: number
  status: string
  notes: Record<string, string> | []
}

const payments = new Map<string, Payment>()
const refunds: (RazorpayRefund & { key: string })[] = []
let refundStatus = 'processed'
let captures = 0
let beforeCapture: (payment: Payment) => void = () => {}
let refusesCaptures = false
let outage: number | 'garbage' | null = null

/** The part of Razorpay's API that is asked, on this machine. */
const api = new Hono()
  .basePath('/v1/payments')
  .use(async (c, next) => {
    if (c.req.header('authorization') !== `Basic ${btoa('rzp_test:secret')}`)
      return c.body(null, 401)
    if (outage === 'garbage') return c.text('<html>')
    if (outage !== null) return c.body(null, outage as 500)
    return next()
  })
  .get('/', (c) => {
    const [from, skip, count] = ['from', 'skip', 'count'].map((name) => Number(c.req.query(name)))
    const to = Number(c.req.query('to') ?? Number.POSITIVE_INFINITY)
    const within = [...payments.values()].filter(
      ({ created_at }) => created_at >= from! && created_at <= to,
    )
    return c.json({ entity: 'collection', items: within.slice(skip!, skip! + count!) })
  })
  .get('/:id', (c) => {
    const payment = payments.get(c.req.param('id'))
    return payment ? c.json(payment) : c.json({ error: {} }, 400)
  })
  .patch('/:id', async (c) => {
    const payment = payments.get(c.req.param('id'))!
    payment.notes = (await c.req.json()).notes
    return c.json(payment)
  })
  .post('/:id/capture', async (c) => {
    const payment = payments.get(c.req.param('id'))!
    beforeCapture(payment)
    const { amount, currency } = await c.req.json()
    const fits = amount === payment.amount && currency === payment.currency
    if (payment.status !== 'authorized' || !fits || refusesCaptures)
      return c.json({ error: {} }, 400)
    payment.status = 'captured'
    captures += 1
    return c.json(payment)
  })
  .post('/:id/refund', async (c) => {
    const { amount, notes } = await c.req.json()
    const key = c.req.header('x-refund-idempotency') ?? crypto.randomUUID()
    const known = refunds.find((one) => one.key === key)
    if (known) return known.amount === amount ? c.json(known) : c.json({ error: {} }, 400)
    const payment_id = c.req.param('id')
    const taken = refunds.reduce((sum, one) => sum + one.amount, 0)
    if (taken + amount > payments.get(payment_id)!.amount) return c.json({ error: {} }, 400)
    const id = `rfnd_${refunds.length + 1}`
    refunds.unshift({ id, payment_id, amount, status: refundStatus, notes, key })
    return c.json(refunds[0])
  })
  .get('/:id/refunds', (c) => {
    const [skip, count] = ['skip', 'count'].map((name) => Number(c.req.query(name)))
    const ofPayment = refunds.filter((one) => one.payment_id === c.req.param('id'))
    return c.json({ entity: 'collection', items: ofPayment.slice(skip!, skip! + count!) })
  })

let fetcher: Fetcher
const server = await onLoopback(api)
beforeAll(async () => {
  fetcher = createFetcher({
    userAgent: 'test',
    testHosts: [{ pattern: 'razorpay.test', origin: server.origin }],
  })
})
afterAll(async () => {
  await fetcher.close()
  await server.close()
})
beforeEach(() => {
  payments.clear()
  refunds.splice(0)
  refundStatus = 'processed'
  captures = 0
  beforeCapture = () => {}
  refusesCaptures = false
  outage = null
})

const connect = (change: Partial<RazorpayOptions> = {}) =>
  createRazorpayPsp({
    keyId: 'rzp_test',
    keySecret: 'secret',
    webhookSecrets: ['hook'],
    baseUrl: 'https://razorpay.test',
    fetcher,
    ...change,
  })

function approve(id: string, change: Partial<Payment> = {}): Payment {
  const payment: Payment = {
    id,
    amount: 4200,
    currency: 'INR',
    status: 'authorized',
    notes: [],
    error_description: null,
    created_at: BEGUN_S - 60,
    order_id: null,
    invoice_id: null,
    ...change,
  }
  payments.set(id, payment)
  return payment
}

const chargeOf = (change: Partial<Charge> = {}): Charge => ({
  amount: { amount: 4200, currency: 'INR' },
  token: 'pay_1',
  type: 'upi',
  idempotencyKey: 'cs_1:0',
  sessionId: 'cs_1',
  ...change,
})
const SOUGHT = { sessionId: 'cs_1', idempotencyKey: 'cs_1:0', since: BEGUN }

test('an approved payment is captured, once for all tries, and found', async () => {
  approve('pay_1', { notes: { cart: '7' } })
  const paid = {
    status: 'succeeded',
    paymentId: 'pay_1',
    amount: { amount: 4200, currency: 'INR' },
  }
  expect(await connect().charge(chargeOf())).toEqual(paid)
  expect(await connect().charge(chargeOf())).toEqual(paid)
  expect(captures).toBe(1)
  expect(payments.get('pay_1')?.notes).toEqual({
    cart: '7',
    session_id: 'cs_1',
    idempotency_key: 'cs_1:0',
  })
  expect(await connect().find(SOUGHT)).toEqual(paid)
})

test('20 charges at once capture once, and all say so', async () => {
  approve('pay_1')
  const results = await Promise.all(Array.from({ length: 20 }, () => connect().charge(chargeOf())))
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['succeeded']))
  expect(captures).toBe(1)
})

test.each([
  ['created', 'pending'],
  ['failed', 'declined'],
  ['refunded', 'declined'],
])('a payment that is %s already: %s', async (status, expected) => {
  approve('pay_1', { status, error_description: status === 'failed' ? 'Bank says no' : null })
  const result = await connect().charge(chargeOf())
  expect(result).toMatchObject({ status: expected, paymentId: 'pay_1' })
  if (status === 'failed') expect(result).toMatchObject({ message: 'Bank says no' })
  expect(captures).toBe(0)
})

test('a payment that was captured already pays for the session that its notes name', async () => {
  approve('pay_1', { status: 'captured', notes: { session_id: 'cs_1' } })
  expect(await connect().charge(chargeOf())).toMatchObject({ status: 'succeeded' })
  expect(captures).toBe(0)
})

test('the key of a session in the notes of a payment for another sale finds nothing', async () => {
  const notes = { session_id: 'cs_1', idempotency_key: 'cs_1:0' }
  approve('pay_1', { status: 'captured', order_id: 'order_website17', notes })
  expect(await connect().find(SOUGHT)).toBeNull()
})

test.each<[string, Partial<Charge>, Partial<Payment>]>([
  ['another amount', { amount: { amount: 4201, currency: 'INR' } }, {}],
  ['another currency', { amount: { amount: 4200, currency: 'USD' } }, {}],
  ['a captured payment of another amount', {}, { status: 'captured', amount: 1 }],
  ['a captured payment of another currency', {}, { status: 'captured', currency: 'USD' }],
  ['the payment of another session', {}, { notes: { session_id: 'cs_2' } }],
  ['a captured payment that names no session', {}, { status: 'captured' }],
  ['a payment for an order of a website', {}, { order_id: 'order_website17' }],
  ['a payment for an invoice', {}, { invoice_id: 'inv_17' }],
  [
    'a payment for an order of a website, whose notes name the session',
    {},
    { status: 'captured', order_id: 'order_website17', notes: { session_id: 'cs_1' } },
  ],
  ['no such payment', { token: 'pay_2' }, {}],
  ['a token of another form', { token: 'tok_visa' }, {}],
  ['a token that is a path', { token: 'pay_1/../pay_1' }, {}],
])('%s is declined, and nothing is taken', async (_, charge, payment) => {
  const notes = approve('pay_1', payment).notes
  expect(await connect().charge(chargeOf(charge))).toMatchObject({ status: 'declined' })
  expect(captures).toBe(0)
  expect(payments.get('pay_1')?.notes).toBe(notes)
})

test('of two sessions that claim a payment at once, one has it', async () => {
  approve('pay_1')
  beforeCapture = (payment) => {
    payment.notes = { session_id: 'cs_2', idempotency_key: 'cs_2:0' }
  }
  expect(await connect().charge(chargeOf())).toMatchObject({ status: 'declined' })
  const other = chargeOf({ sessionId: 'cs_2', idempotencyKey: 'cs_2:0' })
  expect(await connect().charge(other)).toMatchObject({ status: 'succeeded' })
  expect(captures).toBe(1)
})

test.each([500, 401, 429, 302, 'garbage'] as const)(
  '%s is unknown, not a decline',
  async (kind) => {
    approve('pay_1')
    outage = kind
    await expect(connect().charge(chargeOf())).rejects.toThrow()
    await expect(connect().find(SOUGHT)).rejects.toThrow()
  },
)

test('a key that is refused has charged nothing, unless an earlier try may have', async () => {
  approve('pay_1')
  outage = 401
  await expect(connect().charge(chargeOf())).rejects.toThrow(RefusedCall)
  outage = null
  beforeCapture = (payment) => {
    payment.status = 'captured'
    outage = 403
  }
  const doubtful = connect().charge(chargeOf())
  await expect(doubtful).rejects.toThrow(/does not report/)
  await expect(doubtful).rejects.not.toThrow(RefusedCall)
})

const CLAIMED = { session_id: 'cs_1', idempotency_key: 'cs_1:0' }

test('a charge that was claimed and never captured is captured when it is looked for', async () => {
  approve('pay_1', { notes: CLAIMED })
  expect(await connect().find(SOUGHT)).toMatchObject({ status: 'succeeded', paymentId: 'pay_1' })
  expect(captures).toBe(1)
})

test('a capture that is under way when it is looked for is no decline', async () => {
  approve('pay_1', { notes: CLAIMED })
  beforeCapture = (payment) => {
    payment.status = 'captured'
  }
  expect(await connect().find(SOUGHT)).toMatchObject({ status: 'succeeded', paymentId: 'pay_1' })
})

test('an approved payment whose capture is refused may still be captured: it is no decline', async () => {
  const payment = approve('pay_1')
  refusesCaptures = true
  await expect(connect().charge(chargeOf())).rejects.toThrow(/has not captured/)
  await expect(connect().find(SOUGHT)).rejects.toThrow(/has not captured/)
  payment.status = 'refunded'
  expect(await connect().find(SOUGHT)).toMatchObject({ status: 'declined' })
})

test('a charge is found on a later page, and not before its time', async () => {
  for (let n = 0; n < 150; n += 1) approve(`pay_x${n}`)
  approve('pay_1', { status: 'captured', notes: { idempotency_key: 'cs_1:0' } })
  expect(await connect().find(SOUGHT)).toMatchObject({ status: 'succeeded' })
  expect(
    await connect().find({ ...SOUGHT, since: new Date('2026-06-01T14:00:00.000Z') }),
  ).toBeNull()
})

test('a payment whose id is known is read, however many there are', async () => {
  for (let n = 0; n < 2001; n += 1) approve(`pay_x${n}`)
  approve('pay_1', { status: 'captured', notes: CLAIMED })
  const sought = { ...SOUGHT, paymentId: 'pay_1' }
  expect(await connect().find(sought)).toMatchObject({ status: 'succeeded', paymentId: 'pay_1' })
  expect(await connect().find({ ...SOUGHT, paymentId: 'pay_2' })).toBeNull()
  // Another session has claimed it since.
  expect(await connect().find({ ...sought, sessionId: 'cs_2' })).toMatchObject({
    status: 'declined',
  })
})

test('a search ends at the newest that a try can be, and when nobody waits for it', async () => {
  for (let n = 0; n < 2001; n += 1) approve(`pay_x${n}`, { created_at: BEGUN_S + 7200 })
  approve('pay_1', { status: 'captured', notes: CLAIMED })
  expect(await connect().find({ ...SOUGHT, until: BEGUN })).toMatchObject({ status: 'succeeded' })
  const signal = AbortSignal.abort()
  await expect(connect().find({ ...SOUGHT, signal })).rejects.toThrow(/aborted/)
})

test('too many payments to look through is unknown, never nothing', async () => {
  for (let n = 0; n < 2001; n += 1) approve(`pay_x${n}`)
  await expect(connect().find(SOUGHT)).rejects.toThrow(/manually/)
})

const refundOf = (amount: number, key: string) => ({
  paymentId: 'pay_1',
  amount: { amount, currency: 'INR' },
  idempotencyKey: `refund_${key}`,
})

test('a payment is refunded in part, once for its key, then the rest, and never more', async () => {
  approve('pay_1', { status: 'captured' })
  const psp = connect()
  const first = { status: 'succeeded', refundId: 'rfnd_1' }
  expect(await psp.refund(refundOf(1200, 'a'))).toEqual(first)
  expect(await psp.refund(refundOf(1200, 'a'))).toEqual(first)
  expect(await psp.refund(refundOf(3001, 'b'))).toEqual({
    status: 'failed',
    refundId: null,
    message: expect.stringContaining('dashboard'),
  })
  expect(await psp.refund(refundOf(3000, 'c'))).toMatchObject({ status: 'succeeded' })
  expect(refunds.map(({ amount }) => amount)).toEqual([3000, 1200])
  expect(await psp.findRefund(refundOf(0, 'a'))).toEqual(first)
  expect(await psp.findRefund(refundOf(0, 'b'))).toBeNull()
})

test.each([
  ['processed', 'succeeded'],
  ['pending', 'pending'],
  ['failed', 'failed'],
])('a refund that is %s: %s', async (status, expected) => {
  approve('pay_1', { status: 'captured' })
  refundStatus = status
  const result = await connect().refund(refundOf(1200, 'a'))
  expect(result).toMatchObject({ status: expected, refundId: 'rfnd_1' })
  expect(await connect().findRefund(refundOf(1200, 'a'))).toEqual(result)
})

test.each([500, 401, 409, 'garbage'] as const)('a refund answered %s is in doubt', async (kind) => {
  approve('pay_1', { status: 'captured' })
  outage = kind
  await expect(connect().refund(refundOf(1200, 'a'))).rejects.toThrow()
  await expect(connect().findRefund(refundOf(1200, 'a'))).rejects.toThrow()
})

test('a refund is found on a later page; too many are in doubt, never nothing', async () => {
  approve('pay_1', { amount: 4200, status: 'captured' })
  for (let n = 0; n < 101; n += 1) await connect().refund(refundOf(1, String(n)))
  expect(await connect().findRefund(refundOf(1, '0'))).toEqual({
    status: 'succeeded',
    refundId: 'rfnd_1',
  })
  const one = refunds[0]!
  for (let n = 0; n < 400; n += 1) refunds.unshift({ ...one, notes: [] })
  await expect(connect().findRefund(refundOf(1, 'none'))).rejects.toThrow(/manually/)
})

test.each([
  ['no key', { keyId: '' }],
  ['no secret', { keySecret: '' }],
  ['no webhook secret', { webhookSecrets: [] }],
  ['an empty webhook secret', { webhookSecrets: [''] }],
])('it does not start with %s', (_, change) => {
  expect(() => connect(change)).toThrow(/Copy it/)
})
