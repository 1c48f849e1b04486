import { type AuditResult, NO_LINKS } from '../../../shared/audit/result/result.ts'
import { type AuditDeps, type AuditOrder, auditDomain } from '../audit-domain.ts'
import { JUDGES_HERE } from '../judging/testing/judges-here.ts'

/** The result of an audit by the clock, judged in this thread; `deps` may say otherwise. */
export async function auditHere(
  order: AuditOrder,
  deps: Pick<AuditDeps, 'fetcher'> & Partial<AuditDeps>,
): Promise<AuditResult> {
  const usual = { judges: JUDGES_HERE, now: () => new Date(), links: NO_LINKS }
  return (await auditDomain(order, { ...usual, ...deps })).result
}
