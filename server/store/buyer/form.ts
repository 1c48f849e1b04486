import { cardNumberIn } from '../../../shared/commerce/card-number.ts'
import type { Address } from '../../../shared/commerce/product.ts'
import { storableText } from '../../../shared/web/json/json.ts'
import { missingFields, readPartialAddress, readRightFields } from '../checkout/address.ts'
import type { CheckoutSession, PartialAddress } from '../db/tables.ts'
import { SHIPPING } from '../shop/settings.ts'

export const ADDRESS_FIELDS = [
  'name',
  'street',
  'line_two',
  'city',
  'state',
  'zip',
  'country',
] as const
export type AddressField = (typeof ADDRESS_FIELDS)[number]

/** The checkout form as the page shows it. */
export interface CheckoutForm {
  /** As typed. */
  address: Record<AddressField, string>
  /** Null: none is chosen. */
  optionId: string | null
  token: string
}

/** The message at a field, in words for the buyer. */
export type FormFaults = Partial<Record<AddressField | 'token', string>>

/** What a buyer sent. */
export interface SentForm extends CheckoutForm {
  wants: 'save' | 'pay'
  /** Made with the page: equal for the two clicks of a double click. */
  key: string
  /** The total that the buyer saw, in the currency's smallest unit; NaN if the form has none. */
  total: number
  /** A field held a card number, which was dropped. */
  cardNumbers: (AddressField | 'elsewhere')[]
}

/** The form with what is known of the session. */
export const formOfSession = (session: CheckoutSession): CheckoutForm => ({
  address: {
    ...emptyAddress,
    // Its quote is for that country already.
    country: SHIPPING.country,
    ...known(session.address ?? {}),
  },
  optionId: (session.shipping_option_id ?? session.shipping_options[0]?.id) || null,
  token: '',
})

const emptyAddress = {
  name: '',
  street: '',
  line_two: '',
  city: '',
  state: '',
  zip: '',
  country: '',
}

const known = (address: PartialAddress): Partial<Record<AddressField, string>> =>
  Object.fromEntries(Object.entries(address).filter(([, text]) => text !== undefined))

/** Longer than any key or id on the page. */
const MAX_KEY = 255

/**
 * Reads a form; only the first value of a field counts, and card numbers are dropped in every
 * field.
 */
export function readSentForm(body: string): SentForm {
  const sent = new Map(
    [...new URLSearchParams(body)].map(([name, value]) => [name, storableText(value)] as const),
  )
  const cardNumbers: SentForm['cardNumbers'] = []
  for (const [name, value] of sent) {
    if (!cardNumberIn([name, value])) continue
    cardNumbers.push(ADDRESS_FIELDS.find((each) => each === name) ?? 'elsewhere')
    sent.delete(name)
  }
  const text = (name: string) => sent.get(name) ?? ''
  const short = (name: string) => text(name).slice(0, MAX_KEY)
  return {
    wants: text('do') === 'pay' ? 'pay' : 'save',
    address: {
      name: text('name'),
      street: text('street'),
      line_two: text('line_two'),
      city: text('city'),
      state: text('state'),
      zip: text('zip'),
      country: text('country'),
    },
    optionId: short('shipping_option') || null,
    token: short('token'),
    key: short('key'),
    total: /^\d{1,12}$/.test(text('total')) ? Number(text('total')) : Number.NaN,
    cardNumbers,
  }
}

/** The address as far as it was given, or what is wrong with it. A payment needs all of it. */
export function judgeAddress({
  address,
  wants,
  cardNumbers,
}: SentForm): { address: PartialAddress } | { faults: FormFaults } {
  const said = Object.fromEntries(Object.entries(address).filter(([, text]) => text.trim() !== ''))
  const line_two = address.line_two.trim()
  // The form sends an empty state if the buyer's country has none.
  const read = readRightFields({ state: '', zip: '', ...said })
  // The second line follows the rules of the street, but may be empty.
  const isLine = line_two === '' || 'address' in readPartialAddress({ street: line_two })
  const wrong = [...read.wrong, ...(isLine ? [] : ['line_two'])]
  const missing =
    wants === 'pay' ? missingFields(read.address).filter((name) => !wrong.includes(name)) : []
  const faults: FormFaults = {}
  for (const name of ADDRESS_FIELDS) {
    if (cardNumbers.includes(name)) faults[name] = NO_CARD_NUMBER
    else if (wrong.includes(name)) faults[name] = WRONG[name]
    else if (name !== 'line_two' && missing.includes(name)) faults[name] = MISSING[name]
  }
  if (Object.keys(faults).length > 0) return { faults }
  return { address: { ...read.address, line_two } }
}

export const NO_CARD_NUMBER =
  'For your safety, please do not enter a card number here. It was not stored.'

const MISSING: Record<keyof Address, string> = {
  name: 'Please enter the name of who gets the parcel.',
  street: 'Please enter the street and number.',
  city: 'Please enter the city.',
  state: 'Please enter the state or province.',
  zip: 'Please enter the postal code.',
  country: 'Please choose a country.',
}

const WRONG: Record<AddressField, string> = {
  name: 'Please shorten the name: 200 characters fit on the label.',
  street: 'Please shorten the street: 200 characters fit on the label.',
  line_two: 'Please shorten this line: 200 characters fit on the label.',
  city: 'Please shorten the city: 200 characters fit on the label.',
  state: 'Please shorten the state or province: 200 characters fit on the label.',
  zip: 'This does not look like a postal code of the country that you chose.',
  country: 'Please choose a country from the list.',
}
