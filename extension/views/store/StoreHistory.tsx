import { compareAudits, comparedOf, measureOf } from '../../../shared/audit/result/compare.ts'
import type { AuditResult } from '../../../shared/audit/result/result.ts'
import { ComparisonSummary } from '../../../shared/view/audit/ComparisonSummary.tsx'
import { HistoryList } from '../../../shared/view/audit/HistoryList.tsx'
import type { StoredRun } from '../../stored/history.ts'

interface StoreHistoryProps {
  result: AuditResult
  runs: readonly StoredRun[]
}

/** What changed since the audit before, and the scores of all stored ones. */
export function StoreHistory({ result, runs }: StoreHistoryProps) {
  const before = runs.find(({ checked_at }) => checked_at < result.checked_at)
  if (before === undefined)
    return <p class="quiet">This is the first audit. The next one will show what changed.</p>
  const compared = compareAudits(before, comparedOf(result))
  return (
    <>
      {compared.change === null && (
        <p class="quiet">
          The last two audits measured different things, so their scores are not compared.
        </p>
      )}
      <ComparisonSummary {...compared} />
      <details class="verdicts">
        <summary>Score history</summary>
        <HistoryList runs={runs.map((run) => ({ ...run, measure: measureOf(run) }))} />
      </details>
    </>
  )
}
