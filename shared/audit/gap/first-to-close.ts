import type { AuditResult, Gap } from '../result/result.ts'
import { type Severity, severityRank } from '../vocabulary.ts'

/**
 * The cap on the score while this gap is open, which holds back what all others gain; null where
 * another cap holds the score, or none does.
 */
export const holdsAt = (
  { severity }: Pick<Gap, 'severity'>,
  cap: AuditResult['cap'],
): number | null => (severity === 'critical' && cap?.reason === 'critical_gap' ? cap.at : null)

interface Closable {
  severity: Severity
  points?: number | null | undefined
  held_back?: boolean | undefined
}

/**
 * The order in which gaps are closed. What a critical gap holds back gains nothing until that is
 * closed, so critical gaps come first; then what counts now, by what it gains.
 */
export const firstToClose = (a: Closable, b: Closable): number =>
  Number(b.severity === 'critical') - Number(a.severity === 'critical') ||
  Number(a.held_back ?? false) - Number(b.held_back ?? false) ||
  (b.points ?? 0) - (a.points ?? 0) ||
  severityRank(a.severity) - severityRank(b.severity)
