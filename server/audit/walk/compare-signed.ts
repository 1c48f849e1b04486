import type { BuyerOperation } from '../../../shared/walk/operation.ts'
import type { RouteWalk } from '../../../shared/walk/transcript.ts'
import { unsignedSession } from '../probe/signed-or-not.ts'
import { isTurnedAway, requestsAlone, type SpokenLine, sendCall } from './perform.ts'

/** An id that no store has. */
const NO_SESSION = 'aisle-unknown-session'

/**
 * What our signature changes at the checkout of a store, or at its carts: a session that does not
 * exist is asked for without it, and with it where that is refused. Null where nothing is signed,
 * or nothing can be read.
 */
export async function compareSigned(line: SpokenLine): Promise<RouteWalk['signature'] | null> {
  const as = line.session.signedAs()
  const operation: BuyerOperation = {
    op: 'read',
    id: NO_SESSION,
    ...(line.dialect.can.checkout === false && { at: 'cart' }),
  }
  const call = line.dialect.call(operation)
  if (as === null || call === null) return null
  const alone = requestsAlone(line.mcp, call)
  const without = await sendCall(unsignedSession(line.session), null, alone)
  if (without.fetched.kind !== 'answer') return { as, changes: 'nothing' }
  if (!isTurnedAway(line.dialect.read(operation, without))) return { as, changes: 'nothing' }
  const signed = await sendCall(line.session, line.mcp, call)
  const isOpen = !isTurnedAway(line.dialect.read(operation, signed))
  return { as, changes: isOpen ? 'opens' : 'nothing' }
}
