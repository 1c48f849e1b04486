import { useCallback, useEffect, useReducer, useRef } from 'preact/hooks'
import { type ApiFailure, failed, type Result } from '../../api/result.ts'
import { IDLE, nextTask, type Task, type TaskEvent } from './task-state.ts'

/** Work that ends with a result; `found` shows something before. */
export type Work<T> = (signal: AbortSignal, found: (value: T) => void) => Promise<Result<T>>

interface RunningTask<T> {
  task: Task<T, ApiFailure>
  /** Starts the work; running work is cancelled. */
  start: (work: Work<T>) => void
  cancel: () => void
  forget: () => void
}

/** Runs one piece of work at a time; results of replaced or abandoned work are ignored. */
export function useTask<T>(): RunningTask<T> {
  const [task, dispatch] = useReducer<Task<T, ApiFailure>, TaskEvent<T, ApiFailure>>(nextTask, IDLE)
  const current = useRef<AbortController | null>(null)

  const stop = useCallback((event: TaskEvent<T, ApiFailure>) => {
    current.current?.abort()
    current.current = null
    dispatch(event)
  }, [])
  const start = useCallback<RunningTask<T>['start']>((work) => {
    current.current?.abort()
    const own = new AbortController()
    current.current = own
    dispatch({ type: 'started', at: Date.now() })
    const found = (value: T) => {
      if (current.current === own) dispatch({ type: 'found', value })
    }
    void work(own.signal, found)
      .catch(brokenOff)
      .then((result) => {
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

/** Ends the task if our own code throws, or the browser refuses to store. */
const brokenOff = (error: unknown) =>
  failed(
    'unexpected',
    error instanceof Error ? `${error.message}.` : 'The work ended unexpectedly.',
  )
