/** Signs of currencies, before or after the amount. */
const SIGNS =
  '[$€£¥￥৳₹₽₺₩₫₴฿₪₦₱₲₡₵₸₼₾₮₭៛﷼¢]|[A-Z]{1,3}\\$|S\\/|Bs|Gs|[zZ][łl]|K[čc]|Ft|kr\\.?|Lei|lei|RON|FCFA|[KTU]Sh|Ksh|Dhs?|лв\\.?|руб\\.?|р\\.|грн\\.?|₸|тг|сум|ден\\.?|дин\\.?|РСД|рсд|din\\.?|KM|Lekë?|Rs\\.?|Rp\\.?|RM|TL|Fr\\.|SFr\\.?|ر\\.س\\.?|د\\.إ\\.?|ج\\.م\\.?|د\\.ك\\.?|ر\\.ق|ر\\.ع\\.?|ريال|درهم|جنيه|دينار|تومان|ریال|ש"ח|円|元|圆|원|บาท|đ|€uro|Euro'

/** Those that begin names and numbers as well, such as `ГОСТ Р 52931`: only after the amount. */
const SIGNS_AFTER = 'Р|CFA|LEI'

/** Codes (ISO 4217) that stores write in place of a sign. */
const CODES =
  'USD|EUR|GBP|CHF|JPY|CNY|CAD|AUD|NZD|SEK|NOK|DKK|ISK|PLN|CZK|HUF|RON|BGN|HRK|RSD|MKD|BAM|ALL|TRY|RUB|UAH|KZT|GEL|AMD|AZN|ILS|AED|SAR|QAR|KWD|BHD|OMR|JOD|EGP|MAD|TND|ZAR|NGN|KES|GHS|INR|PKR|LKR|NPR|BDT|THB|VND|IDR|MYR|SGD|PHP|HKD|TWD|KRW|BRL|ARS|CLP|COP|PEN|UYU|PYG|BOB|MXN|CRC|DOP|GTQ'

// Every quantifier has a bound, so that the search is linear in the text. Digits are grouped in
// threes, in India in twos above the thousand.
const AMOUNT =
  "\\p{Nd}{1,9}(?:(?:,\\p{Nd}{2}){1,3},\\p{Nd}{3}(?!\\p{Nd})|(?:[.,'’\\u00a0\\u202f٬ ]\\p{Nd}{3}(?!\\p{Nd})){0,3})(?:[.,٫]\\p{Nd}{1,4})?"
const BLANK = '[ \\u00a0\\u202f]?'
// In "iPhone 15 €799.00" the name ends in a number, and the sign belongs to what follows; "19€99"
// is one price.
const OF_NEXT = '\\p{Nd}{3}|\\p{Nd}{1,2}[.,]\\p{Nd}'
const BEFORE = `(?:(?<![\\p{L}\\p{Nd}])(?:${SIGNS}|${CODES})|(?<=\\p{Nd})\\p{Sc}):?(?:${BLANK}|\\n)${AMOUNT}`
// Guatemala's Q is also before quarters and vitamins, and South Africa's R before models and
// versions: only with cents it is money, and not in `R2.10`.
const ONE_LETTER = `(?<![\\p{L}\\p{Nd}])(?:Q|R(?!\\p{Nd}\\.))${BLANK}\\p{Nd}{1,3}(?:[, ]\\p{Nd}{3}){0,3}\\.\\p{Nd}{2}(?!\\p{Nd})`
const AFTER = `(?<![\\p{Nd}.,])${AMOUNT}(?:[,.][-–—]{1,2})?(?:${BLANK}(?:(?:${SIGNS}|${CODES})(?!\\p{L}|${OF_NEXT})|(?:${SIGNS_AFTER})(?![\\p{L}\\p{Nd}]))|\\n(?:${SIGNS}|${CODES}|${SIGNS_AFTER})(?!\\p{L}|[ \\n]?\\p{Nd}))`
const PRICE = new RegExp(`${BEFORE}|${ONE_LETTER}|${AFTER}`, 'gu')

/**
 * The prices in a text with their positions, as written; at most `most`. A line of the text is one
 * element of the page, or one row of elements.
 */
export function findPrices(text: string, most: number): { at: number; text: string }[] {
  const found: { at: number; text: string }[] = []
  for (const match of text.matchAll(PRICE)) {
    found.push({ at: match.index, text: match[0].replace(/\s+/g, ' ').trim() })
    if (found.length === most) break
  }
  return found
}

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
