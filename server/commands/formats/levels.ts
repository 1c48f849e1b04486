import type { Severity } from '../../../shared/audit/vocabulary.ts'
import type { Level } from './report.ts'

const LEVELS: Record<Severity, Level> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
}

/** The level of a gap by default. */
export const levelOf = (severity: Severity): Level => LEVELS[severity]
