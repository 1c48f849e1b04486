import { expect, test } from 'vitest'
import { eventually } from '../../shared/testing/wait.ts'
import { takeDue } from './take-due.ts'

const NEVER_MS = 2 ** 31 - 1

test('a few are worked on at a time, a free place is used at once, and a failure stops nothing', async () => {
  const due = ['a', 'broken', 'c', 'd', 'e']
  const done: string[] = []
  const failed: unknown[] = []
  let most = 0
  const taking = takeDue<string>({
    everyMs: NEVER_MS,
    most: () => 2,
    take: async (free, running) => {
      most = Math.max(most, running.length + free)
      return due.splice(0, free)
    },
    work: async (name) => {
      await new Promise((resolve) => setTimeout(resolve, 2))
      if (name === 'broken') throw new Error('no')
      done.push(name)
    },
    onError: (_, name) => failed.push(name),
  })
  await eventually(() => done).toEqual(['a', 'c', 'd', 'e'])
  expect([failed, most]).toEqual([['broken'], 2])
  await taking.stop()
})

test('what was taken while it stops is told to leave off, and waited for', async () => {
  const search = Promise.withResolvers<string[]>()
  const left: string[] = []
  const taking = takeDue<string>({
    everyMs: NEVER_MS,
    most: () => 1,
    take: () => search.promise,
    work: async (name, signal) => {
      if (signal.aborted) left.push(name)
    },
    onError: () => {},
  })
  const stopped = taking.stop()
  search.resolve(['taken'])
  await stopped
  expect(left).toEqual(['taken'])
})
