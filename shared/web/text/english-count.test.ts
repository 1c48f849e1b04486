import { expect, test } from 'vitest'
import { counted, englishCount } from './english-count.ts'

test.each([
  0,
  7,
  999,
  1_000,
  12_345,
  100_000,
  1_234_567,
  -1_000,
  -999,
  2 ** 53 - 1,
  0.5,
  1234.5678,
  2 ** 60,
  Number.NaN,
  Number.POSITIVE_INFINITY,
])('%s is written as Intl writes it', (count) => {
  expect(englishCount(count)).toBe(count.toLocaleString('en'))
})

test.each([
  [0, '0 gaps'],
  [1, '1 gap'],
  [1.5, '1.5 gaps'],
  [12_345, '12,345 gaps'],
])('%d with its noun', (count, text) => expect(counted(count, 'gap')).toBe(text))
