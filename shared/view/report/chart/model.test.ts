import { expect, test } from 'vitest'
import { english } from '../../language.ts'
import { dailyOf, previousOf, reportOf } from '../../testing/markup.ts'
import { CHART_METRICS } from '../figures.ts'
import { chartModel } from './model.ts'

test('periods that are not over are parts, and those to come have no value', () => {
  const daily = dailyOf(5, () => 2).map((row, at) => ({ ...row, partial: at >= 2 }))
  const model = chartModel(reportOf(daily), 'orders', english(), '2026-11-03')
  expect(model.partial).toEqual([false, false, true, false, false])
  expect(model.current).toEqual([2, 2, 2, null, null])
  expect(model.points.map(({ value }) => value)).toEqual(['2', '2', '2', '–', '–'])
})

test('a rate of nothing is no value, a count of nothing is 0', () => {
  const report = reportOf(dailyOf(3, (at) => (at === 1 ? 0 : 4)))
  expect(chartModel(report, 'conversion', english()).current).toEqual([0.1, null, 0.1])
  expect(chartModel(report, 'order_value', english()).current).toEqual([5000, null, 5000])
  expect(chartModel(report, 'orders', english()).current).toEqual([4, 0, 4])
})

test('the period before is laid under this one, place by place', () => {
  const before = reportOf(dailyOf(2, () => 9))
  const report = reportOf(
    dailyOf(3, () => 1),
    { previous: previousOf(before) },
  )
  const { previous, top, points } = chartModel(report, 'orders', english())
  expect(previous).toEqual([9, 9, null])
  expect(top).toBeGreaterThanOrEqual(9)
  expect(points.map(({ before: value }) => value)).toEqual(['9', '9', '–'])
})

test.each(CHART_METRICS)('%s of 400 days is a line with at most six labels', (metric) => {
  const model = chartModel(reportOf(dailyOf(400, (at) => at % 7, '2025-10-18')), metric, english())
  expect(model.kind).toBe('line')
  expect(model.xLabels.length).toBeLessThanOrEqual(6)
  expect(model.xLabels[0]?.label).toBe('Nov 2025')
  expect(new Set(model.xLabels.map(({ label }) => label)).size).toBe(model.xLabels.length)
})

test('nothing recorded has no peak and one label at 0', () => {
  const model = chartModel(reportOf(dailyOf(30, () => 0)), 'revenue', english())
  expect(model.peak).toBeNull()
  expect(model.yLabels).toEqual([{ y: 100, label: '0' }])
})

test('the peak is the first highest point', () => {
  const model = chartModel(reportOf(dailyOf(4, (at) => (at > 0 ? 3 : 1))), 'revenue', english())
  expect(model.peak).toMatchObject({ label: 'Nov 2, 2026', value: '$150.00' })
})

test('one day and no day', () => {
  expect(chartModel(reportOf(dailyOf(1, () => 1)), 'sessions', english()).xLabels).toHaveLength(1)
  expect(chartModel(reportOf([]), 'sessions', english()).points).toEqual([])
})
