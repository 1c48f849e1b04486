import { expect, test } from 'vitest'
import { orders, sessions, webhook_deliveries } from '../store/db/tables.ts'
import { storeDatabase } from '../store/db/testing/database.ts'
import { createEndpoint } from '../store/outbox/endpoints.ts'
import { anOrder } from '../store/outbox/testing/receiver.ts'
import { ORDER_MOVES } from './order-moves.ts'
import { listOrdersCommand, moveOrderCommand } from './store-orders.ts'
import type { Terminal } from './terminal/terminal.ts'

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
  const lines: string[] = []
  const terminal: Terminal = {
    colour: false,
    width: 100,
    print: (text) => lines.push(String(text)),
    remark: () => {},
    progress: () => {},
    endProgress: () => {},
  }
  const move = async (command: string, flags = {}) => {
    await moveOrderCommand(order.id, ORDER_MOVES[command]!.to, flags, db, terminal)
    return lines.splice(0).join('\n')
  }
  const list = async (flags = {}) => {
    await listOrdersCommand(flags, db, terminal)
    return lines.splice(0).join('\n')
  }
  return { db, order, move, list, terminal }
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
