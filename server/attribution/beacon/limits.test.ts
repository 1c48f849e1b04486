import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../http/errors.ts'
import { createBeaconLimits } from './limits.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** How many of so many calls in a row are let through. */
async function passed(times: number, call: () => Promise<void>): Promise<number> {
  let count = 0
  for (let n = 0; n < times; n += 1) {
    try {
      await call()
      count += 1
    } catch (refusal) {
      expect(refusal).toBeInstanceOf(ApiError)
      expect(refusal).toMatchObject({ status: 429, code: 'rate_limited' })
      expect(refusal).toHaveProperty('extras.headers', { 'Retry-After': '1' })
    }
  }
  return count
}

test('an address has 120 at once, 60 a second from then on, and 120 again later', async () => {
  const { countAddress } = createBeaconLimits()
  const once = () => passed(500, () => countAddress('203.0.113.7'))
  expect(await once()).toBe(120)
  expect(await once()).toBe(0)
  vi.advanceTimersByTime(1000)
  expect(await once()).toBe(60)
  vi.advanceTimersByTime(10_000)
  expect(await once()).toBe(120)
})

test('a property has 300 a second, whoever sends them', async () => {
  const { countProperty } = createBeaconLimits()
  expect(await passed(500, () => countProperty('a'))).toBe(300)
  expect(await passed(10, () => countProperty('b'))).toBe(10)
  vi.advanceTimersByTime(1000)
  expect(await passed(500, () => countProperty('a'))).toBe(300)
})

test('one /64 is one address, and its neighbours are others', async () => {
  const { countAddress } = createBeaconLimits()
  const from = ['2001:db8::1', '2001:db8:0:0:ffff::', '2001:db8::2']
  let turn = 0
  expect(await passed(300, () => countAddress(from[turn++ % 3]!))).toBe(120)
  expect(await passed(200, () => countAddress('2001:db8:0:1::1'))).toBe(120)
  expect(await passed(200, () => countAddress('203.0.113.1'))).toBe(120)
  expect(await passed(200, () => countAddress(null))).toBe(120)
})

test('nothing is kept of the addresses of ten seconds ago', async () => {
  const { countAddress } = createBeaconLimits()
  for (let n = 0; n < 1000; n += 1) await countAddress(`10.0.${n >> 8}.${n & 255}`)
  expect(vi.getTimerCount()).toBe(1000)
  vi.advanceTimersByTime(10_000)
  expect(vi.getTimerCount()).toBe(0)
})
