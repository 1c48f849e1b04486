import { repeat } from '../../jobs/repeat.ts'
import { claimRefunds, makeRefund, type RefundDeps } from '../orders/make-refund.ts'

const EVERY_MS = 1000

/**
 * Asks the PSP for all refunds that are due now. A failure is reported and does not stop the
 * others.
 */
export async function makeDueRefunds(
  deps: RefundDeps,
  onError: (error: unknown) => void,
): Promise<void> {
  const claimed = await claimRefunds(deps.db, deps.now())
  await Promise.all(claimed.map((refund) => makeRefund(deps, refund).catch(onError)))
}

/** Makes refunds in the background until it is stopped; running ones are finished. */
export const runRefunder = (deps: RefundDeps, onError: (error: unknown) => void) =>
  repeat({ everyMs: EVERY_MS, work: () => makeDueRefunds(deps, onError), onError })
