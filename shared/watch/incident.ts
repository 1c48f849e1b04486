import * as z from 'zod'
import { Severity } from '../audit/vocabulary.ts'
import { UCP } from '../protocols/ucp/versions.ts'
import { AnswerChange } from './changes.ts'

/**
 * `gap`: a gap of the audit. `unseen`: what could be seen before cannot be seen, because of a
 * block, a timeout or an error, which proves nothing. `signal`: from the orders that a merchant
 * reports.
 */
const INCIDENT_KINDS = ['gap', 'unseen', 'signal'] as const
export const IncidentKind = z.enum(INCIDENT_KINDS)
export type IncidentKind = z.infer<typeof IncidentKind>

/** A step of a purchase that no longer works. */
export const BrokenStep = z.object({
  dialect: z.string().describe(`Over which protocol, such as \`UCP over REST, ${UCP.newest}\``),
  intent: z.string().describe('The purchase that was tried'),
  step: z.string().describe('The step'),
  found: z.string().describe('What the store did instead'),
})
export type BrokenStep = z.infer<typeof BrokenStep>

/** What was wrong with a watched domain, from when to when. */
export const Incident = z.object({
  id: z.uuid().describe('The id of the incident'),
  domain: z.string().describe('The watched domain'),
  kind: IncidentKind.describe(
    'A gap of the audit, something that could not be seen, or a signal from the orders',
  ),
  subject: z
    .string()
    .describe('The id of the gap, what could not be seen, or the name of the signal'),
  severity: Severity.describe('How bad it is'),
  label: z.string().describe('What is wrong, in a few words'),
  detail: z.string().describe('What was found, and what was expected'),
  fix: z.string().describe('What to do'),
  points: z.int().nullable().describe('What it costs of the score; null where it is not known'),
  changes: z.array(AnswerChange).describe('What the store answered before, and then'),
  steps: z.array(BrokenStep).describe('The steps of a purchase that it breaks'),
  known: z.boolean().describe('It was there at the first audit, so no alert was sent'),
  well_at: z.iso
    .datetime()
    .nullable()
    .describe('When all was last seen to be well; null where it never was'),
  first_seen_at: z.iso.datetime().describe('When it was first seen'),
  last_seen_at: z.iso.datetime().describe('When it was last seen'),
  opened_at: z.iso.datetime().describe('When a second audit confirmed it'),
  closed_at: z.iso.datetime().nullable().describe('When it was seen to be over; null while open'),
})
export type Incident = z.infer<typeof Incident>
