import * as z from 'zod'
import { isCurrency } from '../../../shared/iso.ts'
import { GRANULARITIES, ReportQuery } from '../../../shared/report.ts'
import { rangeOf } from '../../../shared/report-range.ts'
import { CHART_METRICS } from '../../../shared/view/report-figures.ts'

/** What a dashboard's address asks for; `domain` is left out behind a share link. */
export interface ReportAsked {
  domain?: string | undefined
  start: string
  end: string
  granularity: (typeof GRANULARITIES)[number]
  compare: boolean
  currency?: string | undefined
  metric: (typeof CHART_METRICS)[number]
  format?: 'csv' | undefined
}

const Asked = z.object({
  start: z.iso.date().optional().catch(undefined),
  end: z.iso.date().optional().catch(undefined),
  granularity: z.enum(GRANULARITIES).optional().catch(undefined),
  compare: z.string().optional(),
  currency: z.string().refine(isCurrency).optional().catch(undefined),
  metric: z.enum(CHART_METRICS).default('revenue').catch('revenue'),
  format: z.literal('csv').optional().catch(undefined),
})

/**
 * Reads the address of a dashboard. What is missing or wrong falls back to the last 28 days, and
 * what cannot be asked for in this way is said in `problem`.
 */
export function readReportQuery(
  parameters: Record<string, string>,
  domain: string,
  now: Date,
): { asked: ReportAsked; query: ReportQuery; problem: string | null } {
  const { start, end, granularity, compare, ...rest } = Asked.parse(parameters)
  const usual = rangeOf('last_28', now)
  const isRange = start !== undefined && end !== undefined
  const days = isRange ? { start, end, granularity: granularity ?? 'day' } : usual
  const wanted: ReportAsked = { ...rest, ...days, compare: compare === 'previous' || !isRange }
  const read = ReportQuery.safeParse(queryOf(wanted, domain))
  if (read.success) return { asked: wanted, query: read.data, problem: null }
  const asked = { ...wanted, ...usual }
  const problem = read.error.issues.map(({ message }) => message).join(' ')
  return { asked, query: ReportQuery.parse(queryOf(asked, domain)), problem }
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
export function reportHref(action: string, asked: ReportAsked): string {
  const { compare, ...rest } = asked
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({
    ...rest,
    ...(compare && { compare: 'previous' }),
  })) {
    if (value !== undefined) query.set(name, value)
  }
  return `${action}?${query}`
}
