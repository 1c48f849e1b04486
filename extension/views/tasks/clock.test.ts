import { expect, test } from 'vitest'
import { clockText, secondsLeft } from './clock.ts'

test.each([
  [31_000, 1000, 30],
  [31_000, 1001, 30],
  [31_000, 30_999, 1],
  [31_000, 31_000, 0],
  [31_000, 99_000, 0],
])('until %i at %i there are %i s', (end, now, left) => {
  expect(secondsLeft(end, now)).toBe(left)
})

test.each([
  [0, '0:00'],
  [9, '0:09'],
  [61, '1:01'],
  [3541, '59:01'],
])('%i s are %s', (seconds, text) => {
  expect(clockText(seconds)).toBe(text)
})
