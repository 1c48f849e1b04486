import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFairClock, withinFair } from './fair-clock.ts'

let now = 0
/** Milliseconds pass; the process runs every `every` of them. */
function pass(ms: number, every = 20) {
  for (const until = now + ms; now < until; ) {
    now += every
    vi.advanceTimersByTime(20)
  }
}
beforeEach(() => {
  now = 0
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('counts the time in which this process could run, and that alone', () => {
  const clock = createFairClock(() => now)
  pass(1000)
  expect(clock.now()).toBe(1000)
  pass(10_000, 1000)
  expect(clock.now()).toBe(1300)
  clock.stop()
})

test('work that goes on for too long is late, and other work is not', async () => {
  const clock = createFairClock(() => now)
  const late = () => new Error('late')
  const never = withinFair(clock, 50, new Promise(() => {}), late)
  const given = withinFair(clock, 50, Promise.resolve('done'), late)
  pass(40, 20)
  expect(await given).toBe('done')
  pass(20)
  await expect(never).rejects.toThrow('late')
  clock.stop()
})
