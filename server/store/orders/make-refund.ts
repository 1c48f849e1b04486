import { eq, lte, sql } from 'drizzle-orm'
import { formatMoney } from '../../../shared/commerce/product.ts'
import type { Db } from '../../db/connect.ts'
import { type Order, type Refund, refunds } from '../db/tables.ts'
import type { Psp, RefundResult } from '../psp/psp.ts'
import { changeOrder, findOrder, lockOrderOf } from './orders.ts'
import { findRefund } from './refunds.ts'
import { type RefundReporting, reportRefund } from './report-refunds.ts'
import type { Enqueue } from './states.ts'

/** The stage of a refund: a test stops the process there. */
type RefundStep = 'claimed' | 'asked' | 'settled' | 'committed'

export interface RefundDeps extends RefundReporting {
  psp: Psp
  now: () => Date
  enqueue: Enqueue
  onRefundStep?: (step: RefundStep) => void
}

/** Longer than any PSP takes to answer, so that only one replica asks at a time. */
export const REFUND_RETRY_S = 60

/** A refund that stays pending at the PSP takes days: it is then looked up once an hour. */
const MAX_RETRY_S = 3600

const AT_ONCE = 4

/**
 * Refunds that are due now. Reading one sets when it is next due, each time later, so that replicas
 * take turns and a refund survives a crash.
 */
export function claimRefunds(db: Db, now: Date): Promise<Refund[]> {
  const due = db
    .select({ id: refunds.id })
    .from(refunds)
    .where(lte(refunds.next_at, now))
    .orderBy(refunds.next_at)
    .limit(AT_ONCE)
    .for('update', { skipLocked: true })
  const pause = sql`least(${REFUND_RETRY_S} * power(2, least(${refunds.attempts}, 10)), ${MAX_RETRY_S})`
  return db
    .update(refunds)
    .set({
      attempts: sql`${refunds.attempts} + 1`,
      next_at: sql`${now.toISOString()}::timestamptz + ${pause} * interval '1 second'`,
    })
    .where(sql`${refunds.id} = any(array(${due}))`)
    .returning()
}

/**
 * Asks the PSP for a claimed refund, outside any transaction, and writes the result. Rejects if the
 * result is in doubt, or the refund failed, because a person should know. In doubt it stays
 * pending, and is retried under the same key.
 */
export async function makeRefund(deps: RefundDeps, claimed: Refund): Promise<void> {
  deps.onRefundStep?.('claimed')
  const order = await findOrder(deps.db, claimed.order_id)
  if (order === undefined) throw new Error(`The order of the refund ${claimed.id} is gone.`)
  const result = await askFor(deps.psp, claimed, order)
  deps.onRefundStep?.('asked')
  const isMade = await deps.db.transaction((tx) =>
    settle(tx, deps, claimed.id, order.session_id, result),
  )
  deps.onRefundStep?.('committed')
  if (isMade) await reportRefund(deps, claimed.id)
  if (result.status !== 'failed') return
  throw new Error(
    `The refund of ${formatMoney(claimed)} of the order ${order.id} failed: ${result.message} Fix that, then run aisle store refund ${order.id}.`,
  )
}

async function askFor(psp: Psp, refund: Refund, order: Order): Promise<RefundResult> {
  const { amount, currency, attempts } = refund
  if (order.psp !== psp.name) {
    const message = `It was paid through ${order.psp}, and this store has ${psp.name}. Refund it in the dashboard of ${order.psp}.`
    if (attempts > 1) throw new Error(`The refund ${refund.id} cannot be looked up. ${message}`)
    return { status: 'failed', refundId: null, message }
  }
  const asked = { paymentId: order.payment_id, idempotencyKey: refund.id }
  // The answer to an earlier try may have been lost, and its key may be forgotten by now.
  const before = attempts > 1 ? await psp.findRefund(asked) : null
  return before ?? psp.refund({ ...asked, amount: { amount, currency } })
}

/** Settles it once: a settled refund stays unchanged. Resolves to whether it is made now. */
async function settle(
  tx: Parameters<Enqueue>[0],
  { now, enqueue, onRefundStep }: RefundDeps,
  id: string,
  sessionId: string,
  result: RefundResult,
): Promise<boolean> {
  const order = await lockOrderOf(tx, sessionId)
  const refund = await findRefund(tx, id)
  if (order === undefined || refund?.status !== 'pending') return false
  const at = now()
  const { status, refundId: psp_refund_id } = result
  await tx
    .update(refunds)
    .set({
      status,
      psp_refund_id,
      ...(result.status === 'failed' && { message: result.message }),
      ...(status !== 'pending' && { settled_at: at, next_at: null }),
    })
    .where(eq(refunds.id, id))
  if (status === 'succeeded') {
    const made = { refund_id: id, amount: refund.amount, refunded_at: at.toISOString() }
    const changed = await changeOrder(tx, order, {
      refunds: [...order.refunds, made],
      updated_at: at,
    })
    await enqueue(tx, 'order.refunded', changed, at)
  }
  onRefundStep?.('settled')
  return status === 'succeeded'
}
