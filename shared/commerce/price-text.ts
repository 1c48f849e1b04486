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

/** Signs that stand for one currency alone. */
const SIGNS: readonly (readonly [sign: string, code: string])[] = [
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['US$', 'USD'],
  ['R$', 'BRL'],
  ['₹', 'INR'],
  ['₽', 'RUB'],
  ['₺', 'TRY'],
  ['₩', 'KRW'],
  ['₪', 'ILS'],
  ['₴', 'UAH'],
  ['₫', 'VND'],
  ['zł', 'PLN'],
  ['Kč', 'CZK'],
]

/** Longer text is no price. */
const MAX_LENGTH = 60

/** A number with its separators; blanks and apostrophes only between groups of three digits. */
const NUMBER = /\d+(?:[\s'’]\d{3}(?!\d))*(?:[.,]\d+)*/g

/**
 * Reads a price to compare it with another. What text means for a shop's customers stays a guess,
 * so that it must never be stored or shown as the price.
 */
export function readPriceText(written: string): PriceText {
  const text = written.slice(0, MAX_LENGTH)
  const numbers = text.match(NUMBER) ?? []
  const [number] = numbers
  const isOne = numbers.length === 1 && written.length <= MAX_LENGTH && !/-\s*\d/.test(text)
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
    return /^\d{1,3}([.,]\d{3})+$/.test(whole)
      ? [`${joined.slice(0, -fraction.length)}.${fraction}`]
      : []
  }
  if (/[.,]/.test(whole)) return /^\d{1,3}([.,]\d{3})+$/.test(number) ? [joined] : []
  const decimal = `${whole}.${fraction}`
  const mayGroup = fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole)
  if (!mayGroup) return [decimal]
  return separators[0] === '.' ? [decimal, joined] : [joined, decimal]
}

function currencyIn(text: string): string | null {
  const code = (text.match(/\b[A-Za-z]{3}\b/g) ?? [])
    .map((word) => word.toUpperCase())
    .find(isCurrency)
  return code ?? SIGNS.find(([sign]) => text.includes(sign))?.[1] ?? null
}

/** Whether two plain decimals are one amount of the currency: 29.989999 EUR is 29.99 EUR. */
export function isSameAmount(one: string, other: string, currency: string | null): boolean {
  const scale = 10 ** (currency === null ? 3 : exponentOf(currency))
  return Math.round(Number(one) * scale) === Math.round(Number(other) * scale)
}
