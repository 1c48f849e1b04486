import type { JSX } from 'preact'
import type { Trend } from '../../audit/result/compare.ts'
import { PointsChange } from './PointsChange.tsx'

interface TrendTagProps {
  /** Null where there is no earlier audit. */
  trend: Pick<Trend, 'change' | 'no_trend'> | null
}

/** The change since the audit before, or why there is none, in a few words. */
export function TrendTag({ trend }: TrendTagProps): JSX.Element | null {
  if (trend === null) return null
  if (trend.change !== null) return <PointsChange points={trend.change} />
  return (
    <span class="quiet">
      {trend.no_trend === 'too_little_judged' ? 'too little judged to compare' : 'not comparable'}
    </span>
  )
}
