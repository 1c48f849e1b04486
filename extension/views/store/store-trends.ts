import {
  type AuditComparison,
  compareAudits,
  comparedOf,
  judgedIn,
  type TrendSince,
  withTrends,
} from '../../../shared/audit/result/compare.ts'
import type { AuditResult } from '../../../shared/audit/result/result.ts'
import type { Run } from '../../../shared/view/audit/HistoryList.tsx'
import type { StoredRun } from '../../stored/history.ts'

/** How a store did since earlier audits. */
export interface StoreTrends {
  since: TrendSince | null
  /** Since the audit before; null for the first. */
  compared: AuditComparison | null
  /** Newest first. */
  runs: Run[]
}

/**
 * `runs`: the stored audits, newest first, this result among them. A module of its own, which the
 * panel loads where it is shown: it holds every rule.
 */
export function storeTrends(result: AuditResult, runs: readonly StoredRun[]): StoreTrends {
  const before = runs.find(({ checked_at }) => checked_at < result.checked_at)
  const trends = withTrends(runs.map((run) => ({ ...run, judged: judgedIn(run) })))
  return {
    since: trends.find(({ checked_at }) => checked_at === result.checked_at)?.trend ?? null,
    compared: before === undefined ? null : compareAudits(before, comparedOf(result)),
    runs: trends,
  }
}
