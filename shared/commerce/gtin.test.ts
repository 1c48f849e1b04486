import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gtinProblem } from './gtin.ts'

test.each([
  ['4006381333931', null],
  ['4 006381-333931', null],
  ['96385074', null],
  ['614141007349', null],
  ['10614141000415', null],
  ['4006381333932', 'ends in 2, expected the check digit 1'],
  ['400638133393', 'ends in 3, expected the check digit 0'],
  ['40063813339', 'has 11 digits, expected 8, 12, 13 or 14'],
  ['', 'has 0 digits, expected 8, 12, 13 or 14'],
  ['N/A', 'contains characters other than digits'],
  ['400638133393１', 'contains characters other than digits'],
  ['0000000000000', 'consists only of zeros'],
  [
    '2000000000008',
    'begins with a prefix that GS1 reserves for goods that a store weighs or numbers itself',
  ],
  [
    '0200000000004',
    'begins with a prefix that GS1 reserves for goods that a store weighs or numbers itself',
  ],
  ['400000000008', 'begins with a prefix that GS1 reserves for use within one company'],
  ['0500000000005', 'begins with a prefix that GS1 reserves for coupons'],
  [
    '20000004',
    'begins with a prefix that GS1 reserves for goods that a store weighs or numbers itself',
  ],
  ['04210009', null],
  ['9800000000007', 'begins with a prefix that GS1 reserves for coupons'],
])('%s: %s', (value, problem) => {
  expect(gtinProblem(value)).toBe(problem)
})

test('every changed digit is noticed', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 1, max: 9 }), (at, by) => {
      const digits = [...'4006381333931']
      digits[at] = String((Number(digits[at]) + by) % 10)
      expect(gtinProblem(digits.join(''))).toMatch(/check digit/)
    }),
  )
})
