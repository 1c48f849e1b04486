import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rulesOf } from '../checks/index.ts'
import { narrowResult } from '../result/narrow.ts'
import { AuditResult, NO_LINKS, toResult } from '../result/result.ts'
import { gap, notApplicable, pass, skip } from '../rule.ts'
import { CHECK_NAMES } from '../vocabulary.ts'
import type { ReadinessItem } from './groups.ts'
import { READINESS_SURFACES } from './readiness.ts'
import { countItems, openItems } from './summary.ts'

const AT = new Date('2026-11-20T10:00:00Z')

const itemOf = (id: string, state: ReadinessItem['state']): ReadinessItem => ({
  id,
  state,
  label: id,
  evidence: 'It is so.',
  fix: 'Change it.',
  source: 'https://vendor.example/',
})

/** What a store may have of each surface. */
const groups = fc.tuple(
  ...READINESS_SURFACES.map(({ surface, label, requirements }) =>
    fc.tuple(...requirements.map(() => fc.constantFrom('yes', 'no', 'unknown'))).map((states) => ({
      surface,
      label,
      items: requirements.map(({ id }, index) => itemOf(id, states[index] ?? 'no')),
    })),
  ),
)

test('nothing of it ever changes the score, of the whole or of a part', () => {
  const rules = rulesOf(CHECK_NAMES)
  const verdict = fc.constantFrom(gap('x'), pass(), skip('x'), notApplicable('x'))
  fc.assert(
    fc.property(
      groups,
      fc.array(verdict, { minLength: rules.length, maxLength: rules.length }),
      fc.subarray([...CHECK_NAMES], { minLength: 4 }),
      (readiness, verdicts, checks) => {
        const outcomes = rules.map((rule, index) => ({ rule, verdict: verdicts[index]! }))
        const resultOf = (lists: typeof readiness | []) =>
          toResult('shop.example', CHECK_NAMES, outcomes, AT, NO_LINKS, { readiness: lists })
        const [without, having] = [resultOf([]), resultOf(readiness)]
        expect({ ...having, readiness: [] }).toEqual(without)
        expect(AuditResult.parse(having)).toEqual(having)
        expect({ ...narrowResult(having, checks), readiness: [] }).toEqual(
          narrowResult(without, checks),
        )
      },
    ),
  )
})

test('each requirement has an id of its own, a page of its vendor, and words', () => {
  const all = READINESS_SURFACES.flatMap(({ requirements }) => requirements)
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  for (const { id, label, fix, authority } of all) {
    expect(id).toMatch(/^[a-z][a-z0-9_]+$/)
    expect(authority).toMatch(/^https:\/\/(developers|support)\.(google|openai)\.com\//)
    expect(label).toMatch(/^[A-Z]/)
    expect(fix).toMatch(/^[A-Z].*\.$/)
  }
})

test('what is missing stands before what cannot be seen', () => {
  const items = [itemOf('a', 'unknown'), itemOf('b', 'yes'), itemOf('c', 'no')]
  const open = openItems({ items })
  expect(open.map(({ id }) => id)).toEqual(['c', 'a'])
  // Both say the same.
  expect(open.map(({ evidence }) => evidence)).toEqual(['It is so.', null])
  expect(countItems({ items })).toEqual({ in_place: 1, seen: 2, unseen: 1 })
})
