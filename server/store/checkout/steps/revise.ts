import type { CheckoutItem } from '../../../../shared/protocols/spec/ucp.ts'
import type { CheckoutSession, OfficialState, PartialAddress, Tx } from '../../db/tables.ts'
import type { Inventory } from '../../shop/inventory.ts'
import {
  type CheckoutAnswer,
  createdBody,
  refusalAnswer,
  type SentBytes,
  type Snapshot,
} from '../answers.ts'
import type { StoreDeps } from '../deps.ts'
import { claimKey, findAnswer, replayAnswer } from '../idempotency.ts'
import { type CheckoutRefusal, NO_SESSION } from '../refusals.ts'
import {
  changeSession,
  closedRefusal,
  enterSession,
  isOfficialSession,
  LAST_TRY_OPEN,
  type OfficialSession,
  type SessionCall,
} from '../sessions.ts'
import { offeredOption, priceItems, requote } from './price.ts'

/** The new content of an official session. */
interface Revised {
  /** `same`: the current items. */
  items: readonly CheckoutItem[] | 'same'
  address: PartialAddress
  /**
   * Null: none is chosen. An option that is not offered for these items and this address is
   * dropped.
   */
  shippingOptionId: string | null
  state: OfficialState
  /** Items with too little stock are taken as well; they cannot be paid until there is enough. */
  takesShort?: boolean
  /** An inventory with the products of these items, if the call has read one. */
  inventory?: Inventory
}

/** A complete change of an open session of an official dialect. */
interface Revision extends SessionCall {
  /** The new session, made from the locked one; null: unchanged. */
  become: (session: OfficialSession, tx: Tx) => Revised | null | Promise<Revised | null>
  /**
   * The full answer for the changed session: its bytes are stored with the change. Null: not yet.
   */
  render?: (snapshot: Snapshot) => SentBytes | null
}

/**
 * Between open and confirm: rebuilds a session. `same` items keep the prices of their quote; a new
 * list is priced as a whole at this moment. If refused, the session stays unchanged. The answer's
 * body is the outcome.
 */
export async function reviseCheckout(
  deps: Pick<StoreDeps, 'db' | 'now'>,
  revision: Revision,
): Promise<CheckoutAnswer> {
  try {
    return await deps.db.transaction((tx) => reviseLocked(tx, deps, revision))
  } catch (error) {
    const { protocol, keyed } = revision
    if (!(error instanceof KeyIsTaken) || keyed === null) throw error
    return replayAnswer(protocol, await findAnswer(deps.db, keyed, deps.now()))
  }
}

/** Rolls the change back: this key was already used. */
class KeyIsTaken extends Error {}

async function reviseLocked(
  tx: Tx,
  deps: Pick<StoreDeps, 'now'>,
  revision: Revision,
): Promise<CheckoutAnswer> {
  const { protocol, keyed, become, render } = revision
  const { session, earlier } = (await enterSession(tx, revision, deps.now)) ?? {}
  if (!session || !isOfficialSession(session)) return refusalAnswer(protocol, NO_SESSION)
  if (earlier && earlier.is !== 'new') return replayAnswer(protocol, earlier)
  const now = deps.now()
  const changed = await changeOf(tx, session, become, now)
  const answer = { status: 200, body: createdBody(session) }
  if (changed === null) return answer
  if ('code' in changed) return refusalAnswer(protocol, changed)
  const snapshot = { session: { ...session, ...changed }, order: undefined }
  // A session whose payment failed late has an order, which has to be read.
  const isWhole = session.declines === 0
  const sent = isWhole && render ? render(snapshot) : null
  // Sent together: a key that was used before rolls the change back.
  const [, isClaimed] = await Promise.all([
    changeSession(tx, session, 'update', changed),
    keyed === null || claimKey(tx, keyed, now, answer, sent),
  ])
  if (!isClaimed) throw new KeyIsTaken()
  return { ...answer, ...(isWhole && { snapshot }), ...(sent && { sent }) }
}

/** The new state of a locked session, or why it cannot change; null: unchanged. */
async function changeOf(
  tx: Tx,
  session: OfficialSession,
  become: Revision['become'],
  now: Date,
): Promise<Partial<CheckoutSession> | CheckoutRefusal | null> {
  const closed = await closedRefusal(tx, session, now)
  if (closed) return closed
  const revised = await become(session, tx)
  if (revised === null) return null
  const { items, address, shippingOptionId, state, ...pricing } = revised
  const priced =
    items === 'same'
      ? requote(session, address)
      : await priceItems(tx, items, address, now, pricing)
  if ('code' in priced) return priced
  // An amount charged earlier would then fit no quote, should the charge still reach the PSP.
  if (session.completing_since !== null) return LAST_TRY_OPEN
  const shipping_option_id = offeredOption(priced, shippingOptionId)
  return { ...priced, shipping_option_id, official: state }
}
