import type { JSX } from 'preact'
import type { Report } from '../../attribution/report.ts'
import { NEW_TAB } from '../Action.tsx'
import { Bar } from '../Bar.tsx'
import { formatNumber, formatPercent, moneyFormat } from '../format.ts'
import { useLanguage } from '../language.ts'

/**
 * The AI share of all that the store sold; without totals in the report's currency, why it is
 * missing.
 */
export function AiShareView({
  report: { share, currency, totals_currencies },
  totalsHref,
  newTab = false,
}: {
  report: Pick<Report, 'share' | 'currency' | 'totals_currencies'>
  /** The page about reporting totals. */
  totalsHref?: string | undefined
  newTab?: boolean | undefined
}): JSX.Element | null {
  const { locale } = useLanguage()
  if (share === null && currency !== null && totals_currencies.length > 0) {
    return (
      <p class="quiet">
        The AI share of all revenue is not known here: your store reported its daily totals in{' '}
        {totals_currencies.join(', ')}, and this report is in {currency}.
      </p>
    )
  }
  if (share === null) {
    if (totalsHref === undefined) return null
    return (
      <p class="quiet">
        What part of all your revenue comes from AI?{' '}
        <a href={totalsHref} {...(newTab ? NEW_TAB : {})}>
          Report your daily totals to see it
        </a>
      </p>
    )
  }
  const money = moneyFormat(currency, locale)
  return (
    <div class="card ai-share">
      <h3>AI share of all revenue</h3>
      <p>
        <strong class="kpi-value">{formatPercent(share.of_revenue, locale)}</strong> of all revenue
        came from AI: {money(share.ai_revenue_cents)} of {money(share.revenue_cents)}.
      </p>
      <Bar part={share.of_revenue} />
      <p class="quiet">
        Of all orders: {formatPercent(share.of_orders, locale)} (
        {formatNumber(share.ai_orders, locale)} of {formatNumber(share.orders, locale)}). Measured
        on the days whose totals your store reported: {formatNumber(share.days, locale)}.
      </p>
    </div>
  )
}
