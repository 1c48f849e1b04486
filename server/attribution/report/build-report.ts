import { UNATTRIBUTED } from '../../../shared/attribution/classify/visit.ts'
import { LOOKBACK_DAYS } from '../../../shared/attribution/property.ts'
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
import { findSetting, findTimeZones } from '../../db/attribution/domain-settings.ts'
import { readTotals } from '../../db/attribution/shop-totals.ts'
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
  readVerifiedSums,
  type VerifiedSums,
} from '../../db/events/rollups.ts'
import type { Dimension } from '../../db/events/tables.ts'
import {
  changeOf,
  countsIn,
  funnelOf,
  mainCurrency,
  onlyIn,
  originRowOf,
  revenueByCurrency,
  rowChangeOf,
  summaryOf,
  surfaceRowOf,
  total,
  unattributedOf,
  verificationOf,
} from './figures.ts'
import {
  aiShareOf,
  customersOf,
  landingListOf,
  productListOf,
  totalsCurrenciesOf,
  withTitles,
} from './lists.ts'
import {
  type ComparedDays,
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
  { domain, start, end, granularity, surface, kind, landing, product_id, touch }: ReportQuery,
  from = start,
  compared: RollupRange['compared'] = null,
): RollupRange => ({
  domain,
  from,
  start,
  end,
  granularity,
  compared,
  touch,
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
 * A domain's report (spec, Attribution report), by reads of daily sums, whose cost does not grow
 * with the number of events. A domain without events has a report of zeros. `now` decides which
 * days are over.
 */
export async function loadReport(db: Db, query: ReportQuery, now: Date): Promise<Report> {
  const { domain, start, end, granularity } = query
  const [zones, lookBacks] = await Promise.all([
    findTimeZones(db.$client, [domain]),
    findSetting(db.$client, 'lookback_days', [domain]),
  ])
  const zone = zones.get(domain)
  const today = dayIn(now.getTime(), zone)
  const period = { start, end }
  const before = query.compare === 'previous' ? rangeBefore(period) : null
  const compared = before && comparedDays(period, before, today)
  const read = await readAll(db, query, before, compared)

  const own = read.origins.filter(({ earlier }) => !earlier)
  const earlier = read.origins.filter((row) => row.earlier)
  const totalsCurrencies = totalsCurrenciesOf(read.totals)
  // Without sales in the range, the currency of the range before keeps the two comparable.
  const asked = query.currency === MAIN_CURRENCY ? undefined : query.currency
  const sold = asked ?? query.money_in ?? mainCurrency(own) ?? mainCurrency(earlier)
  // Of a shop to which AI brought no order with a value, the share is one of what it sold.
  const currency = sold ?? totalsCurrencies[0] ?? mainCurrency(read.unattributed ?? []) ?? null
  const only = query.currency === undefined ? null : sold
  const filtered = <Row extends OrderSums>(rows: readonly Row[]) =>
    only === null ? rows : onlyIn(rows, only)
  const origins = filtered(own)
  const periods = filtered(read.periods)
  const daily = (days: DayRange, isEarlier: boolean) =>
    dailyOf(
      days,
      granularity,
      periods.filter((row) => row.earlier === isEarlier),
      currency,
      today,
    )

  const { by_surface, by_source, by_kind } = rowsByOrigin(
    filtered(read.origins),
    currency,
    compared !== null,
  )
  const { sort, limit, offset } = query
  const options = { sort, limit, offset, currency, withChange: compared !== null }
  const { landings, products, customers, series } = read
  return {
    domain,
    period,
    summary: summaryOf(origins, currency),
    by_surface,
    daily: daily(period, false),
    granularity,
    time_zone: zone ?? 'UTC',
    touch: query.touch,
    lookback_days: lookBacks.get(domain) ?? LOOKBACK_DAYS,
    complete_through: lastOver(period, today),
    currency,
    revenue_by_currency: currenciesOf(read.origins, compared !== null),
    orders_without_value: total(
      own.filter((row) => row.currency === ''),
      ({ completed }) => completed,
    ),
    verification: read.verified && verificationBySurface(origins, read.verified, only),
    by_source,
    by_kind,
    by_landing: landings && landingListOf(filtered(landings), options),
    by_product:
      products && (await withTitles(db, domain, productListOf(filtered(products), options))),
    by_customer: customers && customersOf(filtered(customers), origins, currency),
    share: aiShareOf(read.totals, currency),
    totals_currencies: totalsCurrencies,
    unattributed: read.unattributed && unattributedOf(filtered(read.unattributed), currency),
    funnel: funnelOf(origins),
    set_aside: read.setAside,
    ...(series && {
      series: seriesOf(period, granularity, filtered(series), currency, today),
    }),
    ...(before && {
      previous: {
        period: before,
        daily: daily(before, true),
        ...comparisonOf(origins, filtered(earlier), currency, compared),
      },
    }),
  }
}

/** The sums of what is counted apart, per period and currency. */
export const readUnattributed = (db: Db, query: ReportQuery): Promise<PeriodSurfaceSums[]> =>
  readRollupBySurface(db, { ...rollupRangeOf(query), kind: UNATTRIBUTED })

/** Everything that is stored of a report, in one go. Null: it has no such list. */
async function readAll(
  db: Db,
  query: ReportQuery,
  before: DayRange | null,
  compared: ComparedDays | null,
) {
  const { domain, start, end, surface, kind, landing, product_id } = query
  // Both ranges in one read: they are adjacent.
  const range = rollupRangeOf(
    query,
    before?.start,
    compared && { through: compared.current.end, throughBefore: compared.previous.end },
  )
  // Landing pages, products and customers are counted each for themselves.
  const isOfAll = landing === undefined && product_id === undefined
  const isShared = isOfAll && surface === undefined && kind === undefined
  const listed = (dimension: Dimension) => (isOfAll ? readNamed(db, range, dimension) : null)
  const [rollup, landings, products, customers, verified, series, totals, unattributed, setAside] =
    await Promise.all([
      readRollup(db, range),
      listed('landing'),
      listed('product'),
      listed('customer'),
      isOfAll ? readVerifiedSums(db, range) : null,
      query.series === 'surface' ? readRollupBySurface(db, { ...range, from: start }) : null,
      isShared ? readTotals(db, { domain, start, end }) : [],
      isShared ? readUnattributed(db, query) : null,
      readSetAside(db, { domain, start, end }),
    ])
  return {
    ...{ ...rollup, landings, products, customers, verified, series },
    ...{ totals, unattributed, setAside },
  }
}

/** The rows of each surface, source and kind, with their change where that is asked for. */
function rowsByOrigin(
  all: readonly OriginSums[],
  currency: string | null,
  withChange: boolean,
): Pick<Report, 'by_surface' | 'by_source' | 'by_kind'> {
  const changing =
    <Row>(rowOf: (rows: readonly OriginSums[], currency: string | null) => Row) =>
    (rows: readonly OriginSums[]): Row => ({
      ...rowOf(
        rows.filter(({ earlier }) => !earlier),
        currency,
      ),
      ...(withChange && { change: rowChangeOf(rows, currency) }),
    })
  const surfaceRow = changing(surfaceRowOf)
  const originRow = changing(originRowOf)
  const ofSource = (source: OriginSums['source']) =>
    surfaceRow(all.filter((row) => row.source === source))
  const ofKind = (kind: ReportKind) =>
    originRow(all.filter((row) => row.kind === STORED_KIND[kind]))
  return {
    by_surface: bySurface(all, surfaceRow),
    by_source: { ucp: ofSource('ucp'), acp: ofSource('acp'), web: ofSource('web') },
    by_kind: { click: ofKind('click'), agent: ofKind('agent'), protocol: ofKind('protocol') },
  }
}

/** The range before, and the change from it: of its days that are over, and of as many before. */
function comparisonOf(
  origins: readonly OriginSums[],
  originsBefore: readonly OriginSums[],
  currency: string | null,
  compared: ComparedDays | null,
): Pick<NonNullable<Report['previous']>, 'summary' | 'funnel' | 'compared' | 'change'> {
  const comparedSummary = (rows: readonly OriginSums[]) =>
    summaryOf(
      rows.filter((row) => row.compared),
      currency,
    )
  const current = comparedSummary(origins)
  const previous = comparedSummary(originsBefore)
  return {
    summary: summaryOf(originsBefore, currency),
    funnel: funnelOf(originsBefore),
    compared: compared && { ...compared, summary: current, previous_summary: previous },
    change: changeOf(current, previous),
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
    ...countsIn(found.get(date) ?? [], currency),
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
      ...countsIn(own.get(date) ?? [], currency),
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

/** What is verified and what is claimed, of each surface that agents came from. */
function verificationBySurface(
  rows: readonly OriginSums[],
  verified: readonly VerifiedSums[],
  /** Only its orders count, if there is one. */
  only: string | null,
): NonNullable<Report['verification']> {
  const agents = Map.groupBy(
    rows.filter(({ kind, sessions, completed }) => kind !== 'referral' && sessions + completed > 0),
    ({ surface }) => surface,
  )
  const counted = verified.map((row) =>
    only === null || row.currency === only ? row : { ...row, orders: 0 },
  )
  const bySurface = Map.groupBy(counted, ({ surface }) => surface)
  return Object.fromEntries(
    surfacesOf(rows).flatMap((surface) => {
      const own = agents.get(surface)
      return own === undefined ? [] : [[surface, verificationOf(own, bySurface.get(surface) ?? [])]]
    }),
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
