import { PATIENCE_MS } from '../../../../shared/testing/wait.ts'
import type { FetchLimits } from '../fetch/session.ts'

/**
 * Where a test is about what is answered: a store that answers does not time out on a machine that
 * has other work.
 */
export const PATIENT_LIMITS: Partial<FetchLimits> = {
  headersMs: PATIENCE_MS,
  totalMs: PATIENCE_MS,
  auditMs: 2 * PATIENCE_MS,
}
