import type { Sql } from 'postgres'
import type { Log } from '../../log.ts'
import { dropBefore, ensureMonths, firstKept, monthOf, shiftMonth } from '../events/partitions.ts'
import { isTransactionConflict } from '../failures.ts'
import { type KeptSettings, keptTables } from './kept.ts'
import { runSweep } from './sweep.ts'

/** Far more often than months change, so that a run that fails is soon made up for. */
const HOUR_MS = 3_600_000

export interface RetentionDeps extends KeptSettings {
  sql: Sql
  /** How many whole months of events are kept in addition to the current one. */
  months: number
  now: () => Date
  log: Log
}

/** Creates the partitions of this month and the next, without which no event can be stored. */
export async function makeMonths({ sql, now }: Pick<RetentionDeps, 'sql' | 'now'>): Promise<void> {
  const month = monthOf(now())
  await ensureMonths(sql, [month, shiftMonth(month, 1)])
}

/** Drops the events that are too old. Those that are being read are kept until the next run. */
export async function dropMonths(
  { sql, months, now, log }: Omit<RetentionDeps, keyof KeptSettings>,
  signal?: AbortSignal,
): Promise<void> {
  try {
    const dropped = await dropBefore(sql, firstKept(now(), months), signal)
    if (dropped.length > 0) log.info({ months: dropped }, 'events dropped')
  } catch (err) {
    if (!isTransactionConflict(err)) throw err
    log.warn({ err }, 'old events not dropped yet: they are being read')
  }
}

/** Deletes what no table keeps any more. What fails in one table does not stop the others. */
export async function sweepTables(
  { sql, log, ...settings }: Pick<RetentionDeps, 'sql' | 'log'> & KeptSettings,
  signal?: AbortSignal,
): Promise<void> {
  for (const { table, slice } of keptTables(settings)) {
    if (slice === undefined || signal?.aborted) continue
    try {
      const { rows } = await runSweep(sql, table, slice, signal)
      if (rows > 0) log.info({ table, rows }, 'old rows deleted')
    } catch (err) {
      log.error({ err, table }, 'old rows not deleted')
    }
  }
}

/**
 * Makes months, drops old ones and sweeps the tables: now, and every hour until it is stopped.
 * Every replica may do so. `stop` waits for the statement that is under way.
 */
export function runRetention(deps: RetentionDeps): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const { log } = deps
  const run = async () => {
    for (const step of [makeMonths, dropMonths, sweepTables]) {
      if (signal.aborted) return
      await step(deps, signal).catch((err: unknown) => log.error({ err }, 'retention failed'))
    }
  }
  let running = run()
  const timer = setInterval(() => {
    running = running.then(run)
  }, HOUR_MS)
  timer.unref()
  return {
    stop: () => {
      clearInterval(timer)
      stopping.abort()
      return running
    },
  }
}
