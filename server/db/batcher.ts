import { firstOfTwo, halve, ofFewParts } from './batch-choice.ts'
import { outsideRequest } from './connection/request-domain.ts'
import { createLaneWaits } from './lane-waits.ts'

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
  /** The owner of an item. A batch is split by owner first, to isolate the one that fails. */
  groupOf?: (item: Item) => string
  /** The lane of an item; without this option there is one lane. */
  laneOf?: (item: Item) => Lane
  /**
   * Items of one series are never in two batches of a lane at a time, so that the later ones see
   * the earlier ones stored. Without this option all items are one series.
   */
  seriesOf?: (item: Item) => string
  /** Must be flushed exclusively: no other batch of the lane may run. Checked on every attempt. */
  isAlone?: (item: Item) => boolean
  /**
   * Items of one part are cheaper to flush together. Once more than `enough` items wait in a lane,
   * a batch takes the parts that have waited longest, as few parts as have that many items.
   */
  parts?: { partOf: (item: Item) => string; enough: number }
  /**
   * Clients that were just answered tend to send again immediately. After a batch of at least half
   * of `upTo` items, and while other lanes are busy, the lane waits up to `ms` milliseconds for
   * half as many new items as were answered, or until `upTo` wait. Off unless given.
   */
  waitForMore?: { upTo: number; ms: number }
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

/** Items of a lane are flushed together. Lanes of a node fail and slow down together. */
export interface Lane {
  lane: string
  node: string
  /**
   * A second batch starts while the first one is in flight, once this many items of other series
   * wait; never unless given. If twice as many wait, the first batch leaves half of them to the
   * second, if that half is large enough.
   */
  secondFrom?: number
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

/** The queue of a lane, and its batches in flight. */
interface Queue<Waiting> {
  key: string
  node: string
  /** The only owner of its items; null: it is shared. */
  owner: string | null
  /** When it may have two batches at a time: see `Lane`. */
  secondFrom: number
  waiting: Waiting[]
  underWay: Set<Waiting[]>
  /** The series in flight. */
  busy: Set<string>
  /** How many queued items could be in a second batch. */
  free: number
  /** Whether an item is queued that must be flushed exclusively. */
  isHeld: boolean
  /** Whether an owner's batch had to wait for a lock. */
  hadToWait: boolean
}

/** How often overdue items are searched. A timer for each would cost more than the item itself. */
const CHECK_MS = 250

// Unspecified: a batch waits a tenth of a second for a lock, or four times as long as batches take
// at the moment, because two batches of a lane, or of several replicas, wait for each other.
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
 * the next one, so batches grow with the load. There is no timer except for `waitForMore`, so a
 * single item is processed immediately.
 */
export function createBatcher<Item, Result>(
  options: BatcherOptions<Item, Result>,
): Batcher<Item, Result> {
  const { flush, splitsOn, maxBatch, maxItems, maxBytes, waitMs } = options
  const { separatesOn = () => false, groupOf = () => '', onLoss } = options
  const { laneOf = () => ONE_LANE, parts, maxFlushes = ONE_FLUSH } = options
  const { seriesOf = () => '', isAlone = () => false, waitForMore } = options
  const { clock = () => performance.now() } = options
  type Waiting = Waiter<Item, Result>
  /** Lanes with items, in the order of their turns. */
  const queues = new Map<string, Queue<Waiting>>()
  /** Owners that have a lane of their own. */
  const separated = new Set<string>()
  /** Flushes in flight, in all and by node. */
  const flushes = { all: 0, byNode: new Map<string, number>() }
  const itemsOf = new Map<string, number>()
  const laneWaits = createLaneWaits(waitForMore?.ms ?? 0, startFlushes)
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

  /** Changes the number of queued items of a node, and of all nodes. */
  function count(node: string, by: number) {
    items += by
    const left = (itemsOf.get(node) ?? 0) + by
    if (left === 0) itemsOf.delete(node)
    else itemsOf.set(node, left)
  }

  function queueOf(key: string, node: string, owner: string | null, secondFrom = NEVER) {
    const queue: Queue<Waiting> = queues.get(key) ?? {
      ...{ key, node, owner, secondFrom, waiting: [], underWay: new Set() },
      ...{ busy: new Set(), free: 0, isHeld: false, hadToWait: false },
    }
    queues.set(key, queue)
    return queue
  }

  function queueFor(item: Item): Queue<Waiting> {
    const { lane, node, secondFrom } = laneOf(item)
    const owner = groupOf(item)
    // A separated owner delays only itself, one batch at a time.
    return separated.has(owner)
      ? queueOf(`owner ${owner}`, node, owner)
      : queueOf(`lane ${lane}`, node, null, secondFrom)
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
        for (const each of [...underWay, waiting]) refuseOverdue(each, now)
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
      const { node } = queue
      while (isReady(queue) && hasFlush(node)) {
        flushes.all += 1
        flushes.byNode.set(node, (flushes.byNode.get(node) ?? 0) + 1)
        void flushNext(queue)
      }
    }
  }

  /** Whether one more batch of a node may start. */
  const hasFlush = (node: string) =>
    flushes.all < maxFlushes.all && (flushes.byNode.get(node) ?? 0) < maxFlushes.perNode

  /** Whether another batch of a lane may start. */
  function isReady(queue: Queue<Waiting>): boolean {
    const { key, owner, secondFrom, waiting, free, isHeld, underWay } = queue
    if (owner !== null && isInSharedBatch(owner)) return false
    return underWay.size === 0
      ? waiting.length >= laneWaits.untilOf(key)
      : underWay.size === 1 && free >= secondFrom && !isHeld
  }

  /** Whether a shared batch in flight has items of an owner: its own lane waits for that batch. */
  const isInSharedBatch = (of: string) =>
    [...queues.values()].some(
      ({ owner, underWay }) =>
        owner === null &&
        [...underWay].some((batch) => batch.some(({ item }) => groupOf(item) === of)),
    )

  const isFree = ({ busy }: Queue<Waiting>, { item }: Waiting) =>
    !busy.has(seriesOf(item)) && !isAlone(item)

  function countWaiting(queue: Queue<Waiting>, { item }: Waiting) {
    // `free` and `isHeld` only matter while exactly one batch is in flight.
    if (queue.underWay.size !== 1) return
    if (isAlone(item)) queue.isHeld = true
    else if (!queue.busy.has(seriesOf(item))) queue.free += 1
  }

  /** Call it after a batch started or ended, or items were put back. */
  function recount(queue: Queue<Waiting>) {
    const { waiting, underWay } = queue
    queue.busy = new Set([...underWay].flat().map(({ item }) => seriesOf(item)))
    queue.free = 0
    queue.isHeld = false
    for (const each of waiting) countWaiting(queue, each)
  }

  async function flushNext(queue: Queue<Waiting>) {
    const { key, node, owner, underWay } = queue
    const taken = takeFrom(queue)
    laneWaits.end(key)
    underWay.add(taken)
    queue.hadToWait = false
    recount(queue)
    count(node, -taken.length)
    const now = clock()
    refuseOverdue(taken, now)
    const batch = taken.filter(({ due }) => due > now)
    const lost = await settle(batch, queue)
    if (lost.length > 0) onLoss?.(lost.at(-1), lost.length)
    for (const { bytes } of taken) bytesHeld -= bytes
    underWay.delete(taken)
    // Not earlier: new items of the owner would overtake the last half of the batch.
    if (owner !== null && !queue.hadToWait && lost.length < batch.length) rejoin(queue, owner)
    recount(queue)
    flushes.all -= 1
    waitForMoreAfter(taken.length, queue)
    flushes.byNode.set(node, (flushes.byNode.get(node) ?? 1) - 1)
    // It is last in turn now, or removed if it is empty.
    queues.delete(key)
    if (queue.waiting.length > 0 || underWay.size > 0) queues.set(key, queue)
    if (queues.size > 0) return startFlushes()
    if (looking !== null) clearInterval(looking)
    looking = null
    flushes.byNode.clear()
    idle?.resolve()
    idle = null
  }

  function waitForMoreAfter(taken: number, { key, waiting, underWay }: Queue<Waiting>) {
    const areOthersIdle = flushes.all === underWay.size
    if (waitForMore === undefined || areOthersIdle || taken * 2 < waitForMore.upTo) return
    laneWaits.begin(key, Math.min(waitForMore.upTo, waiting.length + Math.ceil(taken / 2)))
  }

  /** Takes the next batch out of the queue. */
  function takeFrom(queue: Queue<Waiting>): Waiting[] {
    const { node, waiting, underWay, secondFrom } = queue
    const isFirst = underWay.size === 0
    const free = isFirst ? waiting : waiting.filter((each) => isFree(queue, each))
    const next = parts === undefined ? free : ofFewParts(free, parts)
    const half =
      isFirst && hasFlush(node) ? firstOfTwo(next, secondFrom, { seriesOf, isAlone }) : null
    const taken = new Set((half ?? next).slice(0, maxBatch))
    queue.waiting = waiting.filter((each) => !taken.has(each))
    return [...taken]
  }

  /** Items are in order of arrival, so the search stops at the first one that is not overdue. */
  function refuseOverdue(waiters: readonly Waiting[], now: number) {
    for (const { due, reject } of waiters) {
      if (due > now) break
      reject(new Overdue(`no result within ${waitMs} ms`))
    }
  }

  /**
   * Flushes a batch and resolves each item. Returns the errors of the items that failed. After an
   * error that `splitsOn` recognises, the batch is halved until the failing item is alone.
   */
  async function settle(
    batch: Waiting[],
    queue: Queue<Waiting>,
    patienceMs: number | null = patienceFor(queue),
  ): Promise<unknown[]> {
    if (batch.length === 0) return []
    const { node, owner } = queue
    // Its first half was separated, so the second half is as well.
    if (owner === null && batch.every(({ item }) => separated.has(groupOf(item)))) {
      separate(batch, queue)
      return []
    }
    try {
      const began = clock()
      const results = await outsideRequest(() =>
        flush(
          batch.map(({ item }) => item),
          patienceMs,
        ),
      )
      if (results.length !== batch.length)
        throw new Error('a flush returned the wrong number of results')
      for (const [n, result] of results.entries()) batch[n]?.resolve(result)
      if (owner === null) notePace(node, clock() - began)
      return []
    } catch (error) {
      if (patienceMs !== null && separatesOn(error)) {
        if (owner === null) {
          separate(batch, queue)
          return []
        }
        queue.hadToWait = true
        return settle(batch, queue, null)
      }
      if (batch.length > 1 && splitsOn(error)) {
        const [one, other] = halve(batch, groupOf)
        return [...(await settle(one, queue)), ...(await settle(other, queue))]
      }
      for (const { reject } of batch) reject(error)
      return batch.map(() => error)
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
    const owners = Map.groupBy(batch, ({ item }) => groupOf(item))
    const behind = Map.groupBy(from.waiting, ({ item }) => groupOf(item))
    from.waiting = from.waiting.filter(({ item }) => !owners.has(groupOf(item)))
    recount(from)
    for (const [owner, waiters] of owners) {
      separated.add(owner)
      count(from.node, waiters.length)
      // Counted again: they are subtracted both after this batch and after their own.
      for (const { bytes } of waiters) bytesHeld += bytes
      putBack(queueOf(`owner ${owner}`, from.node, owner), waiters, behind.get(owner) ?? [])
    }
  }

  /** Moves the queued items of a separated owner back to the shared lane. */
  function rejoin(from: Queue<Waiting>, owner: string) {
    separated.delete(owner)
    const waiting = from.waiting.splice(0)
    for (const [queue, waiters] of Map.groupBy(waiting, ({ item }) => queueFor(item))) {
      count(from.node, -waiters.length)
      count(queue.node, waiters.length)
      putBack(queue, waiters)
    }
  }

  /** Puts items back into a queue, in order of arrival. */
  function putBack(queue: Queue<Waiting>, ...lists: Waiting[][]) {
    queue.waiting = [...lists.flat(), ...queue.waiting].sort((a, b) => a.due - b.due)
    recount(queue)
  }

  return {
    isFull,
    add(item, bytes = 0) {
      const queue = queueFor(item)
      if (!hasRoom(queue.node)) {
        if (queue.waiting.length === 0 && queue.underWay.size === 0) queues.delete(queue.key)
        return Promise.reject(new QueueFull('the queue is full'))
      }
      return new Promise((resolve, reject) => {
        const waiter = { item, bytes, due: clock() + waitMs, resolve, reject }
        queue.waiting.push(waiter)
        countWaiting(queue, waiter)
        count(queue.node, 1)
        bytesHeld += bytes
        start()
      })
    },
    async drain() {
      while (idle !== null) await idle.promise
    },
    load: () => ({ items, bytes: bytesHeld }),
  }
}

const ONE_LANE: Lane = { lane: '', node: '' }
const NEVER = Number.POSITIVE_INFINITY
const ONE_FLUSH = { all: 1, perNode: 1 }
