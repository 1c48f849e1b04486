/** GTIN-8, GTIN-12 (UPC), GTIN-13 (EAN) and GTIN-14, the four lengths that GS1 assigns. */
const LENGTHS = [8, 12, 13, 14]

/**
 * GS1 prefixes of a GTIN-13 whose numbers do not name a product of the market:
 * https://www.gs1.org/standards/id-keys/company-prefix
 */
const RESTRICTED: readonly { prefix: RegExp; use: string }[] = [
  { prefix: /^0?2/, use: 'goods that a store weighs or numbers itself' },
  { prefix: /^04/, use: 'use within one company' },
  { prefix: /^05/, use: 'coupons' },
  { prefix: /^9[89]/, use: 'coupons' },
]

/**
 * Why a GTIN is invalid, in words that follow "it"; null for a valid one: 8, 12, 13 or 14 digits
 * (spaces and dashes are ignored), a correct check digit, and a prefix that GS1 assigns to
 * products.
 */
export function gtinProblem(value: string): string | null {
  const digits = value.replace(/[\s-]/g, '')
  if (!/^\d*$/.test(digits)) return 'contains characters other than digits'
  if (!LENGTHS.includes(digits.length)) {
    return `has ${digits.length} digits, expected 8, 12, 13 or 14`
  }
  if (/^0+$/.test(digits)) return 'consists only of zeros'
  const expected = checkDigit(digits.slice(0, -1))
  if (digits.at(-1) !== expected) {
    return `ends in ${digits.at(-1)}, expected the check digit ${expected}`
  }
  // A GTIN-8 has its own prefixes (GS1-8); 2 has the same meaning there.
  const prefixed = digits.length === 8 ? digits.slice(0, 1) : digits.padStart(14, '0').slice(1)
  const use = RESTRICTED.find(({ prefix }) => prefix.test(prefixed))?.use
  return use === undefined ? null : `begins with a prefix that GS1 reserves for ${use}`
}

/**
 * GS1 General Specifications: modulo 10 with weights 3 and 1 from the right, over all digits but
 * the last.
 */
function checkDigit(digits: string): string {
  let sum = 0
  for (const [index, digit] of [...digits].reverse().entries()) {
    sum += Number(digit) * (index % 2 === 0 ? 3 : 1)
  }
  return String((10 - (sum % 10)) % 10)
}
