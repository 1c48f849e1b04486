import { firstOfTwo, halve, ofFewParts } from './batch-choice.ts'
import { actForAll } from './connection/on-behalf.ts'
import { createLingering } from './lingering.ts'

/**
 * Sizes and times of a batcher. `maxItems` and `maxBytes` bound what waits and is under way;
 * `maxBatch` is the most items per flush.
 */
export interface BatcherOptions<Item, Result> {
  /**
   * Takes a batch and gives one result for each item, in order. Rejects for the batch as a whole.
   * For what somebody else holds it waits `patienceMs`, and then rejects with an error that
   * `separatesOn` names; null: as long as it takes.
   */
  flush: (items: Item[], patienceMs: number | null) => Promise<Result[]>
  /** Whether to split the batch after this error, because a single item may be the cause. */
  splitsOn: (error: unknown) => boolean
  /**
   * Whether each owner of the batch goes on in a lane of its own after this error, because one of
   * them may hold up the others. It goes back to the others after a batch of its own of which
   * something was stored and none had to wait so long.
   */
  separatesOn?: (error: unknown) => boolean
  /** The owner of an item. A batch is split between owners first, to isolate the one that fails. */
  groupOf?: (item: Item) => string
  /** Where an item is flushed; without it, all are in one lane. */
  laneOf?: (item: Item) => Lane
  /**
   * Items of one series are never in two batches of a lane at a time, so that the next ones see
   * them stored. Without it, all are of one.
   */
  seriesOf?: (item: Item) => string
  /**
   * Must be flushed exclusively: no other batch of the lane may run. Re-evaluated on every attempt.
   */
  isAlone?: (item: Item) => boolean
  /**
   * Items of a part cost less together than mixed with others: once more than `enough` wait in
   * a lane, a batch is of the parts that have waited longest, and of as few as hold that many.
   */
  parts?: { partOf: (item: Item) => string; enough: number }
  /**
   * Clients that were just answered tend to send again immediately. After a large batch, and while
   * other lanes are busy, wait up to `ms` for more items. Off unless given.
   */
  linger?: { upTo: number; ms: number }
  /** Called once for a batch in which items failed, with the last one's error and their number. */
  onLoss?: (error: unknown, items: number) => void
  maxBatch: number
  maxItems: number
  maxBytes: number
  /** Flushes at a time, of all lanes and of those of one node. */
  maxFlushes?: { all: number; perNode: number }
  /** How long an item may wait for its result, in milliseconds, its own flush included. */
  waitMs: number
  /** Milliseconds from any starting point. */
  clock?: () => number
}

/** Items of a lane are flushed together. Lanes of a node fail and slow down together. */
export interface Lane {
  lane: string
  node: string
  /**
   * A second batch begins while one runs once this many items wait that are in none of its series;
   * off unless given. If twice as many wait, the first one leaves half of them to the second, if
   * these are enough.
   */
  secondFrom?: number
}

/** Takes single items, processes them in batches, and answers for each. */
interface Batcher<Item, Result> {
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

/** An item in a queue. `due` is on the batcher's clock, in milliseconds. */
interface Waiter<Item, Result> {
  item: Item
  bytes: number
  due: number
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/** The queue of a lane, and its batches that are under way. */
interface Queue<Waiting> {
  key: string
  node: string
  /** Whose items alone are in it; null: anybody's. */
  owner: string | null
  /** Where it may have two batches at a time: see `Lane`. */
  secondFrom: number
  waiting: Waiting[]
  underWay: Set<Waiting[]>
  /** The series of what is under way. */
  busy: Set<string>
  /** How many might begin in parallel with one running batch. */
  free: number
  /** Whether an item waits that must be flushed exclusively. */
  isHeld: boolean
  /** Whether an owner's batch had to wait for what somebody else holds. */
  hadToWait: boolean
}

/** How often it looks for overdue items. A timer for each would cost more than the item itself. */
const LOOK_MS = 250

// Unspecified: a batch waits a tenth of a second for what somebody holds. Where batches take longer
// themselves it waits four times as long as they take, as two batches of a lane, or those of other
// replicas, wait for each other.
const LEAST_PATIENCE_MS = 100
const MOST_PATIENCE_MS = 1600
const PATIENT_TIMES = 4

/** How much the newest batch says of how long they take. */
const NEWEST = 0.2

// Unspecified: while lanes of several nodes wait, those of one hold at most half of the room, so
// that a node that does not answer leaves room for the others.
const NODE_SHARE = 0.5

/**
 * Combines concurrent requests into batches. While one batch of a lane is being processed, arriving
 * items form the next: throughput grows with the load, and nothing waits for a timer, other than to
 * `linger`, so that a single item is processed immediately.
 */
export function createBatcher<Item, Result>(
  options: BatcherOptions<Item, Result>,
): Batcher<Item, Result> {
  const { flush, splitsOn, maxBatch, maxItems, maxBytes, waitMs } = options
  const { separatesOn = () => false, groupOf = () => '', onLoss } = options
  const { laneOf = () => ONE_LANE, parts, maxFlushes = ONE_FLUSH } = options
  const { seriesOf = () => '', isAlone = () => false, linger } = options
  const { clock = () => performance.now() } = options
  type Waiting = Waiter<Item, Result>
  /** Lanes that have items, in the order in which they take turns. */
  const queues = new Map<string, Queue<Waiting>>()
  /** Owners that are flushed by themselves. */
  const separated = new Set<string>()
  /** Flushes under way, of all and by node. */
  const flushes = { all: 0, byNode: new Map<string, number>() }
  const itemsOf = new Map<string, number>()
  const lingering = createLingering(linger?.ms ?? 0, startFlushes)
  /** How long batches of lanes took lately, in milliseconds, by node. */
  const paces = new Map<string, number>()
  let items = 0
  let bytesHeld = 0
  let starting = false
  let looking: NodeJS.Timeout | null = null
  let idle: PromiseWithResolvers<void> | null = null

  // Bytes are held until their batch is done, so that a slow database cannot fill the memory.
  const isFull = () => items >= maxItems || bytesHeld >= maxBytes

  const hasRoom = (node: string) =>
    !isFull() && (itemsOf.get(node) === items || (itemsOf.get(node) ?? 0) < maxItems * NODE_SHARE)

  /** Waiting items of a node, and of all, become more or fewer. */
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

  function place(item: Item): Queue<Waiting> {
    const { lane, node, secondFrom } = laneOf(item)
    const owner = groupOf(item)
    // One that is separated holds up himself alone, and has a batch at a time.
    return separated.has(owner)
      ? queueOf(`owner ${owner}`, node, owner)
      : queueOf(`lane ${lane}`, node, null, secondFrom)
  }

  /**
   * Starts flushes in the next turn of the event loop: what comes in this one joins the first
   * batch.
   */
  function start() {
    idle ??= Promise.withResolvers()
    looking ??= setInterval(() => {
      const now = clock()
      for (const { waiting, underWay } of queues.values()) {
        for (const each of [...underWay, waiting]) refuseOverdue(each, now)
      }
    }, LOOK_MS)
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

  /** Whether one more batch of a node may be under way. */
  const hasFlush = (node: string) =>
    flushes.all < maxFlushes.all && (flushes.byNode.get(node) ?? 0) < maxFlushes.perNode

  /** Whether another batch of a lane may begin. */
  function isReady(queue: Queue<Waiting>): boolean {
    const { key, owner, secondFrom, waiting, free, isHeld, underWay } = queue
    if (owner !== null && isBesideOthers(owner)) return false
    return underWay.size === 0
      ? waiting.length >= lingering.untilOf(key)
      : underWay.size === 1 && free >= secondFrom && !isHeld
  }

  /** Whether a batch of others that is under way has items of an owner, which then wait for it. */
  const isBesideOthers = (of: string) =>
    [...queues.values()].some(
      ({ owner, underWay }) =>
        owner === null &&
        [...underWay].some((batch) => batch.some(({ item }) => groupOf(item) === of)),
    )

  const isFree = ({ busy }: Queue<Waiting>, { item }: Waiting) =>
    !busy.has(seriesOf(item)) && !isAlone(item)

  function countWaiting(queue: Queue<Waiting>, { item }: Waiting) {
    // Without a running batch, and with two, this is not needed.
    if (queue.underWay.size !== 1) return
    if (isAlone(item)) queue.isHeld = true
    else if (!queue.busy.has(seriesOf(item))) queue.free += 1
  }

  /** After a batch began or ended, or items were put back. */
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
    lingering.end(key)
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
    // Not before its last half is done, or what comes of the owner meanwhile would overtake that.
    if (owner !== null && !queue.hadToWait && lost.length < batch.length) rejoin(queue, owner)
    recount(queue)
    flushes.all -= 1
    lingerAfter(taken.length, queue)
    flushes.byNode.set(node, (flushes.byNode.get(node) ?? 1) - 1)
    // To the end of those that take turns, or away.
    queues.delete(key)
    if (queue.waiting.length > 0 || underWay.size > 0) queues.set(key, queue)
    if (queues.size > 0) return startFlushes()
    if (looking !== null) clearInterval(looking)
    looking = null
    flushes.byNode.clear()
    idle?.resolve()
    idle = null
  }

  function lingerAfter(taken: number, { key, waiting, underWay }: Queue<Waiting>) {
    const areOthersIdle = flushes.all === underWay.size
    if (linger === undefined || areOthersIdle || taken * 2 < linger.upTo) return
    lingering.begin(key, Math.min(linger.upTo, waiting.length + Math.ceil(taken / 2)))
  }

  /** The next batch, taken out of those that wait. */
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
  async function settle(
    batch: Waiting[],
    queue: Queue<Waiting>,
    patienceMs: number | null = patienceFor(queue),
  ): Promise<unknown[]> {
    if (batch.length === 0) return []
    const { node, owner } = queue
    // Its first half was separated: the second one follows it.
    if (owner === null && batch.every(({ item }) => separated.has(groupOf(item)))) {
      separate(batch, queue)
      return []
    }
    try {
      const began = clock()
      const results = await actForAll(() =>
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

  /** A batch of one owner has it as well: others may come to its lane meanwhile. */
  function patienceFor({ node }: Queue<Waiting>): number {
    const wanted = Math.ceil(PATIENT_TIMES * (paces.get(node) ?? 0))
    return Math.min(Math.max(wanted, LEAST_PATIENCE_MS), MOST_PATIENCE_MS)
  }

  /** A batch of a lane did not have to wait for longer than its patience. */
  function notePace(node: string, ms: number) {
    paces.set(node, NEWEST * ms + (1 - NEWEST) * (paces.get(node) ?? ms))
  }

  /** Gives each owner of a batch a lane of its own, with these items and what waits of it. */
  function separate(batch: Waiting[], from: Queue<Waiting>) {
    const owners = Map.groupBy(batch, ({ item }) => groupOf(item))
    const behind = Map.groupBy(from.waiting, ({ item }) => groupOf(item))
    from.waiting = from.waiting.filter(({ item }) => !owners.has(groupOf(item)))
    recount(from)
    for (const [owner, waiters] of owners) {
      separated.add(owner)
      count(from.node, waiters.length)
      // They are still held, and are given back with their own batch.
      for (const { bytes } of waiters) bytesHeld += bytes
      putBack(queueOf(`owner ${owner}`, from.node, owner), waiters, behind.get(owner) ?? [])
    }
  }

  /** Gives what waits of an owner that was separated back to the lane of the others. */
  function rejoin(from: Queue<Waiting>, owner: string) {
    separated.delete(owner)
    const waiting = from.waiting.splice(0)
    for (const [queue, waiters] of Map.groupBy(waiting, ({ item }) => place(item))) {
      count(from.node, -waiters.length)
      count(queue.node, waiters.length)
      putBack(queue, waiters)
    }
  }

  /** Puts items among those that wait in a queue, in order of arrival. */
  function putBack(queue: Queue<Waiting>, ...lists: Waiting[][]) {
    queue.waiting = [...lists.flat(), ...queue.waiting].sort((a, b) => a.due - b.due)
    recount(queue)
  }

  return {
    isFull,
    add(item, bytes = 0) {
      const queue = place(item)
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
