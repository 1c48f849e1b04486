import { findCheckWords } from '../words.ts'
import type { AuditResult, Gap } from './result.ts'

/** A gap in a comparison. */
export type ComparedGap = Pick<Gap, 'id' | 'check' | 'label' | 'severity' | 'points'>

/** What is known of an audit that is compared. */
export interface ComparedAudit
  extends Pick<AuditResult, 'checked_at' | 'score' | 'checks' | 'engine_version'> {
  gaps: readonly ComparedGap[]
  /** Ids that could not be judged: a gap among them is not fixed, it is unknown. */
  skipped: readonly string[]
  /** Ids of what was right. Left out where that was not kept. */
  passed?: readonly string[]
}

/** What changed, in the words of the API. */
export interface GapChanges {
  /** Points; null when other checks or another engine made the score. */
  change: number | null
  fixed: ComparedGap[]
  /** Gaps that the earlier audit did not have. */
  new: ComparedGap[]
  /** As the later audit has them. */
  still_open: ComparedGap[]
  /** Open before, and not judged this time. */
  not_judged: ComparedGap[]
}

export interface AuditComparison extends GapChanges {
  /** Null where both measured the same: only then is there a change. */
  measure: MeasureDifference | null
}

/** How two audits measured differently, so that their scores say nothing of each other. */
interface MeasureDifference {
  /** Null where both are of one version. */
  engine: { before: string; after: string } | null
  /** Checks that only one of them made. */
  checks_before: AuditResult['checks']
  checks_after: AuditResult['checks']
}

/** What of a result is compared. */
export const comparedOf = (result: AuditResult): ComparedAudit => ({
  checked_at: result.checked_at,
  score: result.score,
  checks: result.checks,
  engine_version: result.engine_version,
  gaps: result.gaps.map(({ id, check, label, severity, points }) => ({
    id,
    check,
    label,
    severity,
    ...(points !== undefined && { points }),
  })),
  skipped: result.skipped.map(({ id }) => id),
  passed: result.passed,
})

/** What made the score: only scores of the same measure can be compared. */
export const measureOf = ({
  engine_version,
  checks,
}: Pick<ComparedAudit, 'engine_version' | 'checks'>): string =>
  [engine_version, ...checks.toSorted()].join()

/**
 * What changed from one audit of a domain to a later one. A gap that is gone is fixed only if the
 * later audit could judge it; the scores are compared only if both measured the same.
 */
export function compareAudits(before: ComparedAudit, after: ComparedAudit): AuditComparison {
  const open = new Set(after.gaps.map(({ id }) => id))
  const known = new Set(before.gaps.map(({ id }) => id))
  const gone = before.gaps.filter(({ id }) => !open.has(id))
  const measure = measureDifference(before, after)
  return {
    change: measure === null ? after.score - before.score : null,
    fixed: gone.filter((gap) => isJudged(gap, after)),
    not_judged: gone.filter((gap) => !isJudged(gap, after)),
    new: after.gaps.filter(({ id }) => !known.has(id)),
    still_open: after.gaps.filter(({ id }) => known.has(id)),
    measure,
  }
}

/** A rule that no longer applies is neither among what passed nor among what was skipped. */
function isJudged({ id, check }: ComparedGap, { checks, skipped, passed }: ComparedAudit): boolean {
  if (!checks.includes(check) || skipped.includes(id)) return false
  const rule = findCheckWords(id)
  // Which pass stands for a gap that this version does not know is not known either.
  return passed === undefined || rule === null || passed.includes(rule.passed)
}

function measureDifference(before: ComparedAudit, after: ComparedAudit): MeasureDifference | null {
  if (measureOf(before) === measureOf(after)) return null
  const isSame = before.engine_version === after.engine_version
  return {
    engine: isSame ? null : { before: before.engine_version, after: after.engine_version },
    checks_before: before.checks.filter((check) => !after.checks.includes(check)),
    checks_after: after.checks.filter((check) => !before.checks.includes(check)),
  }
}
