import * as z from 'zod'
import {
  GRANULARITIES,
  REPORT_KINDS,
  ReportQuery,
  TOUCHES,
  type TouchChoice,
} from '../../../../shared/attribution/report.ts'
import { rangeOf } from '../../../../shared/attribution/report-range.ts'
import { SURFACE_ID } from '../../../../shared/attribution/surfaces.ts'
import { isCurrency } from '../../../../shared/commerce/iso.ts'
import {
  choiceQuery,
  FILTERS,
  type ReportChoice,
  USUAL_CHOICE,
} from '../../../../shared/view/report/choice.ts'
import { CHART_METRICS } from '../../../../shared/view/report/figures.ts'

/** The query of a dashboard; `domain` is left out behind a share link. */
export interface ReportAsked extends ReportChoice {
  domain?: string | undefined
  start: string
  end: string
  granularity: (typeof GRANULARITIES)[number]
  compare: boolean
  /** Left out: `last`. */
  touch?: TouchChoice | undefined
}

export interface ReadReportQuery {
  asked: ReportAsked
  query: ReportQuery
  /** A file instead of a page. */
  wantsCsv: boolean
  /** Why the requested range is not shown, and how to correct it. */
  problem: string | null
}

const { landing, product_id } = ReportQuery.shape

const Parameters = z.object({
  start: z.string().optional(),
  end: z.string().optional(),
  granularity: z.enum(GRANULARITIES).default('day').catch('day'),
  compare: z.string().optional(),
  currency: z.string().refine(isCurrency).optional().catch(undefined),
  metric: z.enum(CHART_METRICS).default('revenue').catch('revenue'),
  sort: z.enum(CHART_METRICS).default('revenue').catch('revenue'),
  rows: z.enum(['head', 'all']).default('head').catch('head'),
  surface: z.string().regex(SURFACE_ID).optional().catch(undefined),
  kind: z.enum(REPORT_KINDS).optional().catch(undefined),
  touch: z.enum(TOUCHES).optional().catch(undefined),
  landing: landing.catch(undefined),
  product_id: product_id.catch(undefined),
  format: z.string().optional(),
})

/**
 * Reads the query of a dashboard. Without a valid range it shows the last 28 days up to `today` (in
 * the store's time zone), compared with the 28 before; `problem` says what is invalid.
 */
export function readReportQuery(
  parameters: Record<string, string>,
  domain: string,
  today: string,
): ReadReportQuery {
  const { start, end, granularity, compare, format, ...read } = Parameters.parse(parameters)
  // A report has either a landing page or a product as its filter.
  const rest = read.landing === undefined ? read : { ...read, product_id: undefined }
  const usual = { ...rest, ...rangeOf('last_28', today), compare: true }
  const given = { start: start ?? '', end: end ?? '', granularity, compare: compare === 'previous' }
  const wanted = start === undefined && end === undefined ? usual : { ...rest, ...given }
  const checked = ReportQuery.safeParse(queryOf(wanted, domain))
  if (checked.success) {
    return { asked: wanted, query: checked.data, wantsCsv: format === 'csv', problem: null }
  }
  const reasons = new Set(checked.error.issues.map(({ message }) => message))
  const query = ReportQuery.parse(queryOf(usual, domain))
  return { asked: usual, query, wantsCsv: false, problem: [...reasons].join(' ') }
}

const queryOf = (asked: ReportAsked, domain: string) => ({
  domain,
  start: asked.start,
  end: asked.end,
  granularity: asked.granularity,
  ...(asked.compare && { compare: 'previous' }),
  ...(asked.currency !== undefined && { money_in: asked.currency }),
  touch: asked.touch,
  ...choiceQuery(asked),
})

/** The query for this request, without default values. */
export function parametersOf({ compare, ...asked }: ReportAsked): Record<string, string> {
  const found = Object.entries({ ...asked, ...(compare && { compare: 'previous' }) }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  const { sort, rows } = USUAL_CHOICE
  return Object.fromEntries(
    found.filter(
      ([name, value]) =>
        !(name === 'sort' && value === sort) && !(name === 'rows' && value === rows),
    ),
  )
}

/** The address of this request. */
export const reportHref = (action: string, asked: ReportAsked, format?: 'csv'): string =>
  `${action}?${new URLSearchParams({ ...parametersOf(asked), ...(format && { format }) })}`

/** Hidden values of the period's form. */
export function keptOf(asked: ReportAsked): Record<string, string> {
  const kept = ['domain', 'metric', 'sort', 'rows', ...FILTERS]
  return Object.fromEntries(
    Object.entries(parametersOf(asked)).filter(([name]) => kept.includes(name)),
  )
}
