/*
 * Which values are secret or personal, by their name: of a header, a query parameter or a JSON key.
 */

/** The kind of a masked value; the mask shows it: `[masked: token]`. */
export const MASKED_KINDS = [
  'authorization',
  'cookie',
  'signature',
  'key',
  'token',
  'secret',
  'card',
  'email',
  'phone',
  'name',
  'street',
  'birth',
  'address',
  'personal',
] as const
export type MaskedKind = (typeof MASKED_KINDS)[number]

export const maskOf = (kind: MaskedKind): string => `[masked: ${kind}]`

/** A mask, with its kind as the first group. */
export const MASK = new RegExp(`\\[masked: (${MASKED_KINDS.join('|')})\\]`, 'g')

/** `shippingAddress`, `shipping_address` and `Shipping-Address` are two words; `line1` is one. */
function wordsOf(name: string): readonly string[] {
  const seen = SEEN.get(name)
  if (seen !== undefined) return seen
  const words = name
    .slice(0, LONGEST_NAME)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  if (SEEN.size >= MOST_SEEN) SEEN.clear()
  if (name.length <= LONGEST_NAME) SEEN.set(name, words)
  return words
}

const LONGEST_NAME = 100

/**
 * A cache: answers repeat a few names thousands of times, and splitting them took a third of the
 * time.
 */
const SEEN = new Map<string, readonly string[]>()
const MOST_SEEN = 1000

/** Words that make a name secret at any position. */
const SECRET_WORDS: Record<string, MaskedKind> = {
  secret: 'secret',
  secrets: 'secret',
  password: 'secret',
  passwd: 'secret',
  passphrase: 'secret',
  pwd: 'secret',
  apikey: 'key',
  cvc: 'card',
  cvc2: 'card',
  cvv: 'card',
  cvv2: 'card',
  csc: 'card',
  cryptogram: 'card',
  pan: 'card',
  iban: 'card',
}

/** Words that count only at the end: `token_type` and `authorization_url` are not secret. */
const SECRET_ENDS: Record<string, MaskedKind> = {
  token: 'token',
  nonce: 'token',
  jwt: 'token',
  bearer: 'token',
  credential: 'token',
  credentials: 'token',
  authorization: 'authorization',
  auth: 'authorization',
  cookie: 'cookie',
  cookies: 'cookie',
  signature: 'signature',
  sig: 'signature',
  hmac: 'signature',
  pin: 'secret',
  otp: 'secret',
}

/** `api_key`; but `idempotency_key`, `public_key` and the `key` of a pair are not secrets. */
const SECRET_KEYS: ReadonlySet<string> = new Set([
  'api',
  'access',
  'secret',
  'private',
  'auth',
  'agent',
  'encryption',
  'signing',
])

/** The kind of secret under a name of these words; null if it is not secret. */
function secretKind(words: readonly string[]): MaskedKind | null {
  const last = words.at(-1) ?? ''
  for (const word of words) {
    if (Object.hasOwn(SECRET_WORDS, word)) return SECRET_WORDS[word] ?? null
  }
  if (Object.hasOwn(SECRET_ENDS, last)) return SECRET_ENDS[last] ?? null
  return last === 'key' && SECRET_KEYS.has(words.at(-2) ?? '') ? 'key' : null
}

/** For a query parameter: there a bare `key` is a secret, and so is the code of a login. */
export function queryKindOf(name: string): MaskedKind | null {
  const words = wordsOf(name)
  if (words.length === 1 && words[0] === 'key') return 'key'
  return secretKind(words) ?? personalKind(words, false)
}

/** For a header, `name` in any case. Signature-Input belongs to what it signs. */
export function headerKindOf(name: string): MaskedKind | null {
  const words = wordsOf(name)
  if (words.includes('signature')) return 'signature'
  if (words.includes('authorization')) return 'authorization'
  return secretKind(words)
}

/** Objects about a person or an address: a `name` in one is a person's. */
const PERSONAL_WORDS: ReadonlySet<string> = new Set([
  'address',
  'addresses',
  'destination',
  'destinations',
  'buyer',
  'recipient',
  'recipients',
  'billing',
  'customer',
  'payer',
  'shopper',
  'contact',
  'consignee',
  'cardholder',
  'person',
])

/** The same in ACP, where they hold both a person and an address. */
const PERSONAL_NAMES: ReadonlySet<string> = new Set([
  'fulfillment details',
  'shipping details',
  'delivery details',
])

const CARD_WORDS: ReadonlySet<string> = new Set(['card', 'credential', 'instrument'])

/** `near`: it names a person or an address and may be something else, as `customer_notices`. */
export type About = 'person' | 'near' | 'card' | null

/** What an object or list under this name is about; null if the name does not say. */
export function aboutOf(name: string): About {
  const words = wordsOf(name)
  if (PERSONAL_WORDS.has(words.at(-1) ?? '') || PERSONAL_NAMES.has(words.join(' '))) return 'person'
  if (words.some((word) => PERSONAL_WORDS.has(word))) return 'near'
  return words.some((word) => CARD_WORDS.has(word)) ? 'card' : null
}

/** Words that count only at the end: `mobile_url` is a link. */
const PHONE_ENDS: ReadonlySet<string> = new Set(['telephone', 'tel', 'mobile', 'fax', 'msisdn'])

const NAME_PARTS: ReadonlySet<string> = new Set([
  'first',
  'last',
  'full',
  'given',
  'family',
  'middle',
])

const ONE_WORD_NAMES: ReadonlySet<string> = new Set([
  'firstname',
  'lastname',
  'fullname',
  'surname',
  'givenname',
  'familyname',
])

const ADDRESS_LINE =
  /(^| )(address ?\d|line ?(\d|one|two|three)|address lines?|extended address|po box)$/

/**
 * Fields of an object about a person that are shown: shipping and taxes depend on them, or they say
 * how the object is used. Any other may hold what identifies somebody, under names that stores make
 * up: `apartment`, `nickname`, `instructions`.
 */
const SHOWN_OF_PERSON =
  /(^| )(ids?|type|format|city|town|locality|region|state|province|zone|zip|postcode|country|countries|currency|language|locale|(postal|zip|country|state|province|region|currency|language|zone) codes?)$/

/**
 * The kind of everything under a JSON key, also inside lists and objects; `about` is what the
 * objects around it are about.
 */
export function valueKindOf(key: string, about: About): MaskedKind | null {
  const words = wordsOf(key)
  if (about === 'card' && words.length === 1 && words[0] === 'number') return 'card'
  return secretKind(words) ?? personalKind(words, about === 'person' || about === 'near')
}

/**
 * The kind of a string or number, or of those in a list. An object under the same key has fields of
 * its own: `address` mostly is one.
 */
export function scalarKindOf(key: string, about: About): MaskedKind | null {
  const words = wordsOf(key)
  if (/^address(es)?$/.test(words.at(-1) ?? '')) return 'address'
  return about === 'person' && !SHOWN_OF_PERSON.test(words.join(' ')) ? 'personal' : null
}

function personalKind(words: readonly string[], inPerson: boolean): MaskedKind | null {
  const last = words.at(-1) ?? ''
  const has = (set: ReadonlySet<string>) => words.some((word) => set.has(word))
  if (words.includes('email') || words.join('').startsWith('email')) return 'email'
  if (PHONE_ENDS.has(last) || words.some((word) => word.startsWith('phone'))) return 'phone'
  if (has(ONE_WORD_NAMES)) return 'name'
  if (last === 'name' && (inPerson || has(NAME_PARTS) || has(PERSONAL_WORDS))) return 'name'
  if (words.some((word) => word.startsWith('street'))) return 'street'
  if (ADDRESS_LINE.test(words.join(' '))) return 'street'
  if (last === 'dob' || last === 'birthday' || words.includes('birth')) return 'birth'
  return last === 'ip' ? 'address' : null
}
