import { setTimeout as sleep } from 'node:timers/promises'

interface RepeatOptions {
  /** Milliseconds between one piece of work and the next. */
  everyMs: number
  /** What resolves to `more` is done again at once: something is left to do. */
  work: (signal: AbortSignal) => Promise<unknown>
  /** Told what failed; it is done again after the pause. */
  onError: (error: unknown) => void
}

/** Does the work again and again until it is stopped: what is under way then is finished first. */
export function repeat({ everyMs, work, onError }: RepeatOptions): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const running = (async () => {
    while (!signal.aborted) {
      if ((await work(signal).catch(onError)) === 'more') continue
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
