/** What a field of a checkout asks for. */
export type FieldKind =
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
    /address (?:line )?2\b|apartment|apt\b|suite|unit|floor|\(optional\).*address|adresszusatz|complément|appartement|piso|interno|toevoeging/u,
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

/** A field by its name for accessibility and its attributes. */
interface Field {
  role: string
  name: string
  attributes: Readonly<Record<string, string>>
}

const labelOf = ({ name, attributes }: Pick<Field, 'name' | 'attributes'>) =>
  (name || attributes.placeholder || attributes.title || '').toLowerCase()

const tokenOf = ({ attributes }: Field) =>
  (attributes.autocomplete ?? '').toLowerCase().split(/\s+/).at(-1) ?? ''

export const kindByLabel = (node: Pick<Field, 'name' | 'attributes'>): FieldKind | null => {
  const label = labelOf(node)
  if (label === '' || (NOT_ASKED.test(label) && !/optional|company|firma/.test(label))) return null
  return BY_LABEL.find(([, words]) => words.test(label))?.[0] ?? null
}

export const kindByAutocomplete = (node: Field): FieldKind | null =>
  BY_AUTOCOMPLETE[tokenOf(node)] ?? null

export const fieldKindOf = (node: Field): FieldKind | null =>
  kindByAutocomplete(node) ?? kindByLabel(node)

/** Whether a guest has nothing to write there: a search, a code, a password, a card. */
export const isLeftAlone = (node: Field): boolean =>
  node.role === 'searchbox' ||
  /^(?:password|search|checkbox|radio|hidden)$/.test(node.attributes.type ?? '') ||
  /^cc-|one-time-code|password/.test(tokenOf(node)) ||
  (NOT_ASKED.test(labelOf(node)) && kindByAutocomplete(node) === null)
