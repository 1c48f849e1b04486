import { expect, test } from 'vitest'
import { findGapRule } from '../checks/index.ts'
import { fixesIn, type JudgedAudit } from './fixes.ts'

const passOf = (gap: string) => findGapRule(gap)?.passed ?? ''
const GAP = 'product_schema_missing'

/** One audit a day: `o` has the gap, `-` sees it gone, `?` judged neither, `x`: another engine. */
const audits = (days: string, gap = GAP): JudgedAudit[] =>
  [...days].map((state, at) => ({
    id: `audit-${at + 1}`,
    day: `2026-11-${String(at + 1).padStart(2, '0')}`,
    engine_version: state === 'x' ? '8' : '7',
    score: state === 'o' ? 50 : 60,
    gaps: state === 'o' ? [gap] : [],
    passed: state === '-' || state === 'x' ? [passOf(gap)] : [],
  }))

const fix = (open: number, gone: number, wellBefore: number | null) => ({
  gaps: [GAP],
  open: { id: `audit-${open}`, day: `2026-11-0${open}` },
  gone: `2026-11-0${gone}`,
  scores: { before: 50, after: 60 },
  wellBefore: wellBefore === null ? null : `2026-11-0${wellBefore}`,
})

test.each([
  ['oo--', [fix(2, 3, null)]],
  // What an audit could not judge is not gone.
  ['oo??-', [fix(2, 5, null)]],
  ['oo??', []],
  // It came after an audit that did not have it, and back again.
  ['-oo-', [fix(3, 4, 1)]],
  ['o-o-', [fix(3, 4, 2)]],
  ['o-o', []],
  // The rules changed, and the store perhaps not.
  ['oox', []],
  ['--', []],
])('of %s', (days, fixes) => {
  expect(fixesIn(audits(days))).toEqual(fixes)
})

test('gaps that went together are one, and those of attribution none', () => {
  const [one, other] = [audits('o-'), audits('o-', 'product_schema_return_policy_missing')]
  const both = one.map((audit, at) => ({
    ...audit,
    gaps: [...audit.gaps, ...(other[at]?.gaps ?? [])],
    passed: [...audit.passed, ...(other[at]?.passed ?? [])],
  }))
  expect(fixesIn(both)).toMatchObject([
    { gaps: expect.arrayContaining([GAP, 'product_schema_return_policy_missing']) },
  ])
  expect(fixesIn(audits('o-', 'dark_traffic_untracked'))).toEqual([])
})
