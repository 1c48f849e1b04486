import { expect, test } from 'vitest'
import { eventually, PATIENCE_MS } from '../../../shared/testing/wait.ts'
import { orders, refunds, sessions, webhook_deliveries } from '../../store/db/tables.ts'
import { storeDatabase } from '../../store/db/testing/database.ts'
import { enqueue } from '../../store/dialects/order-webhooks.ts'
import { makeDueRefunds } from '../../store/ops/refunder.ts'
import { createEndpoint } from '../../store/outbox/endpoints.ts'
import { anOrder } from '../../store/outbox/testing/receiver.ts'
import { scriptedPsp } from '../../store/psp/testing/scripted-psp.ts'
import { readTerminal } from '../testing/read-terminal.ts'
import { ORDER_MOVES } from './order-moves.ts'
import { listOrdersCommand, moveOrderCommand } from './orders.ts'
import { refundOrderCommand } from './refund.ts'

/** A database with one order, and a terminal that is read. */
async function shop() {
  const { db } = await storeDatabase()
  const order = anOrder()
  const { session_id: id, host, buyer, items, currency, subtotal, tax, created_at } = order
  await db.insert(sessions).values({
    ...{ id, host, buyer, items, currency, subtotal, tax, created_at },
    protocol: 'ucp',
    status: 'completed',
    shipping_options: [],
    expires_at: created_at,
  })
  await db.insert(orders).values(order)
  const { terminal, read } = readTerminal()
  const move = async (command: string, flags = {}) => {
    await moveOrderCommand(order.id, ORDER_MOVES[command]!.to, flags, db, terminal)
    return read()
  }
  const list = async (flags = {}) => {
    await listOrdersCommand(flags, db, terminal)
    return read()
  }
  const bank = scriptedPsp(() => new Date())
  const psp = { ...bank.psp, name: 'test' }
  const deps = { db, enqueue, now: () => new Date(), psp, report: () => {} }
  const failed: string[] = []
  /** The background work of a running store. */
  const work = () => makeDueRefunds(deps, (error) => failed.push(String(error)))
  /** Does not wait for a store: one test runs it, the others do not. */
  const refund = async (flags = {}, id = order.id, waitMs = 0) => {
    await refundOrderCommand(id, flags, db, terminal, waitMs)
    return read()
  }
  return { db, order, move, list, terminal, refund, work, bank, psp: deps.psp }
}

test('an order goes its way, and the webhooks are told', async () => {
  const { db, order, move, list } = await shop()
  await createEndpoint(
    db,
    { url: 'https://a.example/', events: ['order.shipped', 'order.delivered'] },
    new Date(),
  )
  expect(await list()).toBe(`${order.id}  2026-06-01 12:00  113.98 USD  confirmed`)
  expect(await move('process')).toContain('processing')
  const tracking = { tracking: '1Z999', carrier: 'UPS', trackingUrl: 'https://ups.example/1Z999' }
  expect(await move('ship', tracking)).toContain('shipped; parcel 1Z999')
  expect(JSON.parse(await move('deliver', { json: true }))).toEqual({
    order_id: order.id,
    status: 'delivered',
    disputed: false,
    confirmation_number: 'AO-7K3M-Q9XT',
    total: { amount: 11_398, currency: 'USD' },
    tracking: { number: '1Z999', carrier: 'UPS', url: 'https://ups.example/1Z999' },
    created_at: '2026-06-01T12:00:00.000Z',
  })
  const told = await db.select().from(webhook_deliveries)
  expect(told.map(({ event }) => event).sort()).toEqual(['order.delivered', 'order.shipped'])
  expect(await move('return')).toContain('returned')
})

test.each<[string, string, object, string]>([
  ['no such move', 'deliver', {}, 'cannot become delivered. See aisle store orders.'],
  ['a carrier alone', 'ship', { carrier: 'UPS' }, 'with --tracking'],
  ['a link that is none', 'ship', { tracking: '1', trackingUrl: 'javascript:x' }, 'https URL'],
])('%s is refused with what to do', async (_, command, flags, words) => {
  const { move, list } = await shop()
  await expect(move(command, flags)).rejects.toThrow(words)
  expect(await list()).toContain('confirmed')
})

test('an unknown order, and a store without orders', async () => {
  const { db, terminal, list } = await shop()
  await expect(moveOrderCommand('order_none', 'shipped', {}, db, terminal)).rejects.toThrow(
    'There is no order order_none. See aisle store orders.',
  )
  expect(JSON.parse(await list({ json: true }))).toHaveLength(1)
  await db.delete(orders)
  expect(await list()).toBe('No orders yet.')
})

test('a part is refunded by the store that runs, and the rest when the order is canceled', async () => {
  const { order, refund, work, list, move, bank } = await shop()
  const first = { amount: '12.50', reason: 'broken', key: 'a-1' }
  expect(await refund(first)).toMatch(/^refund_\S+ {2}12\.50 USD {2}pending: a running store asks/)
  await work()
  expect(await refund(first)).toMatch(/^refund_\S+ {2}12\.50 USD {2}refunded$/)
  expect(JSON.parse(await refund({ ...first, json: true }))).toEqual({
    refund_id: expect.stringMatching(/^refund_/),
    order_id: order.id,
    amount: { amount: 1250, currency: 'USD' },
    reason: 'broken',
    status: 'succeeded',
    key: 'a-1',
  })
  expect(await list()).toMatch(/113\.98 USD {2}confirmed; 12\.50 USD refunded$/)
  expect(JSON.parse(await list({ json: true }))).toMatchObject([
    { refunded: { amount: 1250, currency: 'USD' } },
  ])
  expect(await move('cancel')).toMatch(/canceled.*\nrefund_\S+ {2}101\.48 USD {2}pending/)
  await work()
  expect(bank.refunds.map(({ amount }) => amount.amount)).toEqual([1250, 10_148])
})

test('the command waits until the store has made the refund', async () => {
  const { refund, work, db } = await shop()
  const waiting = refund({}, undefined, PATIENCE_MS)
  await eventually(() => db.$count(refunds)).toBe(1)
  await work()
  expect(await waiting).toMatch(/113\.98 USD {2}refunded$/)
})

test('a refund that failed is an error, and says what to do', async () => {
  const { refund, work, psp } = await shop()
  psp.refund = async () => ({ status: 'failed', refundId: null, message: 'No such charge.' })
  await refund({ key: 'a' })
  await work()
  await expect(refund({ key: 'a' })).rejects.toThrow(
    'The refund failed: No such charge. To try again, give it another --key, or none.',
  )
  expect(await refund()).toContain('pending')
})

test.each<[string, object, string]>([
  ['too much', { amount: '113.99' }, 'At most 113.98 USD of the order'],
  ['decimals that the currency has not', { amount: '1.005' }, 'an amount in USD, such as 113.98'],
  ['nothing', { amount: '0' }, '--amount takes'],
  ['less than nothing', { amount: '-5' }, '--amount takes'],
  ['no number', { amount: 'all' }, '--amount takes'],
  ['a key with a space', { key: 'the cancellation' }, '--key takes'],
  ['an empty key', { key: '' }, '--key takes'],
])('no refund of %s', async (_, flags, words) => {
  const { refund, db } = await shop()
  await expect(refund(flags)).rejects.toThrow(words)
  expect(await db.$count(refunds)).toBe(0)
})

test('no refund where nothing is left, nothing was paid, or nobody knows the order', async () => {
  const { refund, db } = await shop()
  await refund()
  await expect(refund()).rejects.toThrow('is refunded, or is about to be. See aisle store orders.')
  await db.update(orders).set({ status: 'payment_failed' })
  await expect(refund()).rejects.toThrow('is not paid')
  for (const flags of [{}, { amount: '1' }]) {
    await expect(refund(flags, 'order_none')).rejects.toThrow('There is no order order_none.')
  }
})

test('yen have no decimals', async () => {
  const { refund, db } = await shop()
  await db.update(orders).set({ currency: 'JPY' })
  await expect(refund({ amount: '12.50' })).rejects.toThrow('an amount in JPY, such as 11398')
  expect(await refund({ amount: '1250' })).toContain('1250 JPY')
})
