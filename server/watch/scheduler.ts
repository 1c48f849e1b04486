import { randomUUID } from 'node:crypto'
import { PERIOD_MS } from '../../shared/watch/period.ts'
import { WATCH_LIMITS } from '../audit/slots.ts'
import { claimWatches } from '../db/watch/watches.ts'
import { takeDue } from '../jobs/take-due.ts'
import {
  CHECK_LEASE_MS,
  type CheckDeps,
  type CheckEnd,
  checkWatched,
  type LeasedWatch,
} from './check.ts'

/** How often to search for due watches. */
const EVERY_MS = 1_000

/** While people's audits wait for a slot, this many checks run, so that watches never starve. */
const LEAST = 1

/** The checks of this process so far. */
export interface WatchesLoad {
  running: number
  slots: number
  ends: Readonly<Record<CheckEnd, number>>
  /** First checks of a period that began after a tenth of it had passed. */
  late: number
  /** Checks that began only after their period. The periods between are skipped. */
  missed: number
}

export interface SchedulerDeps extends CheckDeps {
  /** Whether audits of people wait for a slot of this process. */
  isBusy: () => boolean
  slots?: number
  everyMs?: number
}

/** Runs the checks of this process. */
interface WatchScheduler {
  /** Takes due watches, until `stop`. */
  start: () => void
  /** Stops what is running: another replica takes it over. Resolves when that is done. */
  stop: () => Promise<void>
  load: () => WatchesLoad
}

/**
 * Checks watched domains when they are due. The table of watches is the queue: a replica leases due
 * watches, those first that would be late first, and never two domains of one site together.
 */
export function createWatchScheduler(deps: SchedulerDeps): WatchScheduler {
  const { db, now, log, isBusy } = deps
  const { slots = WATCH_LIMITS.slots, everyMs = EVERY_MS } = deps
  const ends: Record<CheckEnd, number> = { seen: 0, unseen: 0, failed: 0, lost: 0 }
  let late = 0
  let missed = 0
  let taking: ReturnType<typeof takeDue> | undefined

  async function make(watch: LeasedWatch, signal: AbortSignal): Promise<'more'> {
    const at = now()
    if (watch.look === 0 && at > watch.late_at) late += 1
    if (at.getTime() >= watch.slot_at.getTime() + PERIOD_MS[watch.period]) missed += 1
    ends[await checkWatched(deps, watch, signal)] += 1
    // Another domain of its site had to wait.
    return 'more'
  }

  async function take(most: number): Promise<LeasedWatch[]> {
    const at = now()
    const lease = randomUUID()
    const until = new Date(at.getTime() + (deps.leaseMs ?? CHECK_LEASE_MS))
    const taken = await claimWatches(db, { most, now: at, lease, until })
    return taken.map((watch) => ({ ...watch, lease }))
  }

  return {
    start() {
      taking ??= takeDue({
        everyMs,
        most: () => (isBusy() ? LEAST : slots),
        take,
        work: make,
        onError: (err, watch) =>
          watch === undefined
            ? log.warn({ err }, 'due watches could not be claimed')
            : log.error({ err, domain: watch.domain }, 'a watch audit broke off'),
      })
    },
    stop: async () => taking?.stop(),
    load: () => ({ running: taking?.running() ?? 0, slots, ends: { ...ends }, late, missed }),
  }
}
