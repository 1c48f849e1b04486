import type { CheckoutItem } from '../../../../shared/protocols/ucp.ts'
import type { OfficialProtocol } from '../../db/statuses.ts'
import type { CheckoutSession, OfficialState, PartialAddress, Tx } from '../../db/tables.ts'
import type { Inventory } from '../../shop/inventory.ts'
import { type CheckoutAnswer, createdBody, refusalAnswer, type Standing } from '../answers.ts'
import type { StoreDeps } from '../deps.ts'
import {
  claimKey,
  findAnswer,
  findChange,
  type IdempotentCall,
  replayAnswer,
} from '../idempotency.ts'
import { type CheckoutRefusal, NO_SESSION } from '../refusals.ts'
import {
  changeSession,
  closedRefusal,
  isOfficialSession,
  LAST_TRY_OPEN,
  lockSession,
  type OfficialSession,
} from '../sessions.ts'
import { offeredOption, priceItems, requote } from './price.ts'

/** What an official session becomes. */
interface Revised {
  /** `same`: those that it has. */
  items: readonly CheckoutItem[] | 'same'
  address: PartialAddress
  /** Null: none is chosen. One that is not offered for these items and this address is none. */
  shippingOptionId: string | null
  state: OfficialState
  /**
   * Items that there are too few of are taken as well; until there are enough they cannot be paid.
   */
  takesShort?: boolean
  /** An inventory with the products of these items, if the call has read it. */
  inventory?: Inventory
}

/** A change of an open session of an official dialect, whole. */
interface Revision {
  protocol: OfficialProtocol
  id: string
  /** Null where the agent sends no key. */
  keyed: IdempotentCall | null
  /** Whether the caller may change it: otherwise there is no such session for it. */
  isTheirs?: (session: OfficialSession) => boolean
  /** What the session becomes, from what it is while nobody else changes it; null: it stays. */
  become: (session: OfficialSession, tx: Tx) => Revised | null | Promise<Revised | null>
  /** All that is sent of the changed session: its bytes are kept with the change. Null: not yet. */
  render?: (standing: Standing) => { status: number; text: string } | null
}

/**
 * Between open and confirm: makes a session anew. `same` items keep what was quoted for them; a
 * list is priced at this moment, whole. Refused, the session stays as it was. The answer's body is
 * the outcome.
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

/** Takes the change back: the call under this key was had before. */
class KeyIsTaken extends Error {}

async function reviseLocked(
  tx: Tx,
  deps: Pick<StoreDeps, 'now'>,
  { protocol, id, keyed, isTheirs = () => true, become, render }: Revision,
): Promise<CheckoutAnswer> {
  // Both at the same time: the second is answered once the lock is there.
  const [session, earlier] = await Promise.all([
    lockSession(tx, id),
    keyed && findChange(tx, keyed, deps.now()),
  ])
  if (session?.protocol !== protocol || !isOfficialSession(session) || !isTheirs(session)) {
    return refusalAnswer(protocol, NO_SESSION)
  }
  if (earlier && earlier.is !== 'new') return replayAnswer(protocol, earlier)
  const now = deps.now()
  const changed = await changeOf(tx, session, become, now)
  const answer = { status: 200, body: createdBody(session) }
  if (changed === null) return answer
  if ('code' in changed) return refusalAnswer(protocol, changed)
  const standing = { session: { ...session, ...changed }, order: undefined }
  // A session whose payment failed late has an order, which has to be read.
  const isWhole = session.declines === 0
  const sent = isWhole && render ? render(standing) : null
  // Both at the same time: a key that was used before takes the change back.
  const [, isClaimed] = await Promise.all([
    changeSession(tx, session, 'update', changed),
    keyed === null || claimKey(tx, keyed, now, answer, sent),
  ])
  if (!isClaimed) throw new KeyIsTaken()
  return { ...answer, ...(isWhole && { standing }), ...(sent && keyed && { isSent: true }) }
}

/** What a locked session is to become, or why it cannot; null: it stays as it is. */
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
  // What was charged then would fit no quote, should it reach the PSP after all.
  if (session.completing_since !== null) return LAST_TRY_OPEN
  const shipping_option_id = offeredOption(priced, shippingOptionId)
  return { ...priced, shipping_option_id, official: state }
}
