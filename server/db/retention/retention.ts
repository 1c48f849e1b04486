import type { Sql } from 'postgres'
import { repeat } from '../../jobs/repeat.ts'
import type { Log } from '../../process/log.ts'
import type { Db } from '../connect.ts'
import { isTransactionConflict } from '../connection/failures.ts'
import {
  dropBefore,
  ensureMonths,
  firstKept,
  listMonths,
  monthOf,
  shiftMonth,
} from '../events/partitions.ts'
import { nameAnew } from '../events/rebuild.ts'
import { domainsToName } from '../events/rollup-names.ts'
import { type KeptSettings, keptTables } from './kept.ts'
import { runSweep } from './sweep.ts'

/** Far more often than months change, so that a run that fails is soon made up for. */
const HOUR_MS = 3_600_000

/** A month is over so long after its end. */
const LATE_MS = 24 * HOUR_MS

/** What another replica sweeps is looked at again so soon: it may have been killed meanwhile. */
const AGAIN_MS = 5_000

export interface RetentionDeps extends KeptSettings {
  sql: Sql
  db: Db
  /** How many whole months of events are kept in addition to the current one. */
  months: number
  now: () => Date
  log: Log
  /**
   * Makes indexes of months before this one anew; resolves to their names. Unless given, none are.
   */
  renewIndexes?: (month: string, signal: AbortSignal) => Promise<string[]>
  /** Where it is written down what was done. */
  figures: RetentionFigures
}

/** What retention of this process did since its start. */
export interface RetentionFigures {
  /** When a run last came to its end and nothing failed; null before. */
  succeededAt: Date | null
  /** Steps, tables and domains that failed: the next run tries them again. */
  failed: number
  /** Months of events that were dropped. */
  months: number
  /** Deleted rows by table. */
  rows: Map<string, number>
}

/** The figures of a process that has not swept yet. */
export const noRetentionYet = (): RetentionFigures => ({
  succeededAt: null,
  failed: 0,
  months: 0,
  rows: new Map(),
})

/** Creates the partitions of this month and the next, without which no event can be stored. */
export async function makeMonths({ sql, now }: Pick<RetentionDeps, 'sql' | 'now'>): Promise<void> {
  const month = monthOf(now())
  await ensureMonths(sql, [month, shiftMonth(month, 1)])
}

/**
 * Drops the events that are too old. Those that are being read are kept until the next run.
 * Resolves to whether another replica is dropping some.
 */
export async function dropMonths(
  { sql, months, now, log, figures }: Omit<RetentionDeps, keyof KeptSettings | 'db'>,
  signal?: AbortSignal,
): Promise<boolean> {
  const first = firstKept(now(), months)
  try {
    const dropped = await dropBefore(sql, first, signal)
    figures.months += dropped.length
    if (dropped.length > 0) log.info({ months: dropped }, 'events dropped')
    return dropped.length === 0 && (await listMonths(sql)).some((month) => month < first)
  } catch (err) {
    if (!isTransactionConflict(err)) throw err
    log.warn({ err }, 'old events not dropped yet: they are being read')
    return false
  }
}

/**
 * Deletes what no table keeps any more, of all tables or of these alone. What fails in one does not
 * stop the others. Resolves to those that another replica is sweeping.
 */
export async function sweepTables(
  { sql, log, figures, ...settings }: Pick<RetentionDeps, 'sql' | 'log' | 'figures'> & KeptSettings,
  signal?: AbortSignal,
  only?: readonly string[],
): Promise<string[]> {
  const taken: string[] = []
  for (const { table, slice } of keptTables(settings)) {
    if (slice === undefined || signal?.aborted || only?.includes(table) === false) continue
    try {
      const { rows, isTaken } = await runSweep(sql, table, slice, signal)
      if (isTaken) taken.push(table)
      figures.rows.set(table, (figures.rows.get(table) ?? 0) + rows)
      if (rows > 0) log.info({ table, rows }, 'old rows deleted')
    } catch (err) {
      figures.failed += 1
      log.error({ err, table }, 'old rows not deleted')
    }
  }
  return taken
}

/**
 * Decides anew which landing pages and products are counted by name, in domains that have more of
 * them this month than that. Of several replicas one does so in a domain. What fails in one domain
 * does not stop the others.
 */
export async function nameHeads(
  {
    db,
    months,
    now,
    log,
    figures,
  }: Pick<RetentionDeps, 'db' | 'months' | 'now' | 'log' | 'figures'>,
  signal?: AbortSignal,
): Promise<void> {
  const month = monthOf(now())
  const since = [month, firstKept(now(), months)].sort().at(-1) ?? month
  for (const domain of await domainsToName(db, month)) {
    if (signal?.aborted) return
    try {
      if (!(await nameAnew(db, domain, { month, since }))) continue
      log.info({ domain, month }, 'landing pages and products named')
    } catch (err) {
      figures.failed += 1
      log.error({ err, domain }, 'landing pages and products not named')
    }
  }
}

/** What another replica is at: dropping months, and sweeping these tables. */
interface Taken {
  months: boolean
  tables: readonly string[]
}

/**
 * Makes months, drops old ones, sweeps the tables, names what has the most events and makes indexes
 * anew: now, and every hour until it is stopped. Every replica may do so; work that another one is
 * doing is retried until it is done. `stop` waits for the running statement.
 */
export function runRetention(
  deps: RetentionDeps,
  { everyMs = HOUR_MS, againMs = AGAIN_MS } = {},
): { stop: () => Promise<void> } {
  const { log, figures } = deps
  let next = performance.now()
  let taken: Taken = { months: false, tables: [] }

  async function work(signal: AbortSignal, again: (ms: number) => void): Promise<void> {
    /** What a step resolves to; where it fails or is not begun any more, what is given for it. */
    const attempt = async <Result>(step: () => Promise<Result>, otherwise: Result) => {
      if (signal.aborted) return otherwise
      return step().catch((err: unknown) => {
        figures.failed += 1
        log.error({ err }, 'retention failed')
        return otherwise
      })
    }
    const drop = () => attempt(() => dropMonths(deps, signal), false)
    const sweep = (only?: readonly string[]) => attempt(() => sweepTables(deps, signal, only), [])
    const renew = async () => {
      // Senders may be some hours late.
      const month = monthOf(new Date(deps.now().getTime() - LATE_MS))
      const indexes = (await deps.renewIndexes?.(month, signal)) ?? []
      if (indexes.length > 0) log.info({ indexes }, 'indexes of past months made anew')
    }
    if (performance.now() >= next) {
      next = performance.now() + everyMs
      const failedBefore = figures.failed
      await attempt(() => makeMonths(deps), undefined)
      taken = { months: await drop(), tables: await sweep() }
      await attempt(() => nameHeads(deps, signal), undefined)
      await attempt(renew, undefined)
      if (!signal.aborted && figures.failed === failedBefore) figures.succeededAt = deps.now()
    } else {
      const { months, tables } = taken
      taken = {
        months: months && (await drop()),
        tables: tables.length > 0 ? await sweep(tables) : [],
      }
    }
    const isAny = taken.months || taken.tables.length > 0
    again(isAny ? againMs : next - performance.now())
  }

  return repeat({ everyMs, work, onError: (err) => log.error({ err }, 'retention failed') })
}
