import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseUnavailable, isReadOnly } from './failures.ts'

/** A restart of Postgres takes seconds, and that another takes over for it half a minute. */
const PATIENCE_MS = 60_000
const AGAIN_MS = 500

/**
 * Writes what took long to make: where the database is away, again until it is back, for a minute
 * at most. So `write` may come twice, and has to change nothing the second time. A try that begins
 * once `signal` has aborted is the last one. Rejects with its error.
 */
export async function writeOnceBack<Result>(
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
