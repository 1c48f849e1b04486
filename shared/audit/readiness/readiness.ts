import type { Evidence } from '../evidence.ts'
import type { CheckName } from '../vocabulary.ts'
import { CHATGPT_CHECKOUT, CHATGPT_SEARCH } from './chatgpt.ts'
import { GOOGLE_CHECKOUT } from './google-checkout.ts'
import type { Readiness } from './groups.ts'
import type { ReadinessSurface, Requirement } from './requirement.ts'

/** In the order in which they are shown. */
export const READINESS_SURFACES: readonly ReadinessSurface[] = [
  GOOGLE_CHECKOUT,
  CHATGPT_SEARCH,
  CHATGPT_CHECKOUT,
]

/**
 * What each surface needs that the store is on its way to, and what of it is there. Pure and total;
 * it sees the evidence of `checks` alone and is never scored.
 */
export function readinessOf(
  checks: readonly CheckName[],
  evidence: Partial<Evidence>,
): Readiness[] {
  const groups = READINESS_SURFACES.map(({ surface, label, requirements }) => ({
    surface,
    label,
    items: requirements.flatMap((each) => {
      const found = isPartOf(each, checks) ? each.judge(evidence) : null
      if (found === null) return []
      const { id, label, fix, authority: source } = each
      return [{ id, state: found.state, label, evidence: found.evidence, fix, source }]
    }),
  }))
  return groups.filter(isOnItsWay)
}

/** The part of it that an audit by `checks` alone would have shown. */
export function narrowReadiness(
  groups: readonly Readiness[],
  checks: readonly CheckName[],
): Readiness[] {
  return groups
    .map((group) => ({
      ...group,
      items: group.items.filter(({ id }) => {
        const found = requirementOf(group, id)
        return found !== undefined && isPartOf(found, checks)
      }),
    }))
    .filter(isOnItsWay)
}

const isPartOf = ({ check }: Requirement, checks: readonly CheckName[]): boolean =>
  check === null || checks.includes(check)

const requirementOf = ({ surface }: Readiness, id: string): Requirement | undefined =>
  READINESS_SURFACES.find((each) => each.surface === surface)?.requirements.find(
    (each) => each.id === id,
  )

// Unspecified: a surface is shown to a store that shows signs of wanting it, such as Google Pay in
// its profile or rows that opt in; a store that opts out everywhere has none.
const isOnItsWay = (group: Readiness): boolean =>
  group.items.some(({ id, state }) => state === 'yes' && requirementOf(group, id)?.isSign === true)
