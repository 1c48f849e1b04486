import { expect, test } from 'vitest'
import { rulesOf } from '../audit/checks/index.ts'
import { NO_LINKS, toResult } from '../audit/result/result.ts'
import { gap, pass, skip } from '../audit/rule.ts'
import { CHECK_NAMES } from '../audit/vocabulary.ts'
import type { WalkJudged } from '../walk/seen.ts'
import { NOT_READ_HERE } from '../web/http/fetched.ts'
import { judgeCheck } from './judge-check.ts'

const [BEFORE, NOW] = ['2026-11-25T12:00:00.000Z', '2026-11-25T13:00:00.000Z']

/** The steps of a purchase in the incidents of a check that opens these gaps. */
function stepsOf(gaps: string[], judged: WalkJudged[]) {
  const outcomes = rulesOf(CHECK_NAMES).map((rule) => ({
    rule,
    verdict: rule.gap !== null && gaps.includes(rule.gap) ? gap('It is wrong.') : pass(),
  }))
  const suspected = { is: 'suspected', well_at: BEFORE, since: BEFORE, flaps: 0 } as const
  const { opened } = judgeCheck(
    {
      domain: 'shop.example',
      checks: CHECK_NAMES,
      severity: 'low',
      state: Object.fromEntries(gaps.map((id) => [`gap:${id}`, suspected])),
      answers: {},
    },
    {
      at: NOW,
      result: toResult('shop.example', CHECK_NAMES, outcomes, new Date(NOW), NO_LINKS),
      why: null,
      answers: {},
      walk: { started_at: NOW, mode: 'look', whole: true, judged },
    },
  )
  return Object.fromEntries(opened.map(({ subject, steps }) => [subject, steps]))
}

const failed = (
  expectation: WalkJudged['expectation'],
  party: NonNullable<WalkJudged['failure']>['party'] = 'store',
): WalkJudged => ({
  expectation,
  protocol: 'ucp',
  label: 'ucp here',
  held: false,
  failure: { party, found: 'It said no.', intent: 'Buy it', step: 'Opens it' },
})
const STEP = { dialect: 'ucp here', intent: 'Buy it', step: 'Opens it', found: 'It said no.' }

const [TOTALS, CANCEL, FEED] = [
  'checkout_totals_wrong',
  'checkout_cancel_fails',
  'feed_duplicate_ids',
]

test('an incident has the steps that fail because of its gap, and no others', () => {
  expect(
    stepsOf([TOTALS, CANCEL, FEED], [failed('totals_add_up'), failed('can_be_cancelled')]),
  ).toEqual({ [TOTALS]: [STEP], [CANCEL]: [STEP], [FEED]: [] })
})

test.each([
  ['that strangers are not admitted', failed('admits_agents', 'agent')],
  ['the network', failed('answers', 'network')],
  ['the network, at a step of this gap', failed('totals_add_up', 'network')],
  ['a gap that the audit does not have', failed('becomes_ready')],
])('a step that failed for %s breaks nothing here', (_, judged) => {
  expect(stepsOf([TOTALS, FEED], [judged])).toEqual({ [TOTALS]: [], [FEED]: [] })
})

test('a gap that was there when a rule last passed does not explain why it cannot be judged', () => {
  const openedWith = (since: string, why = 'it timed out') => {
    const verdicts = { [CANCEL]: gap('It is wrong.'), [FEED]: skip(why) }
    const outcomes = rulesOf(CHECK_NAMES).map((rule) => ({
      rule,
      verdict: verdicts[rule.gap ?? ''] ?? pass(),
    }))
    return judgeCheck(
      {
        domain: 'shop.example',
        checks: CHECK_NAMES,
        severity: 'low',
        state: {
          [`gap:${CANCEL}`]: { is: 'wrong', well_at: null, since, flaps: 0 },
          [`gap:${FEED}`]: { is: 'well', well_at: BEFORE, since: null, flaps: 0 },
          'unseen:feed': { is: 'suspected', well_at: BEFORE, since: BEFORE, flaps: 0 },
        },
        answers: {},
      },
      {
        at: NOW,
        result: toResult('shop.example', CHECK_NAMES, outcomes, new Date(NOW), NO_LINKS),
        ...{ why: null, answers: {}, walk: null },
      },
    ).opened.map(({ kind, subject }) => `${kind} ${subject}`)
  }
  expect(openedWith(BEFORE)).toEqual(['unseen feed'])
  expect(openedWith(NOW)).toEqual([])
  // Nor is it the store's where we failed to read it.
  expect(openedWith(BEFORE, `GET / gave no answer: ${NOT_READ_HERE}`)).toEqual([])
})
