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
