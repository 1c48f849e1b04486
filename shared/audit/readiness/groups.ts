import * as z from 'zod'

/** `unknown`: it cannot be seen from outside, or not this time. */
export const ReadinessState = z.enum(['yes', 'no', 'unknown'])
export type ReadinessState = z.infer<typeof ReadinessState>

/** One thing that a surface needs, and whether the store has it. */
export const ReadinessItem = z.object({
  id: z.string(),
  state: ReadinessState,
  label: z.string(),
  evidence: z.string(),
  fix: z.string(),
  /** The vendor's page that asks for it. */
  source: z.string(),
})
export type ReadinessItem = z.infer<typeof ReadinessItem>

/** What one surface needs of a store that is on its way there. */
export const Readiness = z.object({
  // No enum: a newer server may name others.
  surface: z.string(),
  label: z.string(),
  items: z.array(ReadinessItem),
})
export type Readiness = z.infer<typeof Readiness>

/** Items in place, of those that can be seen; the others are for the merchant to check. */
export function countItems({ items }: Pick<Readiness, 'items'>) {
  const of = (state: ReadinessState) => items.filter((item) => item.state === state).length
  return { in_place: of('yes'), seen: of('yes') + of('no'), unseen: of('unknown') }
}

/** What is left to do or to check: what is missing before what cannot be seen. */
export const openItems = ({ items }: Pick<Readiness, 'items'>): ReadinessItem[] => [
  ...items.filter(({ state }) => state === 'no'),
  ...items.filter(({ state }) => state === 'unknown'),
]
