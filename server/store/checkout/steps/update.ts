import { SPEC_ACP } from '../../db/statuses.ts'
import type { CheckoutSession, PartialAddress } from '../../db/tables.ts'
import { addressRefusal, readAddressWithBlanks } from '../address.ts'
import { type CheckoutAnswer, refusalAnswer, updatedBody } from '../answers.ts'
import type { StoreDeps } from '../deps.ts'
import { type CheckoutRefusal, NO_SESSION, unknownOption } from '../refusals.ts'
import { changeSession, closedRefusal, LAST_TRY_OPEN, lockSession } from '../sessions.ts'
import { isTooDear, quoteDelivery, quotedCountry, TOO_DEAR } from './price.ts'

/** The changes that an agent asks for; either all are made or none. */
export interface Update {
  shippingOptionId: string | undefined
  /** The sent fields of the address; each is valid by itself. */
  address: PartialAddress | undefined
}

/**
 * Between open and confirm: sets the address and the shipping option of an ACP session, and answers
 * with the spec's update response. UCP has no such step: its confirm names the option.
 */
export async function updateCheckout(
  deps: Pick<StoreDeps, 'db' | 'now'>,
  id: string,
  { shippingOptionId, address }: Update,
): Promise<CheckoutAnswer> {
  return deps.db.transaction(async (tx) => {
    const session = await lockSession(tx, id)
    if (session?.protocol !== SPEC_ACP) return refusalAnswer(SPEC_ACP, NO_SESSION)
    const closed = await closedRefusal(tx, session, deps.now())
    if (closed) return refusalAnswer(SPEC_ACP, closed)
    const moved = address === undefined ? session : sendTo(session, address)
    if ('code' in moved) return refusalAnswer(SPEC_ACP, moved)
    const shipping_option_id = shippingOptionId ?? moved.shipping_option_id
    const isKnown = moved.shipping_options.some(({ id: each }) => each === shipping_option_id)
    if (shipping_option_id !== null && !isKnown)
      return refusalAnswer(SPEC_ACP, unknownOption(moved))
    const { address: whole, shipping_options, tax } = moved
    const changed = await changeSession(tx, session, 'update', {
      shipping_option_id,
      ...(address && { address: whole, shipping_options, tax }),
    })
    return { status: 200, body: updatedBody(changed, address !== undefined) }
  })
}

/**
 * The session with another address. A chosen option that is not offered there is dropped. Only
 * another country has another quote; the prices of the items stay. Unspecified: the fields of an
 * address in an update replace the known ones, and the others stay (RFC 7396, as PATCH suggests),
 * so that an agent only sends missing or wrong fields.
 */
function sendTo(
  session: CheckoutSession,
  change: PartialAddress,
): CheckoutSession | CheckoutRefusal {
  const known = session.address ?? {}
  const read = readAddressWithBlanks({ ...known, ...change })
  if ('faults' in read) return addressRefusal(read.faults)
  const { address } = read
  const country = quotedCountry(address)
  if (country === quotedCountry(known)) return { ...session, address }
  // An amount charged earlier would then fit no quote, should the charge still reach the PSP.
  if (session.completing_since !== null) return LAST_TRY_OPEN
  const { shipping_options, tax } = quoteDelivery(session.subtotal, country)
  if (isTooDear({ ...session, tax: tax.amount, shipping_options })) return TOO_DEAR
  const isOffered = shipping_options.some(({ id }) => id === session.shipping_option_id)
  return {
    ...session,
    address,
    shipping_options,
    tax: tax.amount,
    shipping_option_id: isOffered ? session.shipping_option_id : null,
  }
}
