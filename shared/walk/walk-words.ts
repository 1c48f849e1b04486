import { englishCount } from '../web/text/english-count.ts'
import type { Party } from './expectations.ts'
import { costOf, type Purchase, type RouteWalk, type WalkStep } from './transcript.ts'

/** Who must act, as the end of "Turn: …". */
export const PARTY_WORDS: Record<Party, string> = {
  store: 'your store',
  agent: 'the agent',
  buyer: 'the buyer',
  network: 'the network',
}

/** How the purchases of a route ended: `3 passed, 1 failed`. */
export function outcomeCounts({ purchases }: Pick<RouteWalk, 'purchases'>): string {
  const parts = COUNTED.flatMap(([outcome, words]) => {
    const count = purchases.filter((purchase) => purchase.outcome === outcome).length
    return count === 0 ? [] : [`${count} ${words}`]
  })
  return parts.join(', ') || 'no purchase'
}

const COUNTED: readonly [Purchase['outcome'], string][] = [
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['handed_over', 'handed to the buyer'],
  ['not_walked', 'not tried'],
  ['under_way', 'under way'],
]

/** All steps of a route, in order. */
export const stepsIn = ({ browsing, purchases }: RouteWalk): WalkStep[] => [
  ...browsing,
  ...purchases.flatMap(({ steps }) => steps),
]

/** How a step went: a dash where it neither met nor missed anything. */
export const markOf = ({ failed, held }: WalkStep): '✓' | '✗' | '–' =>
  failed !== null ? '✗' : held.length > 0 ? '✓' : '–'

/** The cost of steps for an agent: `42 requests, 120 kB, about 30,000 tokens`. */
export function costWords(steps: readonly WalkStep[]): string {
  const { requests, bytes, tokens } = costOf(steps)
  const size = bytes < 1_000 ? `${bytes} B` : `${englishCount(Math.round(bytes / 1_000))} kB`
  const asked = `${englishCount(requests)} ${requests === 1 ? 'request' : 'requests'}`
  return `${asked}, ${size}, about ${englishCount(tokens)} tokens`
}

/** The failed step of a purchase, with the reason; null if none failed. */
export function unmetStep(
  steps: readonly WalkStep[],
): (WalkStep & { failed: NonNullable<WalkStep['failed']> }) | null {
  for (const step of steps) if (step.failed !== null) return { ...step, failed: step.failed }
  return null
}
