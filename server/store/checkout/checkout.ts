import { setTimeout as sleep } from 'node:timers/promises'
import { databaseAway } from '../../db/connection/readiness.ts'
import { retryWrite } from '../../db/connection/retry-write.ts'
import type { CheckoutSession } from '../db/tables.ts'
import { type CheckoutAnswer, refusalAnswer, type Snapshot } from './answers.ts'
import { abandonChallenge } from './awaited-payments.ts'
import type { StoreDeps } from './deps.ts'
import { findAnswer } from './idempotency.ts'
import type { CountCheckout } from './quota.ts'
import { IN_DOUBT, IN_FLIGHT, SLOW, TOO_MANY } from './refusals.ts'
import {
  findWithOrder,
  isOfficialSession,
  type OfficialSession,
  type SessionCall,
  sessionAt,
} from './sessions.ts'
import { findCharge, makeCharge, withDeadline } from './steps/charge.ts'
import { type Completion, confirm, type Reserved } from './steps/confirm.ts'
import { open, openedAnswer, pricedAnswer } from './steps/open.ts'
import { type NewCheckout, price } from './steps/price.ts'
import { settle, undoTry } from './steps/settle.ts'
import { checkoutEvent, tell } from './steps/tell.ts'

/*
 * The checkout of every dialect, step by step. A dialect reads its request, calls a function of
 * this file, and writes the answer in its own form.
 *
 *   1 open     a session under the call's idempotency key            steps/open.ts
 *   2 price    its items, shipping options and tax                   steps/price.ts
 *     (update  the spec's ACP: another shipping option, or address   steps/update.ts;
 *              the official dialects: the whole session made anew    steps/revise.ts)
 *     (cancel  gives it up                                           steps/cancel.ts)
 *   3 confirm  the buyer's confirmation: judged, stock reserved      steps/confirm.ts
 *   4 charge   the PSP, outside of any transaction                   steps/charge.ts
 *   5 settle   the stock released, or in one transaction the order   steps/settle.ts
 *              and, by `deps.enqueue`, the merchant's webhooks
 *   6 tell     the hosted API, once that is committed                steps/tell.ts
 *
 * A payment can also be settled later: by the PSP's webhook (payment-events.ts), or by the sweeper,
 * which asks for it (`settleLost`, awaited-payments.ts).
 */

/**
 * Steps 1 and 2: the spec's UCP cart or ACP create response, or the refusal. A dry run is priced,
 * but neither stored nor counted.
 */
export async function createCheckout(
  deps: Pick<StoreDeps, 'db' | 'now' | 'report'>,
  count: CountCheckout,
  checkout: NewCheckout,
): Promise<CheckoutAnswer> {
  const { protocol, keyed, counted, dryRun } = checkout
  const now = deps.now()
  const earlier = keyed && !keyed.isNew && (await findAnswer(deps.db, keyed, now))
  if (earlier && earlier.is !== 'new') return openedAnswer(deps.db, protocol, earlier, now)
  if (dryRun) return pricedAnswer(protocol, await price(deps.db, checkout, now))
  const wait = await count(counted)
  if (wait !== null) return refusalAnswer(protocol, { ...TOO_MANY, retryAfter: wait })
  const answer = await deps.db.transaction((tx) =>
    open(tx, checkout, () => price(tx, checkout, now), now),
  )
  const { snapshot } = answer
  if (snapshot) tell(deps, [checkoutEvent('ai_checkout_initiated', snapshot.session, now)])
  return answer
}

/**
 * The session of a call, of any official dialect without a `protocol`; null if it does not exist
 * for its caller. Read together with its order: otherwise a payment that fails at this moment could
 * look like a finished one, and lead to a receipt.
 */
export async function readCheckout(
  { db, now }: Pick<StoreDeps, 'db' | 'now'>,
  {
    protocol,
    id,
    isTheirs = () => true,
  }: Pick<SessionCall, 'id' | 'isTheirs'> & Partial<SessionCall>,
): Promise<(Snapshot & { session: OfficialSession }) | null> {
  const { session, order } = (await findWithOrder(db, id)) ?? {}
  if (!session || !isOfficialSession(session) || !isTheirs(session)) return null
  if (protocol !== undefined && session.protocol !== protocol) return null
  return { session: sessionAt(session, now()), order: order ?? undefined }
}

/**
 * Steps 3 to 6: the spec's confirmation, or the refusal. For any number of simultaneous calls, with
 * one key or many, and after a crash at any point, there is one order and one charge. Answers
 * within `deps.answerMs`; the next identical call finds the result of work that takes longer.
 */
export async function completeCheckout(
  deps: StoreDeps,
  completion: Completion,
): Promise<CheckoutAnswer> {
  const { protocol } = completion
  const turn: Turn = { isOver: false, isWaiting: false }
  const work = completeInTurn(deps, completion, turn)
  const answer = await withDeadline(deps.answerMs, work, () => {
    turn.isOver = true
    // The caller has its answer already.
    work.catch((error: unknown) => logError(deps, error))
    return turn.isWaiting ? null : refusalAnswer(protocol, { ...SLOW, retryAfter: 2 })
  })
  return answer ?? refusalAnswer(protocol, { ...IN_FLIGHT, retryAfter: 1 })
}

/** Shared by a call's work and its deadline. */
interface Turn {
  /** The call was answered: what has not begun is not begun any more. */
  isOver: boolean
  /** Another call is working on the session. */
  isWaiting: boolean
}

const POLL_MS = 100

/**
 * Null if another call worked on the session until the deadline. Unspecified: a call waits that
 * long for another one on its session, with the same key or not, to give its answer; only then is
 * it told to come back. Times the completion to its very end, even if its caller was answered
 * before. A call that only finds another one at work is not timed, because that one is; nor is one
 * that its dialect answers, or that gets earlier bytes again.
 */
async function completeInTurn(
  deps: StoreDeps,
  completion: Completion,
  turn: Turn,
): Promise<CheckoutAnswer | null> {
  const started = performance.now()
  const timed = (answer: CheckoutAnswer) => {
    deps.observeCompletion?.((performance.now() - started) / 1000, answer.status)
    return answer
  }
  const { protocol } = completion
  try {
    for (let isFirst = true; !turn.isOver; isFirst = false) {
      const confirmed = await confirm(deps, completion, isFirst)
      turn.isWaiting = confirmed.is === 'busy'
      switch (confirmed.is) {
        case 'answered':
          if (confirmed.event) tell(deps, [confirmed.event])
          return confirmed.isUntimed ? confirmed.answer : timed(confirmed.answer)
        case 'reserved':
          return timed(await chargeAndSettle(deps, confirmed))
        case 'challenged':
          await abandonChallenge(deps, confirmed.order)
          break
        case 'lost': {
          const settled = await settleLost(deps, confirmed.session).catch((error: unknown) => {
            logError(deps, error)
            return null
          })
          if (settled === null) {
            return timed(refusalAnswer(protocol, { ...IN_DOUBT, retryAfter: 2 }))
          }
          break
        }
        case 'busy':
          await sleep(POLL_MS)
      }
    }
    return null
  } catch (error) {
    timed({ status: databaseAway(error) ? 503 : 500, body: null })
    throw error
  }
}

/** The log gets the error in its own words; the caller gets others. */
const logError = ({ onError }: Pick<StoreDeps, 'onError'>, error: unknown): void => onError?.(error)

async function chargeAndSettle(
  deps: StoreDeps,
  { session, charge, openSince }: Reserved,
): Promise<CheckoutAnswer> {
  const result = await makeCharge(deps, charge)
  try {
    if (result.status === 'refused_call') return await undoTry(deps, session, openSince)
    if (result.status === 'in_doubt') return await settleLost(deps, session)
    // The money is there: without its order the same call would be refused until the sweeper came.
    const { answer, events } = await retryWrite(() => settle(deps, session, result), NEVER)
    tell(deps, events)
    return answer
  } catch (error) {
    logError(deps, error)
    return refusalAnswer(session.protocol, { ...IN_DOUBT, retryAfter: 2 })
  }
}

const NEVER = new AbortController().signal

/**
 * Settles a charge without an answer by the PSP's result. Rejects while the PSP has none, or does
 * not answer within `findMs`.
 */
export async function settleLost(
  deps: Pick<StoreDeps, 'db' | 'psp' | 'now' | 'enqueue' | 'report' | 'onStep'>,
  session: CheckoutSession,
  findMs?: number,
): Promise<CheckoutAnswer> {
  const { answer, events } = await settle(deps, session, await findCharge(deps, session, findMs))
  tell(deps, events)
  return answer
}
