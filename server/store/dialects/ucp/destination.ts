import * as z from 'zod'
import { missingFields, readRightFields } from '../../checkout/address.ts'
import { alpha2Of } from '../../checkout/country.ts'
import type { OfficialState, PartialAddress } from '../../db/tables.ts'
import { Text } from './envelope.ts'

const PERSON = {
  first_name: Text.optional(),
  last_name: Text.optional(),
  phone_number: Text.optional(),
}

export const Buyer = z.object({ ...PERSON, email: Text.optional() })
export type Buyer = z.infer<typeof Buyer>

/** UCP's postal address, as a platform sends it. */
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

/** A destination that can be named. */
export type NamedDestination = Destination & { id: string }

/** Where the buyer is, as far as the platform tells: enough for a first quote. */
export const BuyerContext = z.object({
  address_country: Text.optional(),
  postal_code: Text.optional(),
})
type BuyerContext = z.infer<typeof BuyerContext>

/** What the store keeps of a session for its answers, in addition to the checkout's own fields. */
export interface Shown {
  buyer?: Buyer
  /** The buyer's context from a cart: its checkout is quoted for it. */
  context?: BuyerContext
  /** In the order in which they were sent. */
  destinations?: NamedDestination[]
  /** The selected destination. */
  selected?: string
  /** The cart that it was opened with. */
  cart_id?: string
  /** The instrument of the last try, without its credential. */
  instrument?: { id: string; [member: string]: unknown }
  /** A hash of the last try's credential. */
  tried?: string
}

/** Only this dialect writes the state of sessions and carts of official UCP. */
export const shownOf = ({ shown }: Pick<OfficialState, 'shown'>): Shown => shown as Shown

/** The destination that is selected. */
export const selectedOf = ({ destinations = [], selected }: Shown): NamedDestination | undefined =>
  destinations.find(({ id }) => id === selected)

/** The fields of the store's address by the names that UCP has for them. */
const OFFICIAL_FIELDS = {
  street: 'street_address',
  city: 'address_locality',
  state: 'address_region',
  zip: 'postal_code',
  country: 'address_country',
} as const satisfies Partial<Record<keyof PartialAddress, keyof Destination>>

// Unspecified: UCP does not demand a name. A parcel without one has only its address.
const NAMELESS = 'Occupant'

/** The stored part of a destination, and the official names of its wrong fields. */
export function readDestination(
  destination: Destination,
  buyer: Buyer = {},
): { address: PartialAddress; wrong: string[] } {
  const fields = fieldsOf(destination)
  // UCP demands a region only "for applicable countries" (postal_address.json), and no postal code.
  const blanks = fields.country === undefined ? {} : { state: '', zip: '' }
  const { address, wrong } = readRightFields({
    name: recipientOf(destination, buyer),
    ...blanks,
    ...fields,
  })
  const line_two = destination.extended_address?.trim()
  return { address: { ...address, ...(line_two && { line_two }) }, wrong: wrong.map(officialName) }
}

/** The official names of the fields that a delivery needs and the store does not know. */
export const missingOf = (address: PartialAddress): string[] =>
  missingFields(address).map(officialName)

/**
 * The destination with the store's current address, which the buyer may have changed. It is one
 * address: the second line belongs to its street, and both names to the name on the label. A field
 * that may be empty in its country is left out. `buyer`: the recipient if the destination has no
 * name.
 */
export function withAddress<Given extends Omit<Destination, 'id'>>(
  destination: Given,
  address: PartialAddress,
  buyer: Buyer = {},
): Given {
  const { name, street, line_two } = address
  const known = Object.entries(OFFICIAL_FIELDS).flatMap(([ours, theirs]) => {
    const value = address[ours as keyof typeof OFFICIAL_FIELDS]
    return value === undefined ? [] : [[theirs, value]]
  })
  const whole = { ...destination, ...Object.fromEntries(known) }
  for (const name of Object.values(OFFICIAL_FIELDS)) if (whole[name] === '') delete whole[name]
  const isMoved = street !== undefined && street !== destination.street_address?.trim()
  if (line_two) whole.extended_address = line_two
  else if (line_two === '' || isMoved) delete whole.extended_address
  if (name === undefined || name === recipientOf(destination, buyer)) return whole
  const { first_name: _, last_name: __, ...place } = whole
  return { ...place, ...namesOf(name) }
}

/** The last word is the family name. */
function namesOf(name: string): Pick<Destination, 'first_name' | 'last_name'> {
  const words = name.split(' ')
  const last_name = words.length > 1 ? words.pop() : undefined
  return { first_name: words.join(' '), ...(last_name !== undefined && { last_name }) }
}

/** The address from the context, for a first quote: country and postal code, if they are valid. */
export const contextAddress = ({ address_country, postal_code }: Destination): PartialAddress =>
  readRightFields(fieldsOf({ address_country, postal_code })).address

const fieldsOf = (destination: Destination): PartialAddress =>
  Object.fromEntries(
    Object.entries(OFFICIAL_FIELDS).flatMap(([ours, theirs]) => {
      const value = destination[theirs]?.trim()
      if (!value) return []
      return [[ours, ours === 'country' ? alpha2Of(value) : value]]
    }),
  )

const officialName = (name: string): string =>
  name === 'name' ? 'first_name' : (OFFICIAL_FIELDS[name as keyof typeof OFFICIAL_FIELDS] ?? name)

const recipientOf = (destination: Destination, buyer: Buyer): string =>
  nameOf(destination) || nameOf(buyer) || NAMELESS

const nameOf = ({ first_name = '', last_name = '' }: Buyer | Destination): string =>
  `${first_name} ${last_name}`.trim()
