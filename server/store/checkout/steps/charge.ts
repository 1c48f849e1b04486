import { setTimeout as sleep } from 'node:timers/promises'
import type { CheckoutSession } from '../../db/tables.ts'
import { type Charge, type ChargeResult, RefusedCall } from '../../psp/psp.ts'
import type { StoreDeps } from '../deps.ts'
import { chargeKey, LOST_MS } from '../sessions.ts'

/**
 * Charges, outside any transaction, because a slow PSP must not hold locks. `in_doubt`:
 * `findCharge` asks for the result. `refused_call`: this try has charged nothing.
 */
export async function makeCharge(
  { psp, onStep, onError }: Pick<StoreDeps, 'psp' | 'onStep' | 'onError'>,
  charge: Charge,
): Promise<ChargeResult | { status: 'in_doubt' } | { status: 'refused_call' }> {
  const result = await psp.charge(charge).catch((error: unknown) => {
    onError?.(noResult(`The charge of ${charge.sessionId}`, error))
    return error instanceof RefusedCall
      ? ({ status: 'refused_call' } as const)
      : ({ status: 'in_doubt' } as const)
  })
  await onStep?.('charged')
  return result
}

/** For the log, which takes a cause for the whole error. */
const noResult = (what: string, error: unknown): Error =>
  new Error(`${what} has no result: ${error instanceof Error ? error.message : String(error)}`)

/** The PSP's time-out for a charge, in milliseconds. */
export const FIND_MS = 10_000

/**
 * Asks the PSP for the result of the session's last try, or of `paymentId` if it is known: null if
 * it knows no such charge. Rejects if the PSP cannot tell, or not within `findMs`.
 */
export function findCharge(
  { psp }: Pick<StoreDeps, 'psp'>,
  session: CheckoutSession,
  findMs = FIND_MS,
  paymentId?: string,
): Promise<ChargeResult | null> {
  const { id, created_at, completing_since } = session
  const waiting = new AbortController()
  const sought = {
    sessionId: id,
    idempotencyKey: chargeKey(session),
    ...(paymentId !== undefined && { paymentId }),
    // An earlier try without an answer has the same key and may be as old as the session.
    since: created_at,
    ...(completing_since && { until: new Date(completing_since.getTime() + LOST_MS) }),
    signal: waiting.signal,
  }
  return withDeadline(findMs, psp.find(sought), () => {
    waiting.abort()
    throw new Error(`The PSP did not report the status of ${session.id} within ${findMs} ms.`)
  })
}

/**
 * The result of `work`, or of `late` after `ms` milliseconds; the result of `work` is then ignored.
 */
export async function withDeadline<T>(
  ms: number,
  work: Promise<T>,
  late: () => T | Promise<T>,
): Promise<T> {
  const timer = new AbortController()
  const passed = sleep(ms, undefined, { ref: false, signal: timer.signal })
  try {
    return await Promise.race([work, passed.then(late)])
  } finally {
    timer.abort()
  }
}
