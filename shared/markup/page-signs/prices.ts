/** Signs of currencies, before or after the amount. */
const SIGNS =
  '[$€£¥₹₽₺₩₫₴฿₪₦₱₲₡₵₸₼₾₮₭៛﷼¢]|R\\$|US\\$|C\\$|A\\$|NT\\$|HK\\$|S\\/|Bs|Gs|z[łl]|K[čc]|Ft|kr\\.?|Lei|lei|RON|лв\\.?|руб\\.?|р\\.|грн\\.?|₸|тг|сум|ден\\.?|дин\\.?|din\\.?|KM|Rs\\.?|Rp\\.?|RM|TL|Fr\\.|SFr\\.?|ر\\.س\\.?|د\\.إ\\.?|ج\\.م\\.?|د\\.ك\\.?|ر\\.ق|ريال|درهم|جنيه|دينار|تومان|ریال|ש"ח|円|元|圆|원|บาท|đ|€uro|Euro'

/** Codes (ISO 4217) that shops write in place of a sign. */
const CODES =
  'USD|EUR|GBP|CHF|JPY|CNY|CAD|AUD|NZD|SEK|NOK|DKK|ISK|PLN|CZK|HUF|RON|BGN|HRK|RSD|MKD|BAM|ALL|TRY|RUB|UAH|KZT|GEL|AMD|AZN|ILS|AED|SAR|QAR|KWD|BHD|OMR|JOD|EGP|MAD|TND|ZAR|NGN|KES|GHS|INR|PKR|LKR|NPR|BDT|THB|VND|IDR|MYR|SGD|PHP|HKD|TWD|KRW|BRL|ARS|CLP|COP|PEN|UYU|PYG|BOB|MXN|CRC|DOP|GTQ'

// No quantifier without a bound, so that the search is linear in the text.
const AMOUNT =
  "\\p{Nd}{1,9}(?:[.,'’\\u00a0\\u202f٬ ]\\p{Nd}{3}(?!\\p{Nd})){0,3}(?:[.,٫]\\p{Nd}{1,4})?"
const PRICE = new RegExp(
  `(?<![\\p{L}\\p{Nd}])(?:${SIGNS}|${CODES}):?[ \\u00a0\\u202f]?${AMOUNT}|(?<![\\p{Nd}.,])${AMOUNT}(?:[,.][-–—]{1,2})?[ \\u00a0\\u202f]?(?:${SIGNS}|${CODES})(?![\\p{L}])`,
  'gu',
)

/** Where prices stand in a text, and how they are written; at most `most`. */
export function findPrices(text: string, most: number): { at: number; text: string }[] {
  const found: { at: number; text: string }[] = []
  for (const match of text.matchAll(PRICE)) {
    found.push({ at: match.index, text: match[0].trim() })
    if (found.length === most) break
  }
  return found
}
