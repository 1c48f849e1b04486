import { ComparisonSummary } from '../../../shared/view/audit/ComparisonSummary.tsx'
import { HistoryList } from '../../../shared/view/audit/HistoryList.tsx'
import type { StoreTrends } from './store-trends.ts'

/** What changed since the audit before, and the scores of all stored ones. */
export function StoreHistory({ trends: { compared, runs } }: { trends: StoreTrends }) {
  if (compared === null)
    return <p class="quiet">This is the first audit. The next one will show what changed.</p>
  return (
    <>
      <ComparisonSummary {...compared} />
      <details class="verdicts">
        <summary>Score history</summary>
        <HistoryList runs={runs} />
      </details>
    </>
  )
}
