import {
  type CheckoutAnswer,
  NO_SESSION,
  refusalAnswer,
  unknownOption,
  updatedBody,
} from '../answers.ts'
import type { StoreDeps } from '../deps.ts'
import { changeSession, closedRefusal, lockSession } from '../sessions.ts'

/**
 * Between open and confirm: sets the shipping option of an ACP session, and answers with the spec's
 * update response. UCP has no such step: its confirm names the option.
 */
export async function updateCheckout(
  deps: Pick<StoreDeps, 'db' | 'now'>,
  id: string,
  shippingOptionId: string | undefined,
): Promise<CheckoutAnswer> {
  const now = deps.now()
  return deps.db.transaction(async (tx) => {
    const session = await lockSession(tx, id)
    if (session?.protocol !== 'acp') return refusalAnswer('acp', NO_SESSION)
    const closed = await closedRefusal(tx, session, now)
    if (closed) return refusalAnswer('acp', closed)
    const shipping_option_id = shippingOptionId ?? session.shipping_option_id
    const isKnown = session.shipping_options.some(({ id: each }) => each === shipping_option_id)
    if (shipping_option_id !== null && !isKnown) return refusalAnswer('acp', unknownOption(session))
    const changed = await changeSession(tx, session, 'update', { shipping_option_id })
    return { status: 200, body: updatedBody(changed) }
  })
}
