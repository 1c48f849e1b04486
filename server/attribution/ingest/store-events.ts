import type { Sql } from 'postgres'
import { type EventRow, findKeys, insertEvents, type KeyedEvent } from '../../db/events/events.ts'
import type { IncomingEvent, Recorded } from './event.ts'
import { pairOf } from './place-events.ts'

/** Stores the rows that are new, and says of each event of the batch what the ledger now holds. */
export async function storeEvents(
  sql: Sql,
  batch: readonly IncomingEvent[],
  rows: readonly EventRow[],
): Promise<Recorded[]> {
  const fresh = await insertEvents(sql, rows)
  const ledger = new Map<string, KeyedEvent>()
  const enter = (each: KeyedEvent) => ledger.set(pairOf(each.domain, each.key), each)
  for (const row of rows) if (fresh.has(row.id)) enter({ ...row, event_id: row.id })
  // A statement of its own: the one before did not see what others committed under the same keys.
  for (const each of await findKeys(
    sql,
    rows.filter(({ id }) => !fresh.has(id)),
  ))
    enter(each)

  return batch.map(({ domain, key, fingerprint }) => {
    const entry = ledger.get(pairOf(domain, key))
    if (entry === undefined) throw new Error('a key was erased while its event came again')
    const { event_id, surface, confidence } = entry
    return {
      event_id,
      replayed: !fresh.delete(event_id),
      conflict: entry.fingerprint !== fingerprint,
      surface,
      confidence,
    }
  })
}
