import { expect, test } from 'vitest'
import type { Fetched } from '../../../shared/web/fetched.ts'
import { NOON } from '../testing/store.ts'
import { judgeDelivery, RETRY_DELAYS, retryAfter } from './schedule.ts'

const answered = (status: number, headers: Record<string, string> = {}): Fetched => ({
  kind: 'answer',
  method: 'POST',
  url: 'https://agent.example/hook',
  final_url: 'https://agent.example/hook',
  redirects: [],
  status,
  headers,
  body: '',
  truncated: false,
  ms: 1,
})
const silent: Fetched = {
  kind: 'no_answer',
  method: 'POST',
  url: 'https://agent.example/hook',
  why: 'timeout',
  message: 'no complete answer in time',
  ms: 1,
}
const first = { failed: 0, now: NOON, random: () => 0 }
const inSeconds = (seconds: number) => new Date(NOON.getTime() + seconds * 1000)
const retry = (status: number | null, error: string, seconds = 5) => ({
  is: 'retry',
  status,
  error,
  at: inSeconds(seconds),
})

test.each<[string, Fetched, object]>([
  ['200', answered(200), { is: 'delivered', status: 200 }],
  ['204', answered(204), { is: 'delivered', status: 204 }],
  ['a redirect', answered(302, { location: '/' }), retry(302, 'HTTP 302')],
  ['304', answered(304), retry(304, 'HTTP 304')],
  ['400', answered(400), retry(400, 'HTTP 400')],
  ['500', answered(500), retry(500, 'HTTP 500')],
  ['410', answered(410), { is: 'gone', status: 410, error: 'HTTP 410' }],
  ['429 with a wait', answered(429, { 'retry-after': '90' }), retry(429, 'HTTP 429', 90)],
  ['503 with a short wait', answered(503, { 'retry-after': '1' }), retry(503, 'HTTP 503')],
  ['500 with a wait', answered(500, { 'retry-after': '90' }), retry(500, 'HTTP 500')],
  ['no answer', silent, retry(null, 'no complete answer in time')],
  ['not asked', { kind: 'not_asked', reason: 'the audit has ended' }, { is: 'unsent' }],
])('%s', (_, fetched, verdict) => {
  expect(judgeDelivery(fetched, first)).toEqual(verdict)
})

test.each([
  ['60', 60_000],
  [' 60 ', 60_000],
  ['0', 0],
  ['Mon, 01 Jun 2026 12:02:00 GMT', 120_000],
  ['Mon, 01 Jun 2026 11:00:00 GMT', 0],
  ['99999999999999999999', 86_400_000],
  ['-5', 0],
  ['soon', 0],
  ['', 0],
])('Retry-After: %s', (value, ms) => {
  expect(retryAfter({ status: 429, headers: { 'retry-after': value } }, NOON)).toBe(ms)
})

test('ten tries: at once, then after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h', () => {
  const waits = RETRY_DELAYS.slice(1).map((_, failed) => {
    const verdict = judgeDelivery(answered(500), { ...first, failed })
    return verdict.is === 'retry' ? (verdict.at.getTime() - NOON.getTime()) / 1000 : null
  })
  expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400])
  expect(judgeDelivery(answered(500), { ...first, failed: 9 })).toEqual({
    is: 'given_up',
    status: 500,
    error: 'HTTP 500',
  })
})

test('jitter lengthens a wait by a tenth at most', () => {
  expect(judgeDelivery(answered(500), { ...first, failed: 1, random: () => 1 })).toMatchObject({
    at: inSeconds(330),
  })
})
