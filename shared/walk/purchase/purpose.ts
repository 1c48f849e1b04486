import type { ExpectationId } from '../expectations.ts'
import type { AddressWanted, GoodsWanted, Hope, MoveOf } from '../intents.ts'

/** More of one thing than anybody buys. */
const MANY = 1000

/**
 * The expectation that an opening shows, besides that it can be opened; null if nothing is unusual.
 */
export function purposeOfOpening(
  { foreign, quantity = 1, address }: MoveOf<'open'>,
  hope: Hope | undefined,
  goods: GoodsWanted,
): ExpectationId | null {
  if (hope === undefined) return null
  if (foreign === true) return 'other_currency_is_answered'
  if (quantity > MANY) return 'quantity_is_answered'
  if (address !== undefined) return purposeOfAddress(address)
  return goods === 'sold_out' ? 'sold_out_is_refused' : 'unknown_is_refused'
}

/** The expectation that an unusual address shows. */
export const purposeOfAddress = (kind: AddressWanted): ExpectationId =>
  kind === 'nowhere' ? 'bad_address_is_refused' : 'abroad_is_answered'
