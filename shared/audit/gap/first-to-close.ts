import { CAP_REASONS, type CapReason, type Severity, severityRank } from '../vocabulary.ts'

/** The cap on the score while this gap is open; null where another cap holds it, or none does. */
export const holdsAt = (
  { id }: { id: string },
  cap: { at: number; gaps: readonly string[] } | null,
): number | null => (cap?.gaps.includes(id) === true ? cap.at : null)

interface Closable {
  severity: Severity
  points?: number | null | undefined
  cap?: CapReason | undefined
}

/**
 * The order in which gaps are closed. What a cap holds back counts once its own gaps are closed, so
 * these come first, the worst cap before the others; then by what it gains.
 */
export const firstToClose = (a: Closable, b: Closable): number =>
  capRank(a) - capRank(b) ||
  (b.points ?? 0) - (a.points ?? 0) ||
  severityRank(a.severity) - severityRank(b.severity)

/** A critical gap is a cap also where nothing says so: an incident is known by its severity. */
function capRank({ cap, severity }: Closable): number {
  const reason = cap ?? (severity === 'critical' ? 'critical_gap' : null)
  return reason === null ? CAP_REASONS.length : CAP_REASONS.indexOf(reason)
}
