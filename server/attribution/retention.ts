import type { Sql } from 'postgres'
import {
  dropBefore,
  ensureMonths,
  firstKept,
  monthOf,
  shiftMonth,
} from '../db/events/partitions.ts'
import { isTransactionConflict } from '../db/failures.ts'
import type { Log } from '../log.ts'

/** Far more often than months change, so that a run that fails is soon made up for. */
const HOUR_MS = 3_600_000

export interface RetentionDeps {
  sql: Sql
  /** How many whole months of events are kept in addition to the current one. */
  months: number
  now: () => Date
  log: Log
}

/**
 * Creates the partitions of this month and the next, and drops the events that are too old. Events
 * that are being read are kept until the next run.
 */
export async function keepMonths({ sql, months, now, log }: RetentionDeps): Promise<void> {
  const month = monthOf(now())
  await ensureMonths(sql, [month, shiftMonth(month, 1)])
  try {
    const dropped = await dropBefore(sql, firstKept(now(), months))
    if (dropped.length > 0) log.info({ months: dropped }, 'events dropped')
  } catch (err) {
    if (!isTransactionConflict(err)) throw err
    log.warn({ err }, 'old events not dropped yet: they are being read')
  }
}

/** `keepMonths` every hour until it is stopped. Every replica may do so. */
export function keepMonthsHourly(deps: RetentionDeps): { stop: () => void } {
  const timer = setInterval(() => {
    keepMonths(deps).catch((err: unknown) => deps.log.error({ err }, 'retention failed'))
  }, HOUR_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
