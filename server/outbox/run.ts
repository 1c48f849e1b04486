import { repeat } from '../process/repeat.ts'
import { deliverTo } from './deliver.ts'
import type { Outbox } from './outbox.ts'

interface RunOptions {
  /** Milliseconds between two checks of the outbox. */
  everyMs?: number
  /** The most receivers that are delivered to at the same time. */
  most?: number
  /** Called with errors of our own database; the next poll tries again. */
  onError: (error: unknown) => void
}

/** Delivers in the background, each receiver at its own pace, until it is stopped. */
export function runOutbox<Receiver extends { id: string }, Delivery>(
  outbox: Outbox<Receiver, Delivery>,
  { everyMs = 1000, most = 100, onError }: RunOptions,
): { stop: () => Promise<void> } {
  const busy = new Map<string, Promise<void>>()
  let isCrowded = false

  const look = async (signal: AbortSignal) => {
    isCrowded = false
    for (const receiver of await outbox.due(outbox.now(), busy.size + most)) {
      if (busy.has(receiver.id) || signal.aborted) continue
      if (busy.size >= most) {
        isCrowded = true
        return
      }
      const work = deliverTo(outbox, receiver, signal)
        .catch(onError)
        .finally(() => {
          busy.delete(receiver.id)
          if (isCrowded) looking.wake()
        })
      busy.set(receiver.id, work)
    }
  }
  const looking = repeat({ everyMs, work: look, onError })

  return {
    /** Ends what is under way; it is due again at the next start. */
    async stop() {
      await looking.stop()
      await Promise.all(busy.values())
    },
  }
}
