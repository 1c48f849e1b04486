import { exponentOf, isCurrency } from './iso.ts'

/** A price as people write it: `26,00 €`, `$1,299`, `1.299,00`, `1'299.- CHF`. */
interface PriceText {
  /**
   * The plain decimals that it may mean, the likeliest first: `1.299` is 1.299 or 1299. Empty for
   * text without a price, and for a range.
   */
  decimals: string[]
  /** ISO 4217; null if there is none, or only a sign that several currencies share, such as `$`. */
  currency: string | null
}

/** Signs of exactly one currency: not `$`, `¥`, `kr`, `Rs` or `руб`. */
const SIGNS = new Map([
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['US$', 'USD'],
  ['A$', 'AUD'],
  ['AU$', 'AUD'],
  ['CA$', 'CAD'],
  ['HK$', 'HKD'],
  ['MX$', 'MXN'],
  ['NT$', 'TWD'],
  ['NZ$', 'NZD'],
  ['R$', 'BRL'],
  ['RD$', 'DOP'],
  ['S$', 'SGD'],
  ['₹', 'INR'],
  ['₽', 'RUB'],
  ['₺', 'TRY'],
  ['TL', 'TRY'],
  ['₩', 'KRW'],
  ['원', 'KRW'],
  ['円', 'JPY'],
  ['₪', 'ILS'],
  ['₴', 'UAH'],
  ['грн', 'UAH'],
  ['₫', 'VND'],
  ['đ', 'VND'],
  ['฿', 'THB'],
  ['₱', 'PHP'],
  ['₦', 'NGN'],
  ['₸', 'KZT'],
  ['৳', 'BDT'],
  ['₵', 'GHS'],
  ['₡', 'CRC'],
  ['₲', 'PYG'],
  ['₼', 'AZN'],
  ['₾', 'GEL'],
  ['֏', 'AMD'],
  ['₮', 'MNT'],
  ['៛', 'KHR'],
  ['E£', 'EGP'],
  ['S/', 'PEN'],
  ['KD', 'KWD'],
  ['RM', 'MYR'],
  ['Rp', 'IDR'],
  ['zł', 'PLN'],
  ['Zł', 'PLN'],
  ['Kč', 'CZK'],
  ['Ft', 'HUF'],
  ['ر.س', 'SAR'],
  ['د.إ', 'AED'],
  ['د.ك', 'KWD'],
  ['د.ب', 'BHD'],
  ['ر.ق', 'QAR'],
  ['ر.ع', 'OMR'],
  ['ج.م', 'EGP'],
])

/** Signs of several currencies. Of `R$`, `C$` and the like, some shops leave the letter away. */
const SHARED: readonly { sign: RegExp; of: string }[] = [
  {
    sign: /\$/,
    of: 'USD AUD CAD NZD HKD SGD TWD MXN ARS CLP COP UYU DOP CUP BRL NIO BBD BMD BND BSD BZD CVE FJD GYD JMD KYD LRD MOP NAD PAB PHP SBD SRD TOP TTD WST XCD ZWG ZWL',
  },
  { sign: /(?<!\p{L})kr(?!\p{L})/iu, of: 'SEK NOK DKK ISK' },
  { sign: /¥/, of: 'JPY CNY' },
  { sign: /(?<!\p{L})Rs(?!\p{L})/iu, of: 'INR PKR LKR NPR MUR SCR' },
]

const LETTER = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Arabic}]/u

/**
 * One of these signs: `19,99€inkl.` is in euros. A sign that begins or ends with a letter must not
 * be part of a longer word, as in `FORM 12` and `S/M 12`. The pounds of Lebanon and Syria, `LB£`
 * and `SY£`, are not sterling; `US $5` has a blank.
 */
const SIGN = new RegExp(
  [...SIGNS.keys()]
    .map((sign) => {
      const before = LETTER.test(sign[0] ?? '') ? `(?<!${LETTER.source}|\\$)` : ''
      const after = LETTER.test(sign.at(-1) ?? '') || sign === 'S/' ? `(?!${LETTER.source})` : ''
      const written = sign.replace(/[$./]/g, '\\$&').replace(/^([A-Z]{2})(?=\\)/, '$1 ?')
      return `${sign === '£' ? '(?<!LB|SY)' : before}${written}${after}`
    })
    .join('|'),
  'u',
)

/** Three letters that may be a code, also joined to the number, as in `79.95AUD`. */
const CODE = /(?<!\p{L})[A-Za-z]{3}(?!\p{L})/gu

/** Longer text is not read as a price. */
const MAX_LENGTH = 60

/**
 * A number with its separators. Blanks and apostrophes count only between groups of three digits.
 * `.99` begins with its point, but the point of `Rs.499` belongs to the word.
 */
const NUMBER = /\d+(?:[\s'’]\d{3}(?!\d))*(?:[.,]\d+)*|(?<=^|[\s\p{Sc}])\.\d{1,2}(?!\d)/gu

/** Groups of three, or India's groups: `1,23,456`. */
const GROUPED = /^(?:\d{1,3}([.,]\d{3})+|\d{1,2}(,\d{2})+,\d{3})$/

/** The zeros of Arabic, Persian, Hindi, Bengali and Thai; the other nine digits follow each. */
const ZEROS = ['٠', '۰', '०', '০', '๐'].map((zero) => zero.charCodeAt(0))

/**
 * Converts the digits and separators of `１２，８００` and `١٢٫٥` to ASCII; `129¹` keeps its footnote.
 */
const inAscii = (text: string): string =>
  text
    .replace(/[\uff01-\uff5e\uffe0-\uffe6]/g, (wide) => wide.normalize('NFKC'))
    .replace(/[٫٬]/g, (separator) => (separator === '٫' ? '.' : ','))
    .replace(/(?![0-9])\p{Nd}/gu, (digit) => {
      const zero = ZEROS.find(
        (zero) => digit.charCodeAt(0) >= zero && digit.charCodeAt(0) <= zero + 9,
      )
      return zero === undefined ? digit : String(digit.charCodeAt(0) - zero)
    })

/** In `1.5万` and `350k` the number alone is not the amount, and `99¢` is in a smaller unit. */
const COUNTED_OTHERWISE = /\d\s*[万萬億만¢]|\d[kM](?!\p{L})/u

/** A discount: `129,00 € (-15%)`. */
const PERCENTAGE = /[-−]?\s*\d+(?:[.,]\d+)?\s*%|%\s?\d+(?!\d|[.,]\d)/g

/**
 * A minus sign. Not one: the dash of `Was - $9`, which is apart from the sign, and of India's
 * `MRP:-₹499`.
 */
const NEGATIVE = /(?<!:)[-−](?:\s*|\p{Sc}\s*)\d|^\s*–(?:\s*|\p{Sc}\s*)\d/u

/** `1.299,-`: the ending of a number without decimals. */
const WHOLE_END = /^[.,:]\s?[-–—]/

/**
 * Reads a price for comparison. What a text means to a shop's customers stays a guess, so it must
 * never be stored or shown as the price.
 */
export function readPriceText(written: string): PriceText {
  const text = inAscii(written.slice(0, MAX_LENGTH)).replace(PERCENTAGE, ' ')
  const numbers = [...text.matchAll(NUMBER)]
  const [number] = numbers
  const isOne =
    numbers.length === 1 &&
    written.length <= MAX_LENGTH &&
    !NEGATIVE.test(text) &&
    !COUNTED_OTHERWISE.test(text)
  const currency = currencyIn(text, number)
  if (!isOne || number === undefined) return { decimals: [], currency }
  const isWhole =
    (currency !== null && exponentOf(currency) === 0) || WHOLE_END.test(text.slice(endOf(number)))
  return { decimals: decimalsOf(number[0].replace(/[\s'’]/g, ''), isWhole), currency }
}

const endOf = (match: RegExpMatchArray): number => (match.index ?? 0) + match[0].length

/** `isWhole`: three digits after a separator are not decimals, as in `12.500 ₫`. */
function decimalsOf(number: string, isWhole: boolean): string[] {
  const separators = [...new Set(number.match(/[.,]/g) ?? [])]
  const last = Math.max(number.lastIndexOf('.'), number.lastIndexOf(','))
  if (last === -1) return [number]
  const [whole, fraction] = [number.slice(0, last), number.slice(last + 1)]
  const joined = number.replace(/[.,]/g, '')
  if (separators.length === 2) {
    // The last separator is the decimal sign if those before it group thousands.
    return GROUPED.test(whole) ? [`${joined.slice(0, -fraction.length)}.${fraction}`] : []
  }
  if (/[.,]/.test(whole)) return GROUPED.test(number) ? [joined] : []
  const decimal = `${whole || '0'}.${fraction}`
  const mayGroup = fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole)
  if (!mayGroup) return [decimal]
  if (isWhole) return [joined]
  return separators[0] === '.' ? [decimal, joined] : [joined, decimal]
}

/**
 * The currency by a sign or a code in capitals. If they contradict each other, as in `TOP 12,99 €`,
 * the sign alone proves nothing. Other words, such as `all`, are codes only directly next to the
 * number.
 */
function currencyIn(text: string, number: RegExpMatchArray | undefined): string | null {
  const signed = SIGNS.get(SIGN.exec(text)?.[0].replace(' ', '') ?? '') ?? null
  const words = [...text.matchAll(CODE)].filter(([word]) => isCurrency(word.toUpperCase()))
  const code = words.find(([word]) => isCurrency(word))?.[0] ?? null
  if (code !== null) return signed === null || signed === code ? code : null
  if (signed !== null || number === undefined) return signed
  const isAdjacent = (word: RegExpMatchArray): boolean => {
    const [from, to] = [
      Math.min(endOf(number), endOf(word)),
      Math.max(number.index ?? 0, word.index ?? 0),
    ]
    return /^\s*$/.test(text.slice(from, to))
  }
  return words.find(isAdjacent)?.[0].toUpperCase() ?? null
}

/** The currencies that a price may be in: its own, else those that share its sign, else none. */
export function currenciesOf(price: { value: string; currency: string | null }): string[] {
  if (price.currency !== null) return [price.currency]
  const text = inAscii(price.value.slice(0, MAX_LENGTH))
  return SHARED.find(({ sign }) => sign.test(text))?.of.split(' ') ?? []
}

/** Whether two plain decimals are one amount of the currency: 29.989999 EUR is 29.99 EUR. */
export function isSameAmount(one: string, other: string, currency: string | null): boolean {
  const scale = 10 ** (currency === null ? 3 : exponentOf(currency))
  return Math.round(Number(one) * scale) === Math.round(Number(other) * scale)
}

/** The price format of Google and OpenAI, without the blank: `1299.00 USD`. */
const FORM = /^\s*\d+\.\d+\s*[a-z]{3}\s*$/i

/**
 * What a price of a feed may mean, in major units, the likeliest first. In the format of Google and
 * OpenAI the point is the decimal sign, so `1.299 USD` is not 1299, except for currencies without
 * decimals. In other formats, such as `Rp 169.000`, it may be either. Empty for text that is not a
 * price.
 */
export function readFeedPrice(written: string): { decimals: string[]; currency: string | null } {
  const { decimals, currency } = readPriceText(written)
  return { decimals: FORM.test(written) ? decimals.slice(0, 1) : decimals, currency }
}
