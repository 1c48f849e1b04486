import { expect, test } from 'vitest'
import * as z from 'zod'
import { withoutNulls } from './nulls.ts'

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
