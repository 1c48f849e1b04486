import type { Evidence } from '../evidence.ts'
import type { CheckName } from '../vocabulary.ts'
import type { Readiness } from './groups.ts'
import type { Requirement, Route } from './requirement.ts'
import { ROUTES } from './routes.ts'

/**
 * What each route to market needs, and what of it is there. Pure and total; it sees the evidence of
 * `checks` alone and is never scored.
 */
export function readinessOf(
  checks: readonly CheckName[],
  evidence: Partial<Evidence>,
): Readiness[] {
  return shown(
    ROUTES.map((route) => ({
      surface: route.surface,
      label: route.label,
      items: route.requirements.flatMap((each) => {
        const found = isPartOf(each, checks) ? each.judge(evidence) : null
        // Of a program that has ended nothing is missing.
        if (found === null || (route.ended !== undefined && found.state !== 'yes')) return []
        const { id, label, fix, page, where } = each
        return [
          {
            id,
            state: found.state,
            label,
            evidence: found.evidence,
            fix,
            source: page.url,
            source_read: page.read,
            ...(where !== undefined && { where }),
          },
        ]
      }),
      vendor: route.vendor,
      ...(route.ended !== undefined && { ended: route.ended }),
    })),
  )
}

/** The part of it that an audit by `checks` alone would have shown. */
export const narrowReadiness = (
  groups: readonly Readiness[],
  checks: readonly CheckName[],
): Readiness[] =>
  shown(
    groups.map(({ shortest: _, ...group }) => ({
      ...group,
      items: group.items.filter(({ id }) => {
        const found = requirementOf(group, id)
        return found !== undefined && isPartOf(found, checks)
      }),
    })),
  )

const isPartOf = ({ check }: Requirement, checks: readonly CheckName[]): boolean =>
  check === null || checks.includes(check)

const routeOf = ({ surface }: Pick<Readiness, 'surface'>): Route | undefined =>
  ROUTES.find((each) => each.surface === surface)

const requirementOf = (group: Pick<Readiness, 'surface'>, id: string): Requirement | undefined =>
  routeOf(group)?.requirements.find((each) => each.id === id)

/** Routes of which anything was looked at, with the shortest of each vendor marked. */
function shown(groups: readonly Readiness[]): Readiness[] {
  const seen = groups.filter((group) =>
    group.items.some(({ id }) => requirementOf(group, id)?.check !== null),
  )
  return seen.map((group) =>
    isShortest(
      group,
      seen.filter(({ vendor }) => vendor === group.vendor),
    )
      ? { ...group, shortest: true }
      : group,
  )
}

// Unspecified: the shortest route is the one with the least missing, then the least to check by
// hand, then the first in the list; where a vendor has one route alone, nothing is marked.
function isShortest(group: Readiness, ofVendor: readonly Readiness[]): boolean {
  const open = ofVendor.filter(({ ended }) => ended === undefined)
  const count = ({ items }: Readiness, state: 'no' | 'unknown') =>
    items.filter((item) => item.state === state).length
  const [first] = open.toSorted(
    (a, b) => count(a, 'no') - count(b, 'no') || count(a, 'unknown') - count(b, 'unknown'),
  )
  return open.length > 1 && first === group
}
