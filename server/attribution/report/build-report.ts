import {
  type DailyRow,
  MAIN_CURRENCY,
  type Report,
  type ReportKind,
  type ReportQuery,
  type SeriesRow,
} from '../../../shared/attribution/report.ts'
import { OTHER_AI } from '../../../shared/attribution/surfaces.ts'
import { dayIn } from '../../../shared/web/moment.ts'
import { readSetAside } from '../../db/attribution/beacon-days.ts'
import { readTotals } from '../../db/attribution/shop-totals.ts'
import { findTimeZones } from '../../db/attribution/time-zones.ts'
import type { Db } from '../../db/connect.ts'
import {
  type OrderSums,
  type OriginSums,
  type PeriodSums,
  type PeriodSurfaceSums,
  type RollupRange,
  readNamed,
  readRollup,
  readRollupBySurface,
} from '../../db/events/rollups.ts'
import type { Dimension } from '../../db/tables.ts'
import {
  changeOf,
  countsOf,
  funnelOf,
  mainCurrency,
  onlyIn,
  originRowOf,
  revenueByCurrency,
  rowChangeOf,
  summaryOf,
  surfaceRowOf,
  total,
} from './figures.ts'
import { aiShareOf, customersOf, landingListOf, productListOf, withTitles } from './lists.ts'
import {
  comparedDays,
  type DayRange,
  isPartial,
  lastOver,
  periodsOf,
  rangeBefore,
} from './periods.ts'

/** The surfaces that the specification names: in every report, even if nothing came from them. */
const ALWAYS = ['chatgpt', 'google_ai_mode', 'perplexity', OTHER_AI]

/** The surfaces of a report: those that the spec names, then those of the rows, alphabetically. */
export const surfacesOf = (rows: readonly { surface: string }[]): string[] => [
  ...new Set([...ALWAYS, ...[...new Set(rows.map(({ surface }) => surface))].sort()]),
]

/** The stored kind of visit that each of a report's is. */
const STORED_KIND = { click: 'referral', agent: 'agent', protocol: 'protocol' } as const

/** What of the sums a report reads: its days and its filters. */
export const rollupRangeOf = (
  { domain, start, end, granularity, surface, kind, landing, product_id }: ReportQuery,
  from = start,
  compared: RollupRange['compared'] = null,
): RollupRange => ({
  domain,
  from,
  start,
  end,
  granularity,
  compared,
  surface,
  kind: kind && STORED_KIND[kind],
  named:
    landing !== undefined
      ? { dimension: 'landing', name: landing }
      : product_id !== undefined
        ? { dimension: 'product', name: product_id }
        : undefined,
})

/**
 * A domain's report (spec, Attribution report), by reads of daily sums, whose cost does not grow with
 * the number of events. A domain without events has a report of zeros. `now` decides which days are
 * over.
 */
export async function loadReport(db: Db, query: ReportQuery, now: Date): Promise<Report> {
  const { domain, start, end, granularity, landing, product_id } = query
  const zone = (await findTimeZones(db.$client, [domain])).get(domain)
  const today = dayIn(now.getTime(), zone)
  const period = { start, end }
  const before = query.compare === 'previous' ? rangeBefore(period) : null
  const compared = before && comparedDays(period, before, today)
  // Both ranges in one read: they are adjacent.
  const range = rollupRangeOf(
    query,
    before?.start,
    compared && { through: compared.current.end, throughBefore: compared.previous.end },
  )
  // Landing pages, products and customers are counted each for themselves.
  const isOfAll = landing === undefined && product_id === undefined
  const isShared = isOfAll && query.surface === undefined && query.kind === undefined
  const listed = (dimension: Dimension) => (isOfAll ? readNamed(db, range, dimension) : [])
  const [read, landings, products, customers, series, totals, set_aside] = await Promise.all([
    readRollup(db, range),
    listed('landing'),
    listed('product'),
    listed('customer'),
    query.series === 'surface' ? readRollupBySurface(db, { ...range, from: start }) : null,
    isShared ? readTotals(db, { domain, start, end }) : [],
    readSetAside(db, { domain, start, end }),
  ])

  const own = read.origins.filter(({ earlier }) => !earlier)
  const earlier = read.origins.filter((row) => row.earlier)
  // Without sales in the range, the currency of the range before keeps the two comparable.
  const main = mainCurrency(own) ?? mainCurrency(earlier)
  const currency =
    query.currency === undefined || query.currency === MAIN_CURRENCY ? main : query.currency
  const isFiltered = query.currency !== undefined && currency !== null
  const filtered = <Row extends OrderSums>(rows: readonly Row[]) =>
    isFiltered ? onlyIn(rows, currency) : rows
  const all = filtered(read.origins)
  const origins = filtered(own)
  const originsBefore = filtered(earlier)
  const periods = filtered(read.periods)

  /** The rows of one surface, source or kind, with their change where that is asked for. */
  const withChange =
    <Row>(rowOf: (rows: readonly OriginSums[]) => Row) =>
    (rows: readonly OriginSums[]): Row => ({
      ...rowOf(rows.filter((row) => !row.earlier)),
      ...(compared && { change: rowChangeOf(rows, currency) }),
    })
  const surfaceRow = withChange((rows) => surfaceRowOf(rows, currency))
  const originRow = withChange((rows) => originRowOf(rows, currency))
  const ofKind = (kind: ReportKind) =>
    originRow(all.filter((row) => row.kind === STORED_KIND[kind]))
  const ofSource = (source: OriginSums['source']) =>
    surfaceRow(all.filter((row) => row.source === source))
  const summary = summaryOf(origins, currency)
  const daily = (days: DayRange, isEarlier: boolean) =>
    dailyOf(
      days,
      granularity,
      periods.filter((row) => row.earlier === isEarlier),
      currency,
      today,
    )

  const { sort, limit, offset } = query
  const options = { sort, limit, offset, currency, withChange: compared !== null }
  const report: Report = {
    domain,
    period,
    summary,
    by_surface: bySurface(all, surfaceRow),
    daily: daily(period, false),
    granularity,
    time_zone: zone ?? 'UTC',
    complete_through: lastOver(period, today),
    currency,
    revenue_by_currency: currenciesOf(read.origins, compared !== null),
    orders_without_value: total(
      own.filter((row) => row.currency === ''),
      ({ completed }) => completed,
    ),
    by_source: { ucp: ofSource('ucp'), acp: ofSource('acp'), web: ofSource('web') },
    by_kind: { click: ofKind('click'), agent: ofKind('agent'), protocol: ofKind('protocol') },
    by_landing: isOfAll ? landingListOf(filtered(landings), options) : null,
    by_product: isOfAll
      ? await withTitles(db, domain, productListOf(filtered(products), options))
      : null,
    by_customer: isOfAll ? customersOf(filtered(customers), origins, currency) : null,
    share: aiShareOf(totals, currency),
    funnel: funnelOf(origins),
    set_aside,
    ...(series && {
      series: seriesOf(period, granularity, filtered(series), currency, today),
    }),
  }
  if (before === null) return report

  const summaryBefore = summaryOf(originsBefore, currency)
  const [current, previous] = [origins, originsBefore].map((rows) =>
    summaryOf(
      rows.filter((row) => row.compared),
      currency,
    ),
  ) as [Report['summary'], Report['summary']]
  return {
    ...report,
    previous: {
      period: before,
      summary: summaryBefore,
      funnel: funnelOf(originsBefore),
      daily: daily(before, true),
      compared: compared && { ...compared, summary: current, previous_summary: previous },
      change: changeOf(current, previous),
    },
  }
}

/** A row for each period of the range, also for those in which nothing happened. */
function dailyOf(
  range: DayRange,
  granularity: Report['granularity'],
  rows: readonly PeriodSums[],
  currency: string | null,
  today: string,
): DailyRow[] {
  const found = Map.groupBy(rows, ({ period }) => period)
  return periodsOf(range, granularity).map((date) => ({
    date,
    ...countsOf(found.get(date) ?? [], currency),
    partial: isPartial(date, range, granularity, today),
  }))
}

/** A row for each period and surface, in the order of periods. */
function seriesOf(
  range: DayRange,
  granularity: Report['granularity'],
  rows: readonly PeriodSurfaceSums[],
  currency: string | null,
  today: string,
): SeriesRow[] {
  const found = Map.groupBy(rows, ({ surface }) => surface)
  const surfaces = surfacesOf(rows).map((surface) => {
    const own = Map.groupBy(found.get(surface) ?? [], ({ period }) => period)
    return { surface, own }
  })
  return periodsOf(range, granularity).flatMap((date) => {
    const partial = isPartial(date, range, granularity, today)
    return surfaces.map(({ surface, own }) => ({
      date,
      surface,
      ...countsOf(own.get(date) ?? [], currency),
      partial,
    }))
  })
}

function bySurface(
  rows: readonly OriginSums[],
  rowOf: (rows: readonly OriginSums[]) => Report['by_surface'][string],
): Report['by_surface'] {
  const found = Map.groupBy(rows, ({ surface }) => surface)
  return Object.fromEntries(
    surfacesOf(rows).map((surface) => [surface, rowOf(found.get(surface) ?? [])]),
  )
}

/** Each currency with its own orders, average and, where that is asked for, change. */
function currenciesOf(
  rows: readonly OriginSums[],
  withChange: boolean,
): Report['revenue_by_currency'] {
  const own = revenueByCurrency(rows.filter(({ earlier }) => !earlier))
  if (!withChange) return own
  return Object.fromEntries(
    Object.entries(own).map(([currency, row]) => {
      const {
        sessions: _,
        checkouts: __,
        ...change
      } = rowChangeOf(onlyIn(rows, currency), currency)
      return [currency, { ...row, change }]
    }),
  )
}
