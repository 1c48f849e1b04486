import type { JSX } from 'preact'
import type { Report } from '../../attribution/report.ts'
import { formatNumber } from '../format.ts'
import { useLanguage } from '../language.ts'
import type { Picker } from './choice.ts'
import { FigureTable } from './FigureTable.tsx'

interface RevenueByCurrencyProps {
  report: Pick<Report, 'revenue_by_currency' | 'currency' | 'orders_without_value'>
  /** Links to the same report in another currency. */
  picker: Picker
}

/** Only with several currencies, or orders without one: sums are never mixed. */
export function RevenueByCurrency({ report, picker }: RevenueByCurrencyProps): JSX.Element | null {
  const { locale } = useLanguage()
  const { revenue_by_currency, currency, orders_without_value } = report
  const rows = Object.entries(revenue_by_currency).sort(
    ([a, { orders: ofA }], [b, { orders: ofB }]) => ofB - ofA || (a < b ? -1 : 1),
  )
  const without = orders_without_value > 0 && (
    <p class="quiet">
      Orders without a value, which are in no currency: {formatNumber(orders_without_value, locale)}
    </p>
  )
  if (rows.length < 2) return without || null
  return (
    <FigureTable
      id="currencies"
      title="Revenue by currency"
      caption="Orders and revenue by currency"
      subject="Currency"
      rows={rows.map(([code, row]) => ({
        id: code,
        name: code,
        row,
        currency: code,
        ...(code === currency
          ? { about: 'shown on this page' }
          : { about: 'switch to it', filter: { currency: code } }),
      }))}
      columns={['orders', 'order_value', 'revenue']}
      currency={currency}
      picker={picker}
      sort="orders"
    >
      <p class="quiet">
        Amounts in different currencies are never added together: all others are in the one shown.
        Orders and conversion count every currency.
      </p>
      {without}
    </FigureTable>
  )
}
