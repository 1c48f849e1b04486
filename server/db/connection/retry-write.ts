import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseUnavailable, isReadOnly } from './failures.ts'

/** A restart of Postgres takes seconds, a failover half a minute. */
const PATIENCE_MS = 60_000
const AGAIN_MS = 500

/**
 * Saves a result that took long to make: while the database is unavailable it tries again, for a
 * minute at most. `write` may run twice, so it must be idempotent. A try that starts after `signal`
 * has aborted is the last one. Rejects with the last error.
 */
export async function retryWrite<Result>(
  write: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    const isLast = signal.aborted || performance.now() > until
    try {
      return await write()
    } catch (error) {
      if (isLast || !(isDatabaseUnavailable(error) || isReadOnly(error))) throw error
    }
    // An abort ends the wait.
    await sleep(AGAIN_MS, undefined, { ref: false, signal }).catch(() => {})
  }
}
