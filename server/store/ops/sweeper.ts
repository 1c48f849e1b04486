import pLimit from 'p-limit'
import { runSweep } from '../../db/retention/sweep.ts'
import { repeat } from '../../jobs/repeat.ts'
import { claimAwaited, settleAwaited } from '../checkout/awaited-payments.ts'
import { settleLost } from '../checkout/checkout.ts'
import type { StoreDeps } from '../checkout/deps.ts'
import { expireSessions, lostSessions } from '../checkout/sessions.ts'
import { FIND_MS } from '../checkout/steps/charge.ts'
import { keptStoreTables } from './kept.ts'

/** Payments that are looked up at a time, so that a slow PSP is not slowed further. */
const AT_ONCE = 4

/**
 * Resolves payments that a crash interrupted or whose result is missing, ends expired sessions, and
 * deletes old data. Replicas may sweep at the same time. Returns how many payments stay unresolved
 * because the PSP did not answer; the next sweep asks again.
 */
export async function sweep(
  deps: StoreDeps,
  findMs = FIND_MS,
  signal?: AbortSignal,
): Promise<{ resolved: number; unresolved: number }> {
  const { db } = deps
  const now = deps.now()
  const lost = await lostSessions(db, now)
  const awaited = await claimAwaited(db, now)
  const limit = pLimit(AT_ONCE)
  // While stopping, nothing more is asked of the PSP: the next sweep, on any replica, does the
  // rest.
  const settle = (work: () => Promise<unknown>) =>
    limit(async () => {
      signal?.throwIfAborted()
      await work()
    })
  const ends = await Promise.allSettled([
    ...lost.map((session) => settle(() => settleLost(deps, session, findMs))),
    ...awaited.map((order) => settle(() => settleAwaited(deps, order, findMs))),
  ])
  // Before anything else may fail: only this sweep reports why a payment is unresolved.
  if (!signal?.aborted) for (const error of errorsOf(ends)) deps.onError?.(error)
  await expireSessions(db, now, signal)
  for (const { table, slice } of keptStoreTables(now)) {
    if (slice !== undefined) await runSweep(db.$client, table, slice, signal)
  }
  const resolved = ends.filter(({ status }) => status === 'fulfilled').length
  return { resolved, unresolved: ends.length - resolved }
}

/** Each message once: failures often share a cause, such as a key or the network. */
function errorsOf(ends: readonly PromiseSettledResult<unknown>[]): unknown[] {
  const failed = ends.filter((end) => end.status === 'rejected')
  return [...new Map(failed.map(({ reason }) => [String(reason), reason])).values()]
}

const SWEEP_MS = 10_000

/** Sweeps in the background until it is stopped. */
export const runSweeper = (deps: StoreDeps, onError: (error: unknown) => void) =>
  repeat({ everyMs: SWEEP_MS, work: (signal) => sweep(deps, FIND_MS, signal), onError })
