import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Does the work again and again, with a pause of `everyMs` milliseconds, until it is stopped: what
 * is under way then is finished first. What fails is told, and done again after the pause; what
 * resolves to `done` is not done again.
 */
export function repeat(
  everyMs: number,
  work: (signal: AbortSignal) => Promise<unknown>,
  onError: (error: unknown) => void,
): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const running = (async () => {
    while (!signal.aborted) {
      if ((await work(signal).catch(onError)) === 'done') return
      await sleep(everyMs, undefined, { signal }).catch(() => {})
    }
  })()
  return {
    stop: () => {
      stopping.abort()
      return running
    },
  }
}
