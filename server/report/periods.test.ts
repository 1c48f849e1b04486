import { expect, test } from 'vitest'
import type { Granularity } from '../../shared/report.ts'
import { periodsOf, rangeBefore } from './periods.ts'

test.each<[Granularity, string, string, string[]]>([
  ['day', '2026-02-27', '2026-03-01', ['2026-02-27', '2026-02-28', '2026-03-01']],
  ['day', '2028-02-28', '2028-03-01', ['2028-02-28', '2028-02-29', '2028-03-01']],
  ['day', '2026-11-30', '2026-11-30', ['2026-11-30']],
  // 2026-11-01 is a Sunday.
  ['week', '2026-11-01', '2026-11-09', ['2026-10-26', '2026-11-02', '2026-11-09']],
  ['week', '2026-12-28', '2027-01-04', ['2026-12-28', '2027-01-04']],
  ['month', '2026-11-30', '2027-01-01', ['2026-11-01', '2026-12-01', '2027-01-01']],
  ['month', '2026-01-31', '2026-03-31', ['2026-01-01', '2026-02-01', '2026-03-01']],
  ['day', '9999-12-31', '9999-12-31', ['9999-12-31']],
  ['week', '9999-12-31', '9999-12-31', ['9999-12-27']],
  ['month', '9999-12-01', '9999-12-31', ['9999-12-01']],
  ['day', '9999-12-31', '+010000-01-01', ['9999-12-31', '+010000-01-01']],
  ['month', '+010000-01-31', '+010000-02-01', ['+010000-01-01', '+010000-02-01']],
  ['day', '2026-11-30', 'tomorrow', []],
])('by %s, %s to %s is %j', (granularity, start, end, periods) => {
  expect(periodsOf({ start, end }, granularity)).toEqual(periods)
})

test('the range before has as many days and ends where this one begins', () => {
  expect(rangeBefore({ start: '2026-03-01', end: '2026-03-31' })).toEqual({
    start: '2026-01-29',
    end: '2026-02-28',
  })
  expect(rangeBefore({ start: '2026-03-01', end: '2026-03-01' })).toEqual({
    start: '2026-02-28',
    end: '2026-02-28',
  })
})
