import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { orders, refunds, webhook_deliveries, webhook_endpoints } from '../db/tables.ts'
import { makeDueRefunds } from '../ops/refunder.ts'
import { createRepeats } from '../ops/report-again.ts'
import { createStripePsp } from '../psp/stripe/stripe.ts'
import { startTestPsp } from '../psp/test/server.ts'
import { acpAgent, NOON, stockOf, testStore } from '../testing/store.ts'
import { claimRefunds, makeRefund, REFUND_RETRY_S, type RefundDeps } from './make-refund.ts'
import { moveOrder } from './moves.ts'
import { requestRefund, type WantedRefund } from './refunds.ts'
import { reportRefundsSince } from './report-refunds.ts'

const bank = await startTestPsp({ webhookSecret: 'whsec_test', settleMs: null })
afterAll(() => bank.close())

let late = 0
const psp = createStripePsp({ ...bank.access, retries: 0 })
const { deps, send, ask, reported } = await testStore(
  {},
  { psp, now: () => new Date(NOON.getTime() + late * 1000) },
)
const { db } = deps
await db.insert(webhook_endpoints).values({
  id: 'listener',
  url: 'https://listener.example/',
  secret: 'whsec_bGlzdGVuZXI=',
  events: ['order.canceled', 'order.refunded'],
  created_at: deps.now(),
})
const { open, pay } = acpAgent(send)

/** A paid order, and all that is known of its refunds. */
async function buy(token = 'tok_visa') {
  const { said } = await pay(await open(), token)
  const id: string = said.order_id
  const read = async () => (await db.select().from(orders).where(eq(orders.id, id)))[0]!
  const { total, payment_id } = await read()
  return {
    id,
    total,
    read,
    want: (wanted: WantedRefund) => requestRefund(deps, id, wanted),
    rows: () => db.select().from(refunds).where(eq(refunds.order_id, id)),
    /** Refunds at the bank that gave money back. */
    atBank: () =>
      bank.refunds().filter((one) => one.payment_intent === payment_id && one.status !== 'failed'),
    told: async () => {
      const all = await db.select().from(webhook_deliveries)
      return all.filter(({ payload }) => payload.includes(id)).map(({ event }) => event)
    },
    /** What was reported of its refunds. */
    reports: async () => {
      const { session_id } = await read()
      return reported.filter(
        (one) => one.event === 'ai_order_refunded' && one.session_id === session_id,
      )
    },
    shown: async () => JSON.parse((await ask(`/ucp/orders/${id}`)).body),
    receipt: async () => (await ask(`/receipts/${(await read()).receipt_token}`)).body,
  }
}

/** Asks the bank for what is due; what went wrong is returned. */
async function work(change: Partial<RefundDeps> = {}): Promise<string[]> {
  const errors: string[] = []
  await makeDueRefunds({ ...deps, ...change }, (error) => errors.push(String(error)))
  return errors
}

const later = (seconds = REFUND_RETRY_S) => {
  late += seconds
}

test('a part, then the rest, then nothing: the order, its receipt and the webhooks tell', async () => {
  const order = await buy()
  expect(await order.shown()).not.toHaveProperty('refunded')
  expect(await order.receipt()).not.toContain('Refunded')
  const before = await order.shown()
  await order.want({ key: 'a', amount: 1250, reason: 'a private word' })
  expect(order.atBank()).toEqual([])
  expect(await order.want({ key: 'b', amount: order.total - 1249 })).toMatchObject({
    refused: 'too_much',
    message: expect.stringMatching(/^At most [\d.]+ USD of the order/),
  })
  expect(await work()).toEqual([])
  expect(await order.shown()).toEqual({
    ...before,
    updated_at: expect.any(String),
    refunded: { amount: 1250, currency: 'USD' },
    refunds: [
      {
        refund_id: expect.stringMatching(/^refund_/),
        amount: { amount: 1250, currency: 'USD' },
        refunded_at: deps.now().toISOString(),
      },
    ],
  })
  expect(await order.receipt()).toMatch(/Refunded on 2026-06-01.*-12\.50 USD/)
  await order.want({ key: 'c' })
  expect(await work()).toEqual([])
  expect((await order.shown()).refunded.amount).toBe(order.total)
  expect(await order.want({ key: 'd' })).toMatchObject({ refused: 'nothing_left' })
  expect(order.atBank().map(({ amount }) => amount)).toEqual([order.total - 1250, 1250])
  expect(await order.told()).toEqual(['order.refunded', 'order.refunded'])
  const { session_id } = await order.read()
  const made = (await order.rows()).toSorted((a, b) => a.amount - b.amount)
  expect(await order.reports()).toEqual(
    made.map(({ id, amount }) => ({
      event: 'ai_order_refunded',
      domain: 'shop.example',
      session_id,
      source: 'acp',
      properties: { refund_id: id, value: amount, currency: 'USD' },
      timestamp: deps.now().toISOString(),
    })),
  )
  expect(await work()).toEqual([])
  expect(await order.reports()).toHaveLength(2)
})

test('a refund of an order that is not there, not paid, or asked for with a used key', async () => {
  expect(await requestRefund(deps, 'order_none', { key: 'a' })).toMatchObject({
    refused: 'not_found',
  })
  const unpaid = await buy('tok_pending')
  expect(await unpaid.want({ key: 'a' })).toMatchObject({ refused: 'not_paid' })
  const order = await buy()
  await order.want({ key: 'a', amount: 100 })
  expect(await order.want({ key: 'a', amount: 101 })).toMatchObject({ refused: 'key_reused' })
  expect(await order.want({ key: 'a' })).toMatchObject({ refund: { amount: 100 } })
  expect(await order.rows()).toHaveLength(1)
  await work()
})

describe('at once', () => {
  test('twenty calls with one key, and four workers: one refund', async () => {
    const order = await buy()
    const made = await Promise.all(
      Array.from({ length: 20 }, () => order.want({ key: 'a', amount: 500 })),
    )
    expect(new Set(made.map((one) => 'refund' in one && one.refund.id)).size).toBe(1)
    await Promise.all(Array.from({ length: 4 }, () => work()))
    expect(order.atBank()).toMatchObject([{ amount: 500 }])
    expect((await order.read()).refunds).toMatchObject([{ amount: 500 }])
    expect(await order.told()).toEqual(['order.refunded'])
  })

  test('calls with keys of their own never come to more than the total', async () => {
    const order = await buy()
    const amount = Math.ceil(order.total / 3) + 1
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, n) => order.want({ key: `key-${n}`, amount })),
    )
    expect(made.filter((one) => 'refund' in one)).toHaveLength(2)
    expect(await Promise.all([work(), work()])).toEqual([[], []])
    expect(order.atBank()).toHaveLength(2)
    expect((await order.read()).refunds).toHaveLength(2)
  })

  test('a cancellation and a refund: all goes back once, and the goods', async () => {
    const { pieces } = stockOf(deps, 'ao-1101')
    const before = await pieces()
    const order = await buy()
    const [, moved] = await Promise.all([
      order.want({ key: 'a' }),
      ...Array.from({ length: 3 }, () => moveOrder(deps, order.id, 'canceled')),
    ])
    expect(moved).toBeDefined()
    await work()
    expect(order.atBank()).toMatchObject([{ amount: order.total }])
    expect(await pieces()).toBe(before)
  })
})

describe('a worker that dies, then another after a minute: one refund', () => {
  test.each(['claimed', 'asked', 'settled', 'committed'] as const)('%s', async (step) => {
    const order = await buy()
    await order.want({ key: 'a', amount: 700 })
    const died = await work({
      onRefundStep: (at) => {
        if (at === step) throw new Error('died')
      },
    })
    expect(died).toEqual(['Error: died'])
    // The dead may be only slow: nobody takes its place at once.
    const [left] = await order.rows()
    expect(left?.status).toBe(step === 'committed' ? 'succeeded' : 'pending')
    expect(await claimRefunds(db, deps.now())).toEqual([])
    later()
    expect(await work()).toEqual([])
    expect(order.atBank()).toMatchObject([{ amount: 700 }])
    expect((await order.read()).refunds).toMatchObject([{ amount: 700 }])
    expect(await order.told()).toEqual(['order.refunded'])
    expect(await order.rows()).toMatchObject([
      { status: 'succeeded', psp_refund_id: order.atBank()[0]?.id, next_at: null },
    ])
    // What died between its commit and its report is reported at the next start.
    const before = await order.reports()
    expect(before).toHaveLength(step === 'committed' ? 0 : 1)
    await createRepeats(deps).reportAgain()
    const [first, ...again] = await order.reports()
    expect(again).toHaveLength(before.length)
    expect(first).toMatchObject({ properties: { refund_id: left?.id, value: 700 } })
    for (const one of again) expect(one).toEqual(first)
  })
})

test.each(['tok_refund_lost', 'tok_refund_error'])(
  '%s leaves it pending, and the next try settles it',
  async (token) => {
    const order = await buy(token)
    await order.want({ key: 'a' })
    expect(await work()).toHaveLength(1)
    expect(await order.rows()).toMatchObject([{ status: 'pending' }])
    // What is in doubt counts as made.
    expect(await order.want({ key: 'b' })).toMatchObject({ refused: 'nothing_left' })
    later()
    expect(await work()).toEqual([])
    expect(order.atBank()).toMatchObject([{ amount: order.total }])
    expect((await order.read()).refunds).toHaveLength(1)
  },
)

test('one that is slow settles nothing a second time', async () => {
  const order = await buy()
  await order.want({ key: 'a', amount: 300 })
  const [slow] = await claimRefunds(db, deps.now())
  later()
  await work()
  await makeRefund(deps, slow!)
  expect((await order.read()).refunds).toMatchObject([{ amount: 300 }])
  expect(await order.told()).toEqual(['order.refunded'])
  expect(await order.reports()).toHaveLength(1)
})

test('a start reports the refunds of a week again, and none that are older', async () => {
  const order = await buy()
  await order.want({ key: 'a', amount: 300 })
  await work()
  for (const [seconds, times] of [
    [7 * 86_400, 2],
    [1, 2],
  ] as const) {
    later(seconds)
    await createRepeats(deps).reportAgain()
    expect(await order.reports()).toHaveLength(times)
  }
})

test('a refund that failed is told to the merchant alone, and can be asked for anew', async () => {
  const order = await buy('tok_refund_failed')
  await order.want({ key: 'a' })
  expect(await work()).toEqual([
    expect.stringMatching(/of the order .* failed: The refund failed .* run aisle store refund/),
  ])
  expect(await order.rows()).toMatchObject([{ status: 'failed', next_at: null }])
  expect((await order.read()).refunds).toEqual([])
  await reportRefundsSince(deps, NOON)
  expect([await order.told(), await order.reports()]).toEqual([[], []])
  expect(await order.want({ key: 'a' })).toMatchObject({ refund: { status: 'failed' } })
  expect(await order.want({ key: 'b' })).toMatchObject({ refund: { status: 'pending' } })
  await work()
})

test('a refund that takes days is asked for ever more rarely, and then told', async () => {
  const order = await buy('tok_refund_pending')
  await order.want({ key: 'a' })
  await work()
  for (const minutes of [1, 2, 4]) {
    later(minutes * 60 - 1)
    expect(await claimRefunds(db, deps.now())).toEqual([])
    later(1)
    expect(await work()).toEqual([])
  }
  expect((await order.rows())[0]).toMatchObject({ status: 'pending', attempts: 4 })
  expect([await order.told(), await order.reports()]).toEqual([[], []])
  bank.settleRefund(order.atBank()[0]!.id, 'succeeded')
  later(3600)
  expect(await work()).toEqual([])
  expect(await order.told()).toEqual(['order.refunded'])
  expect(await order.reports()).toMatchObject([{ timestamp: deps.now().toISOString() }])
})

test('a payment of another PSP is refunded there, by hand', async () => {
  const order = await buy()
  await order.want({ key: 'a' })
  expect(await work({ psp: { ...psp, name: 'razorpay' } })).toEqual([
    expect.stringContaining('Refund it in the dashboard of stripe.'),
  ])
  expect(await order.rows()).toMatchObject([{ status: 'failed' }])
})

describe('canceled', () => {
  test('what was paid goes back, but for what went back before; the goods once', async () => {
    const { pieces } = stockOf(deps, 'ao-1101')
    const before = await pieces()
    const order = await buy()
    await order.want({ key: 'a', amount: 1000 })
    expect(await moveOrder(deps, order.id, 'canceled')).toMatchObject({
      order: { status: 'canceled' },
      refund: { amount: order.total - 1000, status: 'pending' },
    })
    expect(await moveOrder(deps, order.id, 'canceled')).toMatchObject({ refused: 'illegal_move' })
    expect(await work()).toEqual([])
    expect(await order.shown()).toMatchObject({
      status: 'canceled',
      refunded: { amount: order.total },
    })
    expect((await order.told()).sort()).toEqual([
      'order.canceled',
      'order.refunded',
      'order.refunded',
    ])
    expect(await pieces()).toBe(before)
  })

  test('where all went back before, nothing does', async () => {
    const order = await buy()
    await order.want({ key: 'a' })
    const moved = await moveOrder(deps, order.id, 'canceled')
    expect(moved).toMatchObject({ order: { status: 'canceled' } })
    expect(moved).not.toHaveProperty('refund')
    await work()
    expect(order.atBank()).toHaveLength(1)
  })

  test.each(['shipped', 'returned'] as const)('an order that is %s keeps its money', async (to) => {
    const order = await buy()
    await moveOrder(deps, order.id, 'shipped')
    if (to === 'returned') await moveOrder(deps, order.id, 'returned')
    expect(await moveOrder(deps, order.id, 'canceled')).toMatchObject({ refused: 'illegal_move' })
    expect(await order.rows()).toEqual([])
    expect(await order.want({ key: 'a', amount: 1 })).toMatchObject({ refund: { amount: 1 } })
    await work()
  })
})

test('all that a host with a port comes to is reported for its domain', async () => {
  const at: typeof send = (method, path, body) => send(method, path, body, 'shop.example:8443')
  const agent = acpAgent(at)
  const before = reported.length
  await ask('/products/ao-1101', 'shop.example:8443', {
    headers: { 'user-agent': 'ChatGPT-User/1.0' },
  })
  const { said } = await agent.pay(await agent.open(), 'tok_visa')
  await requestRefund(deps, said.order_id, { key: 'port' })
  expect(await work()).toEqual([])
  await createRepeats(deps).reportAgain()
  const events = reported.slice(before).filter(({ domain }) => domain !== 'shop.example')
  expect(events).toEqual([])
  expect(new Set(reported.slice(before).map(({ event }) => event))).toEqual(
    new Set([
      'ai_product_viewed',
      'ai_checkout_initiated',
      'ai_checkout_completed',
      'ai_order_refunded',
    ]),
  )
})
