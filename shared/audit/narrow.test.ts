import { expect, test } from 'vitest'
import { CHECKS } from './checks/index.ts'
import { narrowResult } from './narrow.ts'
import { NO_LINKS, toResult } from './result.ts'
import { pass } from './rule.ts'
import { CHECK_NAMES } from './vocabulary.ts'

const AT = new Date('2026-11-20T10:00:00Z')

test('a pass that could never have been a gap has no score, as in the result itself', () => {
  const free = CHECKS.feed.filter(({ gap }) => gap === null)
  const outcomes = free.map((rule) => ({ rule, verdict: pass() }))
  const result = toResult('shop.example', ['feed'], outcomes, AT, NO_LINKS)
  expect(result).toMatchObject({ passed: free.map(({ passed }) => passed), breakdown: {} })
  expect(narrowResult(result, ['feed'])).toEqual(result)
})

test('the name of a pass belongs to one rule, so that it tells the check', () => {
  const passed = CHECK_NAMES.flatMap((check) => CHECKS[check].map((rule) => rule.passed))
  expect(new Set(passed).size).toBe(passed.length)
})
