import type { Db } from '../../../db/connect.ts'
import {
  idempotency_keys,
  type Order,
  orders,
  sessions,
  webhook_deliveries,
} from '../../db/tables.ts'
import { anOrder } from '../../outbox/testing/receiver.ts'
import { NOON } from '../../testing/store.ts'

export const hours = (count: number) => new Date(NOON.getTime() + count * 3_600_000)

/** The session that an order came from. */
export const sessionOf = ({
  session_id,
  items,
  currency,
  subtotal,
  tax,
}: Order): typeof sessions.$inferInsert => ({
  id: session_id,
  protocol: 'acp',
  status: 'pending_confirmation',
  host: 'shop.example',
  buyer: 'a-buyer',
  items,
  currency,
  subtotal,
  tax,
  shipping_options: [],
  created_at: hours(-1),
  expires_at: hours(-0.5),
})

/** A session of today, and for a status given its order. */
export async function insertSession(
  db: Db,
  change: Partial<typeof sessions.$inferInsert>,
  order?: Parameters<typeof anOrder>[0],
) {
  const row = { ...sessionOf(anOrder()), ...change }
  await db.insert(sessions).values(row)
  if (order) await db.insert(orders).values(anOrder({ session_id: row.id, ...order }))
}

export const insertDelivery = (db: Db, change: Partial<typeof webhook_deliveries.$inferInsert>) =>
  db.insert(webhook_deliveries).values({
    id: crypto.randomUUID(),
    endpoint_id: 'whe_1',
    message_id: 'msg_1',
    event: 'order.confirmed',
    payload: '{}',
    created_at: hours(-1),
    ...change,
  })

/** So many calls that were answered under keys of one scope. */
export const fillKeys = (db: Db, scope: string, calls: number, created_at: Date) =>
  db.insert(idempotency_keys).values(
    Array.from({ length: calls }, (_, index) => ({
      scope,
      key: `filled ${index}`,
      fingerprint: '',
      status: 200,
      body: {},
      created_at,
    })),
  )
