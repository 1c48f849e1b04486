import type { ListSort, ReportKind } from '../../attribution/report.ts'
import type { ChartMetric } from './figures.ts'

/** A reader's choices in a report, besides its range. */
export interface ReportChoice {
  /** The figure that the charts show. */
  metric: ChartMetric
  /** What tables are sorted by, most first. */
  sort: ChartMetric
  /** Left out: the one with the most orders. */
  currency?: string | undefined
  surface?: string | undefined
  kind?: ReportKind | undefined
  landing?: string | undefined
  product_id?: string | undefined
  /** How many rows of long lists are shown. */
  rows: ListRows
}

/** The first rows of a list, or as many as the API lists at a time. */
export const LIST_ROWS = { head: 5, all: 100 } as const
type ListRows = keyof typeof LIST_ROWS

/** Filters of the whole report. */
export const FILTERS = ['surface', 'kind', 'landing', 'product_id'] as const
export type Filter = (typeof FILTERS)[number]

export const USUAL_CHOICE: ReportChoice = { metric: 'revenue', sort: 'revenue', rows: 'head' }

/**
 * The figures that long lists are sorted by: rates are left out, as a rate of few sessions says
 * little.
 */
export const listSortOf = (sort: ChartMetric): ListSort =>
  sort === 'orders' || sort === 'sessions' ? sort : 'revenue'

/** The API's parameters for the choice. */
export const choiceQuery = ({ sort, rows, surface, kind, landing, product_id }: ReportChoice) => ({
  sort: listSortOf(sort),
  limit: LIST_ROWS[rows],
  ...(surface === undefined ? { series: 'surface' as const } : { surface }),
  ...(kind !== undefined && { kind }),
  ...(landing !== undefined && { landing }),
  ...(product_id !== undefined && { product_id }),
})

/** How a view changes the choice: by links, by click handlers, or not at all. */
export interface Picker {
  choice: ReportChoice
  /** `place` is the id of the element to return to. */
  hrefOf?: ((change: Partial<ReportChoice>, place?: string) => string) | undefined
  onPick?: ((change: Partial<ReportChoice>) => void) | undefined
}
