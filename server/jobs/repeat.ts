import { setTimeout as sleep } from 'node:timers/promises'

interface RepeatOptions {
  /** Milliseconds between two runs of the work. */
  everyMs: number
  /** `again` sets the milliseconds until the next run; 0: there is work left. */
  work: (signal: AbortSignal, again: (ms: number) => void) => Promise<unknown>
  /** Called with errors; the work is repeated after the pause. */
  onError: (error: unknown) => void
}

interface Repeated {
  /** Ends the current pause; during the work, it skips the next one. */
  wake: () => void
  /** Finishes the current run first. */
  stop: () => Promise<void>
}

/** What comes back on time: repeats the work until it is stopped. */
export function repeat({ everyMs, work, onError }: RepeatOptions): Repeated {
  const stopping = new AbortController()
  const { signal } = stopping
  let pause = new AbortController()
  const running = (async () => {
    while (!signal.aborted) {
      pause = new AbortController()
      let pauseMs = everyMs
      await work(signal, (ms) => {
        pauseMs = ms
      }).catch(onError)
      await sleep(pauseMs, undefined, { signal: pause.signal }).catch(() => {})
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
