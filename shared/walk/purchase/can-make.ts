import type { WalkDialect } from '../dialect.ts'
import type { AddressWanted, Move } from '../intents.ts'

/** Whether a dialect has a way to do the very thing that a purchase is about. */
export function canMake(move: Move, { can }: WalkDialect): boolean {
  switch (move.do) {
    case 'open':
      return (move.foreign !== true || can.currency) && canSend(move.address, can)
    case 'address':
      return canSend(move.address, can)
    case 'swap':
      return can.changeLines !== false
    case 'coupon':
      return can.coupon
    case 'reopen':
      return can.keys !== false
    case 'revive':
      // Without a change there would be only a payment to try.
      return can.changeLines !== false || can.choose || can.changeAddress
    default:
      return true
  }
}

/** An unusual address tells something only where it is more than a hint. */
const canSend = (address: AddressWanted | undefined, { ships }: WalkDialect['can']): boolean =>
  address === undefined || ships !== false
