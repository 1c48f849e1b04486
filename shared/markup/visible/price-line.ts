/** Words next to the price of the thing itself, on its line. */
const WITH_PRICE =
  /(?:our |your |sale |special |current |unit )?price|(?:angebots|sonder|aktions|verkaufs)?preis|ihr|prix|precio|prezzo|preço|prijs|pris|cena|hinta|цена|ціна|fiyat[ıi]?|価格|販売価格|税込|税抜|가격|价格|售价|السعر|now|only|just|jetzt|nur|maintenant|seulement|ahora|solo|sólo|adesso|agora|nu|nå|teraz|incl(?:\.|uding|uded|us|usive)?|inkl(?:\.|usive)?|inc\.?|excl?(?:\.|uding|usive)?|exkl\.?|excluded|zzgl\.?|plus|hors|taxes?|tva|ttc|ht|iva|i\.v\.a\.?|inclu(?:i|í)do|inclusa|esclusa|no|btw|moms|mva|vat|gst|hst|mwst\.?|ust\.?|gesetzl\.?|der|de|di|la|les|toutes|comprises|dph|pdv|áfa|kdv|dahil|ндс|с|ALV|tax|brutto|netto|gross|net|versand(?:kosten)?|frais|livraison|shipping|and|und|et|y|e|en|i|\d{1,2}(?:[.,]\d)? ?%/giu

/** That a price is without its taxes. */
export const WITHOUT_TAX =
  /\b(?:excl?\.?|excluding|exkl\.?|zzgl\.?|plus|ohne|ex|without|\+)\s{0,3}(?:\d{1,2}(?:[.,]\d)? ?% ?)?(?:gesetzl\. |any |sales )?(?:vat|tax|gst|hst|mwst|ust|btw|moms|mva|iva|dph|tva)|\b(?:netto|net|hors taxes?|ht)\b|(?:sin|más|\+) iva|iva (?:esclus|no incl)|税抜|税別|без ндс/iu

/**
 * Words before or after a price that make it another one: an old one, one from which others begin,
 * of a unit, of a rate, for members, of a set, of what comes with the thing.
 */
const OTHER_PRICE: readonly string[] = [
  'from|starting|as low as|up to|ab|bis|à partir|dès|desde|a partir|da|hasta|vanaf|fra|från|od|от|від|alkaen|から|부터|起',
  'was|were|old|list|regular|rrp|msrp|srp|retail|before|instead|previous|compare|originally|statt|uvp|bisher|früher|vorher|alter|streichpreis|niedrigster|letzte|avant|au lieu|ancien|conseillé|le plus bas|antes|anterior|original|recomendado|pvpr|pvp|listino|consigliato|prima|più basso|adviesprijs|oud|laagste|rek|ord|tidigare|lägsta|førpris|før|laveste|stara|poprzednia|regularna|najniższa|předtím|původní|было|старая|参考価格|定価|通常|原价|市场价|정가',
  'save|saving|savings|off|discount|spar|sie sparen|ersparnis|rabatt|économi|remise|ahorr|descuento|risparm|sconto|bespaar|korting|oszczęd|rabat|скидк|эконом',
  'member|members|club|vip|loyalty|mitglied|kundenkarte|membre|adhérent|fidélité|socio|miembro|soci|tessera|lid|leden|medlem|klub|клуб|会員|회원|会员',
  'subscri|abo|abonn|suscri|abbon|month|monthly|week|year|monat|mtl|mois|mes|mensual|mese|maand|måned|månad|miesi|měs|мес|月々|rate|raten|instal|finanz|financ|klarna|afterpay|clearpay|paypal|credit|cuota|rata|raty|deposit|pfand|anzahlung|consigne|caution|statiegeld|pant',
  'per|pro|je|par|each|unit|grundpreis|unitaire|au|al|por|basisprijs|jmfpris|jämförpris|za|за',
  'shipping|delivery|postage|versand|lieferung|livraison|port|envío|entrega|spedizione|consegna|verzend|frakt|leverans|dostawa|wysyłka|doprava|доставк|送料|배송|运费',
  'set|bundle|pack|with|together|total|subtotal|sum|cart|basket|gesamt|zusammen|summe|zwischensumme|warenkorb|ensemble|panier|carrito|carrello|add|extra|option|gift|wrap|engrav|warranty|protection|insurance|garantie|versicherung|assurance|garantía|accessor|zubehör|qty|quantity|menge|stück|pieces|pcs|vat|tax|mwst|tva|approx|ca|circa|used|refurbished|gebraucht|occasion|trade|voucher|coupon|code|gutschein|related|similar',
].flatMap((words) => words.split('|'))

/** Chinese, Japanese and Korean have no blanks between words. */
const WITHOUT_BLANKS = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}]/u
const PHRASES = OTHER_PRICE.filter((word) => word.includes(' ') || WITHOUT_BLANKS.test(word))
const WORDS = new Set(OTHER_PRICE)
/** Longer words are stems. */
const STEMS = OTHER_PRICE.filter((word) => word.length > 5)

function isOfOtherPrice(label: string): boolean {
  const line = label.toLowerCase()
  if (PHRASES.some((phrase) => line.includes(phrase))) return true
  const words = line.match(/[\p{L}\p{N}]+/gu) ?? []
  return words.some((word) => WORDS.has(word) || STEMS.some((stem) => word.startsWith(stem)))
}

/** Longer lines are sentences, not what stands over a price. */
const MAX_LABEL = 60

/**
 * Whether the price that a line holds is that of the thing itself: nothing else stands on the line,
 * and the lines before and after it do not make it another price.
 */
export function isPlainPrice(
  rest: { before: string; after: string },
  lines: { before: string; after: string },
): boolean {
  const left = `${rest.before} ${rest.after}`
  if (left.length > 2 * MAX_LABEL) return false
  // Signs that make it a part, a surcharge, or a rough price: `3 × 9 €`, `+ 9 €`, `≈ $9`, `9 €/l`.
  if (/[+~≈≃±(×xX/–—-]\s*$/u.test(rest.before) || /^\s*[/–—-]\s*[\p{L}\p{N}]/u.test(rest.after))
    return false
  const words = left.replace(WORD, (word) => (isWithPrice(word) ? ' ' : word))
  if (!/^[\s*:.,;!|¹²³†'"()（）\u200e\u200f-]*$/u.test(words)) return false
  // A price in several lines, such as its cents in one of their own.
  if (/^[^\p{L}]*\d[.,]?$/u.test(lines.before) || /^(?:[.,]?\d{1,3}$|[.,]\d)/.test(lines.after)) {
    return false
  }
  const isLabel = lines.before.length <= MAX_LABEL && isOfOtherPrice(lines.before)
  const isUnit =
    lines.after.length <= MAX_LABEL &&
    /^\W{0,3}(?:\/|per|pro|je|par|al|por|za|за|mtl|month|monat|mois|mes)(?!\p{L})/iu.test(
      lines.after.trim(),
    )
  return !isLabel && !isUnit
}

const WORD = /\d{1,2}(?:[.,]\d)? ?%|[\p{L}.]+/giu
const ALONE = new RegExp(`^(?:${WITH_PRICE.source})\\.?$`, 'iu')
const isWithPrice = (word: string): boolean => ALONE.test(word) || /^\.+$/.test(word)
