import { isClickId } from '../../../shared/attribution/classify/click.ts'
import { MAX_LANDING } from '../../../shared/attribution/report.ts'

/** Parameters of a URL that name a campaign, and not a visitor. */
const CAMPAIGN = ['utm_source', 'utm_medium', 'utm_campaign']

/** What may be stored of a landing page. */
export function readLanding(text: string): { landing: string; path: string | null } {
  const url = parseWebUrl(text)
  return url === null
    ? { landing: '', path: null }
    : { landing: reduceLanding(url), path: landingPath(url) }
}

/**
 * The parts of a landing page's URL that may be stored: its origin and campaign parameters. A click
 * id is reduced to `1`, because the id itself identifies a visitor.
 */
function reduceLanding(url: URL): string {
  const kept = new URLSearchParams()
  for (const name of CAMPAIGN) {
    const value = url.searchParams.get(name)
    if (value) kept.set(name, cut(value))
  }
  // In their order: of several, the last one counts.
  for (const [name, value] of url.searchParams) {
    if (value && isClickId(name)) kept.set(name, '1')
  }
  return kept.size === 0 ? `${url.origin}/` : `${url.origin}/?${kept}`
}

/** An e-mail address, a phone number, or a JSON Web Token: personal on every page. */
const PERSONAL =
  /@|%(25)*40|^(%2b|\+)\d{7,15}$|^(\(\d{3}\)[-.]?|\d{3}[-.])\d{3}[-.]\d{4}$|eyJ[\w-]{8,}\.[\w-]+/i
/** A number of 15 or 16 digits that begins as those of payment cards do. */
const CARD = /(?<!\d)(?:3[47]\d{2}|(?:4\d|5[1-5]|2[2-7]|6[045])\d{2}-?)(?:\d{4}-?){2}\d{3,4}(?!\d)/g
/** What the random ids of a person, a session or a product look like. */
const ID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{24}|^\d{10,}$/i
/** Parts of a path below which a part with a digit, or a long one, belongs to a person. */
const PRIVATE =
  /^(?:u|tel|sms|wa)$|^(?:my-?)?(?:account|customer|user|member|profile|login|sign-?(?:in|up)|auth|verify|confirm|activate|reset|password|unsubscribe|order|track-?order|tracking|checkout|cart|basket|wishlist|invoice|receipt|return|refund|subscription|invit(?:e|ation)|refer(?:ral)?|share|token|session|download|phone|call|whatsapp|konto|kunde|bestellung|compte|client|commande|cuenta|cliente|pedido|conta|ordin[ei])(?:s|en|n)?$/i
/** Parts of a path below which an id is that of a product or a list of them. */
const CATALOG =
  /^(?:products?|(?:product-?)?details?|product-?(?:page|view)s?|p|pd|pdp|dp|gp|prod|i|ip|items?|itm|sku|goods?|shop|store|buy|catalog(?:ue)?|collections?|categor(?:y|ies)|c|listing|articles?|artikel|art|isbn|ean|gtin|produkte?|produits?|productos?|produtos?|prodott[oi]|producten|produkty?)$/i
/** A run that may be the secret of a link. */
const RUN = /[a-z\d]{16,}/gi
/** Where a letter follows a digit, or a digit a letter. */
const TURN = /\d(?=[a-z])|[a-z](?=\d)/gi

/** A path with `*` for each part that may name a person, or be the secret of a link to one. */
function maskPath(path: string): string {
  let below: 'private' | 'catalog' | null = null
  const kept = path.split('/').map((part) => {
    const isHidden =
      isPersonal(part) ||
      (below === 'private' ? /\d|^\w{20}/.test(part) : below === null && isId(part))
    if (PRIVATE.test(part)) below = 'private'
    else if (below === null && CATALOG.test(part)) below = 'catalog'
    return isHidden ? '*' : part
  })
  return kept.join('/')
}

const isPersonal = (part: string): boolean =>
  PERSONAL.test(part) || (part.match(CARD) ?? []).some(isCard)

/** Words and numbers seldom turn into one another; random characters do all the time. */
const isId = (part: string): boolean =>
  ID.test(part) || (part.match(RUN) ?? []).some((run) => (run.match(TURN) ?? []).length > 3)

/** Whether the last digit is the check digit of the others (ISO/IEC 7812-1, Luhn). */
function isCard(text: string): boolean {
  const digits = [...text.replaceAll('-', '')].map(Number).toReversed()
  const sum = digits.reduce((total, digit, at) => {
    const twice = at % 2 === 1 ? digit * 2 : digit
    return total + (twice > 9 ? twice - 9 : twice)
  }, 0)
  return sum % 10 === 0
}

// Unspecified: of the page that a visit begins on, its path is kept, without parameters, up to 200
// characters; parts that may identify a person are `*`. It comes in the fragment of `landing`, so
// that a snippet that is older, and sends no path, is not taken for one on the home page.

/** The path of a landing page as it may be stored; null where the snippet sent none. */
function landingPath({ hash }: URL): string | null {
  const path = hash.slice(1)
  if (!path.startsWith('/')) return null
  const reduced = maskPath(path.replace(/[?#].*/, ''))
    .slice(0, MAX_LANDING)
    // The cut may have gone through an escape.
    .replace(/%[\da-f]?$/i, '')
  return reduced.length > 1 ? reduced.replace(/\/+$/, '') || '/' : reduced
}

/**
 * The origin of a referrer, or the Android app that sent the visitor (`android-app://<package>/`);
 * empty when it is neither. Paths and queries may hold what a person asked.
 */
export function reduceReferrer(text: string): string {
  const app = /^android-app:\/\/([\w.]{1,200})/i.exec(text)?.[1]
  if (app !== undefined) return `android-app://${app.toLowerCase()}/`
  const url = parseWebUrl(text)
  return url === null ? '' : `${url.origin}/`
}

/** The longest host name (RFC 1035, 2.3.4); URLs may have longer ones, which cannot be visited. */
const MAX_HOST = 253

function parseWebUrl(text: string): URL | null {
  const url = URL.parse(text)
  return url && /^https?:$/.test(url.protocol) && url.hostname.length <= MAX_HOST ? url : null
}

/**
 * Characters of a value as it stands in the URL, so that what is stored of a beacon stays small.
 */
const MAX_VALUE = 100

/** The beginning of a value; whole characters, because jsonb takes no half of a surrogate pair. */
function cut(value: string): string {
  const whole = value.slice(0, MAX_VALUE).toWellFormed()
  // Nearly always: character by character would cost more than the rest of the beacon.
  if (whole === value && lengthInUrl(value) <= MAX_VALUE) return value
  let kept = ''
  let length = 0
  for (const character of whole) {
    length += lengthInUrl(character)
    if (length > MAX_VALUE) break
    kept += character
  }
  return kept
}

const lengthInUrl = (value: string): number =>
  new URLSearchParams([['', value]]).toString().length - '='.length
