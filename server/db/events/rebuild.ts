import { sql } from 'drizzle-orm'
import type { Kind } from '../../../shared/attribution/classify/visit.ts'
import type { ReportedSource } from '../../../shared/attribution/events.ts'
import type { Db, Transaction } from '../connect.ts'
import {
  addToRollup,
  deleteEmptyRows,
  eachFigure,
  type Figure,
  lockRollup,
  ROLLUP_KEY,
  sumEvents,
} from './rollup-changes.ts'

/** One row of the rollup, and how far each figure was below the total of its events. */
export type Difference = {
  domain: string
  day: string
  surface: string
  kind: Kind
  source: ReportedSource
  currency: string
} & Record<Figure, number>

/** Figures leave the database as text. */
type Raw = { [K in keyof Difference]: K extends Figure ? string : Difference[K] }

/** What to rebuild, and from which month on. */
export interface Rebuild {
  domain: string
  /** Totals before this month, such as `2026-11`, stay, as their events may have been dropped. */
  since: string
  /** Compares, and changes nothing. */
  dryRun: boolean
}

/**
 * Repairs a domain's rollup from its events and returns the differences. The server may keep
 * writing: one statement sees events and totals in one snapshot, and adds the differences.
 */
export const rebuildRollup = (db: Db, { domain, since, dryRun }: Rebuild): Promise<Difference[]> =>
  db.transaction(async (tx) => {
    await lockRollup(tx, domain)
    const months = await monthsOfEvents(tx)
    if (months.length === 0) return []
    const repaired = sql`, repaired as (${addToRollup(sql`differing`)})`
    const rows = await tx.execute<Raw>(sql`
      with counted as (
        ${sumEvents(sql`events where domain = ${domain} and ts >= ${`${since}-01`}::date`)}
      ), kept as (
        select * from rollup_daily
        where domain = ${domain} and day >= ${`${since}-01`}::date
          and to_char(day, 'YYYY-MM') in ${months}
      ), compared as (
        select ${ROLLUP_KEY},
          ${eachFigure((figure) => sql`coalesce(counted.${figure}, 0) - coalesce(kept.${figure}, 0) as ${figure}`)}
        from counted full join kept using (${ROLLUP_KEY})
      ), differing as materialized (
        select * from compared
        where (${eachFigure((figure) => figure)}) <> (${eachFigure(() => sql`0`)})
      )${dryRun ? sql`` : repaired}
      select ${ROLLUP_KEY}, ${eachFigure((figure) => figure)}
      from differing order by ${ROLLUP_KEY}`)
    if (!dryRun) await deleteEmptyRows(tx, domain)
    return rows.map(readFigures)
  })

/** Figures as numbers: a difference is small, even where a sum is not. */
const readFigures = (row: Raw): Difference => ({
  ...row,
  sessions: Number(row.sessions),
  viewed: Number(row.viewed),
  initiated: Number(row.initiated),
  completed: Number(row.completed),
  failed: Number(row.failed),
  revenue: Number(row.revenue),
  refunds: Number(row.refunds),
  refunded: Number(row.refunded),
})

/** The months that have events. The lock keeps retention from dropping any of them. */
async function monthsOfEvents(tx: Transaction): Promise<string[]> {
  await tx.execute(sql`lock table events in access share mode`)
  const rows = await tx.execute<{ month: string }>(sql`
    select substring(pg_get_expr(relpartbound, oid) from '[0-9]{4}-[0-9]{2}') as month
    from pg_inherits join pg_class on oid = inhrelid where inhparent = 'events'::regclass`)
  return rows.map(({ month }) => month)
}

/** Whether the domain has events or sums. */
export async function isReported(db: Db, domain: string): Promise<boolean> {
  const [row] = await db.execute<{ known: boolean }>(sql`
    select exists (select from rollup_daily where domain = ${domain})
      or exists (select from events where domain = ${domain}) as known`)
  return row?.known ?? false
}

/** The domains that have events or sums. */
export async function reportedDomains(db: Db): Promise<string[]> {
  const rows = await db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`)
    return tx.execute<{ domain: string }>(
      sql`select domain from rollup_daily union select domain from events order by domain`,
    )
  })
  return rows.map(({ domain }) => domain)
}
