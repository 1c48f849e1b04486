import { useRef, useState } from 'preact/hooks'
import { isWalkOver, type WalkListed, type WalkShown } from '../../../shared/walk/stored-walk.ts'
import type { ApiClient } from '../../api/client.ts'
import { type ApiFailure, failed, type Result } from '../../api/result.ts'
import type { Server } from '../app/server.ts'
import { newestOf, type Task } from '../tasks/task-state.ts'
import { useTask } from '../tasks/use-task.ts'

type WalkApi = Pick<ApiClient, 'startWalk' | 'walk'>

/** How often a walk that is under way is asked for. */
const ASK_MS = 1000

// Unspecified: a walk goes on at the server, so that five failed questions in a row are forgiven.
const FORGIVEN = 5

export interface StoreWalk {
  task: Task<WalkShown, ApiFailure>
  /** The newest that is known of it. */
  walk: WalkShown | null
  isStopping: boolean
  start: () => void
  /** Has the server end it: the end is seen as any other. */
  stop: () => void
}

/** A walk of a domain by the server. Nothing is asked before `start` is called. */
export function useStoreWalk(server: Server, domain: string): StoreWalk {
  const { task, start } = useTask<WalkShown>()
  const [isStopping, setStopping] = useState(false)
  const accepted = useRef<WalkListed | null>(null)
  const isUnwanted = useRef(false)
  const endAtServer = async ({ id }: WalkListed) => {
    const ended = await server.api.stopWalk(id)
    // It goes on: the button is there again.
    if (!ended.ok) setStopping(false)
  }
  return {
    task,
    walk: newestOf(task),
    isStopping,
    start: () => {
      accepted.current = null
      isUnwanted.current = false
      setStopping(false)
      start((signal, found) =>
        walkToEnd(server.api, domain, signal, found, (walk) => {
          accepted.current = walk
          if (isUnwanted.current) void endAtServer(walk)
        }),
      )
    },
    stop: () => {
      setStopping(true)
      // One that is being asked for may have begun: it is ended as soon as its id is known.
      if (accepted.current === null) isUnwanted.current = true
      else void endAtServer(accepted.current)
    },
  }
}

/** Starts a walk and asks for it until it has ended; `found` is called with each state. */
export async function walkToEnd(
  api: WalkApi,
  domain: string,
  signal: AbortSignal,
  found: (walk: WalkShown) => void,
  accept: (walk: WalkListed) => void,
  pause: (signal: AbortSignal) => Promise<void> = aSecond,
): Promise<Result<WalkShown>> {
  const accepted = await api.startWalk(domain, signal)
  if (!accepted.ok) return accepted.failure.kind === 'not_found' ? NO_WALKS : accepted
  accept(accepted.value)
  let forgiven = 0
  for (;;) {
    const walk = await api.walk(accepted.value.id, signal)
    if (walk.ok) {
      forgiven = 0
      found(walk.value)
      if (isWalkOver(walk.value.state)) return walk
    } else {
      forgiven += 1
      if (signal.aborted || forgiven > FORGIVEN) return walk
    }
    await pause(signal)
  }
}

const NO_WALKS = failed('not_found', 'This server has no walks.', { code: 'no_walks' })

/** Ends early with the signal, so that what follows sees it. */
const aSecond = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ASK_MS)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
