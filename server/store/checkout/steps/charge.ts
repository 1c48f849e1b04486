import type { CheckoutSession } from '../../db/tables.ts'
import { type Charge, type ChargeResult, RefusedCall } from '../../psp/psp.ts'
import { withDeadline } from '../deadline.ts'
import type { StoreDeps } from '../deps.ts'
import { chargeKey, LOST_MS } from '../sessions.ts'

/**
 * Charges, outside of any transaction: a PSP that is slow must hold no lock. `in_doubt`:
 * `findCharge` asks what became of it. `refused_call`: this try has charged nothing.
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

/** How long the PSP may take to report a charge, in milliseconds. */
export const FIND_MS = 10_000

/**
 * Asks the PSP what became of the session's last try, or of `paymentId` where that is known: null
 * when it knows of no charge. Rejects when the PSP cannot tell, or not within `findMs`.
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
    // An earlier try that was lost has the same key: it can be as old as the session.
    since: created_at,
    ...(completing_since && { until: new Date(completing_since.getTime() + LOST_MS) }),
    signal: waiting.signal,
  }
  return withDeadline(findMs, psp.find(sought), () => {
    waiting.abort()
    throw new Error(`The PSP did not report the status of ${session.id} within ${findMs} ms.`)
  })
}
