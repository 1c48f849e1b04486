import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countJsonValues, shown } from './json.ts'

const valuesIn = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, each) => sum + valuesIn(each), 1)
    : 1

test('no JSON holds more values than were counted', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(countJsonValues(text)).toBeGreaterThanOrEqual(valuesIn(JSON.parse(text)))
    }),
  )
})

test.each([
  ['1', 1],
  ['[1,2,3]', 4],
  ['{"a":1}', 2],
  ['["a,[{\\",", "b"]', 3],
  ['{},'.repeat(1_000), 2_001],
  ['"', 1],
])('%j counts as %d values at most', (text, count) => {
  expect(countJsonValues(text)).toBe(count)
})

test('of a long text, no more is shown than of a short one', () => {
  expect(shown('x'.repeat(1_000_000))).toBe(shown('x'.repeat(100)))
  expect(shown('x'.repeat(1_000_000))).toHaveLength(80)
})
