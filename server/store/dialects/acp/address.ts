import type { Address } from '../../../../shared/commerce/product.ts'
import { missingFields } from '../../checkout/address.ts'
import type { PartialAddress } from '../../db/tables.ts'
import type { AcpAddress } from './requests.ts'

/** The fields of the checkout's address by the names that ACP has for them. */
export const ACP_FIELDS: Readonly<Record<keyof Address, keyof AcpAddress>> = {
  name: 'name',
  street: 'line_one',
  city: 'city',
  state: 'state',
  zip: 'postal_code',
  country: 'country',
}

/** Fields that are not sent are not known; those of white space are empty. */
export function fromAcpAddress(address: AcpAddress): PartialAddress {
  const { name, line_one, city, state, postal_code, country } = address
  const all = {
    name,
    street: line_one,
    city,
    state,
    zip: postal_code,
    country: country?.toUpperCase(),
  }
  return Object.fromEntries(
    Object.entries(all).flatMap(([field, text]) =>
      text === undefined ? [] : [[field, text.trim()]],
    ),
  )
}

/**
 * Null until all of it is known: ACP's address is whole. `more` is what the checkout has no field
 * for, with the second line of sessions and orders that are older than the address's own.
 */
export function toAcpAddress(
  address: PartialAddress | null,
  more: Pick<AcpAddress, 'line_two' | 'company'>,
): AcpAddress | null {
  if (address === null || missingFields(address).length > 0) return null
  const { name, street, city, state, zip, country } = address
  const { company } = more
  const line_two = address.line_two ?? more.line_two
  return {
    name,
    line_one: street,
    ...(line_two && { line_two }),
    ...(company !== undefined && { company }),
    city,
    state,
    country,
    postal_code: zip,
  }
}
