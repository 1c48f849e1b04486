import { expect, test } from 'vitest'
import { type DayChecks, daysUpTo, type Span } from './days.ts'

const NOW = new Date('2026-11-25T15:00:00Z')
const looked = (day: string, change: Partial<DayChecks> = {}): DayChecks => ({
  day,
  seen: 24,
  unseen: 0,
  score: 80,
  ...change,
})
const span = (from: string, to: string | null, change: Partial<Span> = {}): Span => ({
  kind: 'gap',
  severity: 'critical',
  first_seen_at: new Date(from),
  closed_at: to === null ? null : new Date(to),
  ...change,
})

test('there is a day for each, up to today', () => {
  const days = daysUpTo(NOW, 3, [], [])
  expect(days.map(({ day }) => day)).toEqual(['2026-11-23', '2026-11-24', '2026-11-25'])
  expect(new Set(days.map(({ state }) => state))).toEqual(new Set(['unknown']))
})

test.each<[string, Span[], string]>([
  ['nothing is open', [], 'fine'],
  ['a critical gap is open', [span('2026-11-20T00:00:00Z', null)], 'blocked'],
  ['it opened late on that day', [span('2026-11-24T23:59:00Z', null)], 'blocked'],
  [
    'it closed early on that day',
    [span('2026-11-20T00:00:00Z', '2026-11-24T00:01:00Z')],
    'blocked',
  ],
  ['it closed at its midnight', [span('2026-11-20T00:00:00Z', '2026-11-24T00:00:00Z')], 'fine'],
  ['it opened on the day after', [span('2026-11-25T00:00:00Z', null)], 'fine'],
  ['a high gap is open', [span('2026-11-20T00:00:00Z', null, { severity: 'high' })], 'impaired'],
  ['a medium gap is open', [span('2026-11-20T00:00:00Z', null, { severity: 'medium' })], 'fine'],
  ['orders are few', [span('2026-11-20T00:00:00Z', null, { kind: 'signal' })], 'fine'],
])('a day on which %s', (_, spans, state) => {
  expect(daysUpTo(NOW, 2, [looked('2026-11-24')], spans)[0]?.state).toBe(state)
})

test('a day on which no look saw the shop is not known to be broken, nor fine', () => {
  const unseen = looked('2026-11-24', { seen: 0, unseen: 24, score: null })
  const open = [span('2026-11-20T00:00:00Z', null)]
  const [before, day] = daysUpTo(NOW, 3, [looked('2026-11-23'), unseen], open)
  expect(before).toEqual({ day: '2026-11-23', state: 'blocked', score: 80 })
  expect(day).toEqual({ day: '2026-11-24', state: 'unseen', score: null })
})

test('a score stays until the next look, for a week at most', () => {
  const days = daysUpTo(NOW, 12, [looked('2026-11-15')], [])
  const scores = days.map(({ score }) => score)
  expect(scores).toEqual([null, 80, 80, 80, 80, 80, 80, 80, null, null, null, null])
  expect(days.map(({ state }) => state).filter((state) => state === 'fine')).toHaveLength(7)
})
