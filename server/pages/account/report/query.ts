import * as z from 'zod'
import { GRANULARITIES, ReportQuery } from '../../../../shared/attribution/report.ts'
import { rangeOf } from '../../../../shared/attribution/report-range.ts'
import { isCurrency } from '../../../../shared/commerce/iso.ts'
import { CHART_METRICS } from '../../../../shared/view/report/figures.ts'

/** What a dashboard's address asks for; `domain` is left out behind a share link. */
export interface ReportAsked {
  domain?: string | undefined
  start: string
  end: string
  granularity: (typeof GRANULARITIES)[number]
  compare: boolean
  currency?: string | undefined
  metric: (typeof CHART_METRICS)[number]
}

export interface ReadReportQuery {
  asked: ReportAsked
  query: ReportQuery
  /** A file instead of a page. */
  wantsCsv: boolean
  /** Why the range that was asked for is not shown, and how to correct it. */
  problem: string | null
}

const Parameters = z.object({
  start: z.string().optional(),
  end: z.string().optional(),
  granularity: z.enum(GRANULARITIES).default('day').catch('day'),
  compare: z.string().optional(),
  currency: z.string().refine(isCurrency).optional().catch(undefined),
  metric: z.enum(CHART_METRICS).default('revenue').catch('revenue'),
  format: z.string().optional(),
})

/**
 * Reads the address of a dashboard. Without a range, or with an invalid one, it shows the last 28
 * days compared with the 28 before; `problem` then says what is invalid.
 */
export function readReportQuery(
  parameters: Record<string, string>,
  domain: string,
  now: Date,
): ReadReportQuery {
  const { start, end, granularity, compare, format, ...rest } = Parameters.parse(parameters)
  const usual = { ...rest, ...rangeOf('last_28', now), compare: true }
  const given = { start: start ?? '', end: end ?? '', granularity, compare: compare === 'previous' }
  const wanted = start === undefined && end === undefined ? usual : { ...rest, ...given }
  const read = ReportQuery.safeParse(queryOf(wanted, domain))
  if (read.success) {
    return { asked: wanted, query: read.data, wantsCsv: format === 'csv', problem: null }
  }
  const reasons = new Set(read.error.issues.map(({ message }) => message))
  const query = ReportQuery.parse(queryOf(usual, domain))
  return { asked: usual, query, wantsCsv: false, problem: [...reasons].join(' ') }
}

const queryOf = ({ start, end, granularity, compare, currency }: ReportAsked, domain: string) => ({
  domain,
  start,
  end,
  granularity,
  ...(compare && { compare: 'previous' }),
  ...(currency !== undefined && { currency }),
})

/** The address that asks for this again. */
export function reportHref(action: string, asked: ReportAsked, format?: 'csv'): string {
  const { compare, ...rest } = asked
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({
    ...rest,
    ...(compare && { compare: 'previous' }),
    format,
  })) {
    if (value !== undefined) query.set(name, value)
  }
  return `${action}?${query}`
}
