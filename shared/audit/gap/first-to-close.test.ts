import { expect, test } from 'vitest'
import { firstToClose, holdsAt } from './first-to-close.ts'

test('critical gaps are closed first, then what counts at once, by what it gains', () => {
  const gaps = [
    { id: 'low', severity: 'low', points: 5 },
    { id: 'held', severity: 'high', points: 9, held_back: true },
    { id: 'high', severity: 'high', points: 5 },
    { id: 'unknown', severity: 'high' },
    { id: 'cheap', severity: 'critical', points: 3, held_back: true },
    { id: 'dear', severity: 'critical', points: 4, held_back: true },
  ] as const
  const order = gaps.toSorted(firstToClose).map(({ id }) => id)
  expect(order).toEqual(['dear', 'cheap', 'high', 'low', 'unknown', 'held'])
})

test.each([
  ['critical', 'critical_gap', 59],
  ['high', 'critical_gap', null],
  ['critical', 'not_all_judged', null],
] as const)('a %s gap under the cap of %s holds the score at %s', (severity, reason, at) => {
  expect(holdsAt({ severity }, { reason, at: 59 })).toBe(at)
  expect(holdsAt({ severity }, null)).toBeNull()
})
