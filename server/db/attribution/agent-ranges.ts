import type { Db } from '../connect.ts'
import { agent_ranges } from './tables.ts'

/** A copy of a list of addresses that an operator publishes for its agents. */
type KeptRanges = typeof agent_ranges.$inferSelect

/** All copies that were read since this database exists, but for old ones. */
export const readRanges = (db: Db): Promise<KeptRanges[]> => db.select().from(agent_ranges)

/** Keeps a copy; the one of the same day is replaced. */
export async function keepRanges(db: Db, copy: KeptRanges): Promise<void> {
  await db
    .insert(agent_ranges)
    .values(copy)
    .onConflictDoUpdate({
      target: [agent_ranges.list, agent_ranges.since],
      set: { prefixes: copy.prefixes },
    })
}
