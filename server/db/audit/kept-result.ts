import { AuditResult } from '../../../shared/audit/result/result.ts'

/** The result that a row keeps; null without one that still has the form of a result. */
export const keptResultOf = (row: { result: unknown } | undefined): AuditResult | null =>
  AuditResult.nullable()
    .catch(null)
    .parse(row?.result ?? null)
