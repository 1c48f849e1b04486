import { ComparisonSummary } from '../../../shared/view/ComparisonSummary.tsx'
import { HistoryList } from '../../../shared/view/HistoryList.tsx'
import { compareRuns, type Run } from '../../history.ts'
import { useSession } from '../session.ts'

/** What changed since the audit before, and the scores of all that are kept. */
export function StoreHistory({ runs }: { runs: readonly Run[] }) {
  const { say } = useSession()
  const [after, before] = runs
  if (after === undefined) return null
  if (before === undefined) return <p class="quiet">{say('store_history_one')}</p>
  const { change, fixed, fresh, remaining, unknown } = compareRuns(before, after)
  return (
    <>
      {change === null && <p class="quiet">{say('store_other_measure')}</p>}
      <ComparisonSummary change={change} fixed={fixed} fresh={fresh} remaining={remaining} />
      {unknown.length > 0 && (
        <p class="quiet">{say('store_unknown', unknown.map(({ label }) => label).join(', '))}</p>
      )}
      <details class="verdicts">
        <summary>{say('history')}</summary>
        <HistoryList runs={runs} />
      </details>
    </>
  )
}
