/** Milliseconds between two looks at the time. */
const TICK_MS = 20
/** What is counted of the time between two looks: the rest, this process did not get to run. */
const MOST_MS = 30

/** Times in milliseconds. */
export interface FairClock {
  /** How long this process could have read an answer. */
  now(): number
  /** The same without the time of work of our own (`aside`): limits are measured by it. */
  waited(): number
  /** Calls once so much more was waited; the result cancels that. */
  after(ms: number, call: () => void): () => void
  /** Awaits work of our own, for which all limits wait. */
  aside<T>(work: Promise<T>): Promise<T>
  stop(): void
}

/**
 * A clock that stands still while the machine lets others run, or while this thread works: what a
 * server could not be asked or heard in time for our reasons is not its fault.
 */
export function createFairClock(clock = () => performance.now()): FairClock {
  let last = clock()
  let ran = 0
  let waited = 0
  let asides = 0
  const waiting = new Set<{ at: number; call: () => void }>()
  const look = () => {
    const now = clock()
    const passed = Math.min(now - last, MOST_MS)
    last = now
    ran += passed
    if (asides === 0) waited += passed
  }
  const tick = () => {
    look()
    for (const each of waiting) {
      if (each.at > waited) continue
      waiting.delete(each)
      each.call()
    }
  }
  const timer = setInterval(tick, TICK_MS).unref()
  const unseen = () => Math.min(clock() - last, MOST_MS)
  const waitedNow = () => waited + (asides === 0 ? unseen() : 0)
  return {
    now: () => ran + unseen(),
    waited: waitedNow,
    after(ms, call) {
      const each = { at: waitedNow() + ms, call }
      waiting.add(each)
      return () => waiting.delete(each)
    },
    async aside(work) {
      look()
      asides += 1
      try {
        return await work
      } finally {
        look()
        asides -= 1
      }
    },
    stop: () => clearInterval(timer),
  }
}

/** The outcome of the work, or a rejection once `ms` were waited. The work goes on unseen. */
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
