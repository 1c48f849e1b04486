/** Digits as people write card numbers, with at most three separators between two of them. */
const RUN = /\d(?:[\s.\p{Pd}\p{Cf}]{0,3}\d){12,}/gu

/**
 * Ids and tokens are often UUIDs, and one in a few hundred contains digits that pass for a card
 * number.
 */
const UUID = /(?<![\p{L}\p{N}])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\p{L}\p{N}])/giu

/** One in ten numbers of 13 digits passes for a card number. */
const TELEPHONE = /^\s*\+(?:[\s().\p{Pd}]*\d){1,15}\s*$/u

/**
 * Whether a value holds a card number anywhere, also in the keys of objects: 13 to 19 digits,
 * grouped in any way, with a first digit that cards have (ISO/IEC 7812) and Luhn's check digit. Not
 * a card number: a token of letters and digits, a UUID, and text that is only an international
 * telephone number (E.164: a plus and at most 15 digits). Never throws, at any depth.
 */
export function cardNumberIn(value: unknown): boolean {
  const rest: unknown[] = [value]
  while (rest.length > 0) {
    const next = rest.pop()
    if (typeof next === 'object' && next !== null) {
      for (const [key, inner] of Object.entries(next)) rest.push(key, inner)
    } else if (typeof next === 'string' && textHasCardNumber(next)) {
      return true
    } else if (typeof next === 'number' && isCardNumeral(next)) {
      return true
    }
  }
  return false
}

function textHasCardNumber(text: string): boolean {
  if (TELEPHONE.test(text)) return false
  return [...text.normalize('NFKC').replace(UUID, '').matchAll(RUN)].some(([run]) => {
    const groups = run.match(/\d+/g) ?? []
    return groups.some((_, first) => startsCardNumber(groups.slice(first, first + 19)))
  })
}

/** A number ends where a group ends: the next group may be its expiry date. */
function startsCardNumber(groups: readonly string[]): boolean {
  let digits = ''
  for (const group of groups) {
    digits += group
    if (digits.length > 19) return false
    if (isCardNumber(digits)) return true
  }
  return false
}

/**
 * Beyond 2^53 the last digits are lost, and the check digit with them: no payment method has such a
 * number.
 */
const isCardNumeral = (value: number): boolean =>
  Number.isSafeInteger(value) ? isCardNumber(String(value)) : value > 2 ** 53 && value < 1e19

const isCardNumber = (digits: string): boolean => /^[2-69]\d{12,18}$/.test(digits) && luhn(digits)

function luhn(digits: string): boolean {
  let sum = 0
  for (const [index, digit] of [...digits].toReversed().entries()) {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2)
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
