import { and, eq, inArray, lte } from 'drizzle-orm'
import type { Db } from '../../db/connect.ts'
import { type Order, orders } from '../db/tables.ts'
import type { StoreDeps } from './deps.ts'
import { applyEffect } from './payment-events.ts'
import { findSession } from './sessions.ts'
import { findCharge } from './steps/charge.ts'
import { tell } from './steps/tell.ts'

/** Unspecified: how long the PSP's webhook is waited for before we ask. Five minutes. */
export const AWAITED_MS = 5 * 60_000

/**
 * Orders whose payment nobody has told us of for a while: the webhook was lost, or came before the
 * order. Each is ours for as long again: replicas ask in turn, and `updated_at` says when.
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
 * Asks the PSP, and does what its webhook would have done. Rejects when the PSP cannot tell, or
 * knows nothing of the payment: it had taken it.
 */
export async function settleAwaited(
  deps: Pick<StoreDeps, 'db' | 'psp' | 'now' | 'enqueue' | 'report'>,
  order: Order,
  findMs: number,
): Promise<void> {
  const session = await findSession(deps.db, order.session_id)
  const found = session && (await findCharge(deps, session, findMs))
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
