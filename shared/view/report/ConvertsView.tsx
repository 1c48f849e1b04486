import type { JSX } from 'preact'
import { REPORT_KINDS, type Report } from '../../attribution/report.ts'
import { capital } from '../../web/text/capital.ts'
import { formatNumber } from '../format.ts'
import { useLanguage } from '../language.ts'
import { Choose } from './Choose.tsx'
import { LIST_ROWS, listSortOf, type Picker } from './choice.ts'
import { FigureTable, type RowFigures, sortedBy } from './FigureTable.tsx'
import { wholeOf } from './figures.ts'

interface ConvertsViewProps {
  report: Report
  picker: Picker
}

const COLUMNS = ['sessions', 'orders', 'conversion', 'order_value', 'revenue'] as const
/** What the API sorts its lists by. */
const SORTS = ['sessions', 'orders', 'revenue'] as const

/** The landing pages of AI visits. Nothing in a report of one page or product. */
export function LandingTable({ report, picker }: ConvertsViewProps): JSX.Element | null {
  const list = report.by_landing
  if (list === null) return null
  return (
    <FigureTable
      id="landings"
      title="Landing pages"
      caption="Sessions, orders and revenue by the page that visits began on"
      subject="Page"
      rows={[
        ...list.rows.map((row) => ({
          id: `of ${row.landing}`,
          name: row.landing,
          row,
          filter: { landing: row.landing },
        })),
        ...restOf(list, 'Other pages'),
      ]}
      columns={COLUMNS}
      currency={report.currency}
      picker={picker}
      sort={listSortOf(picker.choice.sort)}
      sorts={SORTS}
      whole={wholeOf(report)}
    >
      {list.total === 0 && (
        <p class="empty">No landing page is known in this period. The tag reports them.</p>
      )}
      <MoreRows picker={picker} total={list.total} place="landings" />
    </FigureTable>
  )
}

/** The products that events name. Nothing in a report of one page or product. */
export function ProductTable({ report, picker }: ConvertsViewProps): JSX.Element | null {
  const list = report.by_product
  if (list === null) return null
  const sort = listSortOf(picker.choice.sort)
  // Views take the column of sessions; their change is not known.
  const viewed = <Row extends RowFigures & { views: number }>(row: Row): RowFigures => ({
    ...row,
    sessions: row.views,
    change: row.change && { ...row.change, sessions: undefined },
  })
  return (
    <FigureTable
      id="products"
      title="Products"
      caption="Views, orders and revenue by product"
      subject="Product"
      rows={[
        ...list.rows.map((row) => ({
          id: `of ${row.product_id}`,
          name: row.name ?? row.product_id,
          about: row.name === null ? undefined : row.product_id,
          row: viewed(row),
          filter: { product_id: row.product_id },
        })),
        ...restOf({ other: list.other && viewed(list.other) }, 'Other products'),
      ]}
      columns={['sessions', 'orders', 'order_value', 'revenue']}
      names={{ sessions: 'Views' }}
      currency={report.currency}
      picker={picker}
      sort={sort}
      sorts={SORTS}
      {...(sort !== 'sessions' && { whole: wholeOf(report) })}
    >
      {list.total === 0 && (
        <p class="empty">
          No event of this period names a product. Send product_id with your events.
        </p>
      )}
      <MoreRows picker={picker} total={list.total} place="products" />
    </FigureTable>
  )
}

/** The sum of the pages or products that are not kept by name. */
const restOf = ({ other }: { other: RowFigures | null }, name: string) =>
  other === null ? [] : [{ id: 'other', name, row: other }]

interface MoreRowsProps {
  picker: Picker
  total: number
  place: string
}

/** How many of a list are shown, and a link to the rest. */
function MoreRows({ picker, total, place }: MoreRowsProps): JSX.Element | null {
  const { locale } = useLanguage()
  const { rows } = picker.choice
  if (total <= LIST_ROWS.head) return null
  const shown = Math.min(total, LIST_ROWS[rows])
  return (
    <p class="list-more">
      {formatNumber(shown, locale)} of {formatNumber(total, locale)}.{' '}
      <Choose picker={picker} change={{ rows: rows === 'head' ? 'all' : 'head' }} place={place}>
        {rows === 'head' ? 'Show more' : 'Show fewer'}
      </Choose>
    </p>
  )
}

const CAME: Record<(typeof REPORT_KINDS)[number], string> = {
  click: 'a person followed a link',
  agent: 'an agent opened the page',
  protocol: 'a checkout over UCP or ACP',
}

/** How visits came: by a click, an agent or a protocol. */
export function KindTable({ report, picker }: ConvertsViewProps): JSX.Element {
  const { kind } = picker.choice
  const rows = REPORT_KINDS.filter((id) => kind === undefined || id === kind).map((id) => ({
    id,
    name: capital(id),
    about: CAME[id],
    row: report.by_kind[id],
    ...(kind === undefined && { filter: { kind: id } }),
  }))
  return (
    <FigureTable
      id="kinds"
      title="How they came"
      caption="Sessions, orders and revenue by how visits came"
      subject="Kind"
      rows={sortedBy(rows, picker.choice.sort)}
      columns={COLUMNS}
      currency={report.currency}
      picker={picker}
      sort={picker.choice.sort}
      sorts={COLUMNS}
      whole={wholeOf(report)}
    />
  )
}

/** New and returning customers, if the store reports that; else how to report it. */
export function CustomerTable({ report, picker }: ConvertsViewProps): JSX.Element | null {
  const { by_customer } = report
  if (by_customer === null || report.summary.ai_orders === 0) return null
  const isKnown = by_customer.new.orders + by_customer.returning.orders > 0
  const sort = picker.choice.sort === 'orders' ? 'orders' : 'revenue'
  if (!isKnown) {
    return (
      <section class="card" id="customers">
        <h3>New and returning customers</h3>
        <p class="quiet">
          Send new_customer (true or false) with your orders to see how many customers AI brings you
          for the first time.
        </p>
      </section>
    )
  }
  return (
    <FigureTable
      id="customers"
      title="New and returning customers"
      caption="Orders and revenue by kind of customer"
      subject="Customer"
      rows={(['new', 'returning', 'unknown'] as const)
        .filter((id) => id !== 'unknown' || by_customer.unknown.orders > 0)
        .map((id) => ({
          id,
          name: id === 'unknown' ? 'Not known' : capital(id),
          row: by_customer[id],
        }))}
      columns={['orders', 'order_value', 'revenue']}
      currency={report.currency}
      picker={picker}
      sort={sort}
      whole={wholeOf(report)}
    />
  )
}

const SOURCES = [
  { id: 'ucp', name: 'UCP', about: 'the agent pays through the UCP endpoints' },
  { id: 'acp', name: 'ACP', about: 'the agent pays through the ACP endpoints' },
  { id: 'web', name: 'Your own checkout', about: 'the visitor pays on your site' },
] as const

/** The same numbers by the kind of checkout. */
export function SourceTable({ report, picker }: ConvertsViewProps): JSX.Element {
  const { sort } = picker.choice
  const rows = SOURCES.map((source) => ({ ...source, row: report.by_source[source.id] }))
  return (
    <FigureTable
      id="sources"
      title="Where they checked out"
      caption="Sessions, orders and revenue by kind of checkout"
      subject="Checkout"
      rows={sortedBy(rows, sort)}
      columns={COLUMNS}
      currency={report.currency}
      picker={picker}
      sort={sort}
      sorts={COLUMNS}
      whole={wholeOf(report)}
    />
  )
}
