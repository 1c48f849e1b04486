import { expect, test } from 'vitest'
import type { AuditResult } from '../../shared/audit/result/result.ts'
import { addRun, type History, MAX_DOMAINS, MAX_RUNS, runsOf } from './history.ts'

const KEY = 'https://aisle.example shop.example'
const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 10, minute)).toISOString()

const result = (over: Partial<AuditResult> = {}): AuditResult => ({
  domain: 'shop.example',
  score: 70,
  grade: 'B',
  checked_at: at(0),
  gaps: [],
  breakdown: {},
  coverage: { judged: 0, applicable: 0, breakdown: {} },
  cap: null,
  first_steps: null,
  passed: [],
  passed_notes: {},
  skipped: [],
  product_pages: [],
  readiness: [],
  checks: ['schema', 'feed'],
  engine_version: '1',
  ...over,
})

test('runs are kept newest first, each once, and no more than the last ones', () => {
  let history: History = {}
  for (let minute = 0; minute < MAX_RUNS + 5; minute++) {
    history = addRun(history, KEY, result({ checked_at: at(minute), score: minute }))
  }
  history = addRun(history, KEY, result({ checked_at: at(7), score: 99 }))
  const runs = runsOf(history, KEY)
  expect(runs).toHaveLength(MAX_RUNS)
  expect(runs[0]?.score).toBe(MAX_RUNS + 4)
  expect(runs.at(-1)?.score).toBe(5)
})

test('an older result, such as a stored one, finds its place', () => {
  let history = addRun({}, KEY, result({ checked_at: at(5), score: 5 }))
  history = addRun(history, KEY, result({ checked_at: at(1), score: 1 }))
  expect(runsOf(history, KEY).map(({ score }) => score)).toEqual([5, 1])
})

test('the domain that was audited longest ago makes room', () => {
  let history: History = {}
  for (let minute = 0; minute <= MAX_DOMAINS; minute++) {
    history = addRun(history, `${minute}.example`, result({ checked_at: at(minute) }))
  }
  expect(Object.keys(history)).toHaveLength(MAX_DOMAINS)
  expect(runsOf(history, '0.example')).toEqual([])
  expect(runsOf(history, '1.example')).toHaveLength(1)
})

test('a domain may be called like a property of every object', () => {
  expect(runsOf({}, 'constructor')).toEqual([])
  const history = addRun({}, '__proto__', result())
  expect(runsOf(history, '__proto__')).toHaveLength(1)
  expect(runsOf({}, '__proto__')).toEqual([])
})
