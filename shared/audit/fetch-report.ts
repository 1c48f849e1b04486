import * as z from 'zod'
import { FetchFigures } from '../attribution/fetches/report.ts'
import { SEVERITIES } from './vocabulary.ts'

/** A gap, with what agents met as its evidence. */
const MetGap = z.object({
  id: z.string().describe('As in the result of an audit'),
  severity: z.enum(SEVERITIES).describe('How bad it is'),
  label: z.string().describe('What it is called'),
  detail: z.string().describe('What agents met, in numbers'),
  fix: z.string().describe('What closes it'),
})

/** What agents read of a store, what came of it, and what they met. */
export const FetchReport = FetchFigures.extend({
  gaps: z.array(MetGap).describe('What verified agents met most of the time'),
})
export type FetchReport = z.infer<typeof FetchReport>
