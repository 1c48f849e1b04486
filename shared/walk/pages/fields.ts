import type { Address } from '../../commerce/product.ts'
import type { FieldKind } from '../../markup/field-kinds.ts'
import type { PageNode } from './tree.ts'

export interface Contact {
  email: string
  phone: string
  address: Address
}

/** The buyer’s contact. Names below `example` reach nobody (RFC 2606). */
export const BUYER = { email: 'buyer@aisle-check.example', phone: '+12025550123' }

/** The text for a field. */
export function textFor(kind: FieldKind, { email, phone, address }: Contact): string {
  const [first = '', ...rest] = address.name.split(' ')
  const texts: Record<FieldKind, string> = {
    email,
    phone,
    first,
    last: rest.join(' '),
    name: address.name,
    street: address.street,
    line2: '',
    city: address.city,
    region: address.state,
    postcode: address.zip,
    country: address.country,
  }
  return texts[kind]
}

const [english, ...others] = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'sv'].map(
  (language) => new Intl.DisplayNames(language, { type: 'region' }),
)

export const countryInEnglish = (code: string): string => english?.of(code) ?? code

/** What lists of countries say besides a country's name. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  US: ['usa', 'united states of america'],
  GB: ['uk', 'great britain'],
}

/** A country's names in lists, in lower case. */
const countryNames = (code: string): readonly string[] => [
  countryInEnglish(code).toLowerCase(),
  ...others.map((names) => (names.of(code) ?? code).toLowerCase()),
  ...(ALSO[code] ?? []),
]

/** The entry of a list that stands for a country or region; null if it offers none. */
export function optionFor(
  kind: FieldKind,
  options: PageNode['options'],
  { address }: Contact,
): string | null {
  const wanted = (kind === 'country' ? address.country : address.state).toLowerCase()
  const long = kind === 'country' ? countryNames(address.country) : [REGIONS[wanted] ?? wanted]
  const found = options.find(({ value, text, disabled }) => {
    // As in "United States (US)".
    const bare = text.toLowerCase().replace(/\s*\([^)]*\)$/, '')
    const said = [value.toLowerCase(), text.toLowerCase(), bare]
    return (
      !disabled &&
      said.some(
        (each) =>
          each === wanted ||
          long.includes(each) ||
          each.endsWith(`-${wanted}`) ||
          each.endsWith(`:${wanted}`),
      )
    )
  })
  return found?.value ?? null
}

/** Regions of the addresses that walks use, as lists write them. */
const REGIONS: Readonly<Record<string, string>> = {
  ny: 'new york',
  act: 'australian capital territory',
  on: 'ontario',
  be: 'berlin',
  bru: 'brussels',
  m: 'madrid',
  rm: 'roma',
  eng: 'england',
  zh: 'south holland',
  d: 'dublin',
  cmx: 'ciudad de méxico',
}
