/** The longest path of a page that is kept by name. */
export const MAX_LANDING = 200

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

/** The path of a page as it may be stored: of a landing page, or of one that an agent read. */
export function keptPath(path: string): string {
  const reduced = maskPath(path.replace(/[?#].*/, ''))
    .slice(0, MAX_LANDING)
    // The cut may have gone through an escape.
    .replace(/%[\da-f]?$/i, '')
  return reduced.length > 1 ? reduced.replace(/\/+$/, '') || '/' : reduced
}
