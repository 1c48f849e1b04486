import { shown } from '../../../web/json/json.ts'
import type { Session, ShippingOffer } from '../../session.ts'
import type { StepNotes } from '../../step-notes.ts'
import type { PurchaseState } from '../state.ts'
import { messageText, moneyText } from './reply-words.ts'

/** Judges the shipping options of a session with an address. */
export function judgeShippingOffers(
  state: PurchaseState,
  session: Session,
  notes: StepNotes,
): void {
  const { shipping, phase } = session
  const { can, fields } = state.store.dialect
  if (notes.failed !== null || phase === 'buyer' || can.ships === false) return
  // A digital delivery is ready without an option: the dialect would have reported one as missing.
  if (shipping.length === 0 && phase === 'ready' && can.choose) return
  if (shipping.length > 0) notes.hold('shipping_is_offered')
  else if (phase !== 'open' || !haltForBuyer(state, session, notes))
    notes.fail('shipping_is_offered', 'The checkout offers no way to ship.', {
      field: fields.shipping,
    })
}

/**
 * Judges a session after this option was chosen: it is set, included in the total, and nothing is
 * missing.
 */
export function judgeShippingChoice(
  state: PurchaseState,
  session: Session,
  { id, name, cost, costs = [] }: ShippingOffer,
  notes: StepNotes,
): void {
  const { fields } = state.store.dialect
  const { chosen, parts, currency } = session
  if (chosen !== null && chosen !== id) {
    notes.fail('shipping_can_be_chosen', `${name} was chosen, and ${shown(chosen)} is set.`, {
      field: fields.shipping,
    })
    return
  }
  if (
    parts !== null &&
    cost !== null &&
    cost > 0 &&
    // Its tax may be part of the session's tax, and its discount an entry of its own.
    !parts.some(({ amount }) => amount === cost || (amount > 0 && costs.includes(amount)))
  ) {
    notes.fail(
      'shipping_can_be_chosen',
      `${name} costs ${moneyText(cost, currency)}, which the totals do not have.`,
      { field: fields.total },
    )
    return
  }
  notes.hold('shipping_can_be_chosen')
  judgeReady(state, session, notes)
}

/** Judges a session for which all was given: it can be paid, or says what only the buyer can do. */
export function judgeReady(state: PurchaseState, session: Session, notes: StepNotes): void {
  const { fields } = state.store.dialect
  const { phase, said, messages } = session
  if (notes.failed !== null || phase === null || phase === 'buyer') return
  if (phase === 'open' || phase === 'canceled' || phase === 'expired') {
    if (phase === 'open' && haltForBuyer(state, session, notes)) return
    const errors = messages.filter(({ kind }) => kind === 'error').map(messageText)
    const why = errors.join(' ').replace(/\.$/, '')
    const says = errors.length === 0 ? ', and no message says why' : `: ${why}`
    notes.fail('becomes_ready', `The checkout is still ${shown(said)}${says}.`, {
      field: fields.messages,
    })
    return
  }
  notes.hold('becomes_ready')
  if (phase !== 'ready') return
  judgeWaysToPay(state, session, notes)
  if (state.deps.tokens === null) {
    notes.conclude('Whether a payment is taken is not known: a walk that only looks sends none.')
  }
}

function judgeWaysToPay(
  { store: { dialect } }: PurchaseState,
  { handlers, continue_url }: Session,
  notes: StepNotes,
): void {
  const { name, fields } = dialect
  // The specification's dialects take a token in any store.
  if (name === 'spec_ucp' || name === 'spec_acp') return
  // In UCP the profile names them too, and a session only those that fit this purchase.
  const ways = [...(handlers ?? []), ...(dialect.handlers ?? [])]
  if (ways.length > 0) notes.hold('ways_to_pay')
  else if (name !== 'acp' && continue_url !== null) {
    notes.hold('ways_to_pay')
    notes.conclude(`No agent can pay it; the buyer goes on at ${continue_url}.`, fields.handlers)
  } else {
    const found = 'The checkout is ready to be paid, and names no way to pay.'
    notes.fail('ways_to_pay', found, { field: fields.handlers })
  }
}

/**
 * If only the buyer can resolve what keeps the checkout open, the store is right, and the purchase
 * stops here. An error that the agent could resolve is different.
 */
function haltForBuyer(state: PurchaseState, { messages }: Session, notes: StepNotes): boolean {
  const errors = messages.filter(({ kind }) => kind === 'error')
  if (errors.length === 0 || !errors.every(({ isForBuyer }) => isForBuyer)) return false
  const says = errors.map(messageText).join(' ')
  notes.conclude(`Only the buyer can take it further: ${says}`, state.store.dialect.fields.messages)
  state.halt = {
    outcome: 'not_walked',
    why: `Only the buyer can take it further. The store says: ${says}`,
  }
  return true
}
