import type { Db } from './db/connect.ts'
import { findKeys, type KeyRow } from './db/keys.ts'
import { createLookUp } from './look-up.ts'

export interface Keyring {
  /** The key with this id, read after it was asked for: a revoked one is found revoked at once. */
  find(id: string): Promise<KeyRow | null>
}

/** Looks keys up in groups, so that a busy route costs one query for all who wait. */
export const createKeyring = (db: Db): Keyring => ({
  find: createLookUp((ids) => findKeys(db, ids)),
})
