import { useEffect, useRef, useState } from 'preact/hooks'
import type { WalkShown } from '../../../shared/walk/stored-walk.ts'
import type { ApiFailure } from '../../api/result.ts'
import { forgetWalk, lastWalk, rememberWalk, startedWalks } from '../../stored/storage.ts'
import { useDeleted } from '../../stored/use-stored.ts'
import type { Server } from '../app/server.ts'
import { newestOf, type Task } from '../tasks/task-state.ts'
import { useTask, type Work } from '../tasks/use-task.ts'
import { askToEnd, walkToEnd } from './walk-to-end.ts'

interface StoreWalk {
  task: Task<WalkShown, ApiFailure>
  /** Its newest known state. */
  walk: WalkShown | null
  isStopping: boolean
  start: () => void
  /** After a failure: follows the walk that was accepted, else starts one. */
  retry: () => void
  /** Has the server cancel it: its end arrives like any other. */
  stop: () => void
}

/**
 * A walk of a domain by the server. Nothing is requested before `start` is called, except the state
 * of a walk that was started before this window was opened.
 */
export function useStoreWalk(server: Server, domain: string): StoreWalk {
  const { task, start: run, forget } = useTask<WalkShown>()
  const [isStopping, setStopping] = useState(false)
  const isAsked = useRef(false)
  const accepted = useRef<string | null>(null)
  const isUnwanted = useRef(false)
  const endAtServer = async (id: string) => {
    const ended = await server.api.stopWalk(id)
    // It goes on: the button is there again.
    if (!ended.ok) setStopping(false)
  }
  const ask = (id: string | null, work: Work<WalkShown>) => {
    isAsked.current = true
    accepted.current = id
    isUnwanted.current = false
    setStopping(false)
    run(work)
  }
  const start = () =>
    ask(null, (signal, found) =>
      walkToEnd(server.api, domain, signal, found, (id, isNew) => {
        accepted.current = id
        // Storage may be full: the walk is shown all the same.
        void rememberWalk(server.url, domain, id).catch(() => {})
        if (!isUnwanted.current) return
        if (isNew) void endAtServer(id)
        // This is another walk than the one to stop: it has its own button.
        else setStopping(false)
      }),
    )
  const resume = (id: string) =>
    ask(id, async (signal, found) => {
      const walk = await askToEnd(server.api, id, signal, found)
      if (!walk.ok && walk.failure.kind === 'not_found') {
        accepted.current = null
        await forgetWalk(server.url, domain)
        forget()
      }
      return walk
    })
  useEffect(() => {
    void lastWalk(server.url, domain).then((id) => {
      if (id !== null && !isAsked.current) resume(id)
    })
  }, [])
  useDeleted(startedWalks, () => {
    // A running walk must still be stopped.
    if (task.is !== 'running') forget()
  })
  return {
    task,
    walk: newestOf(task),
    isStopping,
    start,
    retry: () => (accepted.current === null ? start() : resume(accepted.current)),
    stop: () => {
      setStopping(true)
      // One that is being requested may have started: it is cancelled as soon as its id is known.
      if (accepted.current === null) isUnwanted.current = true
      else void endAtServer(accepted.current)
    },
  }
}
