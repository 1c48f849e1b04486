import { expect, test } from 'vitest'
import { retryAfterMs } from './retry-after.ts'

const NOW = new Date('2026-11-23T10:00:00Z')
const AT_TEN = { date: 'Mon, 23 Nov 2026 10:00:00 GMT' }

test.each<[string, Record<string, string>, number | null]>([
  ['seconds', { 'retry-after': ' 30 ' }, 30_000],
  ['none', { 'retry-after': '0' }, 0],
  ['more than a number holds', { 'retry-after': '9'.repeat(400) }, 1e12],
  ['a moment', { 'retry-after': 'Mon, 23 Nov 2026 10:01:00 GMT', ...AT_TEN }, 60_000],
  ['as RFC 850 wrote it', { 'retry-after': 'Monday, 23-Nov-26 10:01:00 GMT', ...AT_TEN }, 60_000],
  [
    "by the server's clock",
    { 'retry-after': 'Mon, 23 Nov 2026 12:01:00 GMT', date: 'Mon, 23 Nov 2026 12:00:00 GMT' },
    60_000,
  ],
  ['a moment by our clock', { 'retry-after': 'Mon, 23 Nov 2026 10:00:30 GMT' }, 30_000],
  ['one that is over', { 'retry-after': 'Mon, 23 Nov 2026 09:00:00 GMT', ...AT_TEN }, 0],
  ['nothing', AT_TEN, null],
  ['a fraction, which is no year', { 'retry-after': '1.5', ...AT_TEN }, null],
  ['less than nothing', { 'retry-after': '-1', ...AT_TEN }, null],
  ['words', { 'retry-after': 'soon', ...AT_TEN }, null],
  ['a weekday', { 'retry-after': 'Monday', ...AT_TEN }, null],
])('how long a server wants to be left alone: %s', (_, headers, ms) => {
  expect(retryAfterMs(headers, NOW)).toBe(ms)
})

test('without any clock a moment says nothing', () => {
  expect(retryAfterMs({ 'retry-after': 'Mon, 23 Nov 2026 10:01:00 GMT' })).toBe(null)
})
