/** Something that takes time. `before` can still be shown while it runs or fails. */
export type Task<T, F> =
  | { is: 'idle'; before: null }
  | { is: 'running'; since: number; before: T | null }
  | { is: 'done'; value: T }
  | { is: 'failed'; failure: F; at: number; before: T | null }

export type TaskEvent<T, F> =
  | { type: 'started'; at: number }
  /** Something to show already, while the work goes on. */
  | { type: 'found'; value: T }
  | { type: 'done'; value: T }
  | { type: 'failed'; failure: F; at: number }
  | { type: 'cancelled' }
  | { type: 'forgotten' }

export const IDLE = { is: 'idle', before: null } as const

/** The newest value, finished now or before. */
export const newestOf = <T, F>(task: Task<T, F>): T | null =>
  task.is === 'done' ? task.value : task.before

export function nextTask<T, F>(task: Task<T, F>, event: TaskEvent<T, F>): Task<T, F> {
  const value = newestOf(task)
  switch (event.type) {
    case 'started':
      return { is: 'running', since: event.at, before: value }
    case 'found':
      return task.is === 'running' ? { ...task, before: event.value } : task
    case 'done':
      return { is: 'done', value: event.value }
    case 'failed':
      return { is: 'failed', failure: event.failure, at: event.at, before: value }
    case 'cancelled':
      return value === null ? IDLE : { is: 'done', value }
    case 'forgotten':
      return IDLE
  }
}
