import { expect, test } from 'vitest'
import { bySubject } from '../pages/info/decisions.ts'
import { collectDecisions, decisionsIn } from './decisions.ts'

const decisions = collectDecisions()

test('marks are read from comments of every kind, to the end of their paragraph', () => {
  expect(
    decisionsIn(`
// Unspecified: one thing,
// over two lines.
const a = 'Unspecified: not a comment'
/** Unspecified: two. */
/**
 * What it is. Unspecified: three,
 * and why.
 *
 * Another paragraph.
 */
function b() {
  // Unspecified: four.
  // Unspecified: five.
}
`),
  ).toEqual(['one thing, over two lines.', 'two.', 'three, and why.', 'four.', 'five.'])
})

test('every mark of the sources is on the page, under a subject', () => {
  expect(decisions.length).toBeGreaterThan(100)
  const shown = bySubject(decisions).flatMap((subject) => subject.decisions)
  expect(shown.length).toBe(decisions.length)
})

test.each(decisions.map(({ file, text }) => [file, text]))(
  '%s says what was decided: %s',
  (_, text) => {
    // A question alone, such as "how long it is kept", decides nothing that a reader can use.
    expect(text.length).toBeGreaterThan(40)
    expect(text).toMatch(/[.)]$/)
  },
)
