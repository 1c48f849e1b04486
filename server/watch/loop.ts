import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../log.ts'

/** Something that a process does again and again. */
export interface Loop {
  /** Begins; once. */
  start: () => void
  /** Resolves when what is under way has ended. */
  stop: () => Promise<void>
}

export interface LoopOptions {
  /** Milliseconds between one piece of work and the next, where none is left. */
  everyMs: number
  /** Resolves to whether nothing is left to do for now. */
  work: (signal: AbortSignal) => Promise<boolean>
  log: Log
  /** What failed, for the log. */
  failure: string
}

/**
 * Works until nothing is left, waits, and works on. What fails is logged, and done again after the
 * wait.
 */
export function createLoop({ everyMs, work, log, failure }: LoopOptions): Loop {
  const leaving = new AbortController()
  const { signal } = leaving
  let running: Promise<void> = Promise.resolve()
  async function run() {
    while (!signal.aborted) {
      let isDone = true
      try {
        isDone = await work(signal)
      } catch (err) {
        log.error({ err }, failure)
      }
      if (isDone) await sleep(everyMs, undefined, { signal }).catch(() => {})
    }
  }
  return {
    start: () => {
      running = run()
    },
    stop: () => {
      leaving.abort()
      return running
    },
  }
}
