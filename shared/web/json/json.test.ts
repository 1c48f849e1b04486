import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { countJsonValues, shown, withoutNulls } from './json.ts'

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

const Body = z.strictObject({
  id: z.string(),
  note: z.string().optional(),
  cleared: z.string().nullish(),
  lines: z.array(z.object({ sku: z.string(), size: z.string().optional() })).optional(),
  more: z.looseObject({ value: z.int().optional() }).optional(),
})

test.each<[string, unknown, unknown]>([
  ['an optional field', { id: 'a', note: null }, { id: 'a' }],
  ['an optional list', { id: 'a', lines: null }, { id: 'a' }],
  [
    'a field inside of a list',
    { id: 'a', lines: [{ sku: 's', size: null }, null] },
    { id: 'a', lines: [{ sku: 's' }, null] },
  ],
  [
    'a field inside of an object, but not one that is not known',
    { id: 'a', more: { value: null, other: null } },
    { id: 'a', more: { other: null } },
  ],
])('%s: null is left out', (_, body, expected) => {
  expect(withoutNulls(Body, body)).toEqual(expected)
})

test.each([
  { id: null },
  { id: 'a', cleared: null },
  { id: 'a', unknown: null },
  JSON.parse('{"id":"a","__proto__":null}'),
  null,
  7,
  [null],
])('%j keeps its null', (body) => {
  const before = JSON.stringify(body)
  expect(JSON.stringify(withoutNulls(Body, body))).toBe(before)
})
