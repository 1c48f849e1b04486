import type { Readiness, ReadinessItem, ReadinessState } from './groups.ts'

/** Items in place, of those that can be seen; the others are for the merchant to check. */
export function countItems({ items }: Pick<Readiness, 'items'>) {
  const of = (state: ReadinessState) => items.filter((item) => item.state === state).length
  return { in_place: of('yes'), seen: of('yes') + of('no'), unseen: of('unknown') }
}

/** An item that is left to do or to check; null: its evidence is that of the one before. */
export type OpenItem = Omit<ReadinessItem, 'evidence'> & { evidence: string | null }

/** What is left: what is missing before what cannot be seen, and what they share said once. */
export function openItems({ items }: Pick<Readiness, 'items'>): OpenItem[] {
  const open = [
    ...items.filter(({ state }) => state === 'no'),
    ...items.filter(({ state }) => state === 'unknown'),
  ]
  return open.map((item, at) =>
    item.evidence === open[at - 1]?.evidence ? { ...item, evidence: null } : item,
  )
}
