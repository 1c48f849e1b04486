import { expect, test } from 'vitest'
import type { WalkJudged, WalkSeen } from '../../../walk/seen.ts'
import { notApplicable, notLookedAt, runRules, skip } from '../../rule.ts'
import { judgeWalk, judgeWalkAlone, walkRules } from './walk-rules.ts'

const judged = (change: Partial<WalkJudged>): WalkJudged => ({
  expectation: 'totals_add_up',
  protocol: 'ucp',
  label: 'UCP over REST',
  held: true,
  failure: null,
  ...change,
})
const failedBy = (party: 'store' | 'agent'): Partial<WalkJudged> => ({
  failure: { party, found: '1 + 1 is 2, and the total is 3.', intent: 'Buy it', step: 'Opens it' },
})
const walk = (change: Partial<WalkSeen>): WalkSeen => ({
  started_at: '2026-06-01T12:00:00.000Z',
  mode: 'look',
  whole: true,
  judged: [],
  ...change,
})

const TOTALS = 'checkout_totals_wrong'

test.each([
  ['was never looked at', walk({}), null],
  ['was met', walk({ judged: [judged({})] }), 'pass'],
  ['was met once and not another time', walk({ judged: [judged(failedBy('store'))] }), 'gap'],
  ['was not met by us', walk({ judged: [judged({ held: false, ...failedBy('agent') })] }), null],
  ['is another gap', walk({ judged: [judged({ expectation: 'becomes_ready' })] }), null],
] as const)('an expectation that %s', (_, seen, kind) => {
  expect(judgeWalk(seen, TOTALS)?.kind ?? null).toBe(kind)
})

test('a gap names the purchase, the step, and all that have it', () => {
  const wrong = (label: string) => judged({ label, ...failedBy('store') })
  const seen = walk({ judged: [wrong('UCP over REST'), wrong('UCP over MCP')] })
  expect(judgeWalk(seen, TOTALS)).toEqual({
    kind: 'gap',
    detail:
      'UCP over REST, "Buy it", at "Opens it": 1 + 1 is 2, and the total is 3. The same over UCP over MCP.',
  })
})

test('of two expectations with one gap, either counts, and of a gap of ACP what ACP showed', () => {
  const chosen = judged({ expectation: 'shipping_can_be_chosen', ...failedBy('store') })
  expect(judgeWalk(walk({ judged: [chosen] }), TOTALS)?.kind).toBe('gap')
  const handlers = judged({ expectation: 'ways_to_pay', ...failedBy('store') })
  const id = 'acp_payment_handlers_missing'
  expect(judgeWalk(walk({ judged: [handlers] }), id)).toBeNull()
  expect(judgeWalk(walk({ judged: [{ ...handlers, protocol: 'acp' }] }), id)?.kind).toBe('gap')
})

test.each([
  ['no walk', null, TOTALS, notLookedAt],
  ['a walk that looks, of a payment', walk({}), 'checkout_complete_fails', notLookedAt],
  ['a whole walk that met nothing of it', walk({}), TOTALS, notApplicable],
  ['a walk that ended before', walk({ whole: false }), TOTALS, skip],
] as const)('what %s leaves open', (_, seen, id, verdict) => {
  expect(judgeWalkAlone(seen, id)).toEqual({ ...verdict(''), reason: expect.any(String) })
})

test('a link that our browser did not see is no pass, and hides no gap', () => {
  const kindOf = (change: Partial<WalkSeen>, held: Partial<WalkJudged> = {}) => {
    const leads = judged({ expectation: 'link_leads_on', ...held })
    const seen = walk({ judged: [leads], ...change })
    const rules = walkRules.filter(({ id }) => id === 'checkout_link_wrong')
    return runRules(rules, { walk: seen })[0]?.verdict
  }
  const unopened = 'The browser held more than 1400 MB.'
  expect(kindOf({})?.kind).toBe('pass')
  expect(kindOf({ unopened })).toMatchObject({
    kind: 'skip',
    reason: expect.stringMatching(/1400 MB$/),
  })
  expect(kindOf({ unopened }, failedBy('store'))?.kind).toBe('gap')
})
