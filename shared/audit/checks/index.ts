import type { Rule } from '../rule.ts'
import type { CheckName } from '../vocabulary.ts'
import type { GapId } from '../words.ts'
import { acpRules } from './acp/rules.ts'
import { attributionRules } from './attribution/rules.ts'
import { catalogRules } from './catalog/rules.ts'
import { checkoutRules } from './checkout/rules.ts'
import { acpWalkRules, walkRules } from './checkout/walk-rules.ts'
import { entityRules } from './entity/rules.ts'
import { feedRules } from './feed/rules.ts'
import { officialCatalogRules } from './official-profile/catalog-rules.ts'
import { ucpCatalogRules, ucpCheckoutRules, ucpWellKnownRules } from './official-profile/rules.ts'
import {
  ucpAgentCardRules,
  ucpServiceCatalogRules,
  ucpServiceCheckoutRules,
  ucpServiceRules,
} from './official-profile/service-rules.ts'
import { pagesRules } from './pages/rules.ts'
import { schemaRules } from './schema/rules.ts'
import { wellKnownRules } from './well-known/rules.ts'

/** Every rule of every check, in the order in which gaps of one severity are listed. */
export const CHECKS: Record<CheckName, readonly Rule[]> = {
  well_known: [...wellKnownRules, ...ucpWellKnownRules, ...ucpServiceRules, ...ucpAgentCardRules],
  catalog: [
    ...catalogRules,
    ...ucpCatalogRules,
    ...ucpServiceCatalogRules,
    ...officialCatalogRules,
  ],
  checkout: [...checkoutRules, ...ucpCheckoutRules, ...ucpServiceCheckoutRules, ...walkRules],
  acp: [...acpRules, ...acpWalkRules],
  schema: schemaRules,
  feed: feedRules,
  attribution: attributionRules,
  entity: entityRules,
  pages: pagesRules,
}

/** The rules of the checks asked for, in the order of `CHECKS`. */
export const rulesOf = (checks: readonly CheckName[]): Rule[] =>
  Object.entries(CHECKS).flatMap(([check, rules]) =>
    checks.some((name) => name === check) ? rules : [],
  )

/** A rule that can find a gap. */
export type GapRule = Rule & { gap: GapId }

/** Every rule that can find a gap, in the order of the checks and of their rules. */
export const GAP_RULES: readonly GapRule[] = Object.values(CHECKS).flatMap((rules) =>
  rules.filter((each): each is GapRule => each.gap !== null),
)

/** The rule that finds a gap; null for an id that is not one. */
export const findGapRule = (id: string): GapRule | null =>
  GAP_RULES.find(({ gap }) => gap === id) ?? null
