import { attributionRules } from '../../../shared/audit/checks/attribution/rules.ts'
import { entityRules } from '../../../shared/audit/checks/entity/rules.ts'
import { htmlPagesRules } from '../../../shared/audit/checks/pages/rules.ts'
import { schemaRules } from '../../../shared/audit/checks/schema/rules.ts'
import type { CheckName } from '../../../shared/audit/vocabulary.ts'

/** The checks that a single page gives evidence for; the others need requests to the store. */
export const PAGE_CHECKS = [
  'schema',
  'entity',
  'attribution',
  'pages',
] as const satisfies CheckName[]

/** Imported one by one: the rules of the other checks would double the size of the panel. */
export const PAGE_RULES = {
  schema: schemaRules,
  entity: entityRules,
  attribution: attributionRules,
  pages: htmlPagesRules,
}
