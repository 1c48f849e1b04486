import { addressFor, placeText } from '../../addresses.ts'
import type { ExpectationId } from '../../expectations.ts'
import { wantedLines } from '../../goods.ts'
import type { Hope, MoveOf } from '../../intents.ts'
import type { Opening, QuantityForm } from '../../operation.ts'
import { isRefusedFor, type WalkReply } from '../../session.ts'
import type { StepNotes } from '../../step-notes.ts'
import { judgeReply } from '../judging/judge-reply.ts'
import { judgeReady } from '../judging/judge-shipping.ts'
import { purposeOfOpening } from '../purpose.ts'
import { ask, currencyOf, type PurchaseState, rememberSession } from '../state.ts'
import { takeStep } from '../take-step.ts'

/** The buyer's mailbox does not exist: RFC 2606 reserves this domain for examples. */
const CONTACT = { email: 'test-purchase@example.com' }

/** The other currency to ask for: two that nearly everybody knows. */
const foreignTo = (currency: string): string => (currency === 'EUR' ? 'USD' : 'EUR')

/** Opens a checkout with the goods of the purchase. */
export async function openCheckout(state: PurchaseState, move: MoveOf<'open'>): Promise<void> {
  const { store, goods, intent } = state
  const { can } = store.dialect
  const lines = wantedLines(goods, move.quantity ?? 1)
  const listed = currencyOf(state)
  const currency = move.foreign === true ? foreignTo(listed) : listed
  // If a checkout is opened without an address, a later move gives the address.
  const address = can.quote ? null : addressFor(move.address ?? 'home', store.home)
  state.wanted = { lines, address, contact: CONTACT, option: null, coupon: null, currency }
  const hope = move.address !== undefined && can.quote ? undefined : move.hope
  const purpose = purposeOfOpening(move, hope, intent.goods)
  const names = goods.map(({ name }, at) => `${lines[at]?.quantity ?? 1} × ${name}`)
  const to = address === null ? '' : `, to ${placeText(address)}`
  const inCurrency = move.foreign === true ? `, in ${currency}` : ''
  await takeStep(
    state,
    'open',
    `Opens a checkout with ${names.join(' and ')}${to}${inCurrency}`,
    (notes) => sendOpening(state, { hope: hope ?? 'accepted', purpose, notes }),
  )
}

async function sendOpening(
  state: PurchaseState,
  { hope, purpose, notes }: { hope: Hope; purpose: ExpectationId | null; notes: StepNotes },
): Promise<void> {
  const { deps, store, cart } = state
  const { can } = store.dialect
  const isDryRun = deps.tokens === null && canBeDry(state)
  const { quantities } = store.learnt
  if (quantities !== undefined) state.wanted = { ...state.wanted, quantities }
  const opening: Opening = {
    op: 'open',
    wanted: state.wanted,
    key: deps.newKey(),
    dryRun: isDryRun,
    ...(can.cart === 'converts' && cart?.id && { cart: cart.id }),
  }
  state.opening = opening
  const first = await ask(state, opening, notes)
  const reply =
    hope === 'accepted' ? ((await openOtherwise(state, opening, first, notes)) ?? first) : first
  rememberSession(state, reply, isDryRun)
  if (reply.is === 'session') state.accepted = state.wanted
  judgeReply(state, reply, { notes, hope, purpose, isOpening: true })
  if (opening.cart !== undefined && reply.is === 'session') state.cart = null
  // Without a step for shipping, nothing more can be given.
  if (reply.is === 'session' && purpose === null && !can.choose) {
    const isAwaited = can.ships !== false && reply.session.phase === 'open'
    if (!isAwaited) judgeReady(state, reply.session, notes)
  }
}

/** A session that is only opened. */
function canBeDry({ intent, store }: PurchaseState): boolean {
  const needsSession = intent.moves.some((move) => ['reopen', 'revive', 'cancel'].includes(move.do))
  return store.dialect.can.dryRun && !needsSession
}

/**
 * Opens with quantities in the other form, if the dialect leaves the form open and the store
 * refuses a sound basket. Null if it is not tried, or changes nothing.
 */
async function openOtherwise(
  state: PurchaseState,
  opening: Opening,
  first: WalkReply,
  notes: StepNotes,
): Promise<WalkReply | null> {
  const { dialect, learnt } = state.store
  const isOfForm = isRefusedFor(first, 'invalid', 'quantity')
  if (!isOfForm || dialect.can.quantityForms === undefined || learnt.quantities !== undefined) {
    return null
  }
  const isOne = opening.wanted.lines.every(({ quantity }) => quantity === 1)
  const quantities: QuantityForm = isOne ? 'stated' : 'repeated'
  const wanted = { ...opening.wanted, quantities }
  const again: Opening = { ...opening, wanted, key: state.deps.newKey() }
  const reply = await ask(state, again, notes)
  if (reply.is !== 'session') return null
  learnt.quantities = quantities
  state.wanted = wanted
  state.opening = again
  notes.conclude(`The store refuses this form of a quantity. ${AS_IT_IS_NOW[quantities]}`)
  return reply
}

const AS_IT_IS_NOW: Readonly<Record<QuantityForm, string>> = {
  stated: 'It gets one for each item, also where it is 1.',
  repeated: 'Each item is listed as many times as it is wanted.',
}
