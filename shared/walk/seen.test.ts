import { expect, test } from 'vitest'
import type { WalkDialectName } from './dialect.ts'
import { type ExpectationId, expectationOf } from './expectations.ts'
import { INTENTS, type IntentId } from './intents.ts'
import { walkSeenOf } from './seen.ts'
import type { Purchase, Transcript, WalkStep } from './transcript.ts'

const stepOf = (held: ExpectationId[], unmet: ExpectationId | null = null): WalkStep => ({
  n: 1,
  step: 'open',
  title: 'Opens a checkout',
  exchanges: [],
  concluded: [],
  held,
  failed:
    unmet === null
      ? null
      : {
          expectation: unmet,
          party: expectationOf(unmet).party,
          expected: expectationOf(unmet).expected,
          found: 'It failed instead: 500.',
          field: null,
          authority: 'UCP 2026-08-25, Checkout',
        },
})

const purchase = (intent: IntentId, change: Partial<Purchase> = {}): Purchase => ({
  intent,
  dialect: 'ucp_rest',
  outcome: 'passed',
  why: null,
  charge: null,
  steps: [stepOf(['session_opens'])],
  orders: [],
  left_open: [],
  ...change,
})
const failed = (intent: IntentId, unmet: ExpectationId, held: ExpectationId[] = []): Purchase =>
  purchase(intent, { outcome: 'failed', steps: [stepOf(held, unmet)] })

const walkOf = (purchases: Purchase[], change: Partial<Transcript> = {}): Transcript => ({
  version: 1,
  id: 'walk',
  domain: 'shop.example',
  mode: 'look',
  elsewhere: [],
  missing: [],
  started_at: '2026-06-01T12:00:00.000Z',
  ended_at: '2026-06-01T12:01:00.000Z',
  stopped: null,
  nothing: null,
  routes: [
    {
      dialect: 'ucp_rest' satisfies WalkDialectName,
      label: 'UCP over REST',
      endpoint: 'https://shop.example/ucp',
      browsing: [],
      purchases,
    },
  ],
  ...change,
})

const unmetIn = (transcript: Transcript) =>
  walkSeenOf(transcript).judged.flatMap(({ expectation, failure }) =>
    failure === null ? [] : [expectation],
  )

test.each([
  ['session_opens', 'abroad_is_answered'],
  ['session_opens', 'other_currency_is_answered'],
  ['session_opens', 'errors_explain'],
  ['takes_payment', 'decline_is_said'],
  ['takes_payment', 'challenge_leads_on'],
] as const)('where %s is never met, %s says nothing', (usual, unusual) => {
  const fails = failed('another_country', unusual)
  expect(unmetIn(walkOf([failed('cheapest_variant', usual), fails]))).toEqual([usual])
  const works = purchase('cheapest_variant', { steps: [stepOf([usual])] })
  expect(unmetIn(walkOf([works, fails]))).toEqual([unusual])
})

const LOOKS = INTENTS.filter(({ mode }) => mode === 'look').map(({ id }) => purchase(id))
const [first, ...others] = LOOKS
const instead = (change: Partial<Purchase>) => [{ ...(first as Purchase), ...change }, ...others]

test.each<[string, Transcript, boolean]>([
  ['all purchases that look', walkOf(LOOKS), true],
  ['one purchase fewer', walkOf(others), false],
  ['those that look, where it pays', walkOf(LOOKS, { mode: 'sandbox' }), false],
  ['a failure', walkOf(instead(failed('cheapest_variant', 'totals_add_up'))), false],
  ['a purchase that the buyer ends', walkOf(instead({ outcome: 'handed_over' })), false],
  ['a dialect without the way', walkOf(instead({ outcome: 'not_walked', steps: [] })), true],
  ['an end halfway', walkOf(instead({ outcome: 'not_walked' })), false],
  ['a walk that was cancelled', walkOf(LOOKS, { stopped: 'The walk was cancelled.' }), false],
])('%s: whole is %s', (_, transcript, whole) => {
  expect(walkSeenOf(transcript).whole).toBe(whole)
})

test('a link that our browser did not see is told; one that it saw, or did not open, is not', () => {
  const opening = (opened: WalkStep['opened']) =>
    walkOf([purchase('cheapest_variant', { steps: [{ ...stepOf(['link_leads_on']), opened }] })])
  const unseen = 'The browser ended before it was done.'
  expect(walkSeenOf(opening({ picture: null, unseen })).unopened).toBe(unseen)
  expect(walkSeenOf(opening({ picture: 'pictures/101', unseen: null }))).not.toHaveProperty(
    'unopened',
  )
  expect(walkSeenOf(opening(undefined))).not.toHaveProperty('unopened')
})
