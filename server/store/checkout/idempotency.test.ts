import { expect, test } from 'vitest'
import { fingerprintOf } from './idempotency.ts'

const body = { items: [{ id: 'a', quantity: 1 }], note: 'é' }

test.each<[string, unknown, boolean]>([
  ['another order of fields', { note: 'é', items: [{ quantity: 1, id: 'a' }] }, true],
  ['1.0 for 1', JSON.parse('{"items":[{"id":"a","quantity":1.0}],"note":"\\u00e9"}'), true],
  ['another value', { ...body, note: 'e' }, false],
  ['null for a missing field', { ...body, more: null }, false],
  ['a number as text', { ...body, items: [{ id: 'a', quantity: '1' }] }, false],
  ['nothing', undefined, false],
])('%s', (_, other, same) => {
  expect(fingerprintOf(other) === fingerprintOf(body)).toBe(same)
})

test('the order of a list counts', () => {
  expect(fingerprintOf([1, 2])).not.toBe(fingerprintOf([2, 1]))
  expect(fingerprintOf([])).toMatch(/^[0-9a-f]{64}$/)
})
