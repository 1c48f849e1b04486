import { isWalkOver, type WalkShown } from '../../../shared/walk/stored-walk.ts'
import type { ApiClient } from '../../api/client.ts'
import { type ApiFailure, failed, type Result } from '../../api/result.ts'

type WalkApi = Pick<ApiClient, 'startWalk' | 'walk'>

/** How often a running walk is polled. */
const ASK_MS = 1000

// Unspecified: a walk goes on at the server, so five failed polls in a row are ignored.
const FORGIVEN = 5

/**
 * Starts a walk and polls it until it has ended; `found` is called with each state. If another is
 * running, that one is followed. `accept` gets its id, and whether it is new.
 */
export async function walkToEnd(
  api: WalkApi,
  domain: string,
  signal: AbortSignal,
  found: (walk: WalkShown) => void,
  accept: (id: string, isNew: boolean) => void,
  pause = aSecond,
): Promise<Result<WalkShown>> {
  const begun = await api.startWalk(domain, signal)
  if (begun.ok) {
    accept(begun.value.id, true)
    return askToEnd(api, begun.value.id, signal, found, pause)
  }
  if (begun.failure.kind === 'not_found') return NO_WALKS
  const id = idUnderWay(begun.failure)
  if (id === null || !(await api.walk(id, signal)).ok) return begun
  accept(id, false)
  return askToEnd(api, id, signal, found, pause)
}

/** The id of the walk that keeps another from being started. */
const idUnderWay = ({ code, location }: ApiFailure): string | null =>
  code === 'walk_under_way' ? (/\/walk\/([\w-]+)$/.exec(location ?? '')?.[1] ?? null) : null

/** Polls a walk until it has ended. A walk that the server does not have fails immediately. */
export async function askToEnd(
  api: Pick<WalkApi, 'walk'>,
  id: string,
  signal: AbortSignal,
  found: (walk: WalkShown) => void,
  pause = aSecond,
): Promise<Result<WalkShown>> {
  let forgiven = 0
  for (;;) {
    const walk = await api.walk(id, signal)
    if (walk.ok) {
      forgiven = 0
      found(walk.value)
      if (isWalkOver(walk.value.state)) return walk
    } else {
      forgiven += 1
      const isGone = walk.failure.kind === 'not_found'
      if (signal.aborted || isGone || forgiven > FORGIVEN) return walk
    }
    await pause(signal)
  }
}

const NO_WALKS = failed('not_found', 'This server has no walks.', { code: 'no_walks' })

/** Ends early with the signal, so that what follows sees it. */
function aSecond(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', wake)
      resolve()
    }
    const timer = setTimeout(wake, ASK_MS)
    if (signal.aborted) wake()
    else signal.addEventListener('abort', wake)
  })
}
