import { setTimeout as sleep } from 'node:timers/promises'

interface RepeatOptions {
  /** Milliseconds between two runs of the work. */
  everyMs: number
  /** `more` repeats it immediately: there is work left. */
  work: (signal: AbortSignal) => Promise<unknown>
  /** Called with errors; the work is repeated after the pause. */
  onError: (error: unknown) => void
}

interface Repeated {
  /** Ends the current pause; during the work, it skips the next one. */
  wake: () => void
  /** Finishes the current run first. */
  stop: () => Promise<void>
}

/** Repeats the work until it is stopped. */
export function repeat({ everyMs, work, onError }: RepeatOptions): Repeated {
  const stopping = new AbortController()
  const { signal } = stopping
  let pause = new AbortController()
  const running = (async () => {
    while (!signal.aborted) {
      pause = new AbortController()
      if ((await work(signal).catch(onError)) === 'more') continue
      await sleep(everyMs, undefined, { signal: pause.signal }).catch(() => {})
    }
  })()
  return {
    wake: () => pause.abort(),
    stop: () => {
      stopping.abort()
      pause.abort()
      return running
    },
  }
}
