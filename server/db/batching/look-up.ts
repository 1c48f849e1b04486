import { LRUCache } from 'lru-cache'
import { type BatcherOptions, createBatcher } from './batcher.ts'

/** The row with this id, read after it was asked for; null when there is none. */
export type LookUp<Row> = (id: string) => Promise<Row | null>

/**
 * Runs one query at a time; calls that arrive meanwhile share the next one, so that anonymous
 * callers take only one connection, or one of each lane. Rejects with `QueueFull` if too many wait,
 * `Overdue` after 5 s.
 */
export function createLookUp<Row>(
  find: (ids: readonly string[]) => Promise<ReadonlyMap<string, Row>>,
  lanes: Pick<BatcherOptions<string, Row>, 'laneOf' | 'maxFlushes'> = {},
): LookUp<Row> {
  const batcher = createBatcher<string, Row | null>({
    flush: async (ids) => {
      // A busy page asks for one id many times in a batch.
      const found = await find([...new Set(ids)])
      return ids.map((id) => found.get(id) ?? null)
    },
    // No id can be at fault: when a query fails, it fails for all.
    splitsOn: () => false,
    maxBatch: 1000,
    maxItems: 10_000,
    maxBytes: Number.POSITIVE_INFINITY,
    waitMs: 5_000,
    ...lanes,
  })
  return (id) => batcher.add(id)
}

const REMEMBERED_MS = 5_000

/** How often lru-cache reads the time: each reading costs a timer. */
const TICK_MS = 100

/** What is remembered; the least recently used is dropped. */
const MOST = 10_000

/**
 * A look-up that remembers what it finds for five seconds, for routes that are busy. It is looked
 * up again where `suffices` says that what is remembered is not enough to go by. What is not found
 * is not remembered: something new works immediately, and guesses take no room.
 */
export function rememberFound<Row extends object>(look: LookUp<Row>) {
  const known = new LRUCache<string, Row>({
    max: MOST,
    ttl: REMEMBERED_MS,
    ttlResolution: TICK_MS,
  })
  return async (id: string, suffices: (row: Row) => boolean): Promise<Row | null> => {
    const remembered = known.get(id)
    if (remembered !== undefined && suffices(remembered)) return remembered
    const found = await look(id)
    if (found === null) known.delete(id)
    else known.set(id, found)
    return found
  }
}
