import { judgedIn, measureOf } from '../../../../shared/audit/result/compare.ts'
import type { AuditResult } from '../../../../shared/audit/result/result.ts'
import { DEFAULT_CHECKS } from '../../../../shared/audit/vocabulary.ts'
import { findAudit, listAudits, type PastAudit } from '../../../db/audit/audits.ts'
import type { Db } from '../../../db/connect.ts'

export interface ReadAudit {
  /** The newest with all checks, perhaps of an earlier engine. */
  result: AuditResult
  /** It and the earlier ones with comparable scores, newest first. */
  history: PastAudit[]
}

/** Null if the domain has no audit. */
export async function readAudit(db: Db, domain: string): Promise<ReadAudit | null> {
  const [result, all] = await Promise.all([
    findAudit(db, domain, DEFAULT_CHECKS, null),
    listAudits(db, domain),
  ])
  return result && { result, history: alike(result, all) }
}

/** Scores of other checks or of another engine do not compare. */
export function alike(result: AuditResult, all: readonly PastAudit[]): PastAudit[] {
  const measure = measureOf(judgedIn(result))
  return all.filter(({ judged }) => measureOf(judged) === measure)
}
