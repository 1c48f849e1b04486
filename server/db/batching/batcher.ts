import { outsideRequest } from '../connection/request-domain.ts'

/**
 * Sizes and times of a batcher. `maxItems` and `maxBytes` limit what is queued and in flight,
 * `maxBatch` the items per flush.
 */
export interface BatcherOptions<Item, Result> {
  /**
   * Takes a batch and returns one result per item, in order. Rejects for the batch as a whole. It
   * waits for a lock for `patienceMs`, then rejects with an error that `separatesOn` recognises;
   * null: it waits without a limit.
   */
  flush: (items: Item[], patienceMs: number | null) => Promise<Result[]>
  /** After this error, split the batch: a single item may be the cause. */
  splitsOn: (error: unknown) => boolean
  /**
   * After this error, give each owner its own lane so that one slow owner cannot block the rest. An
   * owner rejoins the shared lane after one batch that stored something without waiting for a lock.
   */
  separatesOn?: (error: unknown) => boolean
  /**
   * The owner of an item, all of whose items are in one lane. A batch is split by owner first, to
   * isolate the one that fails.
   */
  ownerOf?: (item: Item) => string
  /** The lane of an item; without this option there is one lane. */
  laneOf?: (item: Item) => Lane
  /** Called once per batch with failed items: the last one's error, and how many failed. */
  onLoss?: (error: unknown, items: number) => void
  maxBatch: number
  maxItems: number
  maxBytes: number
  /** Concurrent flushes, of all lanes and of the lanes of one node. */
  maxFlushes?: { all: number; perNode: number }
  /** How long an item waits for its result, in milliseconds, including its flush. */
  waitMs: number
  /** Milliseconds from any starting point. */
  clock?: () => number
}

/**
 * Items of a lane are flushed one batch after the other, so that later ones see the earlier ones
 * stored. Lanes of a node fail and slow down together.
 */
interface Lane {
  id: string
  node: string
}

/** Takes single items, processes them in batches, and returns a result for each. */
interface Batcher<Item, Result> {
  /** Whether `add` would reject: ask before reading a request's body. */
  isFull(): boolean
  /**
   * The item's own result, once its batch is done. `bytes` is roughly its size in memory.
   * Rejects with `QueueFull`, with `Overdue`, or with the error of the flush.
   */
  add(item: Item, bytes?: number): Promise<Result>
  /** Resolves when the queue is empty and nothing is in flight. */
  drain(): Promise<void>
  load(): BatcherLoad
}

/** What `isFull` checks: queued items, and bytes of queued and in-flight items. */
export interface BatcherLoad {
  items: number
  bytes: number
}

/** The item was not accepted: too many items or bytes are waiting. Nothing was done with it. */
export class QueueFull extends Error {}

/** The item has no result in time. It was dropped, or its batch may still succeed. */
export class Overdue extends Error {}

/** An item in a queue. `due` is on the batcher's clock, in milliseconds. */
interface Waiter<Item, Result> {
  item: Item
  bytes: number
  due: number
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/** The queue of a lane, and its batch in flight. */
interface Queue<Waiting> {
  key: string
  node: string
  /** The only owner of its items; null: it is shared. */
  owner: string | null
  waiting: Waiting[]
  underWay: Waiting[]
  /** How many were in its last batch; Infinity before there was one. */
  last: number
}

/** How often overdue items are searched. A timer for each would cost more than the item itself. */
const CHECK_MS = 250

// Unspecified: a batch waits a tenth of a second for a lock, or four times as long as batches take
// at the moment, because batches of several replicas wait for each other.
const LEAST_PATIENCE_MS = 100
const MOST_PATIENCE_MS = 1600
const PATIENT_TIMES = 4

/** The weight of the newest batch in the moving average of their time. */
const NEWEST = 0.2

// Unspecified: while lanes of several nodes wait, one node may fill at most half of the queue, so
// that a node that does not answer leaves space for the others.
const NODE_SHARE = 0.5

/**
 * Combines concurrent requests into batches. While a batch of a lane is in flight, new items form
 * the next one, so batches grow with the load. There is no timer, so a single item is processed
 * immediately.
 */
export function createBatcher<Item, Result>(
  options: BatcherOptions<Item, Result>,
): Batcher<Item, Result> {
  const { flush, splitsOn, separatesOn = () => false, onLoss } = options
  const { ownerOf = () => '', laneOf = () => ONE_LANE, maxFlushes = ONE_FLUSH } = options
  const { maxBatch, maxItems, maxBytes, waitMs, clock = () => performance.now() } = options
  type Waiting = Waiter<Item, Result>
  /** Lanes with items, in the order of their turns. */
  const queues = new Map<string, Queue<Waiting>>()
  /** Owners that have a lane of their own. */
  const separated = new Set<string>()
  /** Flushes in flight, in all and by node. */
  const flushes = { all: 0, byNode: new Map<string, number>() }
  /** Queued items by node. */
  const itemsOf = new Map<string, number>()
  /** The recent time of a batch by node, in milliseconds. */
  const paces = new Map<string, number>()
  let items = 0
  let bytesHeld = 0
  let starting = false
  let looking: NodeJS.Timeout | null = null
  let idle: PromiseWithResolvers<void> | null = null

  // Bytes count until their batch is done, so that a slow database cannot fill the memory.
  const isFull = () => items >= maxItems || bytesHeld >= maxBytes

  const hasRoom = (node: string) =>
    !isFull() && (itemsOf.get(node) === items || (itemsOf.get(node) ?? 0) < maxItems * NODE_SHARE)

  function enqueue(waiter: Waiting): Queue<Waiting> {
    const { id, node } = laneOf(waiter.item)
    // A separated owner delays only itself.
    const owner = separated.has(ownerOf(waiter.item)) ? ownerOf(waiter.item) : null
    const key = owner === null ? `lane ${id}` : `owner ${owner}`
    const queue = queues.get(key) ?? { key, node, owner, waiting: [], underWay: [], last: Infinity }
    queues.set(key, queue)
    queue.waiting.push(waiter)
    items += 1
    itemsOf.set(queue.node, (itemsOf.get(queue.node) ?? 0) + 1)
    bytesHeld += waiter.bytes
    return queue
  }

  /** Takes these items out of a queue; their bytes still count. */
  function dequeue(queue: Queue<Waiting>, taken: readonly Waiting[]) {
    const gone = new Set(taken)
    queue.waiting = queue.waiting.filter((each) => !gone.has(each))
    items -= taken.length
    const left = (itemsOf.get(queue.node) ?? 0) - taken.length
    if (left === 0) itemsOf.delete(queue.node)
    else itemsOf.set(queue.node, left)
  }

  /** Puts items into the lanes that they belong to now, in order of arrival. */
  function enqueueAgain(waiters: readonly Waiting[]) {
    for (const queue of new Set(waiters.map(enqueue))) {
      queue.waiting.sort((a, b) => a.due - b.due)
    }
  }

  const release = (waiters: readonly Waiting[]) => {
    for (const { bytes } of waiters) bytesHeld -= bytes
  }

  /**
   * Starts flushes in the next turn of the event loop, so that items of this turn join the first
   * batch.
   */
  function start() {
    idle ??= Promise.withResolvers()
    looking ??= setInterval(() => {
      const now = clock()
      for (const { waiting, underWay } of queues.values()) {
        for (const each of [underWay, waiting]) refuseOverdue(each, now)
      }
    }, CHECK_MS)
    if (starting) return
    starting = true
    setImmediate(() => {
      starting = false
      startFlushes()
    })
  }

  function startFlushes() {
    for (const queue of [...queues.values()]) {
      const { node, waiting, underWay } = queue
      const ofNode = flushes.byNode.get(node) ?? 0
      if (waiting.length === 0 || underWay.length > 0) continue
      if (flushes.all >= maxFlushes.all || ofNode >= maxFlushes.perNode) continue
      flushes.all += 1
      flushes.byNode.set(node, ofNode + 1)
      void flushNext(queue)
    }
  }

  async function flushNext(queue: Queue<Waiting>) {
    const { key, node, owner } = queue
    // Who was just answered asks again: with these they become two batches of one size, of which
    // one is answered while the other is flushed, and not one of nearly all and one of few.
    const even = Math.ceil((queue.waiting.length + queue.last) / 2)
    const taken = queue.waiting.slice(0, Math.min(maxBatch, even))
    queue.last = taken.length
    dequeue(queue, taken)
    queue.underWay = taken
    const now = clock()
    refuseOverdue(taken, now)
    const batch = taken.filter(({ due }) => due > now)
    const { lost, hadToWait } = await settle(batch, queue)
    if (lost.length > 0) onLoss?.(lost.at(-1), lost.length)
    release(taken)
    queue.underWay = []
    flushes.all -= 1
    flushes.byNode.set(node, (flushes.byNode.get(node) ?? 1) - 1)
    // Not earlier: new items of the owner would overtake the last half of the batch.
    if (owner !== null && !hadToWait && lost.length < batch.length) rejoin(queue, owner)
    // It is last in turn now, or removed if it is empty.
    queues.delete(key)
    if (queue.waiting.length > 0) queues.set(key, queue)
    if (queues.size > 0) return startFlushes()
    if (looking !== null) clearInterval(looking)
    looking = null
    flushes.byNode.clear()
    // After the results, which are given in the same way.
    setImmediate(() => {
      if (queues.size > 0) return
      idle?.resolve()
      idle = null
    })
  }

  /** Items are in order of arrival, so the search stops at the first one that is not overdue. */
  function refuseOverdue(waiters: readonly Waiting[], now: number) {
    for (const { due, reject } of waiters) {
      if (due > now) break
      reject(new Overdue(`no result within ${waitMs} ms`))
    }
  }

  /**
   * Flushes a batch and resolves each item. Returns the errors of the items that failed, and
   * whether an owner's batch had to wait for a lock. After an error that `splitsOn` recognises, the
   * batch is halved until the failing item is alone.
   */
  async function settle(
    batch: Waiting[],
    queue: Queue<Waiting>,
    patienceMs: number | null = patienceFor(queue),
  ): Promise<{ lost: unknown[]; hadToWait: boolean }> {
    const settled = { lost: [], hadToWait: patienceMs === null }
    if (batch.length === 0) return settled
    const { node, owner } = queue
    // Its first half was separated, so the second half is as well.
    if (owner === null && batch.every(({ item }) => separated.has(ownerOf(item)))) {
      separate(batch, queue)
      return settled
    }
    try {
      const began = clock()
      const each = batch.map(({ item }) => item)
      const results = await outsideRequest(() => flush(each, patienceMs))
      if (results.length !== batch.length)
        throw new Error('a flush returned the wrong number of results')
      // Later, so that the next batch is on its way before the answers to this one are written.
      setImmediate(() => {
        for (const [n, result] of results.entries()) batch[n]?.resolve(result)
      })
      if (owner === null) notePace(node, clock() - began)
      return settled
    } catch (error) {
      if (patienceMs !== null && separatesOn(error)) {
        if (owner !== null) return settle(batch, queue, null)
        separate(batch, queue)
        return settled
      }
      if (batch.length > 1 && splitsOn(error)) {
        const [one, other] = halve(batch, ({ item }) => ownerOf(item))
        const [first, second] = [await settle(one, queue), await settle(other, queue)]
        return {
          lost: [...first.lost, ...second.lost],
          hadToWait: first.hadToWait || second.hadToWait,
        }
      }
      for (const { reject } of batch) reject(error)
      return { ...settled, lost: batch.map(() => error) }
    }
  }

  /** How long a batch waits for a lock, in milliseconds. */
  function patienceFor({ node }: Queue<Waiting>): number {
    const wanted = Math.ceil(PATIENT_TIMES * (paces.get(node) ?? 0))
    return Math.min(Math.max(wanted, LEAST_PATIENCE_MS), MOST_PATIENCE_MS)
  }

  /** Updates the moving average with a batch of a shared lane. */
  function notePace(node: string, ms: number) {
    paces.set(node, NEWEST * ms + (1 - NEWEST) * (paces.get(node) ?? ms))
  }

  /** Gives each owner of a batch its own lane, with these items and those it has in the queue. */
  function separate(batch: Waiting[], from: Queue<Waiting>) {
    for (const { item } of batch) separated.add(ownerOf(item))
    const behind = from.waiting.filter(({ item }) => separated.has(ownerOf(item)))
    dequeue(from, behind)
    release(behind)
    enqueueAgain([...batch, ...behind])
  }

  /** Moves the queued items of a separated owner back to the shared lane. */
  function rejoin(from: Queue<Waiting>, owner: string) {
    separated.delete(owner)
    const { waiting } = from
    dequeue(from, waiting)
    release(waiting)
    enqueueAgain(waiting)
  }

  return {
    isFull,
    add(item, bytes = 0) {
      if (!hasRoom(laneOf(item).node)) return Promise.reject(new QueueFull('the queue is full'))
      return new Promise((resolve, reject) => {
        enqueue({ item, bytes, due: clock() + waitMs, resolve, reject })
        start()
      })
    },
    async drain() {
      while (idle !== null) await idle.promise
    },
    load: () => ({ items, bytes: bytesHeld }),
  }
}

/**
 * Splits a batch in two. By owner first, so that one owner's bad item does not slow down others.
 */
function halve<Waiting>(
  batch: readonly Waiting[],
  ownerOf: (waiting: Waiting) => string,
): [Waiting[], Waiting[]] {
  const owners = [...Map.groupBy(batch, ownerOf).values()]
  const units = owners.length > 1 ? owners : batch.map((each) => [each])
  const middle = units.length >> 1
  return [units.slice(0, middle).flat(), units.slice(middle).flat()]
}

const ONE_LANE: Lane = { id: '', node: '' }
const ONE_FLUSH = { all: 1, perNode: 1 }
