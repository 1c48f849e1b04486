import { expect, test } from 'vitest'
import { CHECKS } from './checks/index.ts'
import { findCheckWords, GAP_IDS } from './words.ts'

const RULES = Object.values(CHECKS).flat()

test('all words are those of a rule, found by its pass and by its gap', () => {
  const gaps = RULES.flatMap(({ gap }) => gap ?? [])
  expect(GAP_IDS.toSorted()).toEqual(gaps.toSorted())
  for (const { id, passed, gap } of RULES) {
    expect(findCheckWords(passed)).toMatchObject({ passed, gap })
    expect(findCheckWords(id)).toBe(findCheckWords(passed))
  }
})

test('no two rules have the same words, and none has an id in them', () => {
  const all = RULES.map(({ passed }) => findCheckWords(passed)?.words ?? '')
  expect(new Set(all).size).toBe(all.length)
  for (const words of all) expect(words).not.toMatch(/_|^[a-z]{1,5}\b|\.$/)
})

test('an id that no rule has is not found', () => {
  for (const id of ['', 'constructor', 'catalog_gone']) expect(findCheckWords(id)).toBeNull()
})
