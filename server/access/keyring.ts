import { timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type ApiKey, findKeys, isUseRecorded, withoutSecret } from '../db/access/keys.ts'
import type { Db } from '../db/connect.ts'
import { createLookUp } from '../db/look-up.ts'
import { hashSecret, parseKey } from './key-format.ts'

/** Finds keys by their full text. */
export interface Keyring {
  /** The stored key, valid or not; null if there is none. */
  find(key: string): Promise<ApiKey | null>
}

/**
 * Looks up keys in batches, so that one query serves all waiting requests. A query starts after the
 * requests that it serves, so that a revocation takes effect immediately.
 */
export function createKeyring(db: Db): Keyring {
  const findRow = createLookUp((ids) => findKeys(db, ids))
  return {
    async find(key) {
      const parts = parseKey(key)
      const row = parts && (await findRow(parts.id))
      return row && hashesTo(parts.secret, row.secret_sha256) ? withoutSecret(row) : null
    },
  }
}

// Unspecified: a revoked key may still report events for five seconds, on servers that have just
// seen it. It reads nothing meanwhile.
const REMEMBERED_MS = 5_000

/** How often lru-cache reads the time: each reading costs a timer. */
const TICK_MS = 100

/** Keys that are remembered; the least recently used are dropped. */
const MOST = 10_000

/**
 * Caches the keys that a keyring finds for five seconds, for routes that are busy. Unknown keys are
 * not cached, so that a new key works at once and guesses take no room.
 */
export function rememberKeys(keys: Keyring, now: () => Date): Keyring {
  const known = new LRUCache<string, ApiKey>({
    max: MOST,
    ttl: REMEMBERED_MS,
    ttlResolution: TICK_MS,
  })
  return {
    async find(key) {
      const remembered = known.get(key)
      // Otherwise each of the following requests would record the use again.
      if (remembered && isUseRecorded(remembered, now())) return remembered
      const found = await keys.find(key)
      if (found) known.set(key, found)
      return found
    },
  }
}

/** In constant time, so that the time of an answer says nothing about the hash. */
const hashesTo = (secret: string, hash: string) =>
  timingSafeEqual(Buffer.from(hashSecret(secret)), Buffer.from(hash))
