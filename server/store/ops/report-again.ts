import { setTimeout as sleep } from 'node:timers/promises'
import { DAY_MS } from '../../../shared/web/moment.ts'
import { repeat } from '../../repeat.ts'
import type { StoreDeps, StoreEvent } from '../checkout/deps.ts'
import { reportPaidSince } from '../checkout/report-paid.ts'
import { reportRefundsSince } from '../orders/report-refunds.ts'

const HOUR_MS = 3_600_000

/** Between two parts of what is too much for the queue at once: in it, one part is sent. */
const PART_MS = 60_000

/** At the start of a store nobody knows what the last process could not report any more. */
const AT_START_MS = 7 * DAY_MS

/** Longer than any transaction takes: what is read has the time when its transaction began. */
const OVERLAP_MS = 5 * 60_000

const REPEATED: readonly StoreEvent['event'][] = ['ai_checkout_completed', 'ai_order_refunded']

type Reporting = Pick<StoreDeps, 'db' | 'now' | 'report'>

export interface Repeats {
  /** Reports again what may be missing by now. `more`: the next time goes on where it ended. */
  reportAgain: () => Promise<'more' | 'all'>
  /** An event that was given up: the next time it is among them. */
  noteDropped: (event: Pick<StoreEvent, 'event' | 'timestamp'>) => void
}

/**
 * Reports again what was paid and refunded: the first time in the last week, then since the last
 * time, and since the oldest of what was dropped. A read after a commit may have failed, or a
 * connection died before it said that it had committed; the hosted API counts each event once.
 */
export function createRepeats(deps: Reporting): Repeats {
  let since = deps.now().getTime() - AT_START_MS
  // Before the end of a part there may still come what was not committed when the part was read:
  // once all is told, the next time begins there.
  let openSince = Infinity
  const missedSince = (time: number) => {
    since = Math.min(since, time)
  }
  return {
    async reportAgain() {
      const from = since
      const settledUntil = deps.now().getTime() - OVERLAP_MS
      // Until all is read: since the oldest of what is dropped meanwhile.
      since = Infinity
      try {
        // The orders come first, since a refund counts beside its order alone.
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

/** Does so in the background, at the start and once an hour, until it is stopped. */
export function runRepeats(deps: Reporting, onError: (error: unknown) => void) {
  const repeats = createRepeats(deps)
  const work = async (signal: AbortSignal) => {
    const told = await repeats.reportAgain()
    if (told === 'more') await sleep(PART_MS, undefined, { signal }).catch(() => {})
    return told
  }
  return { ...repeats, ...repeat({ everyMs: HOUR_MS, work, onError }) }
}
