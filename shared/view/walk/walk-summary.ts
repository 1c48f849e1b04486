import type { Purchase, RouteWalk, Transcript, Unmet, WalkStep } from '../../walk/transcript.ts'

/** A fault, and all purchases that stopped at it. */
export interface WalkFault {
  unmet: Unmet
  step: WalkStep
  /** The first of them, whose line shows where it stopped; null if nothing to buy was found. */
  purchase: Purchase | null
  route: RouteWalk
  purchases: Purchase[]
  /** Where it was seen, such as `UCP over REST, 2026-08-25`. */
  labels: string[]
}

export interface WalkSummaryFacts {
  passed: number
  handed_over: number
  failed: number
  not_walked: number
  /** All that ended, without those that could not be tried. */
  walked: number
  faults: WalkFault[]
}

/** The summary of a walk, above its details. */
export function summariseWalk(transcript: Transcript): WalkSummaryFacts {
  const purchases = transcript.routes.flatMap((route) => route.purchases)
  const count = (outcome: Purchase['outcome']) =>
    purchases.filter((each) => each.outcome === outcome).length
  const [passed, handed_over, failed] = [count('passed'), count('handed_over'), count('failed')]
  return {
    passed,
    handed_over,
    failed,
    not_walked: count('not_walked'),
    walked: passed + handed_over + failed,
    faults: faultsOf(transcript.routes),
  }
}

/** Each fault once, in the order of the walk. */
function faultsOf(routes: readonly RouteWalk[]): WalkFault[] {
  const faults = new Map<string, WalkFault>()
  const add = (route: RouteWalk, step: WalkStep, purchase: Purchase | null) => {
    if (step.failed === null) return
    const unmet = step.failed
    const key = [unmet.expectation, unmet.authority, unmet.field].join('\n')
    const fault = faults.get(key) ?? { unmet, step, purchase, route, purchases: [], labels: [] }
    if (purchase !== null) fault.purchases.push(purchase)
    if (!fault.labels.includes(route.label)) fault.labels.push(route.label)
    faults.set(key, fault)
  }
  for (const route of routes) {
    for (const step of route.browsing) add(route, step, null)
    for (const purchase of route.purchases) {
      for (const step of purchase.steps) add(route, step, purchase)
    }
  }
  return [...faults.values()]
}
