import { expect, test } from 'vitest'
import { gradeOf, scoreOf } from './score.ts'
import type { CheckName, Severity } from './vocabulary.ts'

const judged = (check: CheckName, severity: Severity, open: boolean) => ({ check, severity, open })

test.each([
  [100, 'A'],
  [80, 'A'],
  [79, 'B'],
  [60, 'B'],
  [59, 'C'],
  [40, 'C'],
  [39, 'D'],
  [0, 'D'],
] as const)('%i is grade %s', (score, grade) => expect(gradeOf(score)).toBe(grade))

test('nothing judged is no merit', () => expect(scoreOf([])).toEqual({ score: 0, breakdown: {} }))

test('a category in which nothing was judged is left out', () => {
  const { score, breakdown } = scoreOf([judged('attribution', 'medium', true)])
  expect(breakdown).toEqual({ attribution: 88 })
  expect(score).toBe(88)
})

test('an open critical gap empties its category and caps the score', () => {
  const { score, breakdown } = scoreOf([
    judged('well_known', 'low', false),
    judged('catalog', 'low', false),
    judged('checkout', 'low', false),
    judged('attribution', 'critical', true),
  ])
  expect(breakdown.attribution).toBe(0)
  expect(score).toBe(59)
})

test('any open gap keeps the score below 100', () => {
  for (const check of ['well_known', 'catalog', 'checkout', 'attribution'] as const) {
    const others = (['well_known', 'catalog', 'checkout', 'attribution'] as const).map((name) =>
      judged(name, 'low', false),
    )
    expect(scoreOf([...others, judged(check, 'low', true)]).score).toBeLessThan(100)
  }
})

test('a category is never below zero', () => {
  const many = Array.from({ length: 9 }, () => judged('catalog', 'high', true))
  expect(scoreOf(many)).toEqual({ score: 0, breakdown: { catalog: 0 } })
})
