import type { ComponentChildren, JSX } from 'preact'
import type { OriginRow, RowChange } from '../../attribution/report.ts'
import { Bar } from '../Bar.tsx'
import { formatPercent } from '../format.ts'
import { useLanguage } from '../language.ts'
import { Change } from './Change.tsx'
import { Choose } from './Choose.tsx'
import type { Picker, ReportChoice } from './choice.ts'
import { type ChartMetric, figureFormat, isRate } from './figures.ts'

/** The figures of a row: some rows do not count sessions. */
export interface RowFigures
  extends Pick<OriginRow, 'orders' | 'revenue_cents' | 'avg_order_value_cents'> {
  sessions?: number | undefined
  /** Those that the revenue is of; left out where all are. */
  orders_in_currency?: number | undefined
  conversion_rate?: number | undefined
  net_revenue_cents?: number | undefined
  change?: Partial<RowChange> | undefined
}

interface FigureTableRow {
  id: string
  name: string
  about?: string | undefined
  row: RowFigures
  /** What a click on the name shows; left out for rows that combine several things. */
  filter?: Partial<ReportChoice> | undefined
  /** The currency of its amounts, if it is not the table's. */
  currency?: string | undefined
}

interface FigureTableProps {
  /** The id of the element, to which sorting links return. */
  id: string
  title: string
  caption: string
  /** What the first column lists. */
  subject: string
  /** In the order in which they are shown. */
  rows: readonly FigureTableRow[]
  columns: readonly ChartMetric[]
  /** Labels of columns that differ from their figure's. */
  names?: Partial<Record<ChartMetric, string>> | undefined
  currency: string | null
  picker: Picker
  /** The figure that the bars show; `sorts` are those that a link sorts by. */
  sort: ChartMetric
  sorts?: readonly ChartMetric[] | undefined
  /** The total that the bars are a share of. */
  whole?: RowFigures | undefined
  /** The name of a last row with the figures of `whole`. */
  sumName?: string | undefined
  children?: ComponentChildren
}

const COLUMN_NAMES: Record<ChartMetric, string> = {
  revenue: 'Revenue',
  orders: 'Orders',
  sessions: 'Sessions',
  conversion: 'Conversion',
  order_value: 'Average order',
}

/** A table of figures: one row each, with a bar of the figure that it is sorted by. */
export function FigureTable(props: FigureTableProps): JSX.Element {
  const { id, title, caption, subject, rows, columns, currency, picker, sort, whole } = props
  const { sorts = [], names = {}, sumName } = props
  const { locale } = useLanguage()
  const nameOf = (metric: ChartMetric) => names[metric] ?? COLUMN_NAMES[metric]
  const hasChange = rows.some(({ row }) => row.change !== undefined)
  const most = Math.max(...rows.map(({ row }) => valueIn(row, sort) ?? 0), 0)
  // A rate is not a part of a total: the highest fills its bar.
  const all = isRate(sort) || whole === undefined ? most : (valueIn(whole, sort) ?? 0)
  const written = (row: RowFigures, metric: ChartMetric, unit = currency) => {
    const value = valueIn(row, metric)
    return value === null ? '–' : figureFormat(metric, unit, locale)(value)
  }
  const cells = (row: RowFigures, unit = currency) => (
    <>
      {columns.map((metric) => (
        <td key={metric} class="number" data-label={nameOf(metric)}>
          {written(row, metric, unit)}
          {metric === 'revenue' && row.net_revenue_cents !== undefined && (
            <span class="row-about">
              {figureFormat('revenue', unit, locale)(row.net_revenue_cents)} net
            </span>
          )}
        </td>
      ))}
      {hasChange && (
        <td class="number" data-label="Change">
          <RowChanged row={row} metric={sort} />
        </td>
      )}
    </>
  )
  return (
    <section class="card sources-card" id={id}>
      <h3>{title}</h3>
      <table class="sources">
        <caption class="sr-only">{caption}</caption>
        <thead class={sorts.length === 0 ? 'sources-unsorted' : undefined}>
          <tr data-label="Sort by">
            <th scope="col" class="sources-fixed">
              {subject}
            </th>
            {columns.map((metric) => (
              <th
                key={metric}
                scope="col"
                class={sorts.includes(metric) ? 'number' : 'number sources-fixed'}
                {...(metric === sort && sorts.length > 0 && { 'aria-sort': 'descending' as const })}
              >
                {metric === sort && sorts.length > 0 ? (
                  <strong>{nameOf(metric)}</strong>
                ) : sorts.includes(metric) ? (
                  <Choose picker={picker} change={{ sort: metric }} place={id}>
                    <span class="sr-only">Sort by </span>
                    {nameOf(metric)}
                  </Choose>
                ) : (
                  nameOf(metric)
                )}
              </th>
            ))}
            {hasChange && (
              <th scope="col" class="number sources-fixed">
                Change
                <span class="row-about">{nameOf(sort)}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, name, about, row, filter, currency: unit }) => {
            const value = valueIn(row, sort) ?? 0
            return (
              <tr key={id} class={isNothing(row) ? 'is-nothing' : undefined}>
                <th scope="row">
                  <span class="wild">
                    {filter === undefined ? (
                      name
                    ) : (
                      <Choose picker={picker} change={filter}>
                        {name}
                      </Choose>
                    )}
                  </span>
                  {about !== undefined && <span class="row-about wild">{about}</span>}
                  {all > 0 && value > 0 && (
                    <span class="bar-line">
                      <Bar part={value / all} />
                      <span class="bar-label">
                        {isRate(sort) || whole === undefined
                          ? written(row, sort, unit)
                          : formatPercent(value / all, locale)}
                        <span class="sr-only"> ({nameOf(sort)})</span>
                      </span>
                    </span>
                  )}
                </th>
                {cells(row, unit)}
              </tr>
            )
          })}
        </tbody>
        {whole !== undefined && sumName !== undefined && (
          <tfoot>
            <tr>
              <th scope="row">{sumName}</th>
              {cells(whole)}
            </tr>
          </tfoot>
        )}
      </table>
      {props.children}
    </section>
  )
}

/** Null if the row lacks the figure, or a rate has no base. */
export function valueIn(row: RowFigures, metric: ChartMetric): number | null {
  switch (metric) {
    case 'revenue':
      return row.revenue_cents
    case 'orders':
      return row.orders
    case 'sessions':
      return row.sessions ?? null
    case 'conversion':
      return row.sessions === 0 ? null : (row.conversion_rate ?? null)
    case 'order_value':
      return (row.orders_in_currency ?? row.orders) === 0 ? null : row.avg_order_value_cents
  }
}

const CHANGES = {
  revenue: 'revenue_cents',
  orders: 'orders',
  sessions: 'sessions',
  conversion: 'conversion_rate',
  order_value: 'avg_order_value_cents',
} as const satisfies Record<ChartMetric, keyof RowChange>

/** The change of a figure; undefined if it is not known. */
export const changeIn = ({ change }: RowFigures, metric: ChartMetric) => change?.[CHANGES[metric]]

/** The change of a row; none from nothing to nothing. */
function RowChanged({ row, metric }: { row: RowFigures; metric: ChartMetric }): JSX.Element {
  const change = changeIn(row, metric)
  const isUnknown = change === undefined || (change === null && !valueIn(row, metric))
  return isUnknown ? <>–</> : <Change change={change} />
}

/** No visit, order or money. */
export const isNothing = (row: RowFigures): boolean =>
  [row.sessions, row.orders, row.revenue_cents, row.net_revenue_cents].every((value) => !value)

/**
 * Rows by a figure, most first; equal ones by revenue, orders and sessions, then by their names.
 */
export const sortedBy = <Row extends { name: string; row: RowFigures }>(
  rows: readonly Row[],
  sort: ChartMetric,
): Row[] => {
  const order = [sort, 'revenue', 'orders', 'sessions'] as const
  return rows.toSorted(
    (a, b) =>
      order
        .map((metric) => (valueIn(b.row, metric) ?? -1) - (valueIn(a.row, metric) ?? -1))
        .find((difference) => difference !== 0) ?? (a.name < b.name ? -1 : 1),
  )
}
