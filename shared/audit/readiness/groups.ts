import * as z from 'zod'

/** `unknown`: it cannot be seen from outside, or not this time. */
export const ReadinessState = z.enum(['yes', 'no', 'unknown'])
export type ReadinessState = z.infer<typeof ReadinessState>

/** One thing that a route to market needs, and whether the store has it. */
export const ReadinessItem = z.object({
  id: z.string().describe('The id of the requirement'),
  state: ReadinessState.describe('Whether the store has it; `unknown` where it cannot be seen'),
  label: z.string().describe('What is needed, in a few words'),
  evidence: z.string().describe('What was seen'),
  fix: z.string().describe('What to do'),
  source: z.string().describe("The vendor's page that asks for it"),
  // Optional: results that were stored before lack them.
  source_read: z.string().optional().describe('The day on which that page was last read'),
  where: z.string().optional().describe('Where to check it by hand, if it cannot be seen'),
})
export type ReadinessItem = z.infer<typeof ReadinessItem>

/** What one route to market needs of a store. */
export const Readiness = z.object({
  // No enums: a newer server may name others.
  surface: z.string().describe('The id of the route'),
  label: z.string().describe('Its name'),
  items: z.array(ReadinessItem).describe('What it needs'),
  vendor: z.string().optional().describe('Whose route it is, as in the address of its page'),
  shortest: z.boolean().optional().describe('Of the routes of its vendor, the least is left here'),
  ended: z.string().optional().describe('The program has ended; what replaced it'),
})
export type Readiness = z.infer<typeof Readiness>
