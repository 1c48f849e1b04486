import { and, arrayContains, isNull } from 'drizzle-orm'
import { type Order, type Tx, webhook_deliveries, webhook_endpoints } from '../db/tables.ts'
import type { OrderEvent } from '../orders/events.ts'
import { messageIdOf, payloadOf } from './message.ts'

/**
 * Writes an event of an order to the outbox, once for each endpoint that asked for it, in the
 * transaction that brings the event about: neither is ever there without the other.
 */
export async function enqueue(tx: Tx, event: OrderEvent, order: Order, now: Date): Promise<void> {
  const endpoints = await tx
    .select({ id: webhook_endpoints.id })
    .from(webhook_endpoints)
    .where(
      and(isNull(webhook_endpoints.disabled_at), arrayContains(webhook_endpoints.events, [event])),
    )
  if (endpoints.length === 0) return
  const message_id = messageIdOf(event, order)
  const payload = payloadOf(event, order, now)
  await tx
    .insert(webhook_deliveries)
    .values(
      endpoints.map(({ id }) => ({
        id: `${message_id}.${id}`,
        endpoint_id: id,
        message_id,
        event,
        payload,
        next_at: now,
        created_at: now,
      })),
    )
    .onConflictDoNothing()
}
