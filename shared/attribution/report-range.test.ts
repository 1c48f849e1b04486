import { expect, test } from 'vitest'
import { ReportQuery } from './report.ts'
import { presetOf, rangeFault, rangeOf } from './report-range.ts'

const TODAY = '2026-11-20'

test.each([
  ['last_7', '2026-11-14', 'day'],
  ['last_28', '2026-10-24', 'day'],
  ['last_90', '2026-08-23', 'week'],
  ['month', '2026-11-01', 'day'],
  ['year', '2026-01-01', 'month'],
] as const)('%s starts on %s by %s and ends today', (preset, start, granularity) => {
  const range = rangeOf(preset, TODAY)
  expect(range).toEqual({ start, end: '2026-11-20', granularity })
  expect(presetOf(range, TODAY)).toBe(preset)
  expect(ReportQuery.safeParse({ domain: 'shop.example', ...range }).success).toBe(true)
})

test.each([
  ['2026-11-20', '2026-10-01', '2026-10-31'],
  ['2026-03-01', '2026-02-01', '2026-02-28'],
  ['2027-01-31', '2026-12-01', '2026-12-31'],
])('on %s the last month is %s to %s', (today, start, end) => {
  expect(rangeOf('last_month', today)).toEqual({ start, end, granularity: 'day' })
})

test('days that ended before today are no preset', () => {
  expect(presetOf({ start: '2026-11-14', end: '2026-11-19' }, TODAY)).toBeNull()
})

test('on the first of January the month and the year are one day', () => {
  const now = '2027-01-01'
  for (const preset of ['month', 'year'] as const) {
    expect(rangeOf(preset, now)).toMatchObject({ start: '2027-01-01', end: '2027-01-01' })
  }
})

test.each([
  ['', '2026-11-20', 'day', 'no_day'],
  ['2026-11-21', '2026-11-20', 'day', 'reversed'],
  ['2025-01-01', '2026-11-20', 'day', 'too_long'],
  ['2025-01-01', '2026-02-05', 'day', 'too_long'],
  ['2025-01-01', '2026-02-04', 'day', null],
  ['2025-01-01', '2026-11-20', 'week', null],
  ['2026-11-20', '2026-11-20', 'day', null],
  ['2999-12-31', '2999-12-31', 'month', null],
  ['2999-12-31', '3000-01-01', 'day', 'out_of_reach'],
  ['9999-12-01', '9999-12-31', 'day', 'out_of_reach'],
  ['1999-12-31', '2000-01-01', 'day', 'out_of_reach'],
] as const)('%s to %s by %s: %s', (start, end, granularity, fault) => {
  const days = { start, end, granularity }
  expect(rangeFault(days)).toBe(fault)
  expect(ReportQuery.safeParse({ domain: 'shop.example', ...days }).success).toBe(fault === null)
})
