import type { WalkDialectName } from '../../walk/dialect.ts'
import type { Purchase, RouteWalk, Transcript, Unmet, WalkStep } from '../../walk/transcript.ts'
import { failedStep, intentOf } from './purchase-line.ts'

/** Protocols by their common names: a store owner does not care about the transport. */
const PROTOCOL_OF: Record<WalkDialectName, 'UCP' | 'ACP'> = {
  spec_ucp: 'UCP',
  ucp_rest: 'UCP',
  ucp_mcp: 'UCP',
  spec_acp: 'ACP',
  acp: 'ACP',
}

export const gapIdOf = (
  gaps: { ucp: string | null; acp: string | null },
  dialect: WalkDialectName,
): string | null => (PROTOCOL_OF[dialect] === 'UCP' ? gaps.ucp : gaps.acp)

/**
 * Whether agents can buy over a route. `partly`: some purchases failed. `buyer`: up to the point
 * where the buyer pays in the store. `agent`, `silent`: not this agent, or no answer came, which
 * says little about others.
 */
export type Buys = 'yes' | 'partly' | 'buyer' | 'agent' | 'silent' | 'no'

const BUYS: readonly Buys[] = ['yes', 'partly', 'buyer', 'agent', 'silent', 'no']

/** Routes with the same result, by the names that tell them apart. */
interface BuysOver {
  buys: Buys
  over: string[]
}

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
  verdicts: BuysOver[]
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
    verdicts: verdictsOf(transcript.routes),
    passed,
    handed_over,
    failed,
    not_walked: count('not_walked'),
    walked: passed + handed_over + failed,
    faults: faultsOf(transcript.routes),
  }
}

/** A purchase of an available product, with an address and shipping. */
export const isOrdinary = ({ intent }: Purchase): boolean =>
  intentOf(intent).moves.some((move) => move.do === 'choose')

/** Null if no ordinary purchase has ended. One that passed shows that it can be done. */
function buysOver({ browsing, purchases }: RouteWalk): Buys | null {
  const ordinary = purchases.filter(isOrdinary)
  const has = (outcome: Purchase['outcome']) => ordinary.some((each) => each.outcome === outcome)
  if (has('passed')) return purchases.some(({ outcome }) => outcome === 'failed') ? 'partly' : 'yes'
  if (has('handed_over')) return 'buyer'
  const failed = ordinary.find(({ outcome }) => outcome === 'failed')
  const steps = failed?.steps ?? browsing
  const party = failedStep({ steps })?.failed?.party
  if (party === 'agent') return 'agent'
  if (party === 'network') return 'silent'
  return failed !== undefined || party !== undefined ? 'no' : null
}

function verdictsOf(routes: readonly RouteWalk[]): BuysOver[] {
  const known = routes.map((route) => ({ route, buys: buysOver(route) }))
  return BUYS.flatMap((buys) => {
    const over = known
      .filter((each) => each.buys === buys)
      .map(({ route }) => {
        const protocol = PROTOCOL_OF[route.dialect]
        const isAlone = known.every(
          (each) => PROTOCOL_OF[each.route.dialect] !== protocol || each.buys === buys,
        )
        return isAlone ? protocol : route.label
      })
    return over.length === 0 ? [] : [{ buys, over: [...new Set(over)] }]
  })
}

/** Each fault once, in the order of the walk. */
function faultsOf(routes: readonly RouteWalk[]): WalkFault[] {
  const faults = new Map<string, WalkFault>()
  const add = (route: RouteWalk, step: WalkStep | null, purchase: Purchase | null) => {
    if (step === null || step.failed === null) return
    const unmet = step.failed
    const key = [unmet.expectation, unmet.authority, unmet.field].join('\n')
    const fault = faults.get(key) ?? { unmet, step, purchase, route, purchases: [], labels: [] }
    if (purchase !== null) fault.purchases.push(purchase)
    if (!fault.labels.includes(route.label)) fault.labels.push(route.label)
    faults.set(key, fault)
  }
  for (const route of routes) {
    for (const step of route.browsing) add(route, step, null)
    for (const purchase of route.purchases) add(route, failedStep(purchase), purchase)
  }
  return [...faults.values()]
}
