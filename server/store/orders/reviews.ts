import type { ReviewCause } from '../db/statuses.ts'
import { payment_reviews, type Tx } from '../db/tables.ts'
import type { OrderPayment } from './orders.ts'

/** Writes down that a person must look at a payment; again, if someone had looked at it before. */
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
