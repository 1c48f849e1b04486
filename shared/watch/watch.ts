import * as z from 'zod'
import { CHECK_NAMES, CheckName, DEFAULT_CHECKS, Severity } from '../audit/vocabulary.ts'
import { Domain } from '../web/address/domain.ts'
import { isStorable, NOT_STORABLE } from '../web/json/json.ts'
import { isTimeZone } from '../web/moment.ts'
import { CheckPeriod } from './period.ts'
import { QuietHours } from './quiet-hours.ts'

const MOST_TAGS = 20

const WatchedChecks = z
  .array(CheckName)
  .min(1, `Name at least one of ${CHECK_NAMES.join(', ')}, or leave checks out.`)
  .transform((asked) => CHECK_NAMES.filter((name) => asked.includes(name)))

const Tag = z
  .string()
  .trim()
  .min(1, 'A tag has at least one character.')
  .max(40, 'A tag has at most 40 characters.')
  .refine(isStorable, NOT_STORABLE)

const Tags = z
  .array(Tag)
  .max(MOST_TAGS, `A watch has at most ${MOST_TAGS} tags.`)
  .transform((tags) => [...new Set(tags)])

/** The settings of a watch. `leftOut` describes the default of a new watch. */
const settings = (leftOut: (inNewWatch: string) => string) => ({
  checks: WatchedChecks.optional().describe(
    `The checks of each audit. ${leftOut('all but `acp`')}`,
  ),
  walk: z
    .boolean()
    .optional()
    .describe(
      `Whether each audit walks through whole purchases as well, up to the payment. ${leftOut('it does not')}`,
    ),
  period: CheckPeriod.optional().describe(`How often the domain is audited. ${leftOut('hourly')}`),
  severity: Severity.optional().describe(
    `The least severity of a gap that opens an alert. ${leftOut('high')}`,
  ),
  quiet_hours: QuietHours.optional().describe(
    `When no alert is sent: it is sent at their end, if the incident is still open. ${leftOut('never')}`,
  ),
  time_zone: z
    .string()
    .refine(isTimeZone, 'Send the name of a time zone, such as Europe/Berlin.')
    .optional()
    .describe(
      `The zone of quiet hours and of the weekly digest: \`Europe/Berlin\`. ${leftOut('that of the domain’s property, or UTC')}`,
    ),
  with_report: z
    .boolean()
    .optional()
    .describe(
      `Whether alerts and digests say what orders show, such as revenue; true, and any change, need \`report:read\`. ${leftOut('if the key has `report:read`')}`,
    ),
  tags: Tags.optional().describe(
    `Words of your own, by which a list of watches can be filtered. ${leftOut('none')}`,
  ),
})

/** Body of `POST /api/watches`. */
export const NewWatch = z.strictObject({
  domain: Domain,
  ...settings((inNewWatch) => `Left out: ${inNewWatch}`),
})
export type NewWatch = z.infer<typeof NewWatch>

const STAYS = 'Left out: it stays'

// Unspecified: in a change, `"quiet_hours": "none"` removes them, like `"none"` for a property's
// currency: null counts as absent.
/** Body of `PATCH /api/watches/{domain}`: what is left out stays. */
export const WatchChange = z.strictObject({
  ...settings(() => STAYS),
  quiet_hours: z
    .union([QuietHours, z.literal('none')], {
      error: 'Send both times of day, such as {"from": "22:00", "to": "07:00"}, or "none".',
    })
    .optional()
    .describe(`When no alert is sent; \`none\` takes them away. ${STAYS}`),
  paused: z.boolean().optional().describe(`Whether audits of the domain are paused. ${STAYS}`),
})
export type WatchChange = z.infer<typeof WatchChange>

// Unspecified: by default a domain is checked hourly, and alerts are about gaps of severity high
// and critical.
export const WATCH_DEFAULTS = {
  checks: [...DEFAULT_CHECKS],
  walk: false,
  period: 'hourly',
  severity: 'high',
} as const

/** A watched domain. */
export const Watch = z.object({
  domain: z.string().describe('The watched domain'),
  checks: z.array(CheckName).describe('The checks of each audit'),
  walk: z.boolean().describe('Whether each audit walks through whole purchases as well'),
  period: CheckPeriod.describe('How often the domain is audited'),
  severity: Severity.describe('The least severity of a gap that opens an alert'),
  quiet_hours: QuietHours.nullable().describe('When no alert is sent; null: never'),
  time_zone: z.string().describe('The zone of quiet hours and of the weekly digest'),
  with_report: z.boolean().describe('Whether alerts and digests say what orders show'),
  tags: z.array(z.string()).describe('Words by which a list of watches can be filtered'),
  paused: z.boolean().describe('Audits are paused'),
  created_at: z.iso.datetime().describe('When the watch was set up, ISO 8601 in UTC'),
  next_look_at: z.iso
    .datetime()
    .nullable()
    .describe('When the next audit is due; null while it is paused'),
  looked_at: z.iso
    .datetime()
    .nullable()
    .describe('When the last audit ended; null before the first'),
  outcome: z
    .enum(['seen', 'unseen', 'failed'])
    .nullable()
    .describe(
      'How the last audit ended: `seen`, `unseen` (the domain did not answer or did not let us in) or `failed` (on our side)',
    ),
  score: z.int().nullable().describe('The score of the last audit that saw the domain'),
  grade: z.string().nullable().describe('Its grade'),
  why: z.string().nullable().describe('Why the last audit saw nothing; null where it did'),
  url: z.url().describe('The page of the watch'),
})
export type Watch = z.infer<typeof Watch>
