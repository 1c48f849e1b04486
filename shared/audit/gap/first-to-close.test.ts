import { expect, test } from 'vitest'
import { firstToClose, holdsAt } from './first-to-close.ts'

test('what caps the score is closed first, the worst cap before others, then by what it gains', () => {
  const gaps = [
    { id: 'low', severity: 'low', points: 5 },
    { id: 'most', severity: 'high', points: 9 },
    { id: 'high', severity: 'high', points: 5 },
    { id: 'unknown', severity: 'high' },
    { id: 'price', severity: 'high', points: 3, cap: 'wrong_price' },
    { id: 'cheap', severity: 'critical', points: 3, cap: 'critical_gap' },
    { id: 'dear', severity: 'critical', points: 4, cap: 'critical_gap' },
  ] as const
  const order = gaps.toSorted(firstToClose).map(({ id }) => id)
  expect(order).toEqual(['dear', 'cheap', 'price', 'most', 'high', 'low', 'unknown'])
})

test.each([
  ['catalog_empty', 59],
  ['https_missing', null],
])('catalog_empty under a cap by %s holds the score at %s', (by, at) => {
  const cap = { reason: 'critical_gap' as const, at: 59, gaps: [by] }
  expect(holdsAt({ id: 'catalog_empty' }, cap)).toBe(at)
  expect(holdsAt({ id: 'catalog_empty' }, null)).toBeNull()
})
