import { withOwnTags } from '../../shared/audit/own-tag.ts'
import type { AuditResult } from '../../shared/audit/result.ts'
import { listProperties } from '../db/attribution/properties.ts'
import type { Db } from '../db/connect.ts'

/** The result with the tag of the domain's property in its fixes, where the domain has just one. */
export async function withDomainsTag(db: Db, result: AuditResult): Promise<AuditResult> {
  const [property, ...others] = await listProperties(db, [result.domain])
  return property === undefined || others.length > 0 ? result : withOwnTags(result, property.id)
}
