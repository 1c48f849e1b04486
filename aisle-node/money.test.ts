import { expect, test } from 'vitest'
import { exponentOf, isCurrency } from '../shared/commerce/iso.ts'
import { inSmallestUnit } from './money.ts'

test.each<[string | number, string, number]>([
  ['49.99', 'USD', 4999],
  [49.99, 'usd', 4999],
  ['1.15', 'EUR', 115],
  ['8.165', 'EUR', 817],
  ['0', 'EUR', 0],
  ['100', 'EUR', 10_000],
  ['1500.00', 'JPY', 1500],
  ['1.234', 'KWD', 1234],
  [' 5.5 ', 'USD', 550],
])('%j %s is %d', (amount, currency, value) => {
  expect(inSmallestUnit(amount, currency)).toBe(value)
})

const ENDLESS = '9'.repeat(400)
const LARGE = '90071992547409.93'
test.each(['', '-1', '1,50', '1e3', 'free', Number.NaN, Number.POSITIVE_INFINITY, ENDLESS, LARGE])(
  '%j is not an amount',
  (amount) => {
    expect(inSmallestUnit(amount, 'USD')).toBeNaN()
  },
)

test.each([undefined, null, '', 'US', 'dollars', '€', 978, {}])(
  '%j is not a currency',
  (currency) => {
    expect(inSmallestUnit('49.99', currency as string)).toBeNaN()
  },
)

test('every currency has the decimals that the API counts with', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const codes = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)))
  for (const code of codes.filter(isCurrency)) {
    expect(inSmallestUnit('1', code), code).toBe(10 ** exponentOf(code))
  }
})
