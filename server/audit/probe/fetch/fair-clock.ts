/** Milliseconds between two looks at the time. */
const TICK_MS = 20
/** What is counted of the time between two looks: the rest, this process did not get to run. */
const MOST_MS = 30

/** Milliseconds in which this process could have read an answer. */
export interface FairClock {
  now(): number
  /** Calls once so much has passed; the result cancels that. */
  after(ms: number, call: () => void): () => void
  stop(): void
}

/**
 * A clock that stands still while the machine lets others run, or while this thread works: what a
 * server could not be asked or heard in time for our reasons is not its fault.
 */
export function createFairClock(clock = () => performance.now()): FairClock {
  let last = clock()
  let passed = 0
  const waiting = new Set<{ at: number; call: () => void }>()
  const tick = () => {
    const now = clock()
    passed += Math.min(now - last, MOST_MS)
    last = now
    for (const each of waiting) {
      if (each.at > passed) continue
      waiting.delete(each)
      each.call()
    }
  }
  const timer = setInterval(tick, TICK_MS).unref()
  return {
    now: () => passed + Math.min(clock() - last, MOST_MS),
    after(ms, call) {
      const each = { at: this.now() + ms, call }
      waiting.add(each)
      return () => waiting.delete(each)
    },
    stop: () => clearInterval(timer),
  }
}

/** The outcome of the work, or a rejection once `ms` have passed. The work itself goes on unseen. */
export function withinFair<T>(
  clock: FairClock,
  ms: number,
  work: Promise<T>,
  late: () => Error,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => reject(late()))
    work.then(resolve, reject).finally(cancel)
  })
}
