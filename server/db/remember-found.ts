import { LRUCache } from 'lru-cache'
import type { LookUp } from './look-up.ts'

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
