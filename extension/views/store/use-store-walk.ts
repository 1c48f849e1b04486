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
  /** The newest that is known of it. */
  walk: WalkShown | null
  isStopping: boolean
  start: () => void
  /** After a failure: sees how the one that was accepted goes on, else starts one. */
  retry: () => void
  /** Has the server end it: the end is seen as any other. */
  stop: () => void
}

/**
 * A walk of a domain by the server. Nothing is asked before `start` is called, but for how a walk
 * goes on that was started before this window was opened.
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
        // It was not this one that was to be stopped: there is a button for it.
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
    // One that is under way must still be stopped.
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
      // One that is being asked for may have begun: it is ended as soon as its id is known.
      if (accepted.current === null) isUnwanted.current = true
      else void endAtServer(accepted.current)
    },
  }
}
