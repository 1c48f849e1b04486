import { goesOn } from '../../walk/expectations.ts'
import { type BuyerIntent, INTENTS, type IntentId, type Move } from '../../walk/intents.ts'
import type { Purchase, RouteWalk, StepName, Transcript, WalkStep } from '../../walk/transcript.ts'

/**
 * `ok`: passed. `stopped`: what was expected did not happen. `after`: the buyer cleaned up
 * afterwards. `next`: under way. `coming`: after that. `ahead`: not reached.
 */
export type StopState = 'ok' | 'stopped' | 'after' | 'next' | 'coming' | 'ahead'

/** One item of a purchase's line; `count` steps of one kind and state in a row are one. */
export interface LineStop {
  step: StepName
  state: StopState
  count: number
}

const STEP_OF: Record<Move['do'], StepName> = {
  open: 'open',
  quote: 'quote',
  address: 'address',
  choose: 'shipping',
  quantity: 'change',
  swap: 'change',
  coupon: 'change',
  reopen: 'repeat',
  revive: 'return',
  cancel: 'cancel',
  pay: 'pay',
  repay: 'repeat',
  order: 'order',
  cart: 'cart',
  cart_quantity: 'cart',
  cart_cancel: 'cart',
  follow: 'page',
  permalink: 'page',
  product_page: 'find',
  hand_over: 'page',
}

/** These are made only in a sandbox. */
const PAYING: readonly Move['do'][] = ['pay', 'repay', 'order']

/** What the buyer of a purchase wants. */
export function intentOf(id: IntentId): BuyerIntent {
  const found: BuyerIntent | undefined = INTENTS.find((each) => each.id === id)
  if (found === undefined) throw new Error(`There is no intent ${id}.`)
  return found
}

const planOf = (intent: IntentId, mode: Transcript['mode']): StepName[] =>
  intentOf(intent)
    .moves.filter((move) => mode === 'sandbox' || !PAYING.includes(move.do))
    .map((move) => STEP_OF[move.do])
    // Made before the purchase, and only where there is a browser.
    .filter((step) => step !== 'find')

/** The step that ended the purchase; null if none did. */
export const failedStep = ({ steps }: { steps: readonly WalkStep[] }): WalkStep | null =>
  steps.findLast(({ failed }) => failed !== null && !goesOn(failed)) ?? null

/** The state of a step that was made. */
export function stopStateOf(step: WalkStep, failed: WalkStep | null): StopState {
  if (step.failed !== null) return 'stopped'
  return failed === null || step.n < failed.n ? 'ok' : 'after'
}

/** The whole line of a purchase: the steps that were made, and those that it did not reach. */
export function purchaseLine(
  purchase: Purchase,
  route: RouteWalk,
  mode: Transcript['mode'],
  isLive: boolean,
): LineStop[] {
  const failed = failedStep(purchase)
  const upTo = purchase.steps.filter(({ n }) => failed === null || n <= failed.n)
  const after = purchase.steps.filter(({ n }) => failed !== null && n > failed.n)
  const isOpen = purchase.outcome === 'failed' || purchase.outcome === 'under_way'
  const ahead = isOpen ? notReached(purchase, upTo, route, mode) : []
  const isGoingOn = isLive && purchase.outcome === 'under_way'
  const stateAhead = (at: number) => (isGoingOn ? (at === 0 ? 'next' : 'coming') : 'ahead')
  return inRuns([
    ...upTo.map((step) => ({ step: step.step, state: stopStateOf(step, failed) })),
    ...ahead.map((step, at) => ({ step, state: stateAhead(at) }) as const),
    ...after.map(({ step }) => ({ step, state: 'after' as const })),
  ])
}

/** The intent's steps after the last one that was made, without what this dialect cannot do. */
function notReached(
  purchase: Purchase,
  made: readonly WalkStep[],
  route: RouteWalk,
  mode: Transcript['mode'],
): StepName[] {
  const impossible = leftOutIn(route, mode)
  const plan = planOf(purchase.intent, mode)
  const at = made.reduce((from, { step }) => {
    const found = plan.indexOf(step, from)
    return found < 0 ? from : found + 1
  }, 0)
  return plan.slice(at).filter((step) => !impossible.has(step))
}

/** A purchase that passed is complete: steps that it lacks do not exist in the dialect. */
const leftOutIn = (route: RouteWalk, mode: Transcript['mode']): ReadonlySet<StepName> =>
  new Set(
    route.purchases
      .filter(({ outcome }) => outcome === 'passed')
      .flatMap(({ intent, steps }) =>
        planOf(intent, mode).filter((step) => steps.every((made) => made.step !== step)),
      ),
  )

function inRuns(stops: readonly Omit<LineStop, 'count'>[]): LineStop[] {
  const runs: LineStop[] = []
  for (const { step, state } of stops) {
    const last = runs.at(-1)
    if (last?.step === step && last.state === state) last.count += 1
    else runs.push({ step, state, count: 1 })
  }
  return runs
}
