import type { CheckName } from '../../shared/audit.ts'
import { attributionRules } from '../../shared/checks/attribution.ts'
import { entityRules } from '../../shared/checks/entity.ts'
import { schemaRules } from '../../shared/checks/schema.ts'

/** The checks that a page alone gives evidence for; the others need requests to the shop. */
export const PAGE_CHECKS = ['schema', 'entity', 'attribution'] as const satisfies CheckName[]

/** Imported one by one: the rules of the other checks would weigh as much as the views. */
export const PAGE_RULES = {
  schema: schemaRules,
  entity: entityRules,
  attribution: attributionRules,
}
