import type { Protocol } from '../../db/statuses.ts'
import { type CheckoutAnswer, canceledBody, refusalAnswer } from '../answers.ts'
import { abandonChallenge } from '../awaited-payments.ts'
import { claimKey, findChange, type IdempotentCall, replayAnswer } from '../idempotency.ts'
import { NO_SESSION } from '../refusals.ts'
import { changeSession, closedRefusal, LAST_TRY_OPEN, lockSession } from '../sessions.ts'

/**
 * Cancels an open session for good. Repeating it gives the same answer. A session that is paid or
 * being paid is refused, unless its payment only waits for a challenge: that payment is cancelled
 * too. In an official dialect the body is the outcome.
 */
export async function cancelCheckout(
  deps: Parameters<typeof abandonChallenge>[0],
  call: { protocol: Protocol; id: string; keyed: IdempotentCall | null },
): Promise<CheckoutAnswer> {
  const { protocol, id, keyed } = call
  await abandonChallenge(deps, call)
  return deps.db.transaction(async (tx) => {
    const session = await lockSession(tx, id)
    if (session?.protocol !== protocol) return refusalAnswer(protocol, NO_SESSION)
    const now = deps.now()
    const earlier = keyed && (await findChange(tx, keyed, now))
    if (earlier && earlier.is !== 'new') return replayAnswer(protocol, earlier)
    const answer = { status: 200, body: canceledBody(session) }
    if (session.status !== 'canceled') {
      const closed = await closedRefusal(tx, session, now)
      if (closed) return refusalAnswer(protocol, closed)
      if (session.completing_since !== null) return refusalAnswer(protocol, LAST_TRY_OPEN)
      await changeSession(tx, session, 'cancel')
    }
    if (keyed) await claimKey(tx, keyed, now, answer)
    return answer
  })
}
