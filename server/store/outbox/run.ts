import { setTimeout as sleep } from 'node:timers/promises'
import { deliverTo, type OutboxDeps } from './deliver.ts'
import { dueEndpoints } from './deliveries.ts'

export interface RunOptions {
  /** Milliseconds between two looks at the outbox. */
  everyMs?: number
  /** Called with errors of our own database; the next poll tries again. */
  onError: (error: unknown) => void
}

/** Delivers in the background, each endpoint at its own pace, until it is stopped. */
export function runOutbox(
  deps: OutboxDeps,
  { everyMs = 1000, onError }: RunOptions,
): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const busy = new Map<string, Promise<void>>()

  const look = async () => {
    for (const endpoint of await dueEndpoints(deps.db, deps.now())) {
      if (busy.has(endpoint.id) || signal.aborted) continue
      const work = deliverTo(deps, endpoint, signal)
        .catch(onError)
        .finally(() => busy.delete(endpoint.id))
      busy.set(endpoint.id, work)
    }
  }
  const loop = async () => {
    while (!signal.aborted) {
      await look().catch(onError)
      await sleep(everyMs, undefined, { signal }).catch(() => {})
    }
  }
  const running = loop()

  return {
    /** Ends what is under way; it is due again at the next start. */
    async stop() {
      stopping.abort()
      await running
      await Promise.all(busy.values())
    },
  }
}
