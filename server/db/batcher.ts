export interface BatcherOptions<Item, Result> {
  /** Takes a batch and gives one result for each item, in order. */
  flush: (items: Item[]) => Promise<Result[]>
  /** Whether smaller batches may fare better after this error: one item may be what is wrong. */
  splitsOn: (error: unknown) => boolean
  /** Whose an item is. A batch is split between these first, so that what is wrong costs its own. */
  groupOf?: (item: Item) => string
  /** Hears once of a batch that items of came to nothing, how many, and of the last one's error. */
  onLoss?: (error: unknown, items: number) => void
  maxBatch: number
  maxItems: number
  maxBytes: number
  /** How long an item may wait for its result. */
  waitMs: number
  /** Milliseconds since whenever. */
  clock?: () => number
}

export interface Batcher<Item, Result> {
  isFull(): boolean
  /**
   * The item's own result, once its batch went through. Rejects with `QueueFull`, with `Overdue`,
   * or with the error of the flush.
   */
  add(item: Item, bytes?: number): Promise<Result>
  /** Resolves when nothing is waiting any more. */
  drain(): Promise<void>
}

/** The item was not taken. */
export class QueueFull extends Error {}

/** The item has no result yet. It was dropped, or is in a batch that may still go through. */
export class Overdue extends Error {}

interface Waiter<Item, Result> {
  item: Item
  bytes: number
  due: number
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/** How often it looks for those who wait too long. A timer for each would weigh more than they do. */
const LOOK_MS = 250

/**
 * Does what many ask for at the same time in one go. One batch is under way; what arrives meanwhile
 * is the next. Nothing waits for a timer, so an item alone goes at once.
 */
export function createBatcher<Item, Result>(
  options: BatcherOptions<Item, Result>,
): Batcher<Item, Result> {
  const { flush, splitsOn, maxBatch, maxItems, maxBytes, waitMs } = options
  const { groupOf = () => '', onLoss, clock = () => performance.now() } = options
  type Waiting = Waiter<Item, Result>
  const queue: Waiting[] = []
  let underWay: Waiting[] = []
  let bytesHeld = 0
  let working: Promise<void> | null = null

  const isFull = () => queue.length >= maxItems || bytesHeld >= maxBytes

  async function work() {
    const timer = setInterval(() => {
      const now = clock()
      refuseOverdue(underWay, now)
      refuseOverdue(queue, now)
    }, LOOK_MS)
    // What the same turn of the event loop brings joins the first batch.
    await new Promise(setImmediate)
    while (queue.length > 0) {
      underWay = queue.splice(0, maxBatch)
      const now = clock()
      refuseOverdue(underWay, now)
      const lost = await settle(underWay.filter(({ due }) => due > now))
      if (lost.length > 0) onLoss?.(lost.at(-1), lost.length)
      for (const { bytes } of underWay) bytesHeld -= bytes
    }
    underWay = []
    working = null
    clearInterval(timer)
  }

  /** They came in order, so the first that may still wait ends the search. */
  function refuseOverdue(waiters: readonly Waiting[], now: number) {
    for (const { due, reject } of waiters) {
      if (due > now) break
      reject(new Overdue(`no result within ${waitMs} ms`))
    }
  }

  /** The error of each item that came to nothing. */
  async function settle(batch: Waiting[]): Promise<unknown[]> {
    if (batch.length === 0) return []
    try {
      const results = await flush(batch.map(({ item }) => item))
      if (results.length !== batch.length) throw new Error('a flush gave too few or many results')
      for (const [n, result] of results.entries()) batch[n]?.resolve(result)
      return []
    } catch (error) {
      if (batch.length > 1 && splitsOn(error)) {
        const [one, other] = halve(batch)
        return [...(await settle(one)), ...(await settle(other))]
      }
      for (const { reject } of batch) reject(error)
      return batch.map(() => error)
    }
  }

  function halve(batch: Waiting[]): [Waiting[], Waiting[]] {
    const groups = [...Map.groupBy(batch, ({ item }) => groupOf(item)).values()]
    const parts = groups.length > 1 ? groups : batch.map((each) => [each])
    const middle = parts.length >> 1
    return [parts.slice(0, middle).flat(), parts.slice(middle).flat()]
  }

  return {
    isFull,
    add(item, bytes = 0) {
      if (isFull()) return Promise.reject(new QueueFull('the queue is full'))
      return new Promise((resolve, reject) => {
        queue.push({ item, bytes, due: clock() + waitMs, resolve, reject })
        bytesHeld += bytes
        working ??= work()
      })
    },
    async drain() {
      while (working !== null) await working
    },
  }
}
