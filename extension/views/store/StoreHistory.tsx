import type { AuditResult } from '../../../shared/audit/result.ts'
import { ComparisonSummary } from '../../../shared/view/audit/ComparisonSummary.tsx'
import { HistoryList } from '../../../shared/view/audit/HistoryList.tsx'
import { compareRuns, measureOf, type StoredRun, toStoredRun } from '../../stored/history.ts'
import { useApp } from '../app/app-state.ts'

interface StoreHistoryProps {
  result: AuditResult
  runs: readonly StoredRun[]
}

/** What changed since the audit before, and the scores of all that are kept. */
export function StoreHistory({ result, runs }: StoreHistoryProps) {
  const { text } = useApp()
  const before = runs.find(({ checked_at }) => checked_at < result.checked_at)
  if (before === undefined) return <p class="quiet">{text('store_history_one')}</p>
  const { change, fixed, fresh, remaining, unknown } = compareRuns(before, toStoredRun(result))
  return (
    <>
      {change === null && <p class="quiet">{text('store_other_measure')}</p>}
      <ComparisonSummary change={change} fixed={fixed} fresh={fresh} remaining={remaining} />
      {unknown.length > 0 && (
        <p class="quiet">{text('store_unknown', unknown.map(({ label }) => label).join(', '))}</p>
      )}
      <details class="verdicts">
        <summary>{text('history')}</summary>
        <HistoryList runs={runs.map((run) => ({ ...run, measure: measureOf(run) }))} />
      </details>
    </>
  )
}
