/**
 * Sizes and times of a batcher. `maxItems` and `maxBytes` bound what waits and is under way;
 * `maxBatch` is the most items per flush.
 */
export interface BatcherOptions<Item, Result> {
  /**
   * Takes a batch and gives one result for each item, in order. Rejects for the batch as a whole.
   */
  flush: (items: Item[]) => Promise<Result[]>
  /** Whether to split the batch after this error, because a single item may be the cause. */
  splitsOn: (error: unknown) => boolean
  /** The owner of an item. A batch is split between owners first, to isolate the one that fails. */
  groupOf?: (item: Item) => string
  /** Called once for a batch in which items failed, with the last one's error and their number. */
  onLoss?: (error: unknown, items: number) => void
  maxBatch: number
  maxItems: number
  maxBytes: number
  /** How long an item may wait for its result, in milliseconds, its own flush included. */
  waitMs: number
  /** Milliseconds from any starting point. */
  clock?: () => number
}

/** Takes single items, processes them in batches, and answers for each. */
export interface Batcher<Item, Result> {
  /** Whether `add` would reject: ask before reading a request's body. */
  isFull(): boolean
  /**
   * The item's own result, once its batch is done. `bytes` is roughly what it holds in memory.
   * Rejects with `QueueFull`, with `Overdue`, or with the error of the flush.
   */
  add(item: Item, bytes?: number): Promise<Result>
  /** Resolves when nothing is waiting any more. */
  drain(): Promise<void>
  load(): BatcherLoad
}

/** What `isFull` judges by: items that wait for a batch, and bytes until their batch is done. */
export interface BatcherLoad {
  items: number
  bytes: number
}

/**
 * The item was not accepted: too many, or too many bytes, are waiting. Nothing was done with it.
 */
export class QueueFull extends Error {}

/** The item has no result yet. It was dropped, or is in a batch that may still go through. */
export class Overdue extends Error {}

/** An item in the queue. `due` is on the batcher's clock, in milliseconds. */
interface Waiter<Item, Result> {
  item: Item
  bytes: number
  due: number
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/** How often it looks for overdue items. A timer for each would cost more than the item itself. */
const LOOK_MS = 250

/**
 * Combines concurrent requests into batches. While one batch is being processed, arriving items
 * form the next: throughput grows with the load, and nothing waits for a timer, so that a single
 * item is processed immediately.
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

  // Bytes are held until their batch is done, so that a slow database cannot fill the memory.
  const isFull = () => queue.length >= maxItems || bytesHeld >= maxBytes

  /** Runs until the queue is empty; a second run never starts meanwhile. */
  async function work() {
    const timer = setInterval(() => {
      const now = clock()
      refuseOverdue(underWay, now)
      refuseOverdue(queue, now)
    }, LOOK_MS)
    // Items of the same turn of the event loop join the first batch.
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

  /** Items are in order of arrival, so the search ends at the first that is not overdue. */
  function refuseOverdue(waiters: readonly Waiting[], now: number) {
    for (const { due, reject } of waiters) {
      if (due > now) break
      reject(new Overdue(`no result within ${waitMs} ms`))
    }
  }

  /**
   * Flushes a batch and gives each item its result. Returns the error of each item that failed:
   * after an error that `splitsOn` names, the batch is halved until the culprit is alone.
   */
  async function settle(batch: Waiting[]): Promise<unknown[]> {
    if (batch.length === 0) return []
    try {
      const results = await flush(batch.map(({ item }) => item))
      if (results.length !== batch.length)
        throw new Error('a flush returned the wrong number of results')
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

  /** Between owners first, so that one owner's bad item does not slow down the others. */
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
    load: () => ({ items: queue.length, bytes: bytesHeld }),
  }
}
