import { stringify } from 'csv-stringify/sync'
import type { ReportQuery } from '../../shared/report.ts'
import type { Db } from '../db/connect.ts'
import { type PeriodSurfaceSums, readRollupBySurface } from '../db/rollups.ts'
import { surfacesOf } from './build-report.ts'
import { countsOf, mainCurrency } from './figures.ts'
import { periodsOf } from './periods.ts'

const COLUMNS = [
  'date',
  'surface',
  'sessions',
  'checkouts',
  'orders',
  'revenue_cents',
  'currency',
] as const
type CsvRow = Record<(typeof COLUMNS)[number], string | number>

// Unspecified: the form of the export. `compare` adds nothing to it.

/**
 * A domain's report for a spreadsheet: a row per period and surface in the main currency, and one
 * more where something was counted in another. Each event is in one row, so columns can be summed.
 */
export async function loadReportCsv(db: Db, query: ReportQuery): Promise<string> {
  const { domain, start, end, granularity } = query
  const rows = await readRollupBySurface(db, { domain, from: start, start, end, granularity })
  return csvOf(csvRows(query, rows))
}

/** Headers with which a browser saves the file. */
export const csvHeaders = ({ domain, start, end }: ReportQuery) => ({
  'Content-Type': 'text/csv; charset=utf-8',
  'Content-Disposition': `attachment; filename="aisle-${domain}-${start}-${end}.csv"`,
})

function csvRows(query: ReportQuery, rows: readonly PeriodSurfaceSums[]): CsvRow[] {
  const main = query.currency ?? mainCurrency(rows) ?? ''
  const found = Map.groupBy(rows, ({ period, surface }) => `${period} ${surface}`)
  const surfaces = surfacesOf(rows)
  return periodsOf(query, query.granularity).flatMap((date) =>
    surfaces.flatMap((surface) => {
      // What has no value counts with the main currency.
      const groups = Map.groupBy(found.get(`${date} ${surface}`) ?? [], ({ currency }) =>
        currency === '' ? main : currency,
      )
      const currencies = new Set([main, ...[...groups.keys()].sort()])
      return [...currencies].map((currency) => ({
        date,
        surface,
        ...countsOf(groups.get(currency) ?? [], currency),
        currency,
      }))
    }),
  )
}

/** With a byte order mark, by which Excel knows UTF-8, and no text that it would run as a formula. */
export const csvOf = (rows: readonly CsvRow[]): string =>
  stringify([...rows], {
    bom: true,
    header: true,
    columns: [...COLUMNS],
    escape_formulas: true,
    // Half of the record's delimiter ends a record as well, for many a reader.
    quoted_match: /[\r\n]/,
    record_delimiter: 'windows',
  })
