import { expect, test } from 'vitest'
import { rulesOf } from '../checks/index.ts'
import { pass } from '../rule.ts'
import { type ComparedAudit, compareAudits, comparedOf } from './compare.ts'
import { ENGINE_VERSION, NO_LINKS, toResult } from './result.ts'

const audit = (over: Partial<ComparedAudit> = {}): ComparedAudit => ({
  checked_at: '2026-11-21T10:00:00.000Z',
  score: 70,
  checks: ['schema', 'feed'],
  engine_version: '1',
  gaps: [],
  skipped: [],
  ...over,
})

const gap = (id: string, check: 'schema' | 'feed' = 'schema', points = 3) => ({
  id,
  check,
  severity: 'high' as const,
  label: id,
  points,
})

const ids = (gaps: readonly { id: string }[]) => gaps.map(({ id }) => id)

test('what changed: fixed, new, still open, and what could not be judged this time', () => {
  const before = audit({
    score: 60,
    gaps: [gap('fixed'), gap('open'), gap('skipped'), gap('unasked', 'feed')],
  })
  const after = audit({
    score: 66,
    checks: ['schema'],
    gaps: [gap('open', 'schema', 5), gap('new')],
    skipped: ['skipped'],
  })
  const { fixed, still_open, not_judged, change, ...compared } = compareAudits(before, after)
  expect(ids(fixed)).toEqual(['fixed'])
  expect(ids(compared.new)).toEqual(['new'])
  expect(ids(still_open)).toEqual(['open'])
  expect(still_open[0]?.points).toBe(5)
  expect(ids(not_judged)).toEqual(['skipped', 'unasked'])
  expect(change).toBeNull()
})

test('a gap whose rule no longer applies is not fixed', () => {
  const before = audit({ gaps: [gap('feed_gtin_invalid', 'feed'), gap('gap_of_old', 'feed')] })
  const gone = compareAudits(before, audit({ passed: ['feed_exists'] }))
  expect(ids(gone.fixed)).toEqual(['gap_of_old'])
  expect(ids(gone.not_judged)).toEqual(['feed_gtin_invalid'])
  const right = compareAudits(before, audit({ passed: ['feed_gtin_valid'] }))
  expect(ids(right.fixed)).toEqual(['feed_gtin_invalid', 'gap_of_old'])
})

test.each([
  ['the same checks in another order', { checks: ['feed', 'schema'] }, 6, null],
  [
    'another engine',
    { engine_version: '2' },
    null,
    { engine: { before: '1', after: '2' }, checks_before: [], checks_after: [] },
  ],
  [
    'other checks',
    { checks: ['feed', 'acp'] },
    null,
    { engine: null, checks_before: ['schema'], checks_after: ['acp'] },
  ],
] as const)('the change of the score over %s', (_, over, change, measure) => {
  const checks = 'checks' in over ? [...over.checks] : audit().checks
  const compared = compareAudits(audit({ score: 60 }), audit({ score: 66, ...over, checks }))
  expect(compared.change).toBe(change)
  expect(compared.measure).toEqual(measure)
})

test('a result is compared by what it says', () => {
  const outcomes = rulesOf(['feed']).map((rule) => ({ rule, verdict: pass() }))
  const result = toResult('shop.example', ['feed'], outcomes, new Date(0), NO_LINKS)
  const compared = comparedOf({
    ...result,
    gaps: [{ ...gap('a'), detail: 'long', fix: '', fix_url: null, docs_url: null }],
    skipped: [{ id: 'feed_missing', check: 'feed', reason: 'HTTP 503' }],
  })
  expect(compared).toEqual({
    checked_at: '1970-01-01T00:00:00.000Z',
    score: 100,
    checks: ['feed'],
    engine_version: ENGINE_VERSION,
    gaps: [gap('a')],
    skipped: ['feed_missing'],
    passed: result.passed,
  })
})
