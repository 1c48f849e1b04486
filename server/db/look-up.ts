import { createBatcher } from './batcher.ts'

/** The row with this id, read after it was asked for; null when there is none. */
export type LookUp<Row> = (id: string) => Promise<Row | null>

/**
 * Runs one query at a time; calls that arrive meanwhile share the next one, so that anonymous
 * callers take only one connection. Rejects with `QueueFull` if too many wait, `Overdue` after 5 s.
 */
export function createLookUp<Row>(
  find: (ids: readonly string[]) => Promise<ReadonlyMap<string, Row>>,
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
  })
  return (id) => batcher.add(id)
}
