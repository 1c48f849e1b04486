import { LRUCache } from 'lru-cache'
import type { PropertyRow } from '../../db/attribution/properties.ts'
import type { LookUp } from '../../db/look-up.ts'

// Unspecified: a property that was deleted, or lost an origin, may have sessions stored for five
// more seconds, on servers that have just seen it; what is added to it works at once.
const REMEMBERED_MS = 5_000

/** How often lru-cache reads the time: each reading costs a timer. */
const TICK_MS = 100

/** Properties that are remembered; the least recently used are dropped. */
const MOST = 10_000

/**
 * Caches properties for five seconds, if `suffices` says that what is remembered is enough to go
 * by. Unknown ids are not cached: a new property works at once, and guesses take no room.
 */
export function rememberProperties(look: LookUp<PropertyRow>) {
  const known = new LRUCache<string, PropertyRow>({
    max: MOST,
    ttl: REMEMBERED_MS,
    ttlResolution: TICK_MS,
  })
  return async (
    id: string,
    suffices: (property: PropertyRow) => boolean,
  ): Promise<PropertyRow | null> => {
    const remembered = known.get(id)
    if (remembered !== undefined && suffices(remembered)) return remembered
    const found = await look(id)
    if (found === null) known.delete(id)
    else known.set(id, found)
    return found
  }
}
