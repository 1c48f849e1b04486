import { NOT_THERE } from '../../dialects/http.ts'
import { wantedLines } from '../../goods.ts'
import type { MoveOf } from '../../intents.ts'
import type { BuyerOperation } from '../../operation.ts'
import { saysEnded, type WalkReply } from '../../session.ts'
import type { StepNotes } from '../../step-notes.ts'
import { failOutside } from '../judging/judge-refusal.ts'
import { judgeReply } from '../judging/judge-reply.ts'
import { judgeSession } from '../judging/judge-session.ts'
import { isOutside } from '../judging/reply-kinds.ts'
import { replyText } from '../judging/reply-words.ts'
import { ask, currencyOf, type PurchaseState } from '../state.ts'
import { readBack, takeStep } from '../take-step.ts'

/** Puts the goods of the purchase into a cart. */
export async function fillCart(
  state: PurchaseState,
  { quantity = 1 }: MoveOf<'cart'>,
): Promise<void> {
  const lines = wantedLines(state.goods, quantity)
  const currency = currencyOf(state)
  state.wanted = { lines, address: null, option: null, coupon: null, currency }
  const counted = state.goods.map(({ name }, at) =>
    lines[at]?.quantity === 1 ? name : `${lines[at]?.quantity} × ${name}`,
  )
  const names = counted.join(' and ')
  await takeStep(state, 'cart', `Puts ${names} into a cart`, (notes) => {
    const { wanted, deps } = state
    const key = deps.newKey()
    return sendCart(state, { op: 'open', at: 'cart', wanted, key, dryRun: false }, notes)
  })
}

/** Changes how many there are in the cart. */
export async function refillCart(
  state: PurchaseState,
  { quantity }: MoveOf<'cart_quantity'>,
): Promise<void> {
  const { cart, deps, wanted } = state
  const id = cart?.id
  if (cart === null || typeof id !== 'string') return
  state.wanted = { ...wanted, lines: wantedLines(state.goods, quantity) }
  await takeStep(state, 'cart', `Changes the quantity in the cart to ${quantity}`, (notes) => {
    const { wanted: now } = state
    const key = deps.newKey()
    return sendCart(state, { op: 'change', at: 'cart', id, last: cart, wanted: now, key }, notes)
  })
}

async function sendCart(
  state: PurchaseState,
  operation: BuyerOperation,
  notes: StepNotes,
): Promise<void> {
  const { store, wanted, goods, deps } = state
  const { dialect, goods: listed } = store
  const reply = await ask(state, operation, notes)
  const isHandOver = dialect.can.checkout === false
  // In a store without a checkout for agents the cart is what a purchase begins with.
  if (isHandOver && operation.op === 'open') {
    judgeReply(state, reply, { notes, isOpening: true, of: 'cart' })
    if (reply.is !== 'session') return
    state.cart = reply.session
    if (notes.failed === null) await readBack(state, reply.session, notes, 'cart', notRead)
    return
  }
  if (isOutside(reply)) return failOutside(reply, notes)
  if (isHandOver && isMissing(reply)) {
    notes.conclude(`The cart takes no change. ${NOT_FOR_GOOGLE} ${replyText(reply)}`)
    return
  }
  if (reply.is !== 'session') {
    notes.fail('cart_works', replyText(reply), { field: dialect.fields.error })
    return
  }
  const { session } = reply
  state.cart = session
  const now = deps.now().getTime()
  judgeSession(
    session,
    { dialect, of: 'cart', wanted, goods, listed, isOpening: false, now },
    notes,
  )
  if (notes.failed === null) await readBack(state, session, notes, 'cart')
  if (notes.failed === null) notes.hold('cart_works')
}

const NOT_FOR_GOOGLE = 'Google’s cart transfer asks for none; other agents do.'

/** The endpoint is not there: a cart that is not is refused as `not_found` (UCP, Get Cart). */
const isMissing = (reply: WalkReply): boolean =>
  reply.is === 'refused' &&
  [404, ...NOT_THERE].includes(reply.refusal.status) &&
  reply.refusal.code !== 'not_found'

// Unspecified: Google's guide has stores answer `POST /carts` alone, and so a store that hands over
// need not have the rest.
const notRead = (reply: WalkReply): string | null =>
  isMissing(reply) ? `The cart cannot be read. ${NOT_FOR_GOOGLE} ${replyText(reply)}` : null

/** Gives the cart up: it must be gone. */
export async function cancelCart(state: PurchaseState): Promise<void> {
  const { cart, deps, store } = state
  const id = cart?.id
  if (typeof id !== 'string') return
  state.cart = null
  const { fields } = store.dialect
  await takeStep(state, 'cart', 'Cancels the cart', async (notes) => {
    const key = deps.newKey()
    const reply = await ask(state, { op: 'cancel', at: 'cart', id, key }, notes)
    if (isOutside(reply)) return failOutside(reply, notes)
    if (reply.is !== 'session' && !saysEnded(reply)) {
      notes.fail('cart_works', replyText(reply), { field: fields.error })
      return
    }
    const left = await ask(state, { op: 'read', at: 'cart', id }, notes)
    if (left.is === 'session') {
      notes.fail('cart_works', 'The cart was cancelled, and is still there.', { field: fields.id })
    } else notes.hold('cart_works')
  })
}

/** A cart that no checkout was opened from is not left behind. */
export async function dropCart(state: PurchaseState): Promise<void> {
  const { cart, deps } = state
  const id = cart?.id
  if (typeof id !== 'string') return
  state.cart = null
  await takeStep(state, 'cart', 'Cancels the cart that is left', async (notes) => {
    const reply = await ask(state, { op: 'cancel', at: 'cart', id, key: deps.newKey() }, notes)
    if (reply.is === 'session') {
      notes.hold('cart_works')
      return
    }
    // A missing endpoint answers as a missing cart does.
    const left = saysEnded(reply) ? await ask(state, { op: 'read', at: 'cart', id }, notes) : null
    notes.conclude(
      left !== null && left.is !== 'session'
        ? 'The cart has ended already.'
        : `It is left to end by itself: ${replyText(reply)}`,
    )
  })
}
