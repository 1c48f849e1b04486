import type { CheckoutSession, KeptMandate, OfficialState, Order, Tx } from '../../db/tables.ts'
import { ASSISTANT_ERROR } from '../../http/refusals.ts'
import { totalWith } from '../../orders/orders.ts'
import type { Charge, Psp } from '../../psp/psp.ts'
import { reserve } from '../../shop/inventory.ts'
import { missingFields } from '../address.ts'
import { type CheckoutAnswer, confirmationOf, refusalAnswer, type Snapshot } from '../answers.ts'
import type { CheckoutEvent, StoreDeps } from '../deps.ts'
import { claimKey, type EarlierChange, replayAnswer } from '../idempotency.ts'
import {
  type CheckoutRefusal,
  FAILED_LATER,
  listed,
  NO_SESSION,
  unknownOption,
} from '../refusals.ts'
import {
  changeSession,
  chargeKey,
  closedRefusal,
  enterSession,
  isLost,
  type SessionCall,
  snapshotOf,
} from '../sessions.ts'
import { checkoutEvent } from './tell.ts'

/**
 * A buyer's confirmation: pay this session, with this token and this shipping. Without a key of the
 * agent the session itself still makes at most one order.
 */
export interface Completion extends SessionCall {
  shippingOptionId: string | undefined
  /**
   * Judges the locked session: what to charge, or the dialect's own answer, by which nothing
   * happens. `isNew`: neither this call nor another one under its key was begun before.
   */
  judge: (seen: Snapshot, tx: Tx, isNew: boolean) => Judged | Promise<Judged>
}

type Judged = Payable | CheckoutAnswer

/** What to charge for a session. */
interface Payable {
  payment: Pick<Charge, 'type' | 'token' | 'returnUrl' | 'authentication'>
  /** The previous attempt used another credential; its open challenge is then abandoned. */
  isOther?: boolean
  /** What an official session stores of the charged try, in addition to its data so far. */
  shown?: OfficialState['shown']
  /** What the buyer signed for this try. */
  mandate?: KeptMandate
}

/** The call has its answer; `event` is to be reported. */
interface Answered {
  is: 'answered'
  answer: CheckoutAnswer
  event?: CheckoutEvent
  /** Nothing was done for it. */
  isUntimed?: boolean
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
 * paying it has died, and the PSP must be asked for the result of its charge. `challenged`: the
 * order's payment waits for a challenge that has to be abandoned first.
 */
export type Confirmed =
  | Answered
  | Reserved
  | { is: 'busy' }
  | { is: 'lost'; session: CheckoutSession }
  | { is: 'challenged'; order: Order }

/**
 * Judges a confirmation and reserves its stock, in one transaction that holds the session's row
 * lock: of any number of simultaneous calls, one is `reserved`.
 */
export async function confirm(
  deps: Pick<StoreDeps, 'db' | 'psp' | 'now' | 'onStep'>,
  completion: Completion,
  /** The call has not waited for another one, nor abandoned a challenge. */
  isFirst: boolean,
): Promise<Confirmed> {
  const confirmed = await deps.db.transaction((tx) => confirmLocked(tx, deps, completion, isFirst))
  if (confirmed.is === 'reserved') await deps.onStep?.('reserved')
  return confirmed
}

async function confirmLocked(
  tx: Tx,
  deps: Pick<StoreDeps, 'psp' | 'now' | 'onStep'>,
  completion: Completion,
  isFirst: boolean,
): Promise<Confirmed> {
  const { protocol, keyed, judge } = completion
  const entered = await enterSession(tx, completion, deps.now)
  if (entered === null) return { is: 'answered', answer: refusalAnswer(protocol, NO_SESSION) }
  await deps.onStep?.('locked')
  const { session, earlier } = entered
  // After the lock, which may have been waited for.
  const now = deps.now()
  const snapshot = await snapshotOf(tx, session, now)
  const answered = (answer: CheckoutAnswer) => ({
    is: 'answered' as const,
    answer: { ...answer, snapshot },
  })
  const isUnanswered = earlier?.is === 'known' && earlier.answer === null
  if (earlier?.is === 'conflict' || (earlier?.is === 'known' && !isUnanswered)) {
    const answer = answerAgain(snapshot, earlier)
    return { ...answered(answer), isUntimed: answer.sent !== undefined }
  }
  const judged = await judge(snapshot, tx, isFirst && !isUnanswered)
  if ('status' in judged) return { ...answered(judged), isUntimed: true }
  if (earlier?.is === 'full') return answered(replayAnswer(protocol, earlier))
  const { order } = snapshot
  if (judged.isOther && isFirst && isChallenged(order, deps.psp)) {
    return { is: 'challenged', order }
  }
  const refusal = refuseCall(deps, session, completion, judged)
  if (refusal) return answered(refusalAnswer(protocol, refusal))
  if (session.status === 'completing') {
    return isLost(session, now) ? { is: 'lost', session } : { is: 'busy' }
  }
  const outcome = await reserveOrRefuse(tx, { session, order }, completion, judged, now)
  if (outcome.is === 'reserved') {
    if (keyed) await claimKey(tx, keyed, now)
    return outcome
  }
  const { isKept, answer, ...rest } = outcome
  if (keyed && isKept) await claimKey(tx, keyed, now, answer)
  return { ...rest, ...answered(answer) }
}

/** Whether an order's payment waits for a challenge that this PSP can cancel. */
export const isChallenged = (order: Order | undefined, psp: Psp): order is Order =>
  psp.abandon !== undefined &&
  order?.status === 'awaiting_payment' &&
  order.challenge_url !== null &&
  order.psp === psp.name

/** The stored answer of the key. For a payment in progress, the current state of the order. */
function answerAgain({ session, order }: Snapshot, earlier: EarlierChange): CheckoutAnswer {
  const { protocol } = session
  const kept = replayAnswer(protocol, earlier)
  if (kept.sent || kept.status !== 202 || !order || order.status === 'awaiting_payment') return kept
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
  { session, order }: Snapshot,
  { protocol, shippingOptionId }: Completion,
  { payment, shown, mandate }: Payable,
  now: Date,
): Promise<(Answered & { isKept: boolean }) | Reserved> {
  const refuse = (refusal: CheckoutRefusal, isKept = false) => ({
    is: 'answered' as const,
    answer: refusalAnswer(protocol, refusal),
    isKept,
  })
  // A repeated call, even with another key or none, gets the existing order.
  if (session.status === 'completed' && order) {
    return { is: 'answered', answer: confirmationOf(protocol, order), isKept: true }
  }
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
    mandate: mandate ?? null,
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
// Then confirm and complete answer 429 `rate_limited`, with the time until the session ends.
const MAX_DECLINES = 10

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
  { keyed }: Completion,
  { payment }: Payable,
): CheckoutRefusal | null {
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
