import type { JSX } from 'preact'
import type { Report } from '../../attribution/report.ts'
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
}: {
  report: Pick<Report, 'share' | 'currency' | 'totals_currencies'>
  /** The page about reporting totals. */
  totalsHref?: string | undefined
}): JSX.Element | null {
  const { text, locale } = useLanguage()
  if (share === null && currency !== null && totals_currencies.length > 0) {
    return <p class="quiet">{text('ai_share_elsewhere', totals_currencies.join(', '), currency)}</p>
  }
  if (share === null) {
    if (totalsHref === undefined) return null
    return (
      <p class="quiet">
        {text('ai_share_unknown')} <a href={totalsHref}>{text('ai_share_how')}</a>
      </p>
    )
  }
  const money = moneyFormat(currency, locale)
  return (
    <div class="card ai-share">
      <h3>{text('ai_share')}</h3>
      <p>
        <strong class="kpi-value">{formatPercent(share.of_revenue, locale)}</strong>{' '}
        {text('ai_share_revenue', money(share.ai_revenue_cents), money(share.revenue_cents))}
      </p>
      <Bar part={share.of_revenue} />
      <p class="quiet">
        {text(
          'ai_share_orders',
          formatPercent(share.of_orders, locale),
          formatNumber(share.ai_orders, locale),
          formatNumber(share.orders, locale),
          formatNumber(share.days, locale),
        )}
      </p>
    </div>
  )
}
