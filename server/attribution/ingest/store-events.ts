import type { Sql } from 'postgres'
import {
  type EventRow,
  findEventKeys,
  insertEvents,
  type KeyedEvent,
} from '../../db/events/events.ts'
import { pairOf } from './classify-events.ts'
import type { IncomingEvent, Recorded } from './event.ts'

/**
 * Stores the rows that are new, and returns for each event of the batch, in order, what is now
 * stored under its key. Resolves after COMMIT.
 */
export async function storeEvents(
  sql: Sql,
  batch: readonly IncomingEvent[],
  rows: readonly EventRow[],
): Promise<Recorded[]> {
  const fresh = await insertEvents(sql, rows)
  const stored = new Map<string, KeyedEvent>()
  const remember = (each: KeyedEvent) => stored.set(pairOf(each.domain, each.key), each)
  for (const row of rows) if (fresh.has(row.id)) remember({ ...row, event_id: row.id })
  // A separate statement: the snapshot of the one before lacks what others have just committed.
  for (const each of await findEventKeys(
    sql,
    rows.filter(({ id }) => !fresh.has(id)),
  ))
    remember(each)

  return batch.map(({ domain, key, fingerprint }) => {
    const first = stored.get(pairOf(domain, key))
    if (first === undefined) throw new Error('a key was erased while its event came again')
    const { event_id, surface, confidence } = first
    return {
      event_id,
      // The first event of the batch with this id is the new one; others with its key are repeats.
      replayed: !fresh.delete(event_id),
      conflict: first.fingerprint !== fingerprint,
      surface,
      confidence,
    }
  })
}
