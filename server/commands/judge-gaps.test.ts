import { expect, test } from 'vitest'
import { rulesOf } from '../../shared/audit/checks/index.ts'
import { NO_LINKS, toResult } from '../../shared/audit/result/result.ts'
import { gap, pass } from '../../shared/audit/rule.ts'
import { judgeGaps, type RunDemands } from './judge-gaps.ts'

const WRONG = 'product_schema_price_invalid' as const
const RESULT = toResult(
  'shop.example',
  ['schema'],
  rulesOf(['schema']).map((rule) => ({ rule, verdict: rule.gap === WRONG ? gap('-') : pass() })),
  new Date('2026-11-20T10:00:00Z'),
  NO_LINKS,
)
const DEMANDS: RunDemands = { failOn: null, failUnder: null, asserts: {}, budgets: {}, ignore: [] }
const failures = (demands: Partial<RunDemands>, today = '2026-11-20') =>
  judgeGaps(RESULT, { demands: { ...DEMANDS, ...demands }, baseline: null, today }).failures.length

test.each([
  [{ failOn: 'critical' }, 0],
  [{ failOn: 'high' }, 1],
  [{ failOn: 'low' }, 1],
  [{ failUnder: RESULT.score }, 0],
  [{ failUnder: RESULT.score + 1 }, 1],
] as const)('a gap of severity high with %j: %i', (demands, count) => {
  expect(failures(demands)).toBe(count)
})

test('a gap is ignored through its last day', () => {
  const ignore = [{ gap: WRONG, reason: 'known', until: '2026-11-20' }]
  expect(failures({ failOn: 'low', ignore })).toBe(0)
  expect(failures({ failOn: 'low', ignore }, '2026-11-21')).toBe(1)
})
