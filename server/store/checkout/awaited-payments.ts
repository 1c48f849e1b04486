import { and, eq, inArray, lte } from 'drizzle-orm'
import type { Db } from '../../db/connect.ts'
import type { Protocol } from '../db/statuses.ts'
import { type CheckoutSession, type Order, orders } from '../db/tables.ts'
import type { ChargeResult } from '../psp/psp.ts'
import { withDeadline } from './deadline.ts'
import type { StoreDeps } from './deps.ts'
import { findChange, type IdempotentCall } from './idempotency.ts'
import { applyEffect } from './payment-events.ts'
import { findSession, findWithOrder } from './sessions.ts'
import { findCharge } from './steps/charge.ts'
import { tell } from './steps/tell.ts'

type Settling = Pick<StoreDeps, 'db' | 'psp' | 'now' | 'enqueue' | 'report'>

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
export async function settleAwaited(deps: Settling, order: Order, findMs: number): Promise<void> {
  const session = await findSession(deps.db, order.session_id)
  const found = session && (await findCharge(deps, session, findMs, order.payment_id))
  if (!found) throw new Error(`The PSP does not know the payment of the order ${order.id}.`)
  await applyResult(deps, order, found, 'payment_intent.payment_failed')
}

/** The call that a challenge stands in the way of. */
interface Hindered {
  protocol: Protocol
  id: string
  keyed: IdempotentCall | null
  /** Whether it gives up the payment of this session; every one, where nothing is said. */
  isFor?: ((session: CheckoutSession) => boolean) | undefined
}

// Unspecified: the bank's challenge holds up neither a cancellation nor a payment with another
// credential. What waits for it is given up at the PSP first, and so cannot succeed afterwards.
/**
 * Gives up the payment of a session that waits for a challenge, and applies what it came to: the
 * session is open again, or paid where the buyer was faster. All stays as it is where the PSP
 * cannot say that within `answerMs`, and for a call that has its answer already.
 */
export async function abandonChallenge(
  deps: Settling & Pick<StoreDeps, 'onError' | 'answerMs'>,
  { protocol, id, keyed, isFor = () => true }: Hindered,
): Promise<void> {
  const { db, psp, now, onError, answerMs } = deps
  if (psp.abandon === undefined) return
  const { session, order } = (await findWithOrder(db, id)) ?? {}
  if (session?.protocol !== protocol || !isFor(session)) return
  if (order?.status !== 'awaiting_payment' || order.challenge_url === null) return
  if (order.psp !== psp.name) return
  // After the order was read: the payment of an equal call, whose key is taken by then, is not
  // given up. Nor is one for a call that will be refused.
  if (keyed && (await findChange(db, keyed, now())).is !== 'new') return
  try {
    const result = await withDeadline(answerMs, psp.abandon(order.payment_id), () => {
      throw new Error(`The PSP did not give up the payment of ${id} within ${answerMs} ms.`)
    })
    // A challenge that the buyer failed is a decline, though its webhook is still on its way.
    const unpaid = result.isGivenUp ? 'payment_intent.canceled' : 'payment_intent.payment_failed'
    await applyResult(deps, order, result, unpaid)
  } catch (error) {
    onError?.(error)
  }
}

/** Applies what became of an order's payment as its webhook would; `unpaid` if it took no money. */
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
