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
