import type { WalkDialect } from '../dialect.ts'
import type { AddressWanted, Move } from '../intents.ts'

/** Whether a dialect can do the thing that a purchase is about. */
export function canMake(move: Move, { can, permalink }: WalkDialect): boolean {
  switch (move.do) {
    case 'open':
      if (can.checkout === false) return false
      return (move.foreign !== true || can.currency) && canSend(move.address, can)
    case 'hand_over':
      return can.checkout === false && can.cart !== undefined
    case 'address':
      return canSend(move.address, can)
    case 'swap':
      return can.changeLines !== false
    case 'coupon':
      return can.coupon
    case 'cart':
    case 'cart_quantity':
    case 'cart_cancel':
      return can.cart !== undefined
    case 'permalink':
      return permalink !== undefined
    case 'reopen':
      return can.keys !== false
    case 'revive':
      // Without the change only a plain payment would be left.
      return can.changeLines !== false || can.choose || can.changeAddress
    default:
      return true
  }
}

/** An unusual address only tells something if the store ships. */
const canSend = (address: AddressWanted | undefined, { ships }: WalkDialect['can']): boolean =>
  address === undefined || ships !== false
