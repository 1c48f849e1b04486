import type { CheckName, Rule } from '../audit.ts'
import { acpRules } from './acp.ts'
import { attributionRules } from './attribution.ts'
import { catalogRules } from './catalog.ts'
import { checkoutRules } from './checkout.ts'
import { entityRules } from './entity.ts'
import { feedRules } from './feed.ts'
import { schemaRules } from './schema.ts'
import { ucpCatalogRules, ucpCheckoutRules, ucpWellKnownRules } from './ucp-profile.ts'
import { wellKnownRules } from './well-known.ts'

/** Every rule of every check, in the order in which gaps of one severity are listed. */
export const CHECKS: Record<CheckName, readonly Rule[]> = {
  well_known: [...wellKnownRules, ...ucpWellKnownRules],
  catalog: [...catalogRules, ...ucpCatalogRules],
  checkout: [...checkoutRules, ...ucpCheckoutRules],
  acp: acpRules,
  schema: schemaRules,
  feed: feedRules,
  attribution: attributionRules,
  entity: entityRules,
}

/** The rules of the checks asked for, in the order of `CHECKS`. */
export const rulesOf = (checks: readonly CheckName[]): Rule[] =>
  Object.entries(CHECKS).flatMap(([check, rules]) =>
    checks.some((name) => name === check) ? rules : [],
  )
