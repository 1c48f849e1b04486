import { expect, test } from 'vitest'
import { summaryOfWalk } from './stored-walk.ts'
import type { Purchase, Transcript, WalkEvent, WalkStep } from './transcript.ts'
import { transcriptOf } from './transcript-of-events.ts'

const HEAD = {
  id: 'w',
  domain: 'shop.example',
  mode: 'look',
  started_at: '2026-11-21T12:00:00Z',
  ended_at: null,
  stopped: null,
} as const

const step = (n: number, failed: WalkStep['failed'] = null): WalkStep => ({
  n,
  step: 'open',
  title: `step ${n}`,
  exchanges: [
    {
      request: { method: 'GET', url: '', headers: {}, body: null, bytes: 0 },
      answer: null,
      failure: 'none came',
      ms: 1,
      at: '',
    },
  ],
  concluded: [],
  held: [],
  failed,
})
const UNMET: WalkStep['failed'] = {
  expectation: 'session_opens',
  party: 'store',
  expected: 'It is accepted.',
  found: 'It was refused with 500.',
  field: null,
  authority: '',
}
const route = (dialect: 'spec_ucp' | 'acp'): WalkEvent => ({
  event: 'route',
  route: { dialect, label: dialect, endpoint: '' },
})
const begun = (dialect: 'spec_ucp' | 'acp', intent: Purchase['intent']): WalkEvent => ({
  event: 'purchase',
  dialect,
  intent,
})
const whole: Purchase = {
  intent: 'po_box',
  dialect: 'acp',
  outcome: 'handed_over',
  why: 'The buyer goes on.',
  charge: null,
  steps: [step(1), step(2)],
  orders: [{ id: 'o', url: null, cancelled: false }],
  left_open: [{ id: 's', until: null, why: 'It cannot be cancelled.' }],
}
const EVENTS: WalkEvent[] = [
  route('spec_ucp'),
  { event: 'browsed', dialect: 'spec_ucp', step: step(1) },
  route('acp'),
  begun('acp', 'po_box'),
  { event: 'step', dialect: 'acp', intent: 'po_box', step: step(1) },
  { event: 'purchased', purchase: whole },
  begun('spec_ucp', 'po_box'),
  { event: 'step', dialect: 'spec_ucp', intent: 'po_box', step: step(1) },
  { event: 'step', dialect: 'spec_ucp', intent: 'po_box', step: step(2, UNMET) },
  begun('spec_ucp', 'preorder'),
]
const after = (count: number) => transcriptOf(HEAD, EVENTS.slice(0, count), 'under way')
const purchasesOf = (transcript: Transcript) =>
  transcript.routes.map(({ dialect, purchases }) => [
    dialect,
    ...purchases.map(({ intent, outcome, why, steps }) => [intent, outcome, why, steps.length]),
  ])

test.each([
  [0, []],
  [2, [['spec_ucp']]],
  [4, [['spec_ucp'], ['acp', ['po_box', 'not_walked', 'under way', 0]]]],
  [5, [['spec_ucp'], ['acp', ['po_box', 'not_walked', 'under way', 1]]]],
  [6, [['spec_ucp'], ['acp', ['po_box', 'handed_over', 'The buyer goes on.', 2]]]],
  [
    10,
    [
      [
        'spec_ucp',
        ['po_box', 'failed', 'It was refused with 500.', 2],
        ['preorder', 'not_walked', 'under way', 0],
      ],
      ['acp', ['po_box', 'handed_over', 'The buyer goes on.', 2]],
    ],
  ],
])('after %d events the transcript has what they tell', (count, expected) => {
  const transcript = after(count)
  expect(purchasesOf(transcript)).toEqual(expected)
  expect(transcript).toMatchObject({ ...HEAD, version: 1, nothing: null })
  expect(transcript.routes[0]?.browsing ?? []).toHaveLength(count > 1 ? 1 : 0)
})

test('the whole transcript of the end is the result', () => {
  const transcript = { ...after(6), nothing: 'There was nothing.' }
  expect(transcriptOf(HEAD, [...EVENTS, { event: 'ended', transcript }], '')).toBe(transcript)
})

test('events are not changed, so that they can be read again', () => {
  const before = structuredClone(EVENTS)
  expect(after(10)).toEqual(after(10))
  expect(EVENTS).toEqual(before)
})

test('a summary counts purchases, orders, what is left open, and requests', () => {
  expect(summaryOfWalk(after(10))).toEqual({
    passed: 0,
    failed: 1,
    handed_over: 1,
    not_walked: 1,
    orders: 1,
    left_open: 1,
    requests: 5,
  })
})
