import { stringify } from 'csv-stringify/sync'
import { UNATTRIBUTED } from '../../../shared/attribution/classify/visit.ts'
import { MAIN_CURRENCY, type ReportQuery } from '../../../shared/attribution/report.ts'
import { exponentOf } from '../../../shared/commerce/iso.ts'
import type { Db } from '../../db/connect.ts'
import {
  type PeriodSurfaceSums,
  readRollupBySurface,
  readVerifiedSums,
  type VerifiedSums,
} from '../../db/events/rollups.ts'
import { readUnattributed, rollupRangeOf, surfacesOf } from './build-report.ts'
import { countsOf, mainCurrency, onlyIn, refundedIn, total } from './figures.ts'
import { periodsOf } from './periods.ts'

/** The header of the export; amounts are in whole units of `currency`, such as 49.99. */
const COLUMNS = [
  'date',
  'surface',
  'currency',
  'sessions',
  'checkouts',
  'orders',
  'revenue',
  'refunds',
  'refunded',
  'net_revenue',
  'other_orders',
  'verified_sessions',
  'verified_orders',
] as const
type CsvRow = Record<(typeof COLUMNS)[number], string | number>

// Unspecified: the CSV export has one row for each period and surface, in one currency: the one
// that was asked for, or that of most orders. `other_orders` counts the orders that are in another
// or in none, so that no row is of two currencies and no order is missing. `compare` adds nothing
// to it. What is counted apart from AI has rows of its own, if there is any, with `unattributed` as
// the surface: a sum of what AI brought leaves them out. `verified_sessions` and `verified_orders`
// are those of which it is proved whose agent it was, and are empty with `landing` or `product_id`.

/** A domain's report for a spreadsheet: everything is counted in one row only. */
export async function loadReportCsv(db: Db, query: ReportQuery): Promise<string> {
  const isFiltered = [query.surface, query.kind, query.landing, query.product_id].some(Boolean)
  const range = rollupRangeOf(query)
  const [rows, apart, verified] = await Promise.all([
    readRollupBySurface(db, range),
    isFiltered ? [] : readUnattributed(db, query),
    range.named === undefined ? readVerifiedSums(db, range) : null,
  ])
  return csvOf(csvRows(query, rows, apart, verified))
}

/** Headers with which a browser saves the file under a name that says what it holds. */
export const csvHeaders = ({
  domain,
  start,
  end,
}: Pick<ReportQuery, 'domain' | 'start' | 'end'>) => ({
  'Content-Type': 'text/csv; charset=utf-8',
  'Content-Disposition': `attachment; filename="aisle-${domain}-${start}-${end}.csv"`,
})

/** The rows in the order of periods, then surfaces; a period without events has rows of zeros. */
function csvRows(
  query: ReportQuery,
  rows: readonly PeriodSurfaceSums[],
  unattributed: readonly PeriodSurfaceSums[],
  verified: readonly VerifiedSums[] | null,
): CsvRow[] {
  const { currency: asked = query.money_in ?? MAIN_CURRENCY } = query
  const main = () => mainCurrency(rows) ?? mainCurrency(unattributed)
  const currency = (asked === MAIN_CURRENCY ? main() : asked) ?? ''
  const unit = 10 ** exponentOf(currency)
  // Of a session without a known visit nothing is known but its orders.
  const apart = unattributed.map((row) => ({ ...row, surface: UNATTRIBUTED, sessions: 0 }))
  const found = Map.groupBy([...rows, ...apart], ({ period, surface }) => `${period} ${surface}`)
  const proved = verified && Map.groupBy(verified, ({ period, surface }) => `${period} ${surface}`)
  const surfaces = [...surfacesOf(rows), ...(apart.length > 0 ? [UNATTRIBUTED] : [])]
  return periodsOf(query, query.granularity).flatMap((date) =>
    surfaces.map((surface) => {
      const group = found.get(`${date} ${surface}`) ?? []
      const own = onlyIn(group, currency)
      const { sessions, checkouts, orders, revenue_cents } = countsOf(own, currency)
      const { refunds, refunded_cents, net_revenue_cents } = refundedIn(own, currency)
      const ofProof = proved?.get(`${date} ${surface}`) ?? []
      const inCurrency = ofProof.filter((row) => row.currency === currency)
      return {
        date,
        surface,
        currency,
        sessions,
        checkouts,
        orders,
        revenue: revenue_cents / unit,
        refunds,
        refunded: refunded_cents / unit,
        net_revenue: net_revenue_cents / unit,
        other_orders: countsOf(group, currency).orders - orders,
        verified_sessions: proved === null ? '' : total(ofProof, (row) => row.sessions),
        verified_orders: proved === null ? '' : total(inCurrency, (row) => row.orders),
      }
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
