import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { orders } from '../../store/db/tables.ts'
import { storeDatabase } from '../../store/db/testing/database.ts'
import { noteReview } from '../../store/orders/reviews.ts'
import { anOrder } from '../../store/outbox/testing/receiver.ts'
import { readTerminal } from '../testing/read-terminal.ts'
import { listOrdersCommand } from './orders.ts'
import { listReviewsCommand, reviewedCommand } from './reviews.ts'

const NOON = new Date('2026-06-01T12:00:00.000Z')

/** A database with a flagged order, and a terminal that is read. */
async function shop() {
  const { db } = await storeDatabase()
  const order = { ...anOrder(), disputed: true }
  await db.insert(orders).values(order)
  const { terminal, read } = readTerminal()
  const note = (cause: Parameters<typeof noteReview>[1], paymentId: string, session: string) =>
    db.transaction((tx) =>
      noteReview(
        tx,
        cause,
        session,
        { psp: 'test', paymentId, amount: { amount: 11_398, currency: 'USD' } },
        NOON,
      ),
    )
  return {
    db,
    order,
    note,
    list: async (flags = {}) => {
      await listReviewsCommand(flags, db, terminal)
      return read()
    },
    reviewed: async (id: string) => {
      await reviewedCommand(id, { db, now: () => NOON }, terminal)
      return read()
    },
    listOrders: async (flags = {}) => {
      await listOrdersCommand(flags, db, terminal)
      return read()
    },
    isDisputed: async () =>
      (await db.select().from(orders).where(eq(orders.id, order.id)))[0]?.disputed,
  }
}

test('payments are listed with why, and closed one by one; then the order is not flagged', async () => {
  const { order, note, list, reviewed, isDisputed } = await shop()
  expect(await list()).toBe('Nothing to review.')
  await note('second_payment', 'pay_2', order.session_id)
  await note('dispute', 'pay_1', order.session_id)
  await note('amount', 'pay_3', 'checkout_3')
  expect((await list()).split('\n')).toEqual([
    `pay_1  2026-06-01 12:00  113.98 USD  ${order.id}  the buyer disputes it at the bank`,
    `pay_2  2026-06-01 12:00  113.98 USD  ${order.id}  a second payment of the order: refund it`,
    'pay_3  2026-06-01 12:00  113.98 USD  no order, checkout checkout_3  another amount than the total: it paid for nothing, refund it',
  ])
  expect(await reviewed('pay_2')).toBe('Closed.')
  expect(await isDisputed()).toBe(true)
  expect(JSON.parse(await list({ json: true }))).toMatchObject([
    { payment_id: 'pay_1', cause: 'dispute', order_id: order.id },
    { payment_id: 'pay_3', cause: 'amount', order_id: null, checkout_id: 'checkout_3' },
  ])
  expect(await reviewed(order.id)).toBe('Closed.')
  expect(await isDisputed()).toBe(false)
  await reviewed('pay_3')
  expect(await list()).toBe('Nothing to review.')
  await expect(reviewed('pay_3')).rejects.toThrow('Nothing of pay_3')
  // It happens again, after someone has reviewed it.
  await note('dispute', 'pay_1', order.session_id)
  expect(await list()).toContain('pay_1')
})

test('a flagged order is found among many newer ones, also one without a cause', async () => {
  const { db, order, listOrders, reviewed, isDisputed } = await shop()
  const newer = Array.from({ length: 50 }, (_, n) => ({
    ...{ ...order, disputed: false, id: `order_${n}`, session_id: `checkout_${n}` },
    ...{ payment_id: `pay_x${n}`, receipt_token: `receipt_${n}` },
    created_at: new Date(order.created_at.getTime() + 1000 * (n + 1)),
  }))
  await db.insert(orders).values(newer)
  expect(await listOrders()).not.toContain('disputed')
  expect(await listOrders({ disputed: true })).toMatch(`${order.id} `)
  await reviewed(order.id)
  expect(await isDisputed()).toBe(false)
  expect(await listOrders({ disputed: true })).toBe('No order is disputed.')
})
