import type { AuditResult, Gap } from './result.ts'
import { type Severity, severityRank } from './vocabulary.ts'

/**
 * The most that the score is while this gap is open, which holds back what all others gain; null
 * where something else holds the score, or nothing does.
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
 * The order in which gaps are closed: what a critical gap holds back gains nothing until that is
 * closed, so those come first, whatever they gain; then what counts at once, by what it gains.
 */
export const firstToClose = (a: Closable, b: Closable): number =>
  Number(b.severity === 'critical') - Number(a.severity === 'critical') ||
  Number(a.held_back ?? false) - Number(b.held_back ?? false) ||
  (b.points ?? 0) - (a.points ?? 0) ||
  severityRank(a.severity) - severityRank(b.severity)
