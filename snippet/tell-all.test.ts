import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { tellAll } from './tell-all.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('one that does not throw is called once, one that comes late until it does not', () => {
  let isThere = false
  const here = vi.fn(() => undefined)
  const late = vi.fn(() => {
    if (!isThere) throw new Error('not there')
    return [undefined]
  })
  tellAll([here, late], 100)
  vi.advanceTimersByTime(1000)
  expect(late.mock.calls.length).toBeGreaterThan(2)
  isThere = true
  vi.advanceTimersByTime(100_000)
  const calls = late.mock.calls.length
  expect(late.mock.results.filter(({ type }) => type === 'return')).toHaveLength(1)
  vi.advanceTimersByTime(1_000_000)
  expect(late).toHaveBeenCalledTimes(calls)
  expect(here).toHaveBeenCalledTimes(1)
})

test('one that never comes is given up after less than two minutes', () => {
  const missing = vi.fn(() => {
    throw new Error('not there')
  })
  tellAll([missing], 100)
  vi.advanceTimersByTime(52_000)
  const calls = missing.mock.calls.length
  expect(calls).toBeGreaterThan(8)
  vi.advanceTimersByTime(68_000)
  expect(missing).toHaveBeenCalledTimes(calls)
  expect(vi.getTimerCount()).toBe(0)
})
