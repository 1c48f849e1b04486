import type { PspRefund, RefundResult } from '../psp.ts'
import type { RazorpayCall, RazorpayRefund } from './api.ts'

/** Pages of a search; more would exceed the request budget of a call. */
const MOST_PAGES = 5

/** Source: Razorpay's API reference, "Create a Normal Refund (Idempotent Request)". */
export async function makeRazorpayRefund(
  call: RazorpayCall,
  { paymentId, amount, idempotencyKey }: PspRefund,
): Promise<RefundResult> {
  const made = await call.refund(paymentId, amount.amount, idempotencyKey)
  if (made !== null) return toResult(made)
  const message = `Razorpay refused the refund. Look up ${paymentId} in its dashboard: less than that is left to refund, or your balance is too low.`
  return { status: 'failed', refundId: null, message }
}

/** Finds a refund among those of its payment: Razorpay has no search by notes. */
export async function findRazorpayRefund(
  call: RazorpayCall,
  { paymentId, idempotencyKey }: Pick<PspRefund, 'paymentId' | 'idempotencyKey'>,
): Promise<RefundResult | null> {
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const refunds = await call.refunds(paymentId, page * 100)
    const found = refunds.find(({ notes }) => notes.idempotency_key === idempotencyKey)
    if (found !== undefined) return toResult(found)
    if (refunds.length < 100) return null
  }
  throw new Error(`More than ${MOST_PAGES * 100} refunds of ${paymentId}: look it up manually.`)
}

function toResult({ id, status }: RazorpayRefund): RefundResult {
  if (status === 'processed') return { status: 'succeeded', refundId: id }
  if (status === 'failed') {
    const message = `Razorpay says that the refund ${id} failed. Look it up in its dashboard.`
    return { status, refundId: id, message }
  }
  return { status: 'pending', refundId: id }
}
