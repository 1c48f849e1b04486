import { randomUUID } from 'node:crypto'
import { and, eq, ne, sum } from 'drizzle-orm'
import { formatMoney } from '../../../shared/commerce/product.ts'
import type { Db } from '../../db/connect.ts'
import { isPlaced } from '../db/statuses.ts'
import { type Order, type Refund, refunds, type Tx } from '../db/tables.ts'
import { findOrder, lockOrderOf } from './orders.ts'

export interface WantedRefund {
  /** In the smallest unit of the order's currency; by default the rest. */
  amount?: number
  reason?: string
  /** A repeat with the same key gets the same refund. */
  key: string
}

type RefundRefusal = 'not_found' | 'not_paid' | 'nothing_left' | 'too_much' | 'key_reused'

type Requested = { refund: Refund; order: Order } | { refused: RefundRefusal; message: string }

/**
 * Writes a refund, which a running store then asks the PSP for (`makeRefund`). Pending refunds
 * count as made: the sum is never more than the order's total.
 */
export async function requestRefund(
  deps: { db: Db; now: () => Date },
  orderId: string,
  wanted: WantedRefund,
): Promise<Requested> {
  const found = await findOrder(deps.db, orderId)
  return deps.db.transaction(async (tx) => {
    const order = found && (await lockOrderOf(tx, found.session_id))
    if (order === undefined) return refuse('not_found', `There is no order ${orderId}.`)
    return addRefund(tx, order, wanted, deps.now())
  })
}

/** Writes a refund of an order whose session is locked. */
export async function addRefund(
  tx: Tx,
  order: Order,
  { amount, reason, key }: WantedRefund,
  now: Date,
): Promise<Requested> {
  const ofKey = and(eq(refunds.order_id, order.id), eq(refunds.key, key))
  const [known] = await tx.select().from(refunds).where(ofKey)
  if (known !== undefined) {
    if (amount === undefined || amount === known.amount) return { refund: known, order }
    const before = formatMoney(known)
    return refuse('key_reused', `This key was used for a refund of ${before}. Use another key.`)
  }
  if (!isPlaced(order.status)) {
    return refuse('not_paid', `The order ${order.id} is not paid: there is nothing to refund.`)
  }
  const left = order.total - (await takenOf(tx, order))
  if (left <= 0) {
    return refuse('nothing_left', `All of the order ${order.id} is refunded, or is about to be.`)
  }
  const { currency } = order
  if (amount !== undefined && amount > left) {
    const most = formatMoney({ amount: left, currency })
    return refuse('too_much', `At most ${most} of the order ${order.id} can still be refunded.`)
  }
  const [refund] = await tx
    .insert(refunds)
    .values({
      id: `refund_${randomUUID()}`,
      order_id: order.id,
      key,
      amount: amount ?? left,
      currency,
      reason: reason ?? null,
      status: 'pending',
      next_at: now,
      created_at: now,
    })
    .returning()
  if (refund === undefined) throw new Error(`The refund of the order ${order.id} was not stored.`)
  return { refund, order }
}

const refuse = (refused: RefundRefusal, message: string) => ({ refused, message })

/** The sum of an order's refunds, made or pending. */
async function takenOf(tx: Tx, order: Order): Promise<number> {
  const [row] = await tx
    .select({ taken: sum(refunds.amount).mapWith(Number) })
    .from(refunds)
    .where(and(eq(refunds.order_id, order.id), ne(refunds.status, 'failed')))
  return row?.taken ?? 0
}

export async function findRefund(db: Db | Tx, id: string): Promise<Refund | undefined> {
  const [refund] = await db.select().from(refunds).where(eq(refunds.id, id))
  return refund
}
