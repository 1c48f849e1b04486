import { useCallback, useEffect, useReducer, useRef } from 'preact/hooks'
import type { Failure, Result } from '../result.ts'
import { IDLE, nextTask, type Task, type TaskEvent } from './task-state.ts'

export interface RunningTask<T> {
  task: Task<T, Failure>
  /** Starts the work; work that is still under way is cancelled. */
  start: (work: (signal: AbortSignal) => Promise<Result<T>>) => void
  cancel: () => void
  forget: () => void
}

/** Runs one piece of work at a time; what ends after it was replaced or left is not heard. */
export function useTask<T>(): RunningTask<T> {
  const [task, dispatch] = useReducer<Task<T, Failure>, TaskEvent<T, Failure>>(nextTask, IDLE)
  const current = useRef<AbortController | null>(null)

  const stop = useCallback((event: TaskEvent<T, Failure>) => {
    current.current?.abort()
    current.current = null
    dispatch(event)
  }, [])
  const start = useCallback<RunningTask<T>['start']>((work) => {
    current.current?.abort()
    const own = new AbortController()
    current.current = own
    dispatch({ type: 'started', at: Date.now() })
    void work(own.signal).then((result) => {
      if (current.current !== own) return
      current.current = null
      dispatch(
        result.ok
          ? { type: 'done', value: result.value }
          : { type: 'failed', failure: result.failure, at: Date.now() },
      )
    })
  }, [])
  const cancel = useCallback(() => stop({ type: 'cancelled' }), [stop])
  const forget = useCallback(() => stop({ type: 'forgotten' }), [stop])
  useEffect(() => () => current.current?.abort(), [])
  return { task, start, cancel, forget }
}
