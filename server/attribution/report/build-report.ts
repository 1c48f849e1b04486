import type {
  DailyRow,
  Report,
  ReportQuery,
  SurfaceRow,
} from '../../../shared/attribution/report.ts'
import { OTHER_AI } from '../../../shared/attribution/surfaces.ts'
import { readSetAside } from '../../db/beacon-days.ts'
import type { Db } from '../../db/connect.ts'
import { type OriginSums, type PeriodSums, readRollup } from '../../db/events/rollups.ts'
import {
  changeOf,
  countsOf,
  funnelOf,
  mainCurrency,
  revenueByCurrency,
  summaryOf,
  surfaceRowOf,
} from './figures.ts'
import { type DayRange, periodsOf, rangeBefore } from './periods.ts'

/** The surfaces that the specification names: in every report, even if nothing came from them. */
const ALWAYS = ['chatgpt', 'google_ai_mode', 'perplexity', OTHER_AI]

/** The surfaces of a report: those that the spec names, then those of the rows, alphabetically. */
export const surfacesOf = (rows: readonly { surface: string }[]): string[] => [
  ...new Set([...ALWAYS, ...rows.map(({ surface }) => surface).sort()]),
]

/**
 * A domain's report (spec, Attribution report), by one read of the daily sums and one of what was set
 * aside, whose cost does not grow with the number of events. A domain without events has a report of zeros.
 */
export async function loadReport(db: Db, query: ReportQuery): Promise<Report> {
  const { domain, start, end, granularity } = query
  const period = { start, end }
  const before = query.compare === 'previous' ? rangeBefore(period) : null
  // Both ranges in one read: they are adjacent.
  const from = before?.start ?? start
  const [read, set_aside] = await Promise.all([
    readRollup(db, { domain, from, start, end, granularity }),
    readSetAside(db, { domain, start, end }),
  ])
  const periods = read.periods.filter(({ earlier }) => !earlier)
  const origins = read.origins.filter(({ earlier }) => !earlier)
  const originsBefore = read.origins.filter(({ earlier }) => earlier)

  // Without sales in the range, the currency of the range before keeps the two comparable.
  const currency = query.currency ?? mainCurrency(origins) ?? mainCurrency(originsBefore)
  const summary = summaryOf(origins, currency)
  const report: Report = {
    domain,
    period,
    summary,
    by_surface: bySurface(origins, currency),
    daily: dailyOf(period, granularity, periods, currency),
    granularity,
    currency,
    revenue_by_currency: revenueByCurrency(origins),
    by_source: bySource(origins, currency),
    funnel: funnelOf(origins),
    set_aside,
  }
  if (before === null) return report

  const summaryBefore = summaryOf(originsBefore, currency)
  const periodsBefore = read.periods.filter(({ earlier }) => earlier)
  return {
    ...report,
    previous: {
      period: before,
      summary: summaryBefore,
      funnel: funnelOf(originsBefore),
      daily: dailyOf(before, granularity, periodsBefore, currency),
      change: changeOf(summary, summaryBefore),
    },
  }
}

/** A row for each period of the range, also for those in which nothing happened. */
function dailyOf(
  range: DayRange,
  granularity: Report['granularity'],
  rows: readonly PeriodSums[],
  currency: string | null,
): DailyRow[] {
  const found = Map.groupBy(rows, ({ period }) => period)
  return periodsOf(range, granularity).map((date) => ({
    date,
    ...countsOf(found.get(date) ?? [], currency),
  }))
}

function bySurface(
  rows: readonly OriginSums[],
  currency: string | null,
): Record<string, SurfaceRow> {
  const found = Map.groupBy(rows, ({ surface }) => surface)
  return Object.fromEntries(
    surfacesOf(rows).map((surface) => [surface, surfaceRowOf(found.get(surface) ?? [], currency)]),
  )
}

function bySource(rows: readonly OriginSums[], currency: string | null): Report['by_source'] {
  const rowOf = (source: OriginSums['source']) =>
    surfaceRowOf(
      rows.filter((row) => row.source === source),
      currency,
    )
  return { ucp: rowOf('ucp'), acp: rowOf('acp'), web: rowOf('web') }
}
