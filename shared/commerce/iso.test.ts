import { expect, test } from 'vitest'
import { exponentOf, isCountry, isCurrency } from './iso.ts'

const codes = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const pairs = codes.flatMap((a) => codes.map((b) => a + b))

test('there are 249 countries', () => {
  expect(pairs.filter(isCountry)).toHaveLength(249)
  expect(isCountry('us')).toBe(false)
  for (const code of ['EU', 'XK', 'UK', 'ZZ', 'SU']) expect(isCountry(code)).toBe(false)
})

test('currencies are active ISO 4217 codes', () => {
  for (const code of ['USD', 'JPY', 'XCG', 'HUF']) expect(isCurrency(code)).toBe(true)
  for (const code of ['usd', 'XXX', 'DEM', 'HRK', 'BGN', '']) expect(isCurrency(code)).toBe(false)
})

test.each([
  ['USD', 2],
  ['JPY', 0],
  ['KWD', 3],
  ['IQD', 3],
  ['HUF', 2],
  ['COP', 2],
  ['CLP', 0],
])('%s has %i decimals', (code, digits) => expect(exponentOf(code)).toBe(digits))
