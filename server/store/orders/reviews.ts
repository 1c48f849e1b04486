import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Db } from '../../db/connect.ts'
import type { ReviewCause } from '../db/statuses.ts'
import { orders, type PaymentReview, payment_reviews, type Tx } from '../db/tables.ts'
import { changeOrder, findOrder, lockOrderOf, type OrderPayment } from './orders.ts'

/** Flags a payment for a check by a person; again, if someone had checked it before. */
export async function noteReview(
  tx: Tx,
  cause: ReviewCause,
  session_id: string,
  { psp, paymentId, amount }: Pick<OrderPayment, 'psp' | 'paymentId' | 'amount'>,
  now: Date,
): Promise<void> {
  const { payment_id, ...columns } = payment_reviews
  await tx
    .insert(payment_reviews)
    .values({ psp, payment_id: paymentId, cause, session_id, amount, noted_at: now })
    .onConflictDoUpdate({
      target: [columns.psp, payment_id, columns.cause],
      set: { noted_at: now, reviewed_at: null },
    })
}

const isOpen = isNull(payment_reviews.reviewed_at)

/** How many are not checked yet. */
export const countOpenReviews = (db: Db): Promise<number> => db.$count(payment_reviews, isOpen)

/** The unchecked payments, oldest first, each with the order of its session. */
export const openReviews = (
  db: Db,
  most: number,
): Promise<{ review: PaymentReview; orderId: string | null }[]> =>
  db
    .select({ review: payment_reviews, orderId: orders.id })
    .from(payment_reviews)
    .leftJoin(orders, eq(orders.session_id, payment_reviews.session_id))
    .where(isOpen)
    .orderBy(asc(payment_reviews.noted_at), asc(payment_reviews.payment_id))
    .limit(most)

/**
 * Marks a payment, or all of an order, as checked: `id` is of either. An order without open checks
 * loses its flag. False if nothing is open under this id.
 */
export async function markReviewed(db: Db, id: string, now: Date): Promise<boolean> {
  const found = await findOrder(db, id)
  const { session_id, payment_id } = payment_reviews
  const asked = found ? eq(session_id, found.session_id) : eq(payment_id, id)
  const noted = await db.select({ session_id }).from(payment_reviews).where(and(isOpen, asked))
  const ids = new Set(
    [...noted, ...(found?.disputed ? [found] : [])].map((each) => each.session_id),
  )
  for (const session of ids) {
    await db.transaction(async (tx) => {
      const order = await lockOrderOf(tx, session)
      await tx
        .update(payment_reviews)
        .set({ reviewed_at: now })
        .where(and(isOpen, asked, eq(session_id, session)))
      const left = await tx.$count(payment_reviews, and(isOpen, eq(session_id, session)))
      if (order?.disputed && left === 0)
        await changeOrder(tx, order, { disputed: false, updated_at: now })
    })
  }
  return ids.size > 0
}
