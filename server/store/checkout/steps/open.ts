import { field } from '../../../../shared/web/json/json.ts'
import type { Db } from '../../../db/connect.ts'
import { type CheckoutSession, sessions, type Tx } from '../../db/tables.ts'
import { type CheckoutAnswer, createdBody, refusalAnswer } from '../answers.ts'
import { claimKey, type EarlierAnswer, findAnswer, replayAnswer } from '../idempotency.ts'
import { type CheckoutRefusal, NO_SESSION } from '../refusals.ts'
import { findSession, sessionAt } from '../sessions.ts'
import type { NewCheckout } from './price.ts'

/**
 * Opens the priced session, or refuses it, and stores the answer under the key of the call. Of
 * equal simultaneous calls the first claims the key; the others wait for it and get its session.
 * The answer's `snapshot` is the new session.
 */
export async function open(
  tx: Tx,
  { protocol, keyed }: NewCheckout,
  price: () => Promise<CheckoutSession | CheckoutRefusal>,
  now: Date,
): Promise<CheckoutAnswer> {
  const priced = await price()
  const answer = pricedAnswer(protocol, priced)
  // An unreadable request may be corrected and sent under the same key.
  const isKept = !('code' in priced) || priced.code === 'out_of_stock'
  if (keyed && isKept && !(await claimKey(tx, keyed, now, answer))) {
    return openedAnswer(tx, protocol, await findAnswer(tx, keyed, now), now)
  }
  if ('code' in priced) return answer
  await tx.insert(sessions).values(priced)
  return { ...answer, snapshot: { session: priced, order: undefined } }
}

/**
 * The answer to a create whose key was used before. A refusal is repeated unchanged. Unspecified: a
 * create that is repeated under its key is answered with the session's current state: paid or
 * expired, its time, and the quote of its address.
 */
export async function openedAnswer(
  db: Db | Tx,
  protocol: CheckoutSession['protocol'],
  earlier: EarlierAnswer,
  now: Date,
): Promise<CheckoutAnswer> {
  const kept = replayAnswer(protocol, earlier)
  if (kept.status !== 200) return kept
  const session = await findSession(db, String(field(kept.body, 'checkout_id')))
  if (session === undefined) return refusalAnswer(protocol, NO_SESSION)
  return { ...kept, body: createdBody(sessionAt(session, now)) }
}

/**
 * A priced checkout as the spec's UCP cart or its ACP create response. Unspecified: every success
 * of the store's UCP and ACP is 200, except for a payment in progress.
 */
export const pricedAnswer = (
  protocol: CheckoutSession['protocol'],
  priced: CheckoutSession | CheckoutRefusal,
): CheckoutAnswer =>
  'code' in priced ? refusalAnswer(protocol, priced) : { status: 200, body: createdBody(priced) }
