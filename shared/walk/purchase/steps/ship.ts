import { addressFor, placeText, quoteAddress } from '../../addresses.ts'
import type { MoveOf } from '../../intents.ts'
import { isRefusedFor } from '../../session.ts'
import type { StepNotes } from '../../step-notes.ts'
import { judgeReply } from '../judging/judge-reply.ts'
import { judgeShippingChoice, judgeShippingOffers } from '../judging/judge-shipping.ts'
import { replyText } from '../judging/reply-words.ts'
import { purposeOfAddress } from '../purpose.ts'
import { sendChange } from '../send-change.ts'
import type { PurchaseState } from '../state.ts'
import { takeStep } from '../take-step.ts'

/** Asks for shipping prices with a part of the address. */
export async function askForQuote(state: PurchaseState): Promise<void> {
  const { store, session } = state
  if (!store.dialect.can.quote || session?.phase === 'completed') return
  const address = quoteAddress(store.home)
  const title = `Asks what shipping to ${placeText(address)} costs`
  await takeStep(state, 'quote', title, async (notes) => {
    const reply = await sendChange(state, { address }, notes)
    // A store may want the whole address first: this is noted, but not a fault.
    if (isRefusedFor(reply, 'address', 'invalid')) {
      notes.conclude(`Without a street there is no quote: ${replyText(reply)}`)
      return
    }
    judgeReply(state, reply, { notes })
  })
}

/** Gives the whole address, if the opening had none or the dialect takes another. */
export async function giveAddress(state: PurchaseState, move: MoveOf<'address'>): Promise<void> {
  const { store, wanted } = state
  const { can } = store.dialect
  const isKnown = wanted.address?.street !== undefined
  if ((isKnown && !can.quote) || !can.changeAddress) return
  const kind = move.address ?? 'home'
  const address = addressFor(kind, store.home)
  const title = `Gives the address: ${placeText(address)}`
  await takeStep(state, 'address', title, async (notes) => {
    const reply = await sendChange(state, { address }, notes)
    const purpose = move.hope === undefined ? null : purposeOfAddress(kind)
    judgeReply(state, reply, { notes, hope: move.hope ?? 'accepted', purpose })
    if (reply.is === 'session' && purpose === null) judgeShippingOffers(state, reply.session, notes)
  })
}

/** Chooses the cheapest shipping option of the session. */
export async function chooseShipping(state: PurchaseState): Promise<void> {
  const { session } = state
  const { can } = state.store.dialect
  const [cheapest] = (session?.shipping ?? []).toSorted(
    (one, other) => (one.cost ?? Number.MAX_VALUE) - (other.cost ?? Number.MAX_VALUE),
  )
  const judgeNoOffer = (notes: StepNotes) => {
    if (session !== null) judgeShippingOffers(state, session, notes)
  }
  if (!can.choose) {
    state.wanted = { ...state.wanted, option: cheapest?.id ?? null }
    // The answer to the opening has shown the options.
    if (cheapest === undefined && can.ships !== false) {
      await takeStep(state, 'shipping', 'Chooses how it is shipped', judgeNoOffer)
    }
    return
  }
  if (cheapest === undefined) {
    if (session?.phase === 'ready') return
    const title = 'Chooses nothing, as nothing is offered'
    await takeStep(state, 'shipping', title, judgeNoOffer)
    return
  }
  await takeStep(state, 'shipping', `Chooses ${cheapest.name}`, async (notes) => {
    const reply = await sendChange(state, { option: cheapest.id }, notes)
    judgeReply(state, reply, { notes })
    if (reply.is === 'session' && notes.failed === null) {
      judgeShippingChoice(state, reply.session, cheapest, notes)
    }
  })
}
