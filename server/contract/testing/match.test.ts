import { expect, test } from 'vitest'
import { differences, filled } from './match.ts'

const differ = (value: unknown, expected: unknown, known: [string, string][] = []) =>
  differences(value, expected, new Map(known))

test.each<[unknown, unknown]>([
  [{ a: 1, b: 2 }, { a: 1 }],
  [{ a: 1 }, { a: 1, '…': 'nothing else' }],
  [
    [1, 2],
    [1, 2],
  ],
  [
    [1, 2, 3],
    [1, '…'],
  ],
  [[1], [1, '…']],
  [
    [1, 2, 3],
    ['…', 3, 1],
  ],
  [{}, { a: '<absent>' }],
  [null, null],
  [7, '<integer>'],
  [7, '<integer 0 to 7>'],
  [0.5, '<number 0 to 1>'],
  ['2026-06-01T12:00:00Z', '<timestamp>'],
  ['2026-06-01', '<date>'],
  ['Send it again.', '<sentence>'],
  ['https://shop.example/', '<https url>'],
  ['a-17', '/^a-\\d+$/'],
  [[{ severity: 'critical' }, { severity: 'low' }, { severity: 'low' }], '<gaps, worst first>'],
])('%j is as expected: %j', (value, expected) => {
  expect(differ(value, expected)).toEqual([])
})

test.each<[unknown, unknown, string]>([
  [{ a: 1 }, { a: 2 }, 'body.a is 1, expected 2'],
  [{ a: { b: [1] } }, { a: { b: [2] } }, 'body.a.b[0] is 1, expected 2'],
  [{}, { a: 1 }, 'body.a is undefined, expected 1'],
  [{ a: 1, b: 2 }, { a: 1, '…': 'nothing else' }, 'body.b is there, and nothing else is expected'],
  [[1, 2], [1], 'body has 2 items, expected 1: [1,2]'],
  [[], [1, '…'], 'body has 0 items, expected 1 at least: []'],
  [[1, 2], ['…', 3], 'body is [1,2], expected 3 in it'],
  [null, {}, 'body is null, expected {}'],
  [{}, [], 'body is {}, expected []'],
  ['1', 1, 'body is "1", expected 1'],
  [1.5, '<integer>', 'body is 1.5, expected "<integer>"'],
  [8, '<integer 0 to 7>', 'body is 8, expected "<integer 0 to 7>"'],
  [0.5, '<integer 0 to 1>', 'body is 0.5, expected "<integer 0 to 1>"'],
  [null, '<absent>', 'body is null, expected "<absent>"'],
  ['', '<string>', 'body is "", expected "<string>"'],
  ['not a sentence', '<sentence>', 'body is "not a sentence", expected "<sentence>"'],
  ['b', '/^a/', 'body is "b", expected "/^a/"'],
  [[{ severity: 'low' }], '<gaps, worst first>', 'expected "<gaps, worst first>"'],
  [
    [{ severity: 'low' }, { severity: 'critical' }],
    '<gaps, worst first>',
    'expected "<gaps, worst first>"',
  ],
])('%j differs from %j', (value, expected, difference) => {
  expect(differ(value, expected)).toEqual([expect.stringContaining(difference)])
})

test('a variable is what came first, and the same from then on', () => {
  const variables = new Map([['$shop', 'a.example']])
  expect(differences({ id: 'x', at: 'a.example' }, { id: '$id', at: '$shop' }, variables)).toEqual(
    [],
  )
  expect(differences('x', '$id', variables)).toEqual([])
  expect(differences('y', '$id', variables)).toHaveLength(1)
  expect(differences('https://a.example/x', 'https://$shop/$id', variables)).toEqual([])
  expect(filled('/orders/$id?of=$shop', variables)).toBe('/orders/x?of=a.example')
  expect(() => filled('$order', variables)).toThrow('$order has no value yet.')
})
