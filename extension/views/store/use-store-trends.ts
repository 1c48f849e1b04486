import { useEffect, useState } from 'preact/hooks'
import type { AuditResult } from '../../../shared/audit/result/result.ts'
import type { StoredRun } from '../../stored/history.ts'
import type { StoreTrends } from './store-trends.ts'

/** Null until they were worked out. */
export function useStoreTrends(
  result: AuditResult,
  runs: readonly StoredRun[],
): StoreTrends | null {
  const [trends, setTrends] = useState<StoreTrends | null>(null)
  const key = runs.map(({ checked_at }) => checked_at).join()
  useEffect(() => {
    let isCurrent = true
    import('./store-trends.ts')
      .then(({ storeTrends }) => {
        if (isCurrent) setTrends(storeTrends(result, runs))
      })
      // Without them the result is shown all the same.
      .catch(() => {})
    return () => {
      isCurrent = false
    }
  }, [result, key])
  return trends
}
