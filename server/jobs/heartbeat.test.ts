import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { heartbeat } from './heartbeat.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

test('a heartbeat that is due while the one before still works is left out', async () => {
  const begun: PromiseWithResolvers<void>[] = []
  const failures: unknown[] = []
  const stop = heartbeat(
    100,
    () => {
      const work = Promise.withResolvers<void>()
      begun.push(work)
      return work.promise
    },
    (error) => failures.push(error),
  )
  await vi.advanceTimersByTimeAsync(1000)
  expect(begun).toHaveLength(1)
  begun[0]?.resolve()
  await vi.advanceTimersByTimeAsync(100)
  expect(begun).toHaveLength(2)
  // A failure is reported, and the next one still comes.
  begun[1]?.reject('away')
  await vi.advanceTimersByTimeAsync(100)
  expect([failures, begun.length]).toEqual([['away'], 3])
  begun[2]?.resolve()
  stop()
  await vi.advanceTimersByTimeAsync(1000)
  expect(begun).toHaveLength(3)
})
