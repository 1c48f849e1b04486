import type { Log } from '../process/log.ts'

/** What is counted in one line: nothing that a caller can choose, so that there are few of them. */
interface Summed {
  property_id: string | null
  /** What became of it, such as `rate_limited`. */
  outcome: string
}

/**
 * Lines about what strangers may ask as often as they like: one a minute per kind, with a count.
 */
export interface LogSums {
  add(what: Summed): void
  /** Writes what was counted so far. */
  flush(): void
  /** How many of each outcome there were since the start, whether written or not. */
  readonly totals: ReadonlyMap<string, number>
}

const MINUTE_MS = 60_000

/** Begins a minute with the first that is counted. */
export function createLogSums(log: Log): LogSums {
  const counts = new Map<string, Summed & { count: number }>()
  const totals = new Map<string, number>()
  let timer: NodeJS.Timeout | null = null

  function flush() {
    if (timer !== null) clearTimeout(timer)
    timer = null
    for (const line of counts.values()) log.info(line, 'sessions received')
    counts.clear()
  }

  return {
    add({ property_id, outcome }) {
      const key = `${property_id} ${outcome}`
      const line = counts.get(key) ?? { property_id, outcome, count: 0 }
      line.count += 1
      totals.set(outcome, (totals.get(outcome) ?? 0) + 1)
      counts.set(key, line)
      timer ??= setTimeout(flush, MINUTE_MS).unref()
    },
    flush,
    totals,
  }
}
