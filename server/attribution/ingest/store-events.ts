import { OTHER_AI } from '../../../shared/attribution/surfaces.ts'
import {
  amendKeys,
  type EventRow,
  type FoundKey,
  findEventKeys,
  findSessions,
  insertEvents,
  type KeyedEvent,
  ledgerKeysOf,
  UNKEYED,
} from '../../db/events/events.ts'
import { ERASED_EVENT } from '../../db/events/ids.ts'
import type { AtShard } from '../../db/sharding/shards.ts'
import { FLOOR, type LookBacks } from './classify-events.ts'
import { type IncomingEvent, pairOf, type Recorded } from './event.ts'
import { conflictNote, ERASED, PROBABLE_DOUBLE } from './notes.ts'
import { settleRefunds } from './settle-refunds.ts'
import { settleSessions } from './settle-sessions.ts'

/**
 * Stores new rows, and returns what is now stored of the events. Resolves after COMMIT.
 * `patienceMs` is that of `insertEvents`; `unsettled` is of `classifyEvents`.
 */
export async function storeEvents(
  at: AtShard,
  batch: readonly IncomingEvent[],
  rows: readonly EventRow[],
  patienceMs: number | null = null,
  unsettled: readonly { domain: string; visit_id: string }[] = [],
  lookBacks: LookBacks = new Map(),
): Promise<Recorded[]> {
  const { fresh, doubles, late, awaited } = await insertEvents(at, rows, patienceMs)
  const unjudged = [...unsettled, ...rows.filter(({ id }) => late.has(id))]
  if (unjudged.length > 0) await settleSessions(at, unjudged, lookBacks)
  const stored = new Map<string, Omit<KeyedEvent, 'key'>>()
  const amended: KeyedEvent[] = []
  const remember = (row: EventRow, first: Omit<KeyedEvent, 'key'>) => {
    for (const key of ledgerKeysOf(row)) stored.set(pairOf(row.domain, key), first)
  }
  for (const row of rows.filter(({ id }) => fresh.has(id))) {
    const { domain, id: event_id, fingerprint, surface, confidence } = row
    const isDouble = doubles.has(event_id)
    const notes = isDouble ? [...row.notes, PROBABLE_DOUBLE] : row.notes
    const first = { domain, event_id, fingerprint, surface, confidence, notes }
    remember(row, first)
    if (isDouble) amended.push(...ledgerKeysOf(row).map((key) => ({ ...first, key })))
  }
  const known = rows.filter(({ id }) => !fresh.has(id))
  const repeats = known.filter(({ event }) => event !== UNKEYED)
  // A separate statement: the snapshot of the one before lacks what others have just committed.
  const found = new Map(
    (
      await findEventKeys(
        at,
        repeats.flatMap((row) => ledgerKeysOf(row).map((key) => ({ domain: row.domain, key }))),
      )
    ).map((each) => [pairOf(each.domain, each.key), each]),
  )
  for (const row of repeats) {
    const kept = keptUnder(row, found)
    const first = kept.find(({ event_id }) => event_id !== row.id)
    if (first === undefined) continue
    remember(row, first)
    // Keys that were new although their order is known by another: they lead to the first from now
    // on. Without this, after a crash, the order still counts once, but answers with another id.
    const strays = kept.filter(({ event_id }) => event_id === row.id)
    amended.push(...strays.map(({ key }) => ({ ...first, key })))
  }
  await amendKeys(at, amended)
  const isAwaited = (row: EventRow) => keptUnder(row, found).some(({ is_awaited }) => is_awaited)
  const orders = [...rows.filter(({ id }) => awaited.has(id)), ...repeats.filter(isAwaited)]
  const refunds = rows.flatMap((row) => {
    const first = row.event === 'ai_refund_unmatched' && stored.get(pairOf(row.domain, row.key))
    // Another refund under its id waits for another order, and the first one counts.
    return first && first.fingerprint === row.fingerprint ? [{ ...row, id: first.event_id }] : []
  })
  if (orders.length + refunds.length > 0) await settleRefunds(at, { orders, refunds })
  await rememberVisits(
    at,
    known.filter(({ event }) => event === UNKEYED),
    remember,
  )

  return batch.map(({ domain, event, key, fingerprint }): Recorded => {
    const first = stored.get(pairOf(domain, key))
    if (first === undefined) throw new Error('a key was erased while its event came again')
    const { event_id, surface, confidence } = first
    if (event_id === ERASED_EVENT) return ERASED_ANSWER
    const conflict = first.fingerprint !== fingerprint
    return {
      event_id,
      // The first event of the batch with this id is the new one; others with its key are repeats.
      replayed: !fresh.delete(event_id),
      conflict,
      surface,
      confidence,
      notes: [...first.notes, ...(conflict ? [conflictNote(event)] : [])],
    }
  })
}

/** The answer to the report of an order or refund that was erased. */
const ERASED_ANSWER: Recorded = {
  event_id: ERASED_EVENT,
  replayed: true,
  conflict: false,
  surface: OTHER_AI,
  confidence: FLOOR,
  notes: [ERASED],
}

/** The answer to the repeated report of a visit: what the visit began with. */
async function rememberVisits(
  at: AtShard,
  rows: readonly EventRow[],
  remember: (row: EventRow, first: Omit<KeyedEvent, 'key'>) => void,
): Promise<void> {
  const visits = new Map(
    (await findSessions(at, rows)).map((each) => [pairOf(each.domain, each.session_id), each]),
  )
  for (const row of rows) {
    const visit = visits.get(pairOf(row.domain, row.visit_id))
    if (visit === undefined) continue
    const { domain, fingerprint } = row
    const { surface, confidence } = visit
    remember(row, { domain, event_id: '', fingerprint, surface, confidence, notes: [] })
  }
}

/** What is known under the keys of a row, its own first. */
const keptUnder = (row: EventRow, known: ReadonlyMap<string, FoundKey>): FoundKey[] =>
  ledgerKeysOf(row).flatMap((key) => known.get(pairOf(row.domain, key)) ?? [])
