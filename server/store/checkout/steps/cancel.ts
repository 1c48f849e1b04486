import type { Order, Tx } from '../../db/tables.ts'
import { type CheckoutAnswer, canceledBody, refusalAnswer } from '../answers.ts'
import { abandonChallenge } from '../awaited-payments.ts'
import { claimKey, replayAnswer } from '../idempotency.ts'
import { NO_SESSION } from '../refusals.ts'
import {
  changeSession,
  closedRefusal,
  enterSession,
  isOfficialSession,
  LAST_TRY_OPEN,
  type SessionCall,
  snapshotOf,
} from '../sessions.ts'
import { isChallenged } from './confirm.ts'

type Canceling = Parameters<typeof abandonChallenge>[0]

/**
 * Cancels an open session for good. Repeating it gives the same answer; in the official dialects
 * only under the same key, and the body is the outcome. A session that is paid or being paid is
 * refused, unless its payment only waits for a challenge: that payment is cancelled too.
 */
export async function cancelCheckout(deps: Canceling, call: SessionCall): Promise<CheckoutAnswer> {
  const cancel = (isFirst: boolean) =>
    deps.db.transaction((tx) => cancelLocked(tx, deps, call, isFirst))
  const first = await cancel(true)
  if ('status' in first) return first
  await abandonChallenge(deps, first.challenged)
  const second = await cancel(false)
  if ('status' in second) return second
  throw new Error(`The session ${call.id} was challenged twice.`)
}

async function cancelLocked(
  tx: Tx,
  deps: Canceling,
  call: SessionCall,
  isFirst: boolean,
): Promise<CheckoutAnswer | { challenged: Order }> {
  const { protocol, keyed } = call
  const entered = await enterSession(tx, call, deps.now)
  if (entered === null) return refusalAnswer(protocol, NO_SESSION)
  const { session, earlier } = entered
  if (earlier?.is === 'known' || earlier?.is === 'conflict') return replayAnswer(protocol, earlier)
  const now = deps.now()
  const { order, ...seen } = await snapshotOf(tx, session, now)
  if (isFirst && isChallenged(order, deps.psp) && earlier?.is !== 'full') {
    return { challenged: order }
  }
  const isDone = session.status === 'canceled' && !isOfficialSession(session)
  const refused = isDone
    ? null
    : ((await closedRefusal(tx, session, now)) ??
      (session.completing_since === null ? null : LAST_TRY_OPEN))
  if (refused) return { ...refusalAnswer(protocol, refused), snapshot: { ...seen, order } }
  if (earlier?.is === 'full') return replayAnswer(protocol, earlier)
  const answer = { status: 200, body: canceledBody(session) }
  const canceled = isDone ? session : await changeSession(tx, session, 'cancel')
  if (keyed) await claimKey(tx, keyed, now, answer)
  return { ...answer, snapshot: { session: canceled, order } }
}
