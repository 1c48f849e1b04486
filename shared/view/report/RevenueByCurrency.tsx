import type { JSX } from 'preact'
import type { Report } from '../../attribution/report.ts'
import { formatAmount, formatNumber } from '../format.ts'
import { useLanguage } from '../language.ts'

export interface RevenueByCurrencyProps {
  report: Pick<Report, 'revenue_by_currency' | 'currency'>
  /** The same report in another currency. */
  hrefOf?: ((currency: string) => string) | undefined
}

/** Only with more than one currency: sums are never mixed. */
export function RevenueByCurrency(props: RevenueByCurrencyProps): JSX.Element | null {
  const { report, hrefOf } = props
  const { text, locale } = useLanguage()
  const rows = Object.entries(report.revenue_by_currency).sort(
    ([a, { orders: ofA }], [b, { orders: ofB }]) => ofB - ofA || (a < b ? -1 : 1),
  )
  if (rows.length < 2) return null
  return (
    <section class="card">
      <h2>{text('currencies')}</h2>
      <table>
        <caption class="quiet">{text('currencies_caption')}</caption>
        <thead>
          <tr>
            <th scope="col">{text('currency')}</th>
            <th scope="col" class="number">
              {text('column_orders')}
            </th>
            <th scope="col" class="number">
              {text('column_revenue')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([currency, { orders, revenue_cents, net_revenue_cents }]) => (
            <tr key={currency}>
              <th scope="row">
                {currency === report.currency || hrefOf === undefined ? (
                  currency
                ) : (
                  <a href={hrefOf(currency)}>{currency}</a>
                )}
                {currency === report.currency && (
                  <span class="row-about">{text('currency_shown')}</span>
                )}
              </th>
              <td class="number">{formatNumber(orders, locale)}</td>
              <td class="number">
                {formatAmount(revenue_cents, currency, locale)}
                {net_revenue_cents !== undefined && (
                  <span class="row-about">
                    {text('net', formatAmount(net_revenue_cents, currency, locale))}
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
