import { formatMoney, type Money } from '../commerce/product.ts'
import { protocolOf, type WalkDialectName } from './dialect.ts'
import { INTENTS } from './intents.ts'
import type { Purchase, RouteWalk, StepName, Transcript } from './transcript.ts'
import { unmetStep } from './walk-words.ts'

export const gapIdOf = (
  gaps: { ucp: string | null; acp: string | null },
  dialect: WalkDialectName,
): string | null => gaps[protocolOf(dialect)]

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
  /** What the buyer is charged for the first ordinary purchase; null if it was not shown. */
  charge: Money | null
  /** The step at which an ordinary purchase stopped, or the search for something to buy. */
  stop: StepName | null
  /** A payment was taken; without one, all went well right up to the payment. */
  isPaid: boolean
}

/** A purchase of an available product, with an address and shipping. */
export const isOrdinary = ({ intent }: Purchase): boolean =>
  INTENTS.some(({ id, moves }) => id === intent && moves.some((move) => move.do === 'choose'))

type OverRoute = Omit<BuysOver, 'over'>

/** Null if no ordinary purchase has ended. One that passed shows that it can be done. */
function buysOver({ browsing, purchases }: RouteWalk): OverRoute | null {
  const ordinary = purchases.filter(isOrdinary)
  const withOutcome = (outcome: Purchase['outcome']) =>
    ordinary.find((each) => each.outcome === outcome)
  const paid = ordinary.find(
    ({ outcome, steps }) =>
      outcome === 'passed' && steps.some(({ held }) => held.includes('takes_payment')),
  )
  const unpaid = ordinary.find(
    ({ outcome, steps }) => outcome === 'failed' && unmetStep(steps)?.step === 'pay',
  )
  // What was given up before the payment says nothing of one that failed.
  const passed = paid ?? (unpaid === undefined ? withOutcome('passed') : undefined)
  const handed = withOutcome('handed_over')
  const isPaid = paid !== undefined
  if (passed !== undefined) {
    const isPartly = purchases.some(({ outcome }) => outcome === 'failed')
    return { buys: isPartly ? 'partly' : 'yes', charge: passed.charge, stop: null, isPaid }
  }
  if (handed !== undefined) return { buys: 'buyer', charge: handed.charge, stop: null, isPaid }
  // One answer that did not come says less than what the store answered to others.
  const refused = ordinary.find(
    ({ outcome, steps }) => outcome === 'failed' && unmetStep(steps)?.failed.party === 'store',
  )
  const failed = unpaid ?? refused ?? withOutcome('failed')
  const step = unmetStep(failed?.steps ?? browsing)
  const party = step?.failed.party
  const stopped = { charge: null, stop: step?.step ?? null, isPaid }
  if (party === 'agent') return { buys: 'agent', ...stopped }
  if (party === 'network') return { buys: 'silent', ...stopped }
  return failed !== undefined || party !== undefined ? { buys: 'no', ...stopped } : null
}

/** What a walk showed of each protocol, the best first. Routes with one result are one row. */
export function verdictsOf({ routes }: Pick<Transcript, 'routes'>): BuysOver[] {
  const known = routes.map((route) => ({ route, is: buysOver(route) }))
  const kinds = BUYS.flatMap((buys) => [true, false].map((isPaid) => ({ buys, isPaid })))
  return kinds.flatMap(({ buys, isPaid }) => {
    const same = known.flatMap(({ route, is }) =>
      is?.buys === buys && is.isPaid === isPaid ? [{ route, is }] : [],
    )
    // A store owner does not care about the transport.
    const over = same.map(({ route }) => {
      const protocol = protocolOf(route.dialect)
      const isAlone = known.every(
        (each) =>
          protocolOf(each.route.dialect) !== protocol ||
          (each.is?.buys === buys && each.is.isPaid === isPaid),
      )
      return isAlone ? protocol.toUpperCase() : route.label
    })
    const [first] = same
    return first === undefined ? [] : [{ ...first.is, over: [...new Set(over)] }]
  })
}

/** When a purchase stopped. */
export const WHEN: Record<StepName, string> = {
  find: 'while looking for something to buy',
  open: 'when the checkout was opened',
  quote: 'when the cost of shipping was asked for',
  address: 'when the address was given',
  shipping: 'when shipping was chosen',
  change: 'when the basket was changed',
  repeat: 'when a call was repeated',
  pay: 'when it was paid',
  order: 'when the order was looked up',
  cancel: 'when it was cancelled',
  return: 'when the buyer came back',
  cart: 'when the cart was filled',
  page: 'when the buyer followed a link',
}

/** `UCP and ACP`, `UCP, ACP and x`: the words around the names are English in every locale. */
export const listedNames = (names: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(names)

/** Whether an agent can buy here, for how much, and where it stops: a sentence for each result. */
export const verdictText = (transcript: Pick<Transcript, 'routes'>): string[] =>
  verdictsOf(transcript).map(sentenceOf)

/** The protocols that were not walked, each with the reason; none where nothing was walked. */
export const missingText = ({
  nothing,
  missing,
}: Pick<Transcript, 'nothing' | 'missing'>): string[] =>
  nothing === null ? missing.map(({ protocol, why }) => `Not walked over ${protocol}: ${why}`) : []

function sentenceOf({ buys, over: routes, charge, stop, isPaid }: BuysOver): string {
  const over = listedNames(routes)
  const stopped = stop === null ? '' : ` It stopped ${WHEN[stop]}.`
  const cost = charge === null ? '' : formatMoney(charge)
  const can = isPaid
    ? `Agents can buy from your store through ${over}${cost && `: the first purchase cost ${cost}`}.`
    : `Agents can shop in your store through ${over}, right up to the payment${cost && ` of ${cost}`}.`
  const sentences: Record<Buys, string> = {
    yes: can,
    partly: can,
    buyer: `Agents can fill a basket through ${over}. Your customer then pays${cost && ` ${cost}`} in your store.`,
    agent: `This agent could not buy through ${over}. Others may fare better.${stopped}`,
    silent: `Your store did not answer through ${over}, so nothing is known.`,
    no: `Agents cannot buy from your store through ${over}.${stopped}`,
  }
  return sentences[buys]
}
