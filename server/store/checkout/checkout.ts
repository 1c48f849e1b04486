import { setTimeout as sleep } from 'node:timers/promises'
import type { OfficialProtocol } from '../db/statuses.ts'
import type { CheckoutSession } from '../db/tables.ts'
import { type CheckoutAnswer, refusalAnswer, type Snapshot } from './answers.ts'
import { abandonChallenge } from './awaited-payments.ts'
import { withDeadline } from './deadline.ts'
import type { StoreDeps } from './deps.ts'
import { findAnswer } from './idempotency.ts'
import type { CountCheckout } from './quota.ts'
import { IN_DOUBT, IN_FLIGHT, SLOW, TOO_MANY } from './refusals.ts'
import { findWithOrder, isOfficialSession, type OfficialSession, sessionAt } from './sessions.ts'
import { findCharge, makeCharge } from './steps/charge.ts'
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
 *   5 settle   the stock released, or in one transaction the order   steps/settle.ts,
 *              and, by `deps.enqueue`, the merchant's webhooks       steps/record-payment.ts
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

/** A session of an official dialect with its order; null if there is none. */
export async function readCheckout(
  { db, now }: Pick<StoreDeps, 'db' | 'now'>,
  protocol: OfficialProtocol,
  id: string,
): Promise<(Snapshot & { session: OfficialSession }) | null> {
  const { session, order } = (await findWithOrder(db, id)) ?? {}
  if (session?.protocol !== protocol || !isOfficialSession(session)) return null
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
  const work = completeAndObserve(deps, completion)
  const answer = await withDeadline(deps.answerMs, work, () => {
    // The caller has its answer already.
    work.catch((error: unknown) => logError(deps, error))
    return refusalAnswer(protocol, { ...SLOW, retryAfter: 2 })
  })
  return answer ?? refusalAnswer(protocol, { ...IN_FLIGHT, retryAfter: 1 })
}

/**
 * Times a completion to its very end, even if its caller was answered before. A call that only
 * finds another one at work is not timed, because that one is.
 */
async function completeAndObserve(
  deps: StoreDeps,
  completion: Completion,
): Promise<CheckoutAnswer | null> {
  const started = performance.now()
  const observe = (status: number) =>
    deps.observeCompletion?.((performance.now() - started) / 1000, status)
  try {
    const answer = await completeInTurn(deps, completion)
    if (answer) observe(answer.status)
    return answer
  } catch (error) {
    observe(500)
    throw error
  }
}

// Unspecified: a call waits two seconds for another one on the same session.
const POLLS = 20
const POLL_MS = 100

/** Null if another call is still working on the session. */
async function completeInTurn(
  deps: StoreDeps,
  completion: Completion,
): Promise<CheckoutAnswer | null> {
  const { protocol, id, keyed, isOtherThan: isFor } = completion
  if (isFor) await abandonChallenge(deps, { protocol, id, keyed, isFor })
  for (let poll = 0; poll < POLLS; poll += 1) {
    const confirmed = await confirm(deps, completion)
    switch (confirmed.is) {
      case 'answered':
        if (confirmed.event) tell(deps, [confirmed.event])
        return confirmed.answer
      case 'reserved':
        return await chargeAndSettle(deps, confirmed)
      case 'lost': {
        const settled = await settleLost(deps, confirmed.session).catch((error: unknown) => {
          logError(deps, error)
          return null
        })
        if (settled === null) return refusalAnswer(protocol, { ...IN_DOUBT, retryAfter: 2 })
        break
      }
      case 'busy':
        await sleep(POLL_MS)
    }
  }
  return null
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
    const { answer, events } = await settle(deps, session, result)
    tell(deps, events)
    return answer
  } catch (error) {
    logError(deps, error)
    return refusalAnswer(session.protocol, { ...IN_DOUBT, retryAfter: 2 })
  }
}

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
