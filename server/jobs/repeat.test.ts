import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { repeat } from './repeat.ts'

const NEVER_MS = 2 ** 31 - 1

test('what is left is done at once, and what is under way is finished before it stops', async () => {
  const last = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const done: number[] = []
  const { stop } = repeat({
    everyMs: NEVER_MS,
    work: async (signal, again) => {
      if (done.length === 2) {
        begun.resolve()
        await last.promise
      }
      done.push(done.length)
      if (!signal.aborted) again(0)
    },
    onError: () => {},
  })
  await begun.promise
  const stopped = stop()
  expect(done).toEqual([0, 1])
  last.resolve()
  await stopped
  expect(done).toEqual([0, 1, 2])
})

test('what fails is told, and done again', async () => {
  const again = Promise.withResolvers<void>()
  const errors: unknown[] = []
  const failure = new Error('not now')
  const { stop } = repeat({
    everyMs: 1,
    work: async () => {
      if (errors.length === 0) throw failure
      again.resolve()
    },
    onError: (error) => errors.push(error),
  })
  await again.promise
  await stop()
  expect(errors).toEqual([failure])
})

test('it can be woken, in its pause and while it is at work', async () => {
  const held = Promise.withResolvers<void>()
  const again = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let done = 0
  const { wake, stop } = repeat({
    everyMs: NEVER_MS,
    work: async () => {
      if (done === 0) await held.promise
      done += 1
      again[done - 2]?.resolve()
    },
    onError: () => {},
  })
  wake()
  held.resolve()
  await again[0]?.promise
  await setImmediate()
  expect(done).toBe(2)
  wake()
  await again[1]?.promise
  await stop()
  expect(done).toBe(3)
})
