import type { Address } from '../../commerce/product.ts'
import type { PageNode } from './tree.ts'

/** What a field of a checkout asks for. */
type FieldKind =
  | 'email'
  | 'phone'
  | 'first'
  | 'last'
  | 'name'
  | 'street'
  | 'line2'
  | 'city'
  | 'region'
  | 'postcode'
  | 'country'

/** By `autocomplete` (HTML, autofill detail tokens). */
const BY_AUTOCOMPLETE: Readonly<Record<string, FieldKind>> = {
  email: 'email',
  tel: 'phone',
  'tel-national': 'phone',
  'given-name': 'first',
  'family-name': 'last',
  name: 'name',
  'address-line1': 'street',
  'street-address': 'street',
  'address-line2': 'line2',
  'address-level2': 'city',
  'address-level1': 'region',
  'postal-code': 'postcode',
  country: 'country',
  'country-name': 'country',
}

/** By what a label says; the first that fits counts. */
const BY_LABEL: readonly [FieldKind, RegExp][] = [
  ['email', /e-?mail|courriel|correo electr|posta elettronica/u],
  ['phone', /phone|mobile|telefon|téléphone|teléfono|telefono|telefoon|handy/u],
  ['country', /country|\bland\b|pays|país|paese|nazione/u],
  [
    'postcode',
    /post ?code|postal|\bzip\b|\bplz\b|postleitzahl|code postal|código postal|\bcap\b|postcode|postnummer/u,
  ],
  ['region', /state|province|region|county|bundesland|kanton|département|provincia|estado/u],
  [
    'city',
    /\bcity\b|town|suburb|\bstadt\b|\bort\b|ville|ciudad|localidad|città|plaats|woonplaats|cidade|\bstad\b/u,
  ],
  [
    'line2',
    /address line 2|apartment|apt\b|suite|unit|floor|\(optional\).*address|adresszusatz|complément|appartement|piso|interno|toevoeging/u,
  ],
  [
    'street',
    /address|street|straße|strasse|adresse|rue|dirección|calle|indirizzo|\bvia\b|straat|adres|endereço|adress|house number/u,
  ],
  ['first', /first name|given name|forename|vorname|prénom|^nombre$|^nome$|voornaam|förnamn/u],
  [
    'last',
    /last name|surname|family name|nachname|nom de famille|apellido|cognome|achternaam|sobrenome|efternamn/u,
  ],
  ['name', /\bname\b|\bnom\b|nombre|nome|naam|namn/u],
]

/** Fields that a guest leaves alone. */
const NOT_ASKED =
  /search|coupon|voucher|promo|discount|gift|password|newsletter|company|firma|société|empresa|azienda|bedrijf|vat|tax|note|comment|suche|gutschein|passwort|rabatt|mot de passe|contraseña|code promo|notiz|bemerkung|instruction|birth|card|cvc|cvv|expir|karte|karten/u

const labelOf = ({ name, attributes }: Pick<PageNode, 'name' | 'attributes'>) =>
  (name || attributes.placeholder || attributes.title || '').toLowerCase()

const tokenOf = ({ attributes }: PageNode) =>
  (attributes.autocomplete ?? '').toLowerCase().split(/\s+/).at(-1) ?? ''

export const kindByLabel = (node: Pick<PageNode, 'name' | 'attributes'>): FieldKind | null => {
  const label = labelOf(node)
  if (label === '' || (NOT_ASKED.test(label) && !/optional|company|firma/.test(label))) return null
  return BY_LABEL.find(([, words]) => words.test(label))?.[0] ?? null
}

export const kindByAutocomplete = (node: PageNode): FieldKind | null =>
  BY_AUTOCOMPLETE[tokenOf(node)] ?? null

export const fieldKindOf = (node: PageNode): FieldKind | null =>
  kindByAutocomplete(node) ?? kindByLabel(node)

/** Whether a guest has nothing to write there: a search, a code, a password, a card. */
export const isLeftAlone = (node: PageNode): boolean =>
  node.role === 'searchbox' ||
  /^(?:password|search|checkbox|radio|hidden)$/.test(node.attributes.type ?? '') ||
  /^cc-|one-time-code|password/.test(tokenOf(node)) ||
  (NOT_ASKED.test(labelOf(node)) && kindByAutocomplete(node) === null)

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

const names = new Intl.DisplayNames('en', { type: 'region' })

/** The entry of a list that stands for a country or region; null if it offers none. */
export function optionFor(
  kind: FieldKind,
  options: PageNode['options'],
  { address }: Contact,
): string | null {
  const wanted = (kind === 'country' ? address.country : address.state).toLowerCase()
  const long =
    kind === 'country' ? (names.of(address.country) ?? '').toLowerCase() : REGIONS[wanted]
  const found = options.find(({ value, text, disabled }) => {
    const said = [value.toLowerCase(), text.toLowerCase()]
    return (
      !disabled &&
      said.some(
        (each) =>
          each === wanted ||
          each === long ||
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
