import { withOwnTags } from '../../shared/audit/gap/own-tag.ts'
import type { AuditResult } from '../../shared/audit/result/result.ts'
import { findOnlyProperty } from '../db/attribution/properties.ts'
import type { Db } from '../db/connect.ts'

/** The result with the tag of the domain's property in its fixes, where the domain has just one. */
export async function withDomainsTag(db: Db, result: AuditResult): Promise<AuditResult> {
  const id = await findOnlyProperty(db, result.domain)
  return id === null ? result : withOwnTags(result, id)
}
