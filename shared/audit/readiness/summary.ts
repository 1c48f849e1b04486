import type { Readiness, ReadinessItem, ReadinessState } from './groups.ts'

/** Items in place, of those that can be seen; the others are for the merchant to check. */
export function countItems({ items }: Pick<Readiness, 'items'>) {
  const of = (state: ReadinessState) => items.filter((item) => item.state === state).length
  return { in_place: of('yes'), seen: of('yes') + of('no'), unseen: of('unknown') }
}

/** `2 of 3 in place, 1 to check yourself`; without what could not be seen, and the other way. */
export function inPlaceText(group: Pick<Readiness, 'items'>): string {
  const { in_place, seen, unseen } = countItems(group)
  return [
    ...(seen > 0 ? [`${in_place} of ${seen} in place`] : []),
    ...(unseen > 0 ? [`${unseen} to check yourself`] : []),
  ].join(', ')
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
