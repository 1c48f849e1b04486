import * as z from 'zod'
import type { ShippingOption } from '../../../../shared/protocols/ucp.ts'
import { addressFaults } from '../../checkout/address.ts'
import type { Line } from '../../checkout/steps/basket.ts'
import { type Quote, quote } from '../../checkout/steps/price.ts'
import type { Kept } from './carts.ts'
import { Text, type UcpErrorDetail } from './envelope.ts'

const PERSON = {
  first_name: Text.optional(),
  last_name: Text.optional(),
  phone_number: Text.optional(),
}

export const Buyer = z.object({ ...PERSON, email: Text.optional() })
export type Buyer = z.infer<typeof Buyer>

/** UCP's postal address. */
export const Destination = z.object({
  ...PERSON,
  id: Text.optional(),
  street_address: Text.optional(),
  extended_address: Text.optional(),
  address_locality: Text.optional(),
  address_region: Text.optional(),
  postal_code: Text.optional(),
  address_country: Text.optional(),
})
export type Destination = z.infer<typeof Destination>

/** What a platform chose; the rest of a checkout follows from it. */
export interface UcpSession extends Kept {
  lines: readonly Line[]
  canceled: boolean
  buyer: Buyer | undefined
  destination: Destination | undefined
  optionId: string | undefined
}

export interface Priced {
  /** Without a destination that the store ships to there is no shipping and no tax. */
  shipping: Quote | null
  option: ShippingOption | null
  subtotal: number
  /** What stands between the session and its completion. */
  missing: UcpErrorDetail[]
}

const METHOD = '$.fulfillment.methods[0]'

/**
 * What a cart costs as far as it is known, and what it lacks for its completion, each with the
 * JSONPath where it belongs (UCP, Checkout: `messages[].path`).
 */
export function priceCart({ lines, buyer, destination, optionId }: UcpSession): Priced {
  const subtotal = quote(lines, '').subtotal.amount
  const lacking = (complaint: Omit<UcpErrorDetail, 'severity'>): Priced => ({
    shipping: null,
    option: null,
    subtotal,
    missing: [{ severity: 'recoverable', ...complaint }],
  })
  if (destination === undefined) {
    return lacking({
      code: 'missing',
      content: 'The shipping address is missing: add a destination to the method "shipping".',
      path: `${METHOD}.destinations`,
    })
  }
  const faults = addressFaults(toAddress(destination, buyer))
  if (faults.length > 0) {
    const fields = faults.map((name) => OFFICIAL_FIELDS[name] ?? name)
    return lacking({
      code: 'address_undeliverable',
      content: `We cannot ship to this address. Please check: ${fields.join(', ')}.`,
      path: `${METHOD}.destinations[0]`,
    })
  }
  const shipping = quote(lines, destination.address_country ?? '')
  const option = shipping.shipping_options.find(({ id }) => id === optionId) ?? null
  if (option !== null) return { shipping, option, subtotal, missing: [] }
  const unchosen = lacking({
    code: 'missing',
    content: 'Choose a shipping option: set selected_option_id to one of the options.',
    path: `${METHOD}.groups[0].selected_option_id`,
  })
  return { ...unchosen, shipping }
}

/** The fields of the specification's address by the names that UCP has for them. */
const OFFICIAL_FIELDS: Readonly<Record<string, string>> = {
  name: 'first_name',
  street: 'street_address',
  city: 'address_locality',
  state: 'address_region',
  zip: 'postal_code',
  country: 'address_country',
}

const toAddress = (destination: Destination, buyer: Buyer = {}) => ({
  name: nameOf(destination) || nameOf(buyer),
  street: destination.street_address,
  city: destination.address_locality,
  state: destination.address_region,
  zip: destination.postal_code,
  country: destination.address_country,
})

const nameOf = ({ first_name = '', last_name = '' }: Buyer | Destination): string =>
  `${first_name} ${last_name}`.trim()
