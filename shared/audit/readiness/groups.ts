import * as z from 'zod'

/** `unknown`: it cannot be seen from outside, or not this time. */
export const ReadinessState = z.enum(['yes', 'no', 'unknown'])
export type ReadinessState = z.infer<typeof ReadinessState>

/** One thing that a surface needs, and whether the store has it. */
export const ReadinessItem = z.object({
  id: z.string().describe('The id of the requirement'),
  state: ReadinessState.describe('Whether the store has it; `unknown` where it cannot be seen'),
  label: z.string().describe('What is needed, in a few words'),
  evidence: z.string().describe('What was seen'),
  fix: z.string().describe('What to do'),
  source: z.string().describe("The vendor's page that asks for it"),
})
export type ReadinessItem = z.infer<typeof ReadinessItem>

/** What one surface needs of a store that is on its way there. */
export const Readiness = z.object({
  // No enum: a newer server may name others.
  surface: z.string().describe('The id of the program'),
  label: z.string().describe('Its name'),
  items: z.array(ReadinessItem).describe('What it needs'),
})
export type Readiness = z.infer<typeof Readiness>
