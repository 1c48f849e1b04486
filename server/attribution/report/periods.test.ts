import { expect, test } from 'vitest'
import type { Granularity } from '../../../shared/attribution/report.ts'
import { comparedDays, isPartial, lastOver, periodsOf, rangeBefore } from './periods.ts'

test.each<[Granularity, string, string, string[]]>([
  ['day', '2026-02-27', '2026-03-01', ['2026-02-27', '2026-02-28', '2026-03-01']],
  ['day', '2028-02-28', '2028-03-01', ['2028-02-28', '2028-02-29', '2028-03-01']],
  ['day', '2026-11-30', '2026-11-30', ['2026-11-30']],
  // 2026-11-01 is a Sunday.
  ['week', '2026-11-01', '2026-11-09', ['2026-11-01', '2026-11-02', '2026-11-09']],
  ['week', '2026-12-28', '2027-01-04', ['2026-12-28', '2027-01-04']],
  ['month', '2026-11-30', '2027-01-01', ['2026-11-30', '2026-12-01', '2027-01-01']],
  ['month', '2026-01-31', '2026-03-31', ['2026-01-31', '2026-02-01', '2026-03-01']],
  ['day', '9999-12-31', '9999-12-31', ['9999-12-31']],
  ['week', '9999-12-31', '9999-12-31', ['9999-12-31']],
  ['month', '9999-12-01', '9999-12-31', ['9999-12-01']],
  ['day', '9999-12-31', '+010000-01-01', ['9999-12-31', '+010000-01-01']],
  ['month', '+010000-01-31', '+010000-02-01', ['+010000-01-31', '+010000-02-01']],
  ['day', '2026-11-30', 'tomorrow', []],
])('by %s, %s to %s is %j', (granularity, start, end, periods) => {
  expect(periodsOf({ start, end }, granularity)).toEqual(periods)
})

test.each([
  ['2026-03-01', '2026-03-01', '2026-02-28', '2026-02-28'],
  ['2026-03-01', '2026-03-30', '2026-01-30', '2026-02-28'],
  ['2026-03-02', '2026-03-31', '2026-01-31', '2026-03-01'],
  ['2028-02-01', '2028-02-28', '2028-01-04', '2028-01-31'],
  // 2026-11-16 is a Monday.
  ['2026-11-16', '2026-11-22', '2026-11-09', '2026-11-15'],
])('the range before %s to %s has as many days: %s to %s', (start, end, from, to) => {
  expect(rangeBefore({ start, end })).toEqual({ start: from, end: to })
})

test.each([
  ['2026-03-01', '2026-03-31', '2026-02-01', '2026-02-28'],
  ['2028-02-01', '2028-02-29', '2028-01-01', '2028-01-31'],
  ['2026-04-01', '2026-06-30', '2026-01-01', '2026-03-31'],
  ['2026-01-01', '2026-01-31', '2025-12-01', '2025-12-31'],
  ['2025-12-01', '2026-02-28', '2025-09-01', '2025-11-30'],
  ['2026-01-01', '2026-12-31', '2025-01-01', '2025-12-31'],
])('the range before whole months, %s to %s, has as many: %s to %s', (start, end, from, to) => {
  expect(rangeBefore({ start, end })).toEqual({ start: from, end: to })
})

const TODAY = '2026-11-21'

test.each([
  ['2026-11-01', '2026-11-20', '2026-11-20'],
  ['2026-11-01', '2026-11-21', '2026-11-20'],
  ['2026-11-01', '2026-12-31', '2026-11-20'],
  ['2026-11-21', '2026-11-21', null],
  ['2026-12-01', '2026-12-31', null],
])('on the 21st, of %s to %s the days to %s are over', (start, end, last) => {
  expect(lastOver({ start, end }, TODAY)).toBe(last)
})

test.each([
  // Over: both as they are.
  ['2026-10-01', '2026-10-31', '2026-09-01', '2026-09-30', '2026-10-31', '2026-09-30'],
  // A month so far, a year so far, and 28 days with today.
  ['2026-11-01', '2026-11-30', '2026-10-01', '2026-10-31', '2026-11-20', '2026-10-20'],
  ['2026-01-01', '2026-12-31', '2025-01-01', '2025-12-31', '2026-11-20', '2025-11-20'],
  ['2026-10-25', '2026-11-21', '2026-09-27', '2026-10-24', '2026-11-20', '2026-10-23'],
  ['2026-11-16', '2026-11-22', '2026-11-09', '2026-11-15', '2026-11-20', '2026-11-13'],
])('%s to %s against %s to %s: to %s and %s', (start, end, from, to, through, throughBefore) => {
  expect(comparedDays({ start, end }, { start: from, end: to }, TODAY)).toEqual({
    current: { start, end: through },
    previous: { start: from, end: throughBefore },
  })
})

test('the 30th of a month is compared with the last day of a shorter one', () => {
  const march = { start: '2026-03-01', end: '2026-03-31' }
  const february = { start: '2026-02-01', end: '2026-02-28' }
  expect(comparedDays(march, february, '2026-03-31')).toEqual({
    current: { start: '2026-03-01', end: '2026-03-30' },
    previous: february,
  })
  expect(comparedDays(march, february, '2026-03-01')).toBeNull()
})

test.each<[string, string, Granularity, boolean]>([
  ['2026-11-20', '2026-11-30', 'day', false],
  ['2026-11-21', '2026-11-30', 'day', true],
  ['2026-11-09', '2026-11-30', 'week', false],
  ['2026-11-16', '2026-11-30', 'week', true],
  // Begun within the week, and cut within it.
  ['2026-11-10', '2026-11-30', 'week', true],
  ['2026-11-09', '2026-11-14', 'week', true],
  ['2026-10-01', '2026-11-30', 'month', false],
  ['2026-10-02', '2026-11-30', 'month', true],
  ['2026-10-01', '2026-10-30', 'month', true],
  ['2026-11-01', '2026-11-30', 'month', true],
])('a row of %s in a range to %s by %s is partial: %s', (date, end, granularity, partial) => {
  expect(isPartial(date, { start: date, end }, granularity, TODAY)).toBe(partial)
})
