import type { JSX } from 'preact'
import { formatAmount } from '../../../../shared/view/format.ts'
import { useLanguage } from '../../../../shared/view/language.ts'
import { Change } from '../../../../shared/view/report/Change.tsx'
import { relativeChange } from '../../../../shared/view/report/figures.ts'
import type { AiRevenue } from '../../../db/watch/portfolio.ts'

/** What was sold, compared with the 30 days before. */
export function Sold({
  sold: { currency, revenue, revenue_before },
  withBefore = false,
}: {
  sold: Omit<AiRevenue, 'domain'>
  withBefore?: boolean
}): JSX.Element {
  const { locale } = useLanguage()
  const amount = (value: number) => formatAmount(value, currency, locale)
  return (
    <>
      <span class="amount">{amount(revenue)}</span>{' '}
      <Change
        change={relativeChange(revenue, revenue_before)}
        {...(withBefore && { was: amount(revenue_before) })}
      />
    </>
  )
}
