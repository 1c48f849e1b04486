import type { Withhold } from '../../../shared/walk/masking/masking.ts'
import type { WalkEvent } from '../../../shared/walk/transcript.ts'
import { insertWalkEvents, type NumberedEvent, type WalkName } from '../../db/audit/walks.ts'
import type { Db } from '../../db/connect.ts'
import { isDatabaseUnavailable } from '../../db/connection/failures.ts'
import type { Log } from '../../process/log.ts'
import { fitEvent, sizeOf } from './fit.ts'

// Unspecified: a transcript has at most 8 MiB. Bodies of answers are cut beyond 4 MiB of events,
// and beyond 512 KiB in one event; a walk that is still longer ends.
export const TRANSCRIPT_BYTES = 8 * 1024 * 1024
const WITH_BODIES = TRANSCRIPT_BYTES / 2
const EVENT_BYTES = 512 * 1024

/** A Postgres statement has at most 65,535 parameters. */
const BATCH = 500

/** Stores the events of a walk. */
interface Recorder {
  add: (event: WalkEvent) => void
  /**
   * Resolves to the number of the last event. Rejects if some are not written because the database
   * is unavailable.
   */
  flush: () => Promise<number>
}

/**
 * Writes events in their order; those that arrive during a write share the next statement. Events
 * that cannot be written are retried with the next, and the final transcript has them in any case.
 * `onFull` is called when there are more than a transcript may have.
 */
export function createRecorder(
  { db, now, log }: { db: Db; now: () => Date; log: Log },
  walk: WalkName,
  withhold: Withhold,
  onFull: () => void,
): Recorder {
  let waiting: NumberedEvent[] = []
  let last = 0
  let bytes = 0
  let writing: Promise<void> | null = null
  let failure: unknown = null

  async function write() {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH)
      waiting = waiting.slice(BATCH)
      try {
        await insertWalkEvents(db, walk, batch, now())
      } catch (err) {
        waiting = [...batch, ...waiting]
        failure = err
        log.warn({ err, walk: walk.id }, 'events of a walk not written yet')
        return
      }
    }
  }

  const begin = () => {
    writing ??= write().finally(() => {
      writing = null
    })
    return writing
  }

  return {
    add(event) {
      // The transcript is stored with the walk.
      if (event.event === 'ended' || bytes > TRANSCRIPT_BYTES) return
      const room = bytes < WITH_BODIES ? EVENT_BYTES : 0
      const kept = fitEvent(withhold(event), room)
      bytes += sizeOf(kept)
      if (bytes > TRANSCRIPT_BYTES) return onFull()
      last += 1
      waiting.push({ n: last, event: kept })
      begin().catch(() => {})
    },
    async flush() {
      await writing
      await begin()
      if (waiting.length > 0 && isDatabaseUnavailable(failure)) throw failure
      return last
    },
  }
}
