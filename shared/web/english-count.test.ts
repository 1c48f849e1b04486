import { expect, test } from 'vitest'
import { englishCount } from './english-count.ts'

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
