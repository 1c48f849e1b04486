import type { Sql } from 'postgres'
import { dropBefore, ensureMonths, monthOf, shiftMonth } from './db/partitions.ts'
import type { Log } from './log.ts'

const DAY_MS = 86_400_000

export interface RetentionDeps {
  sql: Sql
  /** How many whole months of events are kept beside the current one. */
  months: number
  now: () => Date
  log: Log
}

/** Makes room for this month and the next, and drops the events that are too old. */
export async function keepMonths({ sql, months, now, log }: RetentionDeps): Promise<void> {
  const month = monthOf(now())
  await ensureMonths(sql, [month, shiftMonth(month, 1)])
  const dropped = await dropBefore(sql, shiftMonth(month, -months))
  if (dropped.length > 0) log.info({ months: dropped }, 'events dropped')
}

/** `keepMonths` once a day until it is stopped. Every replica may do so. */
export function keepMonthsDaily(deps: RetentionDeps): { stop: () => void } {
  const timer = setInterval(() => {
    keepMonths(deps).catch((err: unknown) => deps.log.error({ err }, 'retention failed'))
  }, DAY_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
