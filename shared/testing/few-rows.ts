import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** In `npm test`, what `readChange` names; null where each table is run whole. */
    change: readonly string[] | null
  }
}

/**
 * Of a long table, what `npm test` runs: the first row of each group, and those of which a name is
 * in the change. Any other run has all rows.
 */
export function fewRows<Row>(
  table: readonly Row[],
  groupOf: (row: Row) => string,
  namesOf: (row: Row) => readonly (string | null)[],
): Row[] {
  const change = inject('change')
  if (change === null) return [...table]
  const first = new Set([...Map.groupBy(table, groupOf).values()].map(([row]) => row))
  return table.filter(
    (row) => first.has(row) || namesOf(row).some((name) => name !== null && change.includes(name)),
  )
}
