import type { JSX } from 'preact'
import type { Report } from '../../attribution/report.ts'
import { formatNumber, moneyFormat } from '../format.ts'
import { useLanguage } from '../language.ts'
import { Notice } from '../Notice.tsx'

/** The orders that nothing shows to be AI's, and what to do. Nothing without such orders. */
export function UnattributedNotice({
  report: { unattributed, currency },
}: {
  report: Pick<Report, 'unattributed' | 'currency'>
}): JSX.Element | null {
  const { locale } = useLanguage()
  if (unattributed === null || unattributed.orders === 0) return null
  const { orders, orders_in_currency, revenue_cents } = unattributed
  const amount = orders_in_currency === 0 ? '' : `, ${moneyFormat(currency, locale)(revenue_cents)}`
  return (
    <Notice
      kind="warning"
      title={`Orders without a visit: ${formatNumber(orders, locale)}${amount}`}
    >
      <p>
        Your server reported them, but no browser reported the visit that they name. No figure below
        includes them. Each is counted once its visit is reported.
      </p>
      <ul>
        <li>Send the id that aisle.session() has in the browser of the buyer, unchanged.</li>
        <li>Where aisle.session() is null, AI brought no visit: do not report the order.</li>
        <li>Check that the tag runs on the pages that visitors land on.</li>
        <li>If you know which assistant brought the order, send it as ai_surface.</li>
      </ul>
    </Notice>
  )
}
