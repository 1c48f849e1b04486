import { expect, test } from 'vitest'
import { IDLE, newestOf, nextTask, type Task, type TaskEvent } from './task-state.ts'

const after = (...events: TaskEvent<string, string>[]) =>
  events.reduce<Task<string, string>>(nextTask, IDLE)

const started = { type: 'started', at: 5 } as const
const done = { type: 'done', value: 'old' } as const
const failed = { type: 'failed', failure: 'offline', at: 9 } as const

test.each([
  ['a first run', [started], { is: 'running', since: 5, before: null }],
  [
    'a second run keeps the first result',
    [done, started],
    { is: 'running', since: 5, before: 'old' },
  ],
  [
    'a failure keeps it too',
    [done, started, failed],
    { is: 'failed', failure: 'offline', at: 9, before: 'old' },
  ],
  ['a cancelled first run is as if it never was', [started, { type: 'cancelled' }], IDLE],
  [
    'a cancelled second run gives the result back',
    [done, started, { type: 'cancelled' }],
    { is: 'done', value: 'old' },
  ],
  [
    'what was found is shown while the work goes on',
    [started, { type: 'found', value: 'stored' }],
    { is: 'running', since: 5, before: 'stored' },
  ],
  [
    'and stays when the work is cancelled',
    [started, { type: 'found', value: 'stored' }, { type: 'cancelled' }],
    { is: 'done', value: 'stored' },
  ],
  ['what is found too late is not heard', [{ type: 'found', value: 'stored' }], IDLE],
  ['what is forgotten is gone', [done, { type: 'forgotten' }], IDLE],
] satisfies [string, TaskEvent<string, string>[], Task<string, string>][])(
  '%s',
  (_, events, task) => {
    expect(after(...events)).toEqual(task)
  },
)

test('the newest value outlives a failure', () => {
  expect(newestOf(after(started))).toBeNull()
  expect(newestOf(after(done, failed))).toBe('old')
})
