import { expect, test } from 'vitest'
import type { AuditProgress } from '../../shared/audit/result/progress.ts'
import { tellProgress } from './listener.ts'

test('each change is told, also that a request has its answer', () => {
  const told: AuditProgress[] = []
  const listener = tellProgress((seen) => told.push(seen))
  listener.begins(['robots'])
  listener.asks('https://shop.example/robots.txt')()
  listener.done('robots')
  expect(told.map(({ asking }) => asking.length)).toEqual([0, 1, 0, 0])
  expect(told.at(-1)).toEqual({
    parts: [
      { part: 'robots', done: true },
      { part: 'judging', done: false },
    ],
    asking: [],
    requests: 1,
  })
})
