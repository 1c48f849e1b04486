import { ApiError, callerLeft } from '../http/api-error.ts'
import type { Call } from '../http/caller.ts'

/** How many may run and wait. No number is below 1 but `kept`. */
export interface SlotLimits {
  /** All that may run at the same time. */
  slots: number
  /**
   * How many of the slots are left to callers that run nothing. The others are what one can hold.
   */
  kept: number
  /** How many of one caller may wait. */
  waiting: number
  /** How many may wait in all. */
  waitingInAll: number
}

// One audit holds several megabytes of pages, so what runs at the same time is limited.
// Unspecified: a key may have six audits and validations under way and 30 waiting. Two more slots
// are kept for keys that have none under way, so that slow stores of one key delay no other key.
// Where documents are read, callers take turns as well: one waits for a task of each other at most.
export const KEY_LIMITS: SlotLimits = {
  slots: 8,
  kept: 2,
  waiting: 30,
  waitingInAll: Number.POSITIVE_INFINITY,
}

// Unspecified: visitors without a key share four slots of their own, of which one network can hold
// two; three more requests of a network may wait, and twelve in all.
export const STRANGER_LIMITS: SlotLimits = { slots: 4, kept: 2, waiting: 3, waitingInAll: 12 }

export interface Slots {
  /**
   * Waits for a slot and does the work in it. The work itself has to end when the signal aborts.
   * Throws an ApiError when too much is waiting, and when the caller has left.
   */
  run<T>(id: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>
  load(): SlotLoad
}

/** How much is under way and waiting now, of all callers, and how many slots there are. */
export interface SlotLoad {
  running: number
  waiting: number
  slots: number
}

/** What one caller has under way and waiting. */
interface Line {
  running: number
  /** In the order of arrival; each starts its work. */
  waiting: Set<() => void>
}

/**
 * Slots that callers share fairly. A free slot goes to the caller that runs the least, and among
 * equals round robin: to the one whose last turn began or ended longest ago. The packages that
 * limit by key know no order between keys (p-limit has one queue, p-queue priorities): it is
 * written here.
 */
export function createSlots({ slots, kept, waiting, waitingInAll }: SlotLimits): Slots {
  /** Callers with anything under way or waiting, those who have had no turn for longest first. */
  const lines = new Map<string, Line>()
  let free = slots
  let waitingNow = 0

  const mayStart = ({ running }: Line) => free > (running === 0 ? 0 : kept)

  const toTheBack = (id: string, line: Line) => {
    lines.delete(id)
    if (line.running > 0 || line.waiting.size > 0) lines.set(id, line)
  }

  const start = (id: string, line: Line) => {
    free -= 1
    line.running += 1
    toTheBack(id, line)
  }

  const end = (id: string, line: Line) => {
    free += 1
    line.running -= 1
    toTheBack(id, line)
    startWaiting()
  }

  const startWaiting = () => {
    for (;;) {
      const [next] = [...lines]
        .filter(([, line]) => line.waiting.size > 0 && mayStart(line))
        .sort(([, a], [, b]) => a.running - b.running)
      const [begin] = next?.[1].waiting ?? []
      if (begin === undefined) return
      begin()
    }
  }

  /** Resolves when the caller has its slot, and rejects if it leaves before. */
  const turnOf = (id: string, line: Line, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const stopWaiting = () => {
        signal.removeEventListener('abort', leave)
        line.waiting.delete(begin)
        waitingNow -= 1
      }
      const begin = () => {
        stopWaiting()
        start(id, line)
        resolve()
      }
      const leave = () => {
        stopWaiting()
        if (line.running === 0 && line.waiting.size === 0) lines.delete(id)
        reject(callerLeft())
      }
      lines.set(id, line)
      line.waiting.add(begin)
      waitingNow += 1
      signal.addEventListener('abort', leave)
    })

  return {
    async run(id, signal, work) {
      if (signal.aborted) throw callerLeft()
      const line = lines.get(id) ?? { running: 0, waiting: new Set() }
      if (mayStart(line)) {
        start(id, line)
      } else {
        if (line.waiting.size >= waiting) throw tooManyOfOne()
        if (waitingNow >= waitingInAll) throw busy()
        await turnOf(id, line, signal)
      }
      try {
        const result = await work()
        // What was cut off half-way says nothing true, and must not be stored.
        signal.throwIfAborted()
        return result
      } catch (error) {
        throw signal.aborted ? callerLeft() : error
      } finally {
        end(id, line)
      }
    },
    load: () => ({ running: slots - free, waiting: waitingNow, slots }),
  }
}

// Unspecified: watches have four slots of their own. The scheduler starts no more checks than there
// are slots, so that none waits here.
export const WATCH_LIMITS: SlotLimits = {
  slots: 4,
  kept: 0,
  waiting: 30,
  waitingInAll: Number.POSITIVE_INFINITY,
}

/**
 * The slots of everyone: those of keys, and those of strangers and watches, who cannot take a
 * key's.
 */
export function createAllSlots() {
  const keys = createSlots(KEY_LIMITS)
  const strangers = createSlots(STRANGER_LIMITS)
  const watches = createSlots(WATCH_LIMITS)
  return {
    run: <T>({ caller, signal }: Call, work: () => Promise<T>): Promise<T> =>
      'key' in caller
        ? keys.run(caller.key, signal, work)
        : 'watch' in caller
          ? watches.run(caller.watch, signal, work)
          : strangers.run(caller.stranger, signal, work),
    load: () => ({ key: keys.load(), stranger: strangers.load(), watch: watches.load() }),
  }
}

const RETRY = { headers: { 'Retry-After': '10' } }

const busy = () =>
  new ApiError(503, 'busy', 'Too many checks are running. Try again in a few seconds.', RETRY)

export const tooManyOfOne = () =>
  new ApiError(
    429,
    'too_many_waiting',
    'Too many of your requests are waiting already. Try again when some have been answered.',
    RETRY,
  )
