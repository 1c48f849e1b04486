import type { JSX } from 'preact'
import { REPORT_KINDS, type Report } from '../../attribution/report.ts'
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
  const { text } = useLanguage()
  const list = report.by_landing
  if (list === null) return null
  return (
    <FigureTable
      id="landings"
      title={text('landings')}
      caption={text('landings_caption')}
      subject={text('landing')}
      rows={[
        ...list.rows.map((row) => ({
          id: `of ${row.landing}`,
          name: row.landing,
          row,
          filter: { landing: row.landing },
        })),
        ...restOf(list, text('landings_other')),
      ]}
      columns={COLUMNS}
      currency={report.currency}
      picker={picker}
      sort={listSortOf(picker.choice.sort)}
      sorts={SORTS}
      whole={wholeOf(report)}
    >
      {list.total === 0 && <p class="empty">{text('landings_none')}</p>}
      <MoreRows picker={picker} total={list.total} place="landings" />
    </FigureTable>
  )
}

/** The products that events name. Nothing in a report of one page or product. */
export function ProductTable({ report, picker }: ConvertsViewProps): JSX.Element | null {
  const { text } = useLanguage()
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
      title={text('products')}
      caption={text('products_caption')}
      subject={text('product')}
      rows={[
        ...list.rows.map((row) => ({
          id: `of ${row.product_id}`,
          name: row.name ?? row.product_id,
          about: row.name === null ? undefined : row.product_id,
          row: viewed(row),
          filter: { product_id: row.product_id },
        })),
        ...restOf({ other: list.other && viewed(list.other) }, text('products_other')),
      ]}
      columns={['sessions', 'orders', 'order_value', 'revenue']}
      names={{ sessions: text('column_views') }}
      currency={report.currency}
      picker={picker}
      sort={sort}
      sorts={SORTS}
      {...(sort !== 'sessions' && { whole: wholeOf(report) })}
    >
      {list.total === 0 && <p class="empty">{text('products_none')}</p>}
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
  const { text, locale } = useLanguage()
  const { rows } = picker.choice
  if (total <= LIST_ROWS.head) return null
  const shown = Math.min(total, LIST_ROWS[rows])
  return (
    <p class="list-more">
      {text('list_shown', formatNumber(shown, locale), formatNumber(total, locale))}{' '}
      <Choose picker={picker} change={{ rows: rows === 'head' ? 'all' : 'head' }} place={place}>
        {text(rows === 'head' ? 'list_more' : 'list_fewer')}
      </Choose>
    </p>
  )
}

/** How visits came: by a click, an agent or a protocol. */
export function KindTable({ report, picker }: ConvertsViewProps): JSX.Element {
  const { text } = useLanguage()
  const { kind } = picker.choice
  const rows = REPORT_KINDS.filter((id) => kind === undefined || id === kind).map((id) => ({
    id,
    name: text(`came_${id}`),
    about: text(`came_${id}_about`),
    row: report.by_kind[id],
    ...(kind === undefined && { filter: { kind: id } }),
  }))
  return (
    <FigureTable
      id="kinds"
      title={text('kinds')}
      caption={text('kinds_caption')}
      subject={text('kind')}
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
  const { text } = useLanguage()
  const { by_customer } = report
  if (by_customer === null || report.summary.ai_orders === 0) return null
  const isKnown = by_customer.new.orders + by_customer.returning.orders > 0
  const sort = picker.choice.sort === 'orders' ? 'orders' : 'revenue'
  if (!isKnown) {
    return (
      <section class="card" id="customers">
        <h3>{text('customers')}</h3>
        <p class="quiet">{text('customers_unknown')}</p>
      </section>
    )
  }
  return (
    <FigureTable
      id="customers"
      title={text('customers')}
      caption={text('customers_caption')}
      subject={text('customer')}
      rows={(['new', 'returning', 'unknown'] as const)
        .filter((id) => id !== 'unknown' || by_customer.unknown.orders > 0)
        .map((id) => ({ id, name: text(`customer_${id}`), row: by_customer[id] }))}
      columns={['orders', 'order_value', 'revenue']}
      currency={report.currency}
      picker={picker}
      sort={sort}
      whole={wholeOf(report)}
    />
  )
}

/** The same numbers by the kind of checkout. */
export function SourceTable({ report, picker }: ConvertsViewProps): JSX.Element {
  const { text } = useLanguage()
  const { sort } = picker.choice
  const rows = (['ucp', 'acp', 'web'] as const).map((id) => ({
    id,
    name: text(`source_${id}`),
    about: text(`source_${id}_about`),
    row: report.by_source[id],
  }))
  return (
    <FigureTable
      id="sources"
      title={text('sources')}
      caption={text('sources_caption')}
      subject={text('source')}
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
