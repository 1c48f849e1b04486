import { expect, test } from 'vitest'
import type { AuditResult } from '../../shared/audit/result.ts'
import {
  addRun,
  compareRuns,
  type History,
  MAX_DOMAINS,
  MAX_RUNS,
  runsOf,
  toStoredRun,
} from './history.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 10, minute)).toISOString()

const result = (over: Partial<AuditResult> = {}): AuditResult => ({
  domain: 'shop.example',
  score: 70,
  grade: 'B',
  checked_at: at(0),
  gaps: [],
  breakdown: {},
  passed: [],
  passed_notes: {},
  skipped: [],
  product_pages: [],
  checks: ['schema', 'feed'],
  engine_version: '1',
  ...over,
})

const gap = (id: string, check: 'schema' | 'feed' = 'schema') => ({
  id,
  check,
  severity: 'high' as const,
  label: id,
  detail: '',
  fix: '',
  fix_url: null,
  docs_url: null,
})

test('runs are kept newest first, each once, and no more than fifty', () => {
  let history: History = {}
  for (let minute = 0; minute < MAX_RUNS + 5; minute++) {
    history = addRun(history, result({ checked_at: at(minute), score: minute }))
  }
  history = addRun(history, result({ checked_at: at(7), score: 99 }))
  const runs = runsOf(history, 'shop.example')
  expect(runs).toHaveLength(MAX_RUNS)
  expect(runs[0]?.score).toBe(MAX_RUNS + 4)
  expect(runs.at(-1)?.score).toBe(5)
})

test('an older result, such as a stored one, finds its place', () => {
  let history = addRun({}, result({ checked_at: at(5), score: 5 }))
  history = addRun(history, result({ checked_at: at(1), score: 1 }))
  expect(runsOf(history, 'shop.example').map(({ score }) => score)).toEqual([5, 1])
})

test('the domain that was audited longest ago makes room', () => {
  let history: History = {}
  for (let minute = 0; minute <= MAX_DOMAINS; minute++) {
    history = addRun(history, result({ domain: `${minute}.example`, checked_at: at(minute) }))
  }
  expect(Object.keys(history)).toHaveLength(MAX_DOMAINS)
  expect(runsOf(history, '0.example')).toEqual([])
  expect(runsOf(history, '1.example')).toHaveLength(1)
})

test('a domain may be called like a property of every object', () => {
  expect(runsOf({}, 'constructor')).toEqual([])
  const history = addRun({}, result({ domain: '__proto__' }))
  expect(runsOf(history, '__proto__')).toHaveLength(1)
  expect(runsOf({}, '__proto__')).toEqual([])
})

test('what changed: fixed, new, still open, and what could not be judged this time', () => {
  const before = toStoredRun(
    result({
      score: 60,
      gaps: [gap('fixed'), gap('open'), gap('skipped'), gap('unasked', 'feed')],
    }),
  )
  const after = toStoredRun(
    result({
      score: 66,
      checks: ['schema'],
      gaps: [gap('open'), gap('new')],
      skipped: [{ id: 'skipped', check: 'schema', reason: 'it timed out' }],
    }),
  )
  const { fixed, fresh, remaining, unknown, change } = compareRuns(before, after)
  const ids = (gaps: { id: string }[]) => gaps.map(({ id }) => id)
  expect(ids(fixed)).toEqual(['fixed'])
  expect(ids(fresh)).toEqual(['new'])
  expect(ids(remaining)).toEqual(['open'])
  expect(ids(unknown)).toEqual(['skipped', 'unasked'])
  expect(change).toBeNull()
})

test.each([
  ['the same checks in another order', { checks: ['feed', 'schema'] }, 6],
  ['another engine', { engine_version: '2' }, null],
  ['other checks', { checks: ['feed'] }, null],
] as const)('the change of the score over %s', (_, over, change) => {
  const before = toStoredRun(result({ score: 60 }))
  const after = toStoredRun(
    result({ score: 66, ...over, checks: [...('checks' in over ? over.checks : result().checks)] }),
  )
  expect(compareRuns(before, after).change).toBe(change)
})
