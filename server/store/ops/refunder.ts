import { setTimeout as sleep } from 'node:timers/promises'
import { claimRefunds, makeRefund, type RefundDeps } from '../orders/make-refund.ts'

const EVERY_MS = 1000

/** Asks the PSP for all refunds that are due now. What fails is told, and holds up no other. */
export async function makeDueRefunds(
  deps: RefundDeps,
  onError: (error: unknown) => void,
): Promise<void> {
  const claimed = await claimRefunds(deps.db, deps.now())
  await Promise.all(claimed.map((refund) => makeRefund(deps, refund).catch(onError)))
}

/** Makes refunds in the background until it is stopped; those under way are finished. */
export function runRefunder(
  deps: RefundDeps,
  onError: (error: unknown) => void,
): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const running = (async () => {
    while (!signal.aborted) {
      await makeDueRefunds(deps, onError).catch(onError)
      await sleep(EVERY_MS, undefined, { signal }).catch(() => {})
    }
  })()
  return {
    stop: () => {
      stopping.abort()
      return running
    },
  }
}
