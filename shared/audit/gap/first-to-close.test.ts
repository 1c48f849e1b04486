import { expect, test } from 'vitest'
import { firstToClose, holdsAt } from './first-to-close.ts'

test('what caps the score is closed first, then what counts at once, by what it gains', () => {
  const gaps = [
    { id: 'low', severity: 'low', points: 5 },
    { id: 'held', severity: 'high', points: 9, held_back: true },
    { id: 'high', severity: 'high', points: 5 },
    { id: 'unknown', severity: 'high' },
    { id: 'price', severity: 'high', points: 3, held_back: true, cap: 'wrong_price' },
    { id: 'cheap', severity: 'critical', points: 3, held_back: true, cap: 'critical_gap' },
    { id: 'dear', severity: 'critical', points: 4, held_back: true, cap: 'critical_gap' },
  ] as const
  const order = gaps.toSorted(firstToClose).map(({ id }) => id)
  expect(order).toEqual(['dear', 'cheap', 'price', 'high', 'low', 'unknown', 'held'])
})

test.each([
  ['catalog_empty', 59],
  ['https_missing', null],
])('catalog_empty under a cap by %s holds the score at %s', (by, at) => {
  const cap = { reason: 'critical_gap' as const, at: 59, gaps: [by] }
  expect(holdsAt({ id: 'catalog_empty' }, cap)).toBe(at)
  expect(holdsAt({ id: 'catalog_empty' }, null)).toBeNull()
})
