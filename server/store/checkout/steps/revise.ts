import type { CheckoutItem } from '../../../../shared/protocols/ucp.ts'
import type { OfficialProtocol } from '../../db/statuses.ts'
import type { CheckoutSession, OfficialState, PartialAddress, Tx } from '../../db/tables.ts'
import type { Inventory } from '../../shop/inventory.ts'
import {
  type CheckoutAnswer,
  type CheckoutRefusal,
  createdBody,
  NO_SESSION,
  refusalAnswer,
} from '../answers.ts'
import type { StoreDeps } from '../deps.ts'
import {
  claimKey,
  findAnswer,
  type IdempotentCall,
  releaseKey,
  replayAnswer,
} from '../idempotency.ts'
import { changeSession, closedRefusal, LAST_TRY_OPEN, lockSession } from '../sessions.ts'
import { offeredOption, priceItems } from './price.ts'

/** What an official session becomes. */
export interface Revised {
  items: readonly CheckoutItem[]
  address: PartialAddress
  /** Null: none is chosen. One that is not offered for these items and this address is none. */
  shippingOptionId: string | null
  state: OfficialState
  /** Items that there are too few of are taken as well; until there are enough they cannot be paid. */
  takesShort?: boolean
  /** With the products of these items, if the call has read it. */
  inventory?: Inventory
}

/** A change of an open session of an official dialect, whole. */
export interface Revision {
  protocol: OfficialProtocol
  id: string
  /** Null where the agent sends no key. */
  keyed: IdempotentCall | null
  /** What the session becomes, from what it is while nobody else changes it; null: it stays. */
  become: (session: CheckoutSession) => Revised | null
}

/**
 * Between open and confirm: makes a session anew, at the prices of this moment. Refused, it stays as
 * it was. The answer's body is the outcome.
 */
export async function reviseCheckout(
  deps: Pick<StoreDeps, 'db' | 'now'>,
  revision: Revision,
): Promise<CheckoutAnswer> {
  return deps.db.transaction((tx) => reviseLocked(tx, deps, revision))
}

async function reviseLocked(
  tx: Tx,
  deps: Pick<StoreDeps, 'now'>,
  { protocol, id, keyed, become }: Revision,
): Promise<CheckoutAnswer> {
  const session = await lockSession(tx, id)
  if (session?.protocol !== protocol) return refusalAnswer(protocol, NO_SESSION)
  const now = deps.now()
  const answer = { status: 200, body: createdBody(session) }
  // The answer of a change is known before; one that does not come about gives the key back.
  if (keyed && !(await claimKey(tx, keyed, now, answer))) {
    return replayAnswer(protocol, await findAnswer(tx, keyed, now))
  }
  const changed = await change(tx, session, become, now)
  if (changed !== null && 'id' in changed) {
    // A session whose payment failed late has an order, which has to be read.
    const isWhole = changed.declines === 0
    return isWhole ? { ...answer, standing: { session: changed, order: undefined } } : answer
  }
  if (keyed) await releaseKey(tx, keyed)
  return changed === null ? answer : refusalAnswer(protocol, changed)
}

/** Changes a locked session, or says why not; null: it stays as it is. */
async function change(
  tx: Tx,
  session: CheckoutSession,
  become: Revision['become'],
  now: Date,
): Promise<CheckoutSession | CheckoutRefusal | null> {
  const closed = await closedRefusal(tx, session, now)
  if (closed) return closed
  const revised = become(session)
  if (revised === null) return null
  const { items, address, shippingOptionId, state, ...pricing } = revised
  const priced = await priceItems(tx, items, address, now, pricing)
  if ('code' in priced) return priced
  // What was charged then would fit no quote, should it reach the PSP after all.
  if (session.completing_since !== null) return LAST_TRY_OPEN
  return changeSession(tx, session, 'update', {
    ...priced,
    shipping_option_id: offeredOption(priced, shippingOptionId),
    official: state,
  })
}
