import { isRecord } from '../../../../shared/web/json/json.ts'
import type { CheckoutSession, Tx } from '../../db/tables.ts'
import { orderOfPayment, orderOfSession } from '../../orders/orders.ts'
import { type ChargeResult, PAYMENT_USED } from '../../psp/psp.ts'
import { release } from '../../shop/stock.ts'
import { type CheckoutAnswer, confirmationOf, refusalAnswer } from '../answers.ts'
import type { StoreDeps } from '../deps.ts'
import { answerOpenKeys } from '../idempotency.ts'
import { type CheckoutRefusal, FAILED_LATER } from '../refusals.ts'
import { changeSession, completionScope, expiryFrom, isLost, lockSession } from '../sessions.ts'
import { recordPayment, type Settled } from './record-payment.ts'
import { checkoutEvent } from './tell.ts'

type Settling = Pick<StoreDeps, 'db' | 'psp' | 'now' | 'enqueue' | 'onStep'>

/** Identifies the attempt, so that a later one of the same session is not changed. */
type Try = Pick<CheckoutSession, 'id' | 'declines' | 'completing_since'>

/**
 * Finishes a charge: the order is stored, or the session is open again. `result` is null if the PSP
 * does not know the charge. The call, the sweeper and a webhook may all try: the first one wins,
 * and the others return its result.
 */
export async function settle(
  deps: Settling,
  charged: Try,
  result: ChargeResult | null,
): Promise<Settled> {
  const end = () => deps.db.transaction((tx) => settleLocked(tx, deps, charged, result))
  const settled = await end().catch((error: unknown) => {
    // Another session took the same payment at this moment: its order is visible now.
    if (!isPaymentTaken(error)) throw error
    return end()
  })
  await deps.onStep?.('committed')
  return settled
}

async function settleLocked(
  tx: Tx,
  deps: Settling,
  charged: Try,
  result: ChargeResult | null,
): Promise<Settled> {
  const session = await lockSession(tx, charged.id)
  if (session === undefined) throw new Error(`The session ${charged.id} no longer exists.`)
  const now = deps.now()
  const payable = result && (await unlessOver(tx, deps.psp.name, session, result))
  const recorded =
    payable === null || payable.status === 'declined'
      ? null
      : await recordPayment(tx, deps, session, { ...payable, psp: deps.psp.name }, now)
  const settled =
    recorded ?? (await reopen(tx, session, charged, payable && asDeclined(payable), now))
  await deps.onStep?.('ordered')
  return settled
}

/**
 * A payment that has paid for another session counts as declined for this one. So does a pending
 * one that has failed since: a late answer does not revive it.
 */
async function unlessOver(
  tx: Tx,
  psp: string,
  session: CheckoutSession,
  result: ChargeResult,
): Promise<ChargeResult> {
  if (result.status === 'declined') return result
  const { paymentId } = result
  const order = await orderOfPayment(tx, psp, paymentId)
  const isUsed = order !== undefined && order.session_id !== session.id
  const isFailed = order?.status === 'payment_failed' && result.status === 'pending'
  return isUsed || isFailed
    ? { status: 'declined', paymentId, message: isUsed ? PAYMENT_USED : FAILED_LATER.message }
    : result
}

type Declined = Extract<ChargeResult, { status: 'declined' }>

/** A payment that pays for nothing here has the effect of a decline. */
const asDeclined = (result: ChargeResult): Declined =>
  result.status === 'declined'
    ? result
    : { status: 'declined', paymentId: result.paymentId, message: OTHER_AMOUNT }

const OTHER_AMOUNT =
  'The payment was of another amount than the total, so nothing was ordered. The shop will check it.'

/** Whether the database refused a second order for one payment (Postgres: unique_violation). */
function isPaymentTaken(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return isRecord(cause) && cause.code === '23505' && cause.constraint_name === 'orders_payment'
}

/**
 * Releases the reserved stock, so that the buyer can try again until the session expires. A session
 * that gets this result after its end gets the time of a new one.
 */
async function reopen(
  tx: Tx,
  session: CheckoutSession,
  charged: Try,
  declined: Declined | null,
  now: Date,
): Promise<Settled> {
  const { protocol, declines } = session
  const answer = declined
    ? refusalAnswer(protocol, declinedRefusal(declined))
    : refusalAnswer(protocol, { ...NOTHING_CHARGED, retryAfter: 1 })
  if (session.status !== 'completing' || !isSameTry(session, charged)) {
    return { answer: (await placedAnswer(tx, session)) ?? answer, events: [] }
  }
  await release(tx, session.items)
  await changeSession(tx, session, declined ? 'decline' : 'lose', {
    // A lost charge keeps its key: should it reach the PSP late, the next try finds it.
    ...(declined && { completing_since: null, declines: declines + 1 }),
    ...(isLost(session, now) && { expires_at: expiryFrom(protocol, now) }),
  })
  await answerOpenKeys(tx, completionScope(session), declined ? answer : null)
  const since = session.completing_since
  const event = () =>
    checkoutEvent('ai_checkout_failed', session, now, { reason: 'payment_declined', since })
  return { answer, events: declined ? [event()] : [] }
}

/** If another call, the sweeper or a webhook has settled the try: the current result. */
async function placedAnswer(tx: Tx, session: CheckoutSession): Promise<CheckoutAnswer | null> {
  const order = session.status === 'completed' ? await orderOfSession(tx, session.id) : undefined
  return order ? confirmationOf(session.protocol, order) : null
}

/**
 * Undoes a try that the PSP refused: the session is as before. `openSince`: the start of an earlier
 * try that is still open; null: none is.
 */
export async function undoTry(
  { db }: Pick<StoreDeps, 'db'>,
  charged: Try & Pick<CheckoutSession, 'protocol'>,
  openSince: Date | null,
): Promise<CheckoutAnswer> {
  const refused = refusalAnswer(charged.protocol, openSince === null ? CANNOT_PAY : CANNOT_TELL)
  return db.transaction(async (tx) => {
    const session = await lockSession(tx, charged.id)
    if (session === undefined) throw new Error(`The session ${charged.id} no longer exists.`)
    if (session.status !== 'completing' || !isSameTry(session, charged)) {
      return (await placedAnswer(tx, session)) ?? refused
    }
    await release(tx, session.items)
    await changeSession(tx, session, 'lose', { completing_since: openSince })
    await answerOpenKeys(tx, completionScope(session), null)
    return refused
  })
}

// Unspecified: while its PSP refuses the shop's key, the shop asks the caller to wait a minute.
const CANNOT_PAY = {
  code: 'payment_unknown',
  message: 'This shop cannot take payments right now. Nothing was charged. Please try again later.',
  retryAfter: 60,
} as const

const CANNOT_TELL = {
  ...CANNOT_PAY,
  message:
    'This shop cannot take payments right now. Please try again later: you will be charged at most once.',
} as const

const declinedRefusal = ({ message, needsAuthentication }: Declined): CheckoutRefusal => ({
  code: 'declined',
  message,
  ...(needsAuthentication && { needsAuthentication }),
})

/** A lost try does not count as a decline: its time distinguishes it from the next. */
const isSameTry = (one: Try, other: Try): boolean =>
  one.declines === other.declines &&
  one.completing_since?.getTime() === other.completing_since?.getTime()

const NOTHING_CHARGED = {
  code: 'payment_unknown',
  message: 'The payment did not go through. Please try again: you will be charged at most once.',
} as const
