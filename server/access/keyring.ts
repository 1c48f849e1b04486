import { timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Db } from '../db/connect.ts'
import { type ApiKey, findKeys, isUseNoted, withoutSecret } from '../db/keys.ts'
import { createLookUp } from '../db/look-up.ts'
import { hashSecret, parseKey } from './key-format.ts'

export interface Keyring {
  /** What is known of this key, alive or not; null when it is none of ours. */
  find(key: string): Promise<ApiKey | null>
}

/**
 * Looks keys up in groups, so that a busy route costs one query for all who wait. What it finds was
 * read after it was asked for: a revoked key is found revoked at once.
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

// Unspecified: how long a revoked key may still report events. It reads nothing meanwhile.
const REMEMBERED_MS = 5_000
/** How often the time is looked up: each time costs a timer. */
const TICK_MS = 100
const MOST = 10_000

/** Takes the word of a keyring for five seconds; for a key that is none of ours, not at all. */
export function rememberKeys(keys: Keyring, now: () => Date): Keyring {
  const known = new LRUCache<string, ApiKey>({
    max: MOST,
    ttl: REMEMBERED_MS,
    ttlResolution: TICK_MS,
  })
  return {
    async find(key) {
      const remembered = known.get(key)
      // Otherwise each of the requests to come would note its use again.
      if (remembered && isUseNoted(remembered, now())) return remembered
      const found = await keys.find(key)
      if (found) known.set(key, found)
      return found
    },
  }
}

const hashesTo = (secret: string, hash: string) =>
  timingSafeEqual(Buffer.from(hashSecret(secret)), Buffer.from(hash))
