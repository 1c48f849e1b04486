import type { Db } from './db/connect.ts'
import { findKeys, type KeyRow } from './db/keys.ts'
import { createBatcher, Overdue, QueueFull } from './ingest/batcher.ts'
import { busy } from './ingest/refusals.ts'

export interface Keyring {
  /** The key with this id, read after it was asked for: a revoked one is found revoked at once. */
  find(id: string): Promise<KeyRow | null>
}

/** Looks keys up in groups, so that a busy route costs one query for all who wait. */
export function createKeyring(db: Db): Keyring {
  const batcher = createBatcher<string, KeyRow | null>({
    flush: async (ids) => {
      const found = await findKeys(db, ids)
      return ids.map((id) => found.get(id) ?? null)
    },
    splitsOn: () => false,
    maxBatch: 1000,
    maxItems: 20_000,
    maxBytes: Number.POSITIVE_INFINITY,
    waitMs: 10_000,
  })
  return {
    find: (id) =>
      batcher.add(id).catch((error: unknown) => {
        throw error instanceof QueueFull || error instanceof Overdue ? busy() : error
      }),
  }
}
