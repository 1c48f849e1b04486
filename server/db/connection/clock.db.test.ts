import { afterEach, expect, test, vi } from 'vitest'
import { testDatabase } from '../../testing/app.ts'
import { createClock } from './clock.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('a computer whose clock is wrong, or is set, tells the database’s time', async () => {
  const { sql } = await testDatabase()
  const real = Date.now()
  const off = (ms: number) => Math.abs(ms - real)
  vi.useFakeTimers({ toFake: ['Date'], now: real + 86_400_000 })
  const clock = createClock()
  expect(off(clock.now().getTime())).toBeGreaterThan(80_000_000)
  const following = await clock.follow(sql)
  expect(off(clock.now().getTime())).toBeLessThan(10_000)
  vi.setSystemTime(real - 86_400_000)
  expect(off(clock.now().getTime())).toBeLessThan(10_000)
  following.stop()
})
