import { setTimeout as sleep } from 'node:timers/promises'

interface RepeatOptions {
  /** Milliseconds between one piece of work and the next. */
  everyMs: number
  /** What resolves to `more` is done again at once: something is left to do. */
  work: (signal: AbortSignal) => Promise<unknown>
  /** Told what failed; it is done again after the pause. */
  onError: (error: unknown) => void
}

interface Repeated {
  /** Ends the pause; while it is at work, there is none after that. */
  wake: () => void
  /** What is under way is finished first. */
  stop: () => Promise<void>
}

/** Does the work again and again until it is stopped. */
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
