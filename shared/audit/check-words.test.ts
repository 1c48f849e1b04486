import { expect, test } from 'vitest'
import { findCheckWords } from './check-words.ts'
import { CHECKS } from './checks/index.ts'

const RULES = Object.values(CHECKS).flat()

test('every rule has words, under its pass and under its gap', () => {
  const found = RULES.map(({ passed, gap }) => {
    const words = findCheckWords(passed)
    return (
      words && {
        passed: words.passed,
        gap: words.gap,
        same: findCheckWords(gap ?? passed) === words,
      }
    )
  })
  expect(found).toEqual(RULES.map(({ passed, gap }) => ({ passed, gap, same: true })))
})

test('no two rules have the same words, and none has an id in them', () => {
  const all = RULES.map(({ passed }) => findCheckWords(passed)?.words ?? '')
  expect(new Set(all).size).toBe(all.length)
  for (const words of all) expect(words).not.toMatch(/_|^[a-z]{1,5}\b|\.$/)
})

test('an id that no rule has is not found', () => {
  for (const id of ['', 'constructor', 'catalog_gone']) expect(findCheckWords(id)).toBeNull()
})
