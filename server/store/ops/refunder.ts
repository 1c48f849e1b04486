import { DAY_MS } from '../../../shared/web/moment.ts'
import { claimRefunds, makeRefund, type RefundDeps } from '../orders/make-refund.ts'
import { reportRefundsSince } from '../orders/report-refunds.ts'
import { repeat } from './repeat.ts'

const EVERY_MS = 1000

/** Refunds of a week are reported again at the start. */
const AGAIN_MS = 7 * DAY_MS

/** Asks the PSP for all refunds that are due now. What fails is told, and holds up no other. */
export async function makeDueRefunds(
  deps: RefundDeps,
  onError: (error: unknown) => void,
): Promise<void> {
  const claimed = await claimRefunds(deps.db, deps.now())
  await Promise.all(claimed.map((refund) => makeRefund(deps, refund).catch(onError)))
}

/**
 * Reports the refunds of the last week again, in case the store died before it could, then makes refunds
 * in the background until it is stopped; those under way are finished.
 */
export function runRefunder(deps: RefundDeps, onError: (error: unknown) => void) {
  let isReported = false
  const work = async () => {
    if (!isReported) await reportRefundsSince(deps, new Date(deps.now().getTime() - AGAIN_MS))
    isReported = true
    await makeDueRefunds(deps, onError)
  }
  return repeat(EVERY_MS, work, onError)
}
