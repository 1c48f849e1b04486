import { and, eq, lte, sql } from 'drizzle-orm'
import type { Db } from '../../db/connect.ts'
import { type Order, orders } from '../db/tables.ts'
import type { ChargeResult } from '../psp/psp.ts'
import type { StoreDeps } from './deps.ts'
import { applyEffect } from './payment-events.ts'
import { findSession } from './sessions.ts'
import { findCharge, withDeadline } from './steps/charge.ts'
import { tell } from './steps/tell.ts'

type Settling = Pick<StoreDeps, 'db' | 'psp' | 'now' | 'enqueue' | 'report'>

/** Unspecified: the store waits five minutes for the PSP's webhook before it asks the PSP. */
export const AWAITED_MS = 5 * 60_000

/**
 * Orders whose payment result is overdue: the webhook was lost, or came before the order. Reading
 * one sets its `updated_at`, which leases it for another five minutes, so that replicas take turns.
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
  return db
    .update(orders)
    .set({ updated_at: now })
    .where(sql`${orders.id} = any(array(${due}))`)
    .returning()
}

/**
 * Asks the PSP and applies the result as its webhook would. Rejects if the PSP cannot tell, or does
 * not know a payment that it had accepted.
 */
export async function settleAwaited(deps: Settling, order: Order, findMs: number): Promise<void> {
  const session = await findSession(deps.db, order.session_id)
  const found = session && (await findCharge(deps, session, findMs, order.payment_id))
  if (!found) throw new Error(`The PSP does not know the payment of the order ${order.id}.`)
  await applyResult(deps, order, found, 'payment_intent.payment_failed')
}

// Unspecified: the bank's challenge blocks neither a cancellation nor a payment with another
// credential. The waiting payment is cancelled at the PSP first, so that it cannot succeed
// afterwards.
/**
 * Cancels the payment of an order that waits for a challenge, and applies the result: its session
 * is open again, or paid if the buyer was faster. Nothing changes if the PSP does not answer within
 * `answerMs`. The order was read while its session was locked, and the call's key was new then: the
 * payment of an equal call, which is another one, is not cancelled.
 */
export async function abandonChallenge(
  deps: Settling & Pick<StoreDeps, 'onError' | 'answerMs'>,
  order: Order,
): Promise<void> {
  const { psp, onError, answerMs } = deps
  if (psp.abandon === undefined) return
  try {
    const result = await withDeadline(answerMs, psp.abandon(order.payment_id), () => {
      throw new Error(
        `The PSP did not give up the payment of ${order.session_id} within ${answerMs} ms.`,
      )
    })
    // A failed challenge is a decline, although its webhook is still on its way.
    const unpaid = result.isGivenUp ? 'payment_intent.canceled' : 'payment_intent.payment_failed'
    await applyResult(deps, order, result, unpaid)
  } catch (error) {
    onError?.(error)
  }
}

/** Applies the result of an order's payment as its webhook would; `unpaid` if it took no money. */
async function applyResult(
  deps: Settling,
  order: Order,
  result: ChargeResult,
  unpaid: 'payment_intent.payment_failed' | 'payment_intent.canceled',
): Promise<void> {
  if (result.status === 'pending') return
  const now = deps.now()
  const event = {
    sessionId: order.session_id,
    paymentId: order.payment_id,
    ...(result.status === 'succeeded'
      ? { type: 'payment_intent.succeeded' as const, amount: result.amount }
      : { type: unpaid, amount: null }),
  }
  const events = await deps.db.transaction((tx) => applyEffect(tx, deps, order.psp, event, now))
  tell(deps, events ?? [])
}
