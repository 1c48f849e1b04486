import type { CheckoutSession, OfficialState, Tx } from '../../db/tables.ts'
import { ASSISTANT_ERROR } from '../../http/refusals.ts'
import { orderOfSession, totalWith } from '../../orders/orders.ts'
import type { Charge } from '../../psp/psp.ts'
import { reserve } from '../../shop/stock.ts'
import { missingFields } from '../address.ts'
import { type CheckoutAnswer, confirmationOf, refusalAnswer } from '../answers.ts'
import type { CheckoutEvent, StoreDeps } from '../deps.ts'
import {
  claimKey,
  type EarlierChange,
  findChange,
  type IdempotentCall,
  replayAnswer,
} from '../idempotency.ts'
import {
  type CheckoutRefusal,
  FAILED_LATER,
  listed,
  NO_SESSION,
  unknownOption,
} from '../refusals.ts'
import { changeSession, chargeKey, closedRefusal, isLost, lockSession } from '../sessions.ts'
import { checkoutEvent } from './tell.ts'

/** A buyer's confirmation: pay this session, with this token and this shipping. */
export interface Completion {
  protocol: CheckoutSession['protocol']
  id: string
  /** Null without a key of the agent: the session itself still makes at most one order. */
  keyed: IdempotentCall | null
  shippingOptionId: string | undefined
  payment: Pick<Charge, 'type' | 'token' | 'returnUrl' | 'authentication'>
  /** True if the previous attempt used another credential; its open challenge is then abandoned. */
  isOtherThan?: (session: CheckoutSession) => boolean
  /** The total that the payer saw, in the smallest unit: no other total is charged. */
  expectedTotal?: number
  /** What an official session stores of the charged try, in addition to its data so far. */
  shown?: OfficialState['shown']
}

/** The call has its answer; `event` is to be reported. */
interface Answered {
  is: 'answered'
  answer: CheckoutAnswer
  event?: CheckoutEvent
}

/** Stock is reserved and the session is `completing`: only this call makes the charge. */
export interface Reserved {
  is: 'reserved'
  session: CheckoutSession
  charge: Charge
  /** The time of an earlier try with an unknown outcome; null: there is none. */
  openSince: Date | null
}

/**
 * The result of a confirmation. `busy`: another call is paying the session. `lost`: a call that was
 * paying it has died, and the PSP must be asked for the result of its charge.
 */
export type Confirmed =
  | Answered
  | Reserved
  | { is: 'busy' }
  | { is: 'lost'; session: CheckoutSession }

/**
 * Judges a confirmation and reserves its stock, in one transaction that holds the session's row
 * lock: of any number of simultaneous calls, one is `reserved`.
 */
export async function confirm(
  deps: Pick<StoreDeps, 'db' | 'psp' | 'now' | 'onStep'>,
  completion: Completion,
): Promise<Confirmed> {
  const confirmed = await deps.db.transaction((tx) => confirmLocked(tx, deps, completion))
  if (confirmed.is === 'reserved') await deps.onStep?.('reserved')
  return confirmed
}

async function confirmLocked(
  tx: Tx,
  deps: Pick<StoreDeps, 'psp' | 'now' | 'onStep'>,
  completion: Completion,
): Promise<Confirmed> {
  const { protocol, id, keyed } = completion
  const session = await lockSession(tx, id)
  if (session?.protocol !== protocol) {
    return { is: 'answered', answer: refusalAnswer(protocol, NO_SESSION) }
  }
  await deps.onStep?.('locked')
  // After the lock, which may have been waited for.
  const now = deps.now()
  const earlier = keyed && (await findChange(tx, keyed, now))
  const isUnanswered = earlier?.is === 'known' && earlier.answer === null
  if (earlier && earlier.is !== 'new' && !isUnanswered) {
    return { is: 'answered', answer: await answerAgain(tx, session, earlier) }
  }
  const refusal = refuseCall(deps, session, completion)
  if (refusal) return { is: 'answered', answer: refusalAnswer(protocol, refusal) }
  if (session.status === 'completing') {
    return isLost(session, now) ? { is: 'lost', session } : { is: 'busy' }
  }
  const outcome = await reserveOrRefuse(tx, session, completion, now)
  if (outcome.is === 'reserved') {
    if (keyed) await claimKey(tx, keyed, now)
    return outcome
  }
  const { isKept, ...answered } = outcome
  if (keyed && isKept) await claimKey(tx, keyed, now, answered.answer)
  return answered
}

/** The stored answer of the key. For a payment in progress, the current state of the order. */
async function answerAgain(
  tx: Tx,
  session: CheckoutSession,
  earlier: EarlierChange,
): Promise<CheckoutAnswer> {
  const { protocol } = session
  const kept = replayAnswer(protocol, earlier)
  const order = kept.status === 202 ? await orderOfSession(tx, session.id) : undefined
  if (order === undefined || order.status === 'awaiting_payment') return kept
  return order.status === 'payment_failed'
    ? refusalAnswer(protocol, FAILED_LATER)
    : confirmationOf(protocol, order)
}

/**
 * Reserves the items and prepares the charge, or returns why not. `isKept`: the answer also holds
 * for later calls with the same key.
 */
async function reserveOrRefuse(
  tx: Tx,
  session: CheckoutSession,
  { protocol, shippingOptionId, payment, expectedTotal, shown }: Completion,
  now: Date,
): Promise<(Answered & { isKept: boolean }) | Reserved> {
  const refuse = (refusal: CheckoutRefusal, isKept = false) => ({
    is: 'answered' as const,
    answer: refusalAnswer(protocol, refusal),
    isKept,
  })
  const order = session.status === 'completed' ? await orderOfSession(tx, session.id) : undefined
  // A repeated call, even with another key or none, gets the existing order.
  if (order) return { is: 'answered', answer: confirmationOf(protocol, order), isKept: true }
  const closed = await closedRefusal(tx, session, now)
  if (closed) return refuse(closed, true)

  if (session.declines >= MAX_DECLINES) {
    const retryAfter = Math.ceil((session.expires_at.getTime() - now.getTime()) / 1000)
    return refuse({ ...TOO_MANY_DECLINES, retryAfter })
  }

  const missing = missingFields(session.address ?? {})
  if (missing.length > 0) return refuse(addressIncomplete(missing))

  // Spec: ACP's option is "applied if not set in an earlier update". UCP has no update.
  const optionId = session.shipping_option_id ?? shippingOptionId
  const option = session.shipping_options.find((each) => each.id === optionId)
  if (option === undefined) return refuse(unknownOption(session))
  const amount = totalWith(session, option)
  if (expectedTotal !== undefined && amount !== expectedTotal) return refuse(OTHER_TOTAL)

  // Unspecified: a price that changes later does not change a session: its quote holds until it
  // expires.
  const short = await reserve(tx, session.items)
  if (short.length > 0) {
    const event = checkoutEvent('ai_checkout_failed', session, now, { reason: 'out_of_stock' })
    return { ...refuse(outOfStock(session, short), true), event }
  }
  const charge: Charge = {
    ...payment,
    amount: { amount, currency: session.currency },
    idempotencyKey: chargeKey(session),
    sessionId: session.id,
  }
  const { official } = session
  const change = {
    completing_since: now,
    confirmed_option_id: option.id,
    ...(official && shown && { official: { ...official, shown: { ...official.shown, ...shown } } }),
  }
  return {
    is: 'reserved',
    session: await changeSession(tx, session, 'charge', change),
    charge,
    openSince: session.completing_since,
  }
}

// Unspecified: a session has ten payment attempts: more suggest that stolen cards are being tested.
const MAX_DECLINES = 10

const OTHER_TOTAL = {
  code: 'invalid',
  message: 'This order has changed in the meantime. Please check the total and pay again.',
} as const

const TOO_MANY_DECLINES = {
  code: 'rate_limited',
  message: `${MAX_DECLINES} payments were declined for this order, and it allows no more. Please start again.`,
} as const

const addressIncomplete = (missing: readonly string[]): CheckoutRefusal => ({
  code: 'invalid',
  message:
    `The shipping address is incomplete. Missing: ${missing.join(', ')}. Update this checkout with ` +
    'them, or create one with the full address, and then pay.',
})

/** Faults of the call itself, independent of the state of the session. */
function refuseCall(
  deps: Pick<StoreDeps, 'psp'>,
  session: CheckoutSession,
  completion: Completion,
): CheckoutRefusal | null {
  const { keyed, payment } = completion
  if (keyed && keyed.key === session.create_key) {
    return {
      code: 'invalid',
      message: ASSISTANT_ERROR,
      detail: 'The idempotency key must differ from the one used to create the checkout.',
    }
  }
  const { methods } = deps.psp
  return methods.includes(payment.type)
    ? null
    : {
        code: 'invalid',
        message: `This shop does not accept this way to pay. Please choose ${listed(methods, 'or')}.`,
        fields: ['payment_method.type'],
        detail: `Set payment_method.type to one of ${methods.join(', ')}.`,
      }
}

function outOfStock(session: CheckoutSession, short: readonly string[]): CheckoutRefusal {
  const names = session.items
    .filter(({ product_id, variant_id }) => short.includes(variant_id ?? product_id))
    .map(({ name }) => name)
  return {
    code: 'out_of_stock',
    message: `Sold out in the meantime: ${listed(names)}. Nothing was charged.`,
    items: [...short],
  }
}
