import { stringify } from 'csv-stringify/sync'
import type { ReportQuery } from '../../../shared/attribution/report.ts'
import type { Db } from '../../db/connect.ts'
import { type PeriodSurfaceSums, readRollupBySurface } from '../../db/events/rollups.ts'
import { surfacesOf } from './build-report.ts'
import { countsOf, refundedIn, revenueByCurrency } from './figures.ts'
import { periodsOf } from './periods.ts'

/** The header of the export; amounts are in the smallest unit of `currency`. */
const COLUMNS = [
  'date',
  'surface',
  'sessions',
  'checkouts',
  'orders',
  'revenue_cents',
  'currency',
  // Added after the others, which keep their places.
  'refunds',
  'refunded_cents',
  'net_revenue_cents',
] as const
type CsvRow = Record<(typeof COLUMNS)[number], string | number>

// Unspecified: the CSV export has one line for each period; `compare` adds nothing to it.

/**
 * A domain's report for a spreadsheet. Per period and surface a row without a currency, with the
 * sessions, the checkouts and the orders that came without one; and a row per currency, or for the
 * one that was asked for, with its orders, revenue and refunds. Whatever was counted is in one row only.
 */
export async function loadReportCsv(db: Db, query: ReportQuery): Promise<string> {
  const { domain, start, end, granularity } = query
  const rows = await readRollupBySurface(db, { domain, from: start, start, end, granularity })
  return csvOf(csvRows(query, rows))
}

/** Headers with which a browser saves the file under a name that says what it holds. */
export const csvHeaders = ({ domain, start, end }: ReportQuery) => ({
  'Content-Type': 'text/csv; charset=utf-8',
  'Content-Disposition': `attachment; filename="aisle-${domain}-${start}-${end}.csv"`,
})

/** The rows in the order of periods, then surfaces; a period without events has rows of zeros. */
function csvRows(query: ReportQuery, rows: readonly PeriodSurfaceSums[]): CsvRow[] {
  const found = Map.groupBy(rows, ({ period, surface }) => `${period} ${surface}`)
  const surfaces = surfacesOf(rows)
  return periodsOf(query, query.granularity).flatMap((date) =>
    surfaces.flatMap((surface) => {
      const group = found.get(`${date} ${surface}`) ?? []
      const unpriced = group.filter(({ currency }) => currency === '')
      const { orders } = countsOf(unpriced, '')
      const sold = Object.entries(revenueByCurrency(group)).filter(
        ([currency]) => query.currency === undefined || query.currency === currency,
      )
      return [
        // A refund has a currency, so it is in the row of that.
        {
          date,
          surface,
          ...countsOf(group, ''),
          orders,
          ...refundedIn(unpriced, ''),
          currency: '',
        },
        ...sold.map(([currency, { orders, revenue_cents }]) => ({
          date,
          surface,
          sessions: 0,
          checkouts: 0,
          orders,
          revenue_cents,
          ...refundedIn(
            group.filter((row) => row.currency === currency),
            currency,
          ),
          currency,
        })),
      ]
    }),
  )
}

/**
 * The rows as CSV (RFC 4180), with a byte order mark, so that Excel reads it as UTF-8, and with
 * formulas escaped (https://owasp.org/www-community/attacks/CSV_Injection).
 */
export const csvOf = (rows: readonly CsvRow[]): string =>
  // Rows as lists: looking columns up by their names costs as much as all the rest.
  stringify([[...COLUMNS], ...rows.map((row) => COLUMNS.map((column) => row[column]))], {
    bom: true,
    escape_formulas: true,
    // Many readers end a record at a lone CR or LF too, so values that contain one are quoted.
    quoted_match: /[\r\n]/,
    record_delimiter: 'windows',
  })
