import { repeat } from './repeat.ts'

interface TakeOptions<Item> {
  /** Milliseconds between two searches. */
  everyMs: number
  /** How many are worked on at the same time. */
  most: () => number
  /** Takes up to `free` that are due; `running` are under way in this process. */
  take: (free: number, running: readonly Item[]) => Promise<readonly Item[]>
  /**
   * `signal` tells it to leave off, which another process, or the next start, makes up for. `more`:
   * others could not be taken meanwhile.
   */
  work: (item: Item, signal: AbortSignal) => Promise<unknown>
  /** Called with errors of a search, and of the work on an item. */
  onError: (error: unknown, item?: Item) => void
}

interface Taking {
  running: () => number
  /** Leaves off what is under way. Resolves when that is done. */
  stop: () => Promise<void>
}

/** Works on what is due, a few at a time, until it is stopped. */
export function takeDue<Item>(options: TakeOptions<Item>): Taking {
  const { everyMs, most, take, work, onError } = options
  const running = new Map<Promise<void>, Item>()
  let isFull = false

  async function fill(signal: AbortSignal): Promise<void> {
    const free = most() - running.size
    isFull = free <= 0
    if (isFull) return
    const taken = await take(free, [...running.values()])
    for (const item of taken) {
      const done = work(item, signal)
        .catch((error: unknown) => onError(error, item))
        .then((left) => {
          running.delete(done)
          // A free place is used immediately.
          if (isFull || left === 'more') searching.wake()
        })
      running.set(done, item)
    }
    isFull = running.size >= most()
  }
  const searching = repeat({ everyMs, work: fill, onError })

  return {
    running: () => running.size,
    async stop() {
      await searching.stop()
      await Promise.all(running.keys())
    },
  }
}
