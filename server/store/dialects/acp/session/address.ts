import type { Address } from '../../../../../shared/commerce/product.ts'
import { missingFields } from '../../../checkout/address.ts'
import type { PartialAddress } from '../../../db/tables.ts'
import type { AcpAddress } from '../requests.ts'

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
 * Null until all of it is known: ACP's address is complete. The checkout has no field for the
 * company.
 */
export function toAcpAddress(
  address: PartialAddress | null,
  company: string | undefined,
): AcpAddress | null {
  if (address === null || missingFields(address).length > 0) return null
  const { name, street, line_two, city, state, zip, country } = address
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
