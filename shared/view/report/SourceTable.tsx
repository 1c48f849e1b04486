import type { JSX } from 'preact'
import type { SurfaceRow } from '../../attribution/report.ts'
import { Bar } from '../Bar.tsx'
import { formatNumber, formatPercent, moneyFormat } from '../format.ts'
import { useLanguage } from '../language.ts'

export interface SourceTableRow {
  id: string
  name: string
  about?: string | undefined
  row: SurfaceRow
}

interface SourceTableProps {
  title: string
  caption: string
  /** What the first column lists. */
  subject: string
  rows: readonly SourceTableRow[]
  currency: string | null
}

/** Where sessions came from or where they paid: one row each, with its share of all sessions. */
export function SourceTable(props: SourceTableProps): JSX.Element {
  const { title, caption, subject, rows, currency } = props
  const { text, locale } = useLanguage()
  const money = moneyFormat(currency, locale)
  const all = rows.reduce((sum, { row }) => sum + row.sessions, 0)
  return (
    <section class="card sources-card">
      <h2>{title}</h2>
      <table class="sources">
        <caption class="sr-only">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{subject}</th>
            <th scope="col" class="number">
              {text('column_sessions')}
            </th>
            <th scope="col" class="number">
              {text('column_orders')}
            </th>
            <th scope="col" class="number">
              {text('column_conversion')}
            </th>
            <th scope="col" class="number">
              {text('column_revenue')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, name, about, row }) => (
            <tr
              key={id}
              class={
                row.sessions + row.orders + (row.refunds ?? 0) === 0 ? 'is-nothing' : undefined
              }
            >
              <th scope="row">
                {name}
                {about !== undefined && <span class="row-about">{about}</span>}
                {all > 0 && (
                  <>
                    <Bar part={row.sessions / all} />
                    <span class="sr-only">
                      {text('share', formatPercent(row.sessions / all, locale))}
                    </span>
                  </>
                )}
              </th>
              <td class="number" data-label={text('column_sessions')}>
                {formatNumber(row.sessions, locale)}
              </td>
              <td class="number" data-label={text('column_orders')}>
                {formatNumber(row.orders, locale)}
              </td>
              <td class="number" data-label={text('column_conversion')}>
                {row.sessions === 0 ? '–' : formatPercent(row.orders / row.sessions, locale)}
              </td>
              <td class="number" data-label={text('column_revenue')}>
                {money(row.revenue_cents)}
                {row.net_revenue_cents !== undefined && (
                  <span class="row-about">{text('net', money(row.net_revenue_cents))}</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
