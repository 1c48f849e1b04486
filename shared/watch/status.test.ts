import { expect, test } from 'vitest'
import { isLate, type OpenThing, type Stood, statusOfWatch } from './status.ts'

const NOW = new Date('2026-11-25T15:00:00Z')
const SEEN: Stood = { severity: 'high', paused_at: null, looked_at: NOW, outcome: 'seen' }
const GAP: OpenThing = { kind: 'gap', severity: 'critical', known: false }

test.each<[string, Partial<Stood>, OpenThing[], string]>([
  ['nothing is open', {}, [], 'fine'],
  ['a gap is new', {}, [GAP], 'broken'],
  ['orders fell', {}, [{ ...GAP, kind: 'signal', severity: 'high' }], 'broken'],
  [
    'orders show less than the severity that is told',
    {},
    [{ ...GAP, kind: 'signal', severity: 'medium' }],
    'broken',
  ],
  ['orders showed it before', {}, [{ ...GAP, kind: 'signal', known: true }], 'fine'],
  ['a gap was there before', {}, [{ ...GAP, known: true, severity: 'high' }], 'fine'],
  ['agents could not buy before', {}, [{ ...GAP, known: true }], 'blocked'],
  ['and it was not seen', { outcome: 'unseen' }, [{ ...GAP, known: true }], 'blocked'],
  ['a gap is less than what is told', {}, [{ ...GAP, severity: 'medium' }], 'fine'],
  [
    'it is what is told elsewhere',
    { severity: 'medium' },
    [{ ...GAP, severity: 'medium' }],
    'broken',
  ],
  ['a part is unseen', {}, [{ ...GAP, kind: 'unseen' }], 'unseen'],
  ['a part is unseen and another broken', {}, [{ ...GAP, kind: 'unseen' }, GAP], 'broken'],
  ['nothing was seen', { outcome: 'unseen' }, [], 'unseen'],
  ['we failed', { outcome: 'failed' }, [], 'unseen'],
  ['no look was made', { looked_at: null, outcome: null }, [], 'waiting'],
  ['it is paused', { paused_at: NOW }, [GAP], 'paused'],
])('where %s', (_, change, open, status) => {
  expect(statusOfWatch({ ...SEEN, ...change }, open)).toBe(status)
})

test('a look is late where nobody is at it, and the watch is not paused', () => {
  const [before, after] = [new Date(NOW.getTime() - 120_001), new Date(NOW.getTime() + 1)]
  const late = { paused_at: null, late_at: before, leased_until: null }
  expect(isLate(late, NOW)).toBe(true)
  expect(isLate({ ...late, leased_until: before }, NOW)).toBe(true)
  expect(isLate({ ...late, leased_until: after }, NOW)).toBe(false)
  expect(isLate({ ...late, paused_at: before }, NOW)).toBe(false)
  expect(isLate({ ...late, late_at: after }, NOW)).toBe(false)
  // A check that was asked for a moment ago is not late.
  expect(isLate({ ...late, late_at: new Date(NOW.getTime() - 60_000) }, NOW)).toBe(false)
})
