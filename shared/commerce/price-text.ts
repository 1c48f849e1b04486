import { exponentOf, isCurrency } from './iso.ts'

/** A price as people write it: `26,00 €`, `$1,299`, `1.299,00`, `1'299.- CHF`. */
interface PriceText {
  /**
   * Plain decimals that it may mean, the likeliest first: `1.299` is 1.299 or 1299. Empty for text
   * without a price, and for a range.
   */
  decimals: string[]
  /** ISO 4217; null without one, and for signs that several currencies share, such as `$`. */
  currency: string | null
}

/** Signs that stand for one currency alone: not `$`, `¥`, `kr`, `Rs` or `руб`. */
const SIGNS = new Map([
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['US$', 'USD'],
  ['AU$', 'AUD'],
  ['CA$', 'CAD'],
  ['HK$', 'HKD'],
  ['MX$', 'MXN'],
  ['NT$', 'TWD'],
  ['NZ$', 'NZD'],
  ['R$', 'BRL'],
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
  ['฿', 'THB'],
  ['₱', 'PHP'],
  ['₦', 'NGN'],
  ['₸', 'KZT'],
  ['৳', 'BDT'],
  ['RM', 'MYR'],
  ['Rp', 'IDR'],
  ['zł', 'PLN'],
  ['Kč', 'CZK'],
  ['Ft', 'HUF'],
])

const LETTER = /[\p{Script=Latin}\p{Script=Cyrillic}]/u

/**
 * One of them: `19,99€inkl.` is in euros. A sign that begins or ends with a letter is not a part of
 * a longer word there, as in `FORM 12`.
 */
const SIGN = new RegExp(
  [...SIGNS.keys()]
    .map((sign) => {
      const before = LETTER.test(sign[0] ?? '') ? `(?<!${LETTER.source}|\\$)` : ''
      const after = LETTER.test(sign.at(-1) ?? '') ? `(?!${LETTER.source})` : ''
      return `${before}${sign.replace('$', '\\$')}${after}`
    })
    .join('|'),
  'u',
)

/** Longer text is no price. */
const MAX_LENGTH = 60

/**
 * A number with its separators; blanks and apostrophes only between groups of three digits. `.99`
 * begins with its point, but the point of `Rs.499` is the word's.
 */
const NUMBER = /\d+(?:[\s'’]\d{3}(?!\d))*(?:[.,]\d+)*|(?<=^|[\s\p{Sc}])\.\d{1,2}(?!\d)/gu

/** Thousands in threes, or as India writes them: `1,23,456`. */
const GROUPED = /^(?:\d{1,3}([.,]\d{3})+|\d{1,2}(,\d{2})+,\d{3})$/

/** The zeros of Arabic, Persian, Hindi, Bengali and Thai, each of which nine more digits follow. */
const ZEROS = ['٠', '۰', '०', '০', '๐'].map((zero) => zero.charCodeAt(0))

/** `１２，８００` and `١٢٫٥` in the digits and separators of ASCII; `129¹` keeps its footnote. */
const inAscii = (text: string): string =>
  text
    .replace(/[\uff01-\uff5e\uffe0-\uffe6]/g, (wide) => wide.normalize('NFKC'))
    .replace(/[٫٬]/g, (separator) => (separator === '٫' ? '.' : ','))
    .replace(/\p{Nd}/gu, (digit) => {
      const zero = ZEROS.find(
        (zero) => digit.charCodeAt(0) >= zero && digit.charCodeAt(0) <= zero + 9,
      )
      return zero === undefined ? digit : String(digit.charCodeAt(0) - zero)
    })

/** `1.5万`: ten thousands, so that the number alone is not the amount. */
const COUNTED_IN_THOUSANDS = /\d\s*[万萬億만]/

/**
 * Reads a price to compare it with another. What text means for a shop's customers stays a guess,
 * so that it must never be stored or shown as the price.
 */
export function readPriceText(written: string): PriceText {
  const text = inAscii(written.slice(0, MAX_LENGTH))
  const numbers = text.match(NUMBER) ?? []
  const [number] = numbers
  const isOne =
    numbers.length === 1 &&
    written.length <= MAX_LENGTH &&
    !/-\s*\d/.test(text) &&
    !COUNTED_IN_THOUSANDS.test(text)
  return {
    decimals: isOne && number !== undefined ? decimalsOf(number.replace(/[\s'’]/g, '')) : [],
    currency: currencyIn(text),
  }
}

function decimalsOf(number: string): string[] {
  const separators = [...new Set(number.match(/[.,]/g) ?? [])]
  const last = Math.max(number.lastIndexOf('.'), number.lastIndexOf(','))
  if (last === -1) return [number]
  const [whole, fraction] = [number.slice(0, last), number.slice(last + 1)]
  const joined = number.replace(/[.,]/g, '')
  if (separators.length === 2) {
    // The last one is the decimal sign: those before it must group thousands.
    return GROUPED.test(whole) ? [`${joined.slice(0, -fraction.length)}.${fraction}`] : []
  }
  if (/[.,]/.test(whole)) return GROUPED.test(number) ? [joined] : []
  const decimal = `${whole || '0'}.${fraction}`
  const mayGroup = fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole)
  if (!mayGroup) return [decimal]
  return separators[0] === '.' ? [decimal, joined] : [joined, decimal]
}

function currencyIn(text: string): string | null {
  const code = (text.match(/\b[A-Za-z]{3}\b/g) ?? [])
    .map((word) => word.toUpperCase())
    .find(isCurrency)
  return code ?? SIGNS.get(SIGN.exec(text)?.[0] ?? '') ?? null
}

/** Whether two plain decimals are one amount of the currency: 29.989999 EUR is 29.99 EUR. */
export function isSameAmount(one: string, other: string, currency: string | null): boolean {
  const scale = 10 ** (currency === null ? 3 : exponentOf(currency))
  return Math.round(Number(one) * scale) === Math.round(Number(other) * scale)
}
