import { setTimeout as sleep } from 'node:timers/promises'
import { forgetOldKeys } from './idempotency.ts'
import { expireSessions, forgetSessions, lostSessions } from './sessions.ts'
import { settleLost } from './settlement.ts'
import type { StoreDeps } from './store-deps.ts'

/**
 * Resolves what a crash left in the middle of a payment, ends sessions whose time is over, and
 * forgets what is old. Replicas may sweep at once. Returns how many payments it could not resolve:
 * the PSP did not answer, and the next sweep asks again.
 */
export async function sweep(deps: StoreDeps): Promise<{ resolved: number; unresolved: number }> {
  const now = deps.now()
  let resolved = 0
  let unresolved = 0
  for (const session of await lostSessions(deps.db, now)) {
    try {
      await settleLost(deps, session)
      resolved += 1
    } catch {
      unresolved += 1
    }
  }
  await expireSessions(deps.db, now)
  await forgetSessions(deps.db, now)
  await forgetOldKeys(deps.db, now)
  return { resolved, unresolved }
}

const SWEEP_MS = 10_000

/** Sweeps in the background until it is stopped. */
export function runSweeper(
  deps: StoreDeps,
  onError: (error: unknown) => void,
): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const running = (async () => {
    while (!signal.aborted) {
      await sweep(deps).catch(onError)
      await sleep(SWEEP_MS, undefined, { signal }).catch(() => {})
    }
  })()
  return {
    stop: () => {
      stopping.abort()
      return running
    },
  }
}
