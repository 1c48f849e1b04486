import { and, eq, inArray, lte } from 'drizzle-orm'
import type { Db } from '../../db/connect.ts'
import { type Order, orders } from '../db/tables.ts'
import type { StoreDeps } from './deps.ts'
import { applyEffect } from './payment-events.ts'
import { findSession } from './sessions.ts'
import { findCharge } from './steps/charge.ts'
import { tell } from './steps/tell.ts'

/** Unspecified: the PSP's webhook is waited for five minutes before the store asks by itself. */
export const AWAITED_MS = 5 * 60_000

/**
 * Orders whose payment result is overdue: the webhook was lost, or came before the order. Reading
 * one sets its `updated_at`, which reserves it for as long again, so that replicas take turns.
 */
export function claimAwaited(db: Db, now: Date): Promise<Order[]> {
  const due = db
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(
        eq(orders.status, 'awaiting_payment'),
        lte(orders.updated_at, new Date(now.getTime() - AWAITED_MS)),
      ),
    )
    .orderBy(orders.updated_at)
    .limit(100)
    .for('update', { skipLocked: true })
  return db.update(orders).set({ updated_at: now }).where(inArray(orders.id, due)).returning()
}

/**
 * Asks the PSP and applies the result as its webhook would. Rejects when the PSP cannot tell, or
 * does not know the payment although it had accepted it.
 */
export async function settleAwaited(
  deps: Pick<StoreDeps, 'db' | 'psp' | 'now' | 'enqueue' | 'report'>,
  order: Order,
  findMs: number,
): Promise<void> {
  const session = await findSession(deps.db, order.session_id)
  const found = session && (await findCharge(deps, session, findMs, order.payment_id))
  if (!found) throw new Error(`The PSP does not know the payment of the order ${order.id}.`)
  if (found.status === 'pending') return
  const now = deps.now()
  const event = {
    sessionId: order.session_id,
    paymentId: found.paymentId,
    ...(found.status === 'succeeded'
      ? { type: 'payment_intent.succeeded' as const, amount: found.amount }
      : { type: 'payment_intent.payment_failed' as const, amount: null }),
  }
  const events = await deps.db.transaction((tx) => applyEffect(tx, deps, order.psp, event, now))
  tell(deps, events ?? [])
}
