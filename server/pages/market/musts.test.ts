import { expect, test } from 'vitest'
import { MUSTS } from './musts.ts'

test('each demand has an id of its own, a sentence, and either what covers it or why nothing does', () => {
  expect(new Set(MUSTS.map(({ id }) => id)).size).toBe(MUSTS.length)
  for (const { id, must, rules, steps, reason } of MUSTS) {
    expect(must, id).toMatch(/^[A-Z].*\.$/)
    expect(rules.length + steps.length === 0, id).toBe(reason !== null)
  }
})
