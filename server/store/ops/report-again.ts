import { DAY_MS } from '../../../shared/web/moment.ts'
import { repeat } from '../../jobs/repeat.ts'
import type { StoreDeps, StoreEvent } from '../checkout/deps.ts'
import { reportPaidSince } from '../checkout/report-paid.ts'
import { reportRefundsSince } from '../orders/report-refunds.ts'

const HOUR_MS = 3_600_000

/**
 * The pause between two parts of a report that does not fit into the queue; one part is sent in it.
 */
const PART_MS = 60_000

/** At the start it is unknown which reports the last process could not send. */
const AT_START_MS = 7 * DAY_MS

/** Longer than any transaction takes: rows have the time when their transaction began. */
const OVERLAP_MS = 5 * 60_000

const REPEATED: readonly StoreEvent['event'][] = ['ai_checkout_completed', 'ai_order_refunded']

type Reporting = Pick<StoreDeps, 'db' | 'now' | 'report'>

export interface Repeats {
  /** Reports again what may be missing. `more`: the next run goes on from there. */
  reportAgain: () => Promise<'more' | 'all'>
  /** An event was dropped: the next run includes it. */
  noteDropped: (event: Pick<StoreEvent, 'event' | 'timestamp'>) => void
}

/**
 * Reports paid orders and refunds again: the first time those of the last week, then those since
 * the last run and since the oldest dropped event. A read after a commit may have failed, or a
 * connection closed before it confirmed a commit; the hosted API counts each event once.
 */
export function createRepeats(deps: Reporting): Repeats {
  let since = deps.now().getTime() - AT_START_MS
  // Rows that were not committed when a part was read may still appear before its end, so the next
  // run begins there.
  let openSince = Infinity
  const missedSince = (time: number) => {
    since = Math.min(since, time)
  }
  return {
    async reportAgain() {
      const from = since
      const settledUntil = deps.now().getTime() - OVERLAP_MS
      // Until all is read: since the oldest event that is dropped meanwhile.
      since = Infinity
      try {
        // Orders come first, because a refund only counts with its order.
        const paid = await reportPaidSince(deps, new Date(from))
        const refunded = await reportRefundsSince(deps, new Date(from))
        const end = Math.min(paid?.getTime() ?? Infinity, refunded?.getTime() ?? Infinity)
        if (end > settledUntil) openSince = Math.min(openSince, settledUntil)
        if (end < Infinity) {
          missedSince(end)
          return 'more'
        }
        missedSince(openSince)
        openSince = Infinity
        return 'all'
      } catch (error) {
        missedSince(from)
        throw error
      }
    },
    noteDropped({ event, timestamp }) {
      if (REPEATED.includes(event)) missedSince(Date.parse(timestamp))
    },
  }
}

/** Runs in the background, at the start and once an hour, until it is stopped. */
export function runRepeats(deps: Reporting, onError: (error: unknown) => void) {
  const repeats = createRepeats(deps)
  const work = async (_: AbortSignal, again: (ms: number) => void) => {
    if ((await repeats.reportAgain()) === 'more') again(PART_MS)
  }
  return { ...repeats, ...repeat({ everyMs: HOUR_MS, work, onError }) }
}
