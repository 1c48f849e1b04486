import { chooseGoods, NO_GOODS } from '../goods.ts'
import type { BuyerIntent, IntentId, Move, TokenWanted } from '../intents.ts'
import type { Purchase } from '../transcript.ts'
import { canMake } from './can-make.ts'
import type { PurchaseDeps, Storefront } from './deps.ts'
import { beginPurchase, firstUnmet, isStopped, type PurchaseState } from './state.ts'
import { cancelAll, cancelPaid, cancelSession } from './steps/cancel.ts'
import { cancelCart, dropCart, fillCart, refillCart } from './steps/cart.ts'
import { changeQuantity, swapGoods, useCoupon } from './steps/change.ts'
import { followHandOver, followLink, followPermalink, openProductPage } from './steps/follow.ts'
import { openCheckout } from './steps/open.ts'
import { pay, repeatPayment } from './steps/pay.ts'
import { readOrder } from './steps/read-order.ts'
import { repeatOpening, reviveSession } from './steps/repeat.ts'
import { askForQuote, chooseShipping, giveAddress } from './steps/ship.ts'

/**
 * Makes one purchase of an intent, step by step: each answer decides the next step, and the first
 * unmet expectation ends it. Open sessions are cancelled at the end. Pure except for `deps`; never
 * throws because of a store.
 */
export async function makePurchase(
  intent: BuyerIntent & { id: IntentId },
  store: Storefront,
  deps: PurchaseDeps,
): Promise<Purchase> {
  const goods = chooseGoods(intent.goods, store.goods)
  const state = beginPurchase(intent, { store, deps, goods: goods ?? [] })
  const lacking = lackingToken(intent, deps)
  const isAble = intent.byMandate !== true || store.dialect.can.mandates === true
  if (!isAble || !intent.moves.every((move) => canMake(move, store.dialect))) {
    state.halt = notWalked(
      store.dialect.can.checkout === false
        ? 'The store offers agents carts alone: buyers pay on its pages.'
        : `${store.dialect.label} has no way to do this.`,
    )
  } else if (goods === null) state.halt = notWalked(NO_GOODS[intent.goods])
  else if (lacking !== null) state.halt = notWalked(`This needs a test token that is ${lacking}.`)
  else await makeMoves(state)
  await dropCart(state)
  await cancelAll(state)
  await cancelPaid(state)
  return outcomeOf(state)
}

const notWalked = (why: string): PurchaseState['halt'] => ({ outcome: 'not_walked', why })

/** A token that this purchase needs and that its owner did not give. */
function lackingToken({ moves }: BuyerIntent, { tokens }: PurchaseDeps): TokenWanted | null {
  if (tokens === null) return null
  for (const move of moves) {
    if (move.do === 'pay' && tokens[move.with] === undefined) return move.with
  }
  return null
}

async function makeMoves(state: PurchaseState): Promise<void> {
  for (const move of state.intent.moves) {
    if (isStopped(state)) return
    // Who is led to the store's pages follows the link all the same.
    const isLed = state.halt?.outcome === 'handed_over' && move.do === 'follow'
    if (state.halt !== null && !isLed) continue
    if (state.deps.isOver()) {
      state.halt = notWalked('The walk was ended.')
      return
    }
    await makeMove(state, move)
  }
}

/** A move that is impossible in the dialect or the session makes no step. */
function makeMove(state: PurchaseState, move: Move): Promise<void> {
  switch (move.do) {
    case 'open':
      return openCheckout(state, move)
    case 'reopen':
      return repeatOpening(state, move)
    case 'quote':
      return askForQuote(state)
    case 'address':
      return giveAddress(state, move)
    case 'choose':
      return chooseShipping(state)
    case 'quantity':
      return changeQuantity(state, move)
    case 'swap':
      return swapGoods(state)
    case 'coupon':
      return useCoupon(state, move)
    case 'pay':
      return pay(state, move)
    case 'repay':
      return repeatPayment(state, move)
    case 'order':
      return readOrder(state)
    case 'cancel':
      return cancelSession(state)
    case 'revive':
      return reviveSession(state)
    case 'cart':
      return fillCart(state, move)
    case 'cart_quantity':
      return refillCart(state, move)
    case 'cart_cancel':
      return cancelCart(state)
    case 'follow':
      return followLink(state)
    case 'permalink':
      return followPermalink(state)
    case 'product_page':
      return openProductPage(state)
    case 'hand_over':
      return followHandOver(state)
  }
}

function outcomeOf(state: PurchaseState): Purchase {
  const { intent, store, halt, charge, steps, orders, leftOpen } = state
  const failed = firstUnmet(state)
  return {
    intent: intent.id,
    dialect: store.dialect.name,
    outcome: failed === null ? (halt?.outcome ?? 'passed') : 'failed',
    why: failed?.found ?? halt?.why ?? null,
    charge,
    steps,
    orders,
    left_open: leftOpen,
  }
}
