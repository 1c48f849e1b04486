import type { ComparedAudit, ComparedGap } from '../../shared/audit/result/compare.ts'
import type { AuditResult } from '../../shared/audit/result/result.ts'

/** The stored part of an audit of a domain: enough to compare it with the next. */
export interface StoredRun extends ComparedAudit {
  grade: AuditResult['grade']
  gaps: ComparedGap[]
  /** Without the reasons, which are those of the store. */
  skipped: { id: string }[]
}

/** Runs by server and domain (`auditKey`), the newest first. */
export type History = Record<string, StoredRun[]>

export const MAX_RUNS = 30
// Unspecified: the extension keeps the history of 20 domains, 30 runs each.
/**
 * Keeps the storage below the 5 MB that the smallest browser grants
 * (https://developer.chrome.com/docs/extensions/reference/api/storage#property-local).
 */
export const MAX_DOMAINS = 20

const toStoredRun = (result: AuditResult): StoredRun => ({
  checked_at: result.checked_at,
  score: result.score,
  grade: result.grade,
  checks: result.checks,
  engine_version: result.engine_version,
  gaps: result.gaps.map(({ id, check, label, severity }) => ({ id, check, label, severity })),
  skipped: result.skipped.map(({ id }) => ({ id })),
  passed: result.passed,
})

/** The history with this audit under its `auditKey`. Adding the same one again changes nothing. */
export function addRun(history: History, key: string, result: AuditResult): History {
  const runs = runsOf(history, key)
  if (runs.some(({ checked_at }) => checked_at === result.checked_at)) return history
  const kept = [...runs, toStoredRun(result)].sort((a, b) =>
    b.checked_at.localeCompare(a.checked_at),
  )
  const domains = { ...history, [key]: kept.slice(0, MAX_RUNS) }
  const latest = Object.entries(domains).sort(([, a], [, b]) => newest(b).localeCompare(newest(a)))
  return Object.fromEntries(latest.slice(0, MAX_DOMAINS))
}

export const runsOf = (history: History, key: string): StoredRun[] =>
  Object.hasOwn(history, key) ? (history[key] ?? []) : []

const newest = (runs: readonly StoredRun[]): string => runs[0]?.checked_at ?? ''
