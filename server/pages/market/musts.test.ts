import { expect, test } from 'vitest'
import { mustDocument } from './must.ts'
import { MUSTS } from './musts.ts'

const listed = MUSTS.flatMap(({ musts }) => musts)
const AT = {
  older: { version: '1', url: null },
  newest: { version: '2', url: 'https://a.example' },
}

test('each demand has an id of its own, a sentence, and what covers it or why nothing does', () => {
  expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length)
  for (const { id, must, rules, steps, reason, versions } of listed) {
    expect(must, id).toMatch(/^[A-Z].*\.$/)
    expect(rules.length + steps.length === 0, id).toBe(reason !== null)
    expect(versions.length, id).toBeGreaterThan(0)
  }
  expect(new Set(listed.flatMap(({ versions }) => versions)).size).toBe(4)
})

test.each([
  'Profile | Do it.',
  'Profile | Do it. | no_such_rule',
  'Profile | Do it. | well_known_missing no_such_step',
  'Profile | Do it. | WHATEVER',
])('%s is refused: a demand names a rule, a step or a reason that exists', (line) => {
  expect(() => mustDocument('UCP', 'Profile', line, AT)).toThrow(/^No demand: /)
})

test('a mark names the version that alone has it', () => {
  const { musts } = mustDocument('UCP', 'A', 'B | C. | LAW\n+ B | D. | one_order', AT)
  expect(musts.map(({ versions }) => versions)).toEqual([['UCP 1', 'UCP 2'], ['UCP 2']])
  expect(musts[1]).toMatchObject({ where: 'B', rules: [], steps: ['one_order'], reason: null })
})
