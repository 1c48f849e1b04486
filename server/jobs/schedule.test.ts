import { expect, test } from 'vitest'
import type { Fetched } from '../../shared/web/http/fetched.ts'
import { answerFrom } from '../../shared/web/testing/answer-from.ts'
import { attemptOf, judgeAttempt, judgeReceiver, RETRY_DELAYS, retryAfter } from './schedule.ts'

const NOON = new Date('2026-06-01T12:00:00Z')

const answered = (status: number, headers: Record<string, string> = {}): Fetched =>
  answerFrom('https://agent.example/hook', { method: 'POST', status, headers })
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
  expect(judgeAttempt(attemptOf(fetched, NOON), first)).toEqual(verdict)
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
    const verdict = judgeAttempt(attemptOf(answered(500), NOON), { ...first, failed })
    return verdict.is === 'retry' ? (verdict.at.getTime() - NOON.getTime()) / 1000 : null
  })
  expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400])
  expect(judgeAttempt(attemptOf(answered(500), NOON), { ...first, failed: 9 })).toEqual({
    is: 'given_up',
    status: 500,
    error: 'HTTP 500',
  })
})

test('jitter lengthens a wait by a tenth at most', () => {
  expect(
    judgeAttempt(attemptOf(answered(500), NOON), { ...first, failed: 1, random: () => 1 }),
  ).toMatchObject({
    at: inSeconds(330),
  })
})

test('what would fail in the same way each time is tried once', () => {
  const attempt = { is: 'failed', status: 550, error: 'no such mailbox', because: 'final' } as const
  expect(judgeAttempt(attempt, first)).toEqual({
    is: 'given_up',
    status: 550,
    error: 'no such mailbox',
  })
})

const days = (count: number) => inSeconds(count * 86_400)

test('a receiver is given up after five days of failures, or when it is gone', () => {
  const failed = { is: 'retry', status: 500, error: 'HTTP 500', at: days(9) } as const
  const since = (start: Date | null, now: Date) =>
    judgeReceiver(start, failed, { now, waited_since: NOON })
  expect(since(null, NOON)).toEqual({ failing_since: NOON, isOver: false })
  expect(since(NOON, days(4.99))).toEqual({ failing_since: NOON, isOver: false })
  expect(since(NOON, days(5))).toEqual({ failing_since: NOON, isOver: true })
  const at = (now: Date) => ({ now, waited_since: now })
  const gone = { is: 'gone', status: 410, error: 'HTTP 410' } as const
  expect(judgeReceiver(null, gone, at(NOON))).toEqual({ failing_since: NOON, isOver: true })
  const delivered = { is: 'delivered', status: 204 } as const
  expect(judgeReceiver(NOON, delivered, at(days(9)))).toEqual({
    failing_since: null,
    isOver: false,
  })
})

test('what was not tried for three days gives no receiver up, unless it has no try left', () => {
  const failure = { status: 500, error: 'HTTP 500' }
  const retried = { is: 'retry', ...failure, at: days(9) } as const
  const isOver = (outcome: Parameters<typeof judgeReceiver>[1], tried: number) =>
    judgeReceiver(NOON, outcome, { now: days(8), waited_since: days(8 - tried) }).isOver
  expect([isOver(retried, 0), isOver(retried, 2.99), isOver(retried, 3)]).toEqual([
    false,
    false,
    true,
  ])
  expect(isOver({ is: 'given_up', ...failure }, 0)).toBe(true)
})
