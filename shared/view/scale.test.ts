import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  areaPath,
  axisTicks,
  highest,
  labelPlaces,
  linePath,
  lonePlaces,
  xOf,
  yOf,
} from './scale.ts'

test.each([
  [0, true, [0]],
  [-3, true, [0]],
  [Number.NaN, true, [0]],
  [Number.POSITIVE_INFINITY, false, [0]],
  [1, true, [0, 1]],
  [3, true, [0, 1, 2, 3]],
  [7, true, [0, 2, 4, 6, 8]],
  [100, true, [0, 50, 100]],
  [101, true, [0, 50, 100, 150]],
  [0.3, false, [0, 0.1, 0.2, 0.3]],
  [0.025, false, [0, 0.01, 0.02, 0.03]],
])('the axis up to %d (whole: %s) is labelled %j', (max, whole, ticks) => {
  expect(axisTicks(max, 4, whole).ticks).toEqual(ticks)
})

test('every axis holds its values with few, even labels', () =>
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e15, noNaN: true }), (max) => {
      const { ticks, top } = axisTicks(max)
      expect(top).toBeGreaterThanOrEqual(max * (1 - 1e-8))
      expect(ticks.length).toBeGreaterThanOrEqual(2)
      expect(ticks.length).toBeLessThanOrEqual(6)
    }),
  ))

test('the highest of several series, 0 of none', () => {
  expect(highest([1, null, 3], [2])).toBe(3)
  expect(highest([null], [])).toBe(0)
})

test('labels are thinned evenly', () => {
  const places = (count: number) => Array.from({ length: count }, (_, at) => at)
  expect(labelPlaces([], 8)).toEqual([])
  expect(labelPlaces([0], 8)).toEqual([0])
  expect(labelPlaces(places(8), 8)).toEqual(places(8))
  expect(labelPlaces(places(9), 8)).toEqual([0, 2, 4, 6, 8])
  expect(labelPlaces(places(400), 8)).toHaveLength(8)
})

test('places in the box', () => {
  expect(xOf(0, 1)).toBe(50)
  expect(xOf(3, 4)).toBe(87.5)
  expect(yOf(0, 10)).toBe(100)
  expect(yOf(10, 10)).toBe(0)
  expect(yOf(99, 10)).toBe(0)
})

test('a line pauses where there is no value', () => {
  expect(linePath([1, 2, null, 2], 2)).toBe('M12.5 50L37.5 0M87.5 0')
  expect(linePath([1, 2, 0], 2, 1, 2)).toBe('M50 0L83.33 100')
  expect(linePath([1, 2], 2, -1, 0)).toBe('M25 50')
  expect(linePath([], 1)).toBe('')
})

test('an area is closed per run of values', () => {
  expect(areaPath([1, 1, null, 2], 2)).toBe(
    'M12.5 100L12.5 50L37.5 50L37.5 100ZM87.5 100L87.5 0L87.5 100Z',
  )
})

test('values without neighbours need a dot', () => {
  expect(lonePlaces([1, null, 2, 3, null, 4])).toEqual([0, 5])
  expect(lonePlaces([1])).toEqual([0])
  expect(lonePlaces([null])).toEqual([])
})
