import { timingSafeEqual } from 'node:crypto'
import { type ApiKey, findKeys, isUseRecorded, withoutSecret } from '../db/access/keys.ts'
import { createLookUp, rememberFound } from '../db/batching/look-up.ts'
import type { Db } from '../db/connect.ts'
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
/** Remembers the keys that a keyring finds, until a use of theirs is to be recorded. */
export function rememberKeys(keys: Keyring, now: () => Date): Keyring {
  const find = rememberFound(keys.find)
  // Otherwise each of the following requests would record the use again.
  return { find: (key) => find(key, (remembered) => isUseRecorded(remembered, now())) }
}

/** In constant time, so that the time of an answer says nothing about the hash. */
const hashesTo = (secret: string, hash: string) =>
  timingSafeEqual(Buffer.from(hashSecret(secret)), Buffer.from(hash))
