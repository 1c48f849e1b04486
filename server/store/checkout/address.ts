import type * as z from 'zod'
import { cardNumberIn } from '../../../shared/commerce/card-number.ts'
import { Address } from '../../../shared/commerce/product.ts'
import { field, withoutNulls } from '../../../shared/web/json/json.ts'
import type { PartialAddress } from '../db/tables.ts'
import { type CheckoutRefusal, listed } from './refusals.ts'

// Unspecified: postal codes of the United States, Canada and Germany are checked, those of other
// countries trusted, and so is any `state`, such as "XX": agents send codes and names, in any
// language, and a right address that is refused is a lost order.
const POSTAL_CODES: Readonly<Record<string, RegExp>> = {
  US: /^\d{5}(-\d{4})?$/,
  CA: /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i,
  DE: /^\d{5}$/,
}

/** Longer than any address line; longer text is rejected. */
const MAX_LENGTH = 200

/**
 * The names of the fields that are missing or wrong, each once; `shipping_address` if there is no
 * address. A card number is wrong in every field, because none may be stored.
 */
export function addressFaults(address: unknown): string[] {
  const read = Address.safeParse(address)
  return read.success ? wrongFields(read.data) : unreadFields(read.error)
}

const KnownFields = Address.partial()

/** The known fields of an address, trimmed; or the names of the wrong ones, as above. */
export function readPartialAddress(
  address: unknown,
): { address: PartialAddress } | { faults: string[] } {
  const read = KnownFields.safeParse(withoutNulls(KnownFields, address))
  const faults = read.success ? wrongFields(read.data) : unreadFields(read.error)
  return read.success && faults.length === 0 ? { address: read.data } : { faults }
}

// Unspecified: official ACP demands a state and a postal code in every address, but not that they
// are filled. An empty state is accepted outside the countries whose post needs one.
const WITH_STATE = new Set('AU BR CA CN IN JP MX US'.split(' '))

// Unspecified: an empty postal code is accepted in countries without postal codes (UPU, Universal
// POST*CODE database).
const WITHOUT_POSTAL_CODE = new Set(
  (
    'AE AG AO AW BF BI BJ BO BS BW BZ CD CF CG CI CM DJ DM ER FJ GD GM GQ GY HK KI KM KN ML MO MR ' +
    'NR QA RW SB SC SL ST TD TG TO TV UG VU YE ZW'
  ).split(' '),
)

/** Whether the post of this country, an alpha-2 code, needs the field. */
export function isNeeded(name: string, country: string): boolean {
  if (name === 'state') return country === '' || WITH_STATE.has(country)
  return name !== 'zip' || !WITHOUT_POSTAL_CODE.has(country)
}

/** The empty fields that the address's country needs. */
function blanksOf({ country = '', state, zip }: PartialAddress): PartialAddress {
  return {
    ...(state === '' && !isNeeded('state', country) && { state }),
    ...(zip === '' && !isNeeded('zip', country) && { zip }),
  }
}

/**
 * `readPartialAddress` for an address with empty fields: they count as known if they may be empty.
 */
export function readAddressWithBlanks(
  address: PartialAddress,
): ReturnType<typeof readPartialAddress> {
  const filled = Object.fromEntries(Object.entries(address).filter(([, text]) => text !== ''))
  const read = readPartialAddress(filled)
  return 'faults' in read ? read : { address: { ...blanksOf(address), ...read.address } }
}

/** `readAddressWithBlanks` without the wrong fields, and their names. */
export function readRightFields(given: PartialAddress): {
  address: PartialAddress
  wrong: string[]
} {
  const read = readAddressWithBlanks(given)
  if ('address' in read) return { address: read.address, wrong: [] }
  const right = Object.fromEntries(
    Object.entries(given).filter(([name]) => !read.faults.includes(name)),
  )
  const again = readAddressWithBlanks(right)
  return { address: 'address' in again ? again.address : {}, wrong: read.faults }
}

/** The names of the fields that a delivery needs and that are still unknown. */
export const missingFields = (address: PartialAddress): string[] =>
  Object.keys(Address.shape).filter((name) => field(address, name) === undefined)

const unreadFields = ({ issues }: z.ZodError): string[] => [
  ...new Set(issues.map(({ path }) => String(path[0] ?? 'shipping_address'))),
]

function wrongFields(address: PartialAddress): string[] {
  const wrong = Object.entries(address).filter(
    ([, text = '']) => text.length > MAX_LENGTH || cardNumberIn(text),
  )
  const { country = '', zip } = address
  const form = field(POSTAL_CODES, country)
  const isForeign = zip !== undefined && form instanceof RegExp && !form.test(zip)
  return [...new Set([...wrong.map(([name]) => name), ...(isForeign ? ['zip'] : [])])]
}

const SPOKEN: Readonly<Record<string, string>> = {
  state: 'state or province',
  zip: 'postal code',
}

/** The customers' word for a field of an address. */
export const spokenField = (name: string): string => SPOKEN[name] ?? name

/** `fields` as `addressFaults` names them. */
export const addressRefusal = (fields: string[]): CheckoutRefusal => ({
  code: 'invalid_address',
  message: fields.includes('shipping_address')
    ? 'We need an address to ship to. Please give the name, street, city, state or province, postal code and country.'
    : `We could not ship to this address: please check the ${listed(fields.map(spokenField))}.`,
  fields,
})

/** A valid address. A broken variant that accepts any address gets the raw fields. */
export function trustAddress(address: unknown): Address {
  const text = (name: string) => String(field(address, name) ?? '').slice(0, MAX_LENGTH)
  return {
    name: text('name').trim(),
    street: text('street').trim(),
    city: text('city').trim(),
    state: text('state').trim(),
    zip: text('zip').trim(),
    country: text('country'),
  }
}
