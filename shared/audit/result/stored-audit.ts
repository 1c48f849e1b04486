import * as z from 'zod'
import { wholeNumber } from '../../web/json/whole-number.ts'
import { CheckName, Severity } from '../vocabulary.ts'
import { NO_TREND_REASONS } from './compare.ts'
import { AuditResult } from './result.ts'

const Id = z.uuid().describe('The id of a stored audit')
const When = z.iso.datetime().describe('When the audit was made, ISO 8601 in UTC')
const Score = z.int().min(0).max(100).describe('0 to 100, higher is better')
const EngineVersion = z
  .string()
  .describe('The version of the rules that made the score: scores of two versions do not compare')
const Checks = z.array(CheckName).describe('The checks that the audit made')

/** The audit that a stored one is measured against. */
const AuditBefore = z.object({
  id: Id,
  checked_at: When,
  score: Score,
  engine_version: EngineVersion,
  checks: Checks,
  comparable: z
    .boolean()
    .describe(
      'Whether both made the same checks by the same engine version, so that scores compare',
    ),
})

// Unspecified: a trend compares what both audits judged, and is left out where that is little.
const Change = z
  .int()
  .nullable()
  .describe(
    'Points gained or lost on the rules that both audits judged; null where there is no trend: one of them judged too little of what applies, or they measured differently',
  )

/** A stored audit in one row of a list. */
export const AuditSummary = z.object({
  id: Id,
  url: z.url().describe('Where the API has the whole result'),
  page_url: z.url().describe('Its page, for those who are signed in'),
  checked_at: When,
  score: Score,
  grade: AuditResult.shape.grade.describe('A = 80-100, B = 60-79, C = 40-59, D = 0-39'),
  checks: Checks,
  engine_version: EngineVersion,
  gaps: z.int().min(0).describe('How many gaps it found'),
  worst_gap: z
    .object({
      id: z.string().describe('The id of the gap'),
      check: CheckName.describe('The check that it belongs to'),
      severity: Severity.describe('How bad it is'),
      label: z.string().describe('What is wrong, in a few words'),
    })
    .nullable()
    .describe('The gap to close first; null where none was found'),
  before: AuditBefore.nullable().describe(
    'The newest earlier audit of the domain that compares, or else the newest earlier one; null for the first audit',
  ),
  change: Change.describe(
    'Points gained or lost since `before` on the rules that both judged; null where there is none, or no trend',
  ),
})
export type AuditSummary = z.infer<typeof AuditSummary>

/** A domain with its newest audit, as `GET /api/audits` lists it. */
export const AuditedDomain = z.object({
  domain: z.string().describe('The domain'),
  // Unspecified: the audit of a domain is its newest by all checks of the specification: an audit
  // of one check has a score of its own, which is not that of the store.
  audit: AuditSummary.nullable().describe(
    'Its newest audit by all default checks, of any engine version; null before the first',
  ),
  // Unspecified: when the last event came is part of the report, so a key without `report:read`
  // does not get it.
  last_event_at: z.iso
    .datetime()
    .nullable()
    .optional()
    .describe(
      'When the newest attribution event of the domain arrived; null before the first. Left out for keys without the scope `report:read`',
    ),
})
export type AuditedDomain = z.infer<typeof AuditedDomain>

// Unspecified: lists of audits have 50 rows unless `limit` says otherwise, at most 200.
const limit = wholeNumber(1, 200).default(50).describe('How many rows to send at most, 1 to 200')
const Next = z
  .string()
  .nullable()
  .describe('Send it as `after` for the rows that follow; null where none do')

export const AuditsQuery = z.object({
  limit,
  after: z.string().max(253).optional().describe('`next` of the rows before'),
})

export const AuditedDomains = z.object({
  domains: z.array(AuditedDomain).describe("The key's domains, in alphabetical order"),
  next: Next,
})
export type AuditedDomains = z.infer<typeof AuditedDomains>

export const AuditHistory = z.object({
  domain: z.string().describe('The domain'),
  audits: z
    .array(AuditSummary)
    .describe('Its stored audits, of any checks and engine version, newest first'),
  next: Next,
})
export type AuditHistory = z.infer<typeof AuditHistory>

/** Answer of `GET /api/audits/{id}`. */
export const StoredAudit = AuditResult.extend({ id: Id })
export type StoredAudit = z.infer<typeof StoredAudit>

const GapChange = z.object({
  id: z.string().describe('The id of the gap'),
  check: CheckName.describe('The check that it belongs to'),
  severity: Severity.describe('How bad it is'),
  label: z.string().describe('What is wrong, in a few words'),
  points: z
    .int()
    .min(0)
    .optional()
    .describe(
      'What the score gains at least when this gap alone is closed, as the later audit that has the gap says; left out by old engine versions',
    ),
})

const ComparedSide = AuditSummary.pick({
  id: true,
  url: true,
  page_url: true,
  checked_at: true,
  score: true,
  grade: true,
  checks: true,
  engine_version: true,
})

/** Answer of `GET /api/audits/{id}/changes`. */
export const AuditChanges = z.object({
  domain: z.string().describe('The domain of both audits'),
  before: ComparedSide.describe('The earlier audit'),
  after: ComparedSide.describe('The later audit'),
  change: Change,
  compared: z
    .object({
      judged: z.int().min(0).describe('How many both audits judged'),
      applicable: z.int().min(0).describe('How many apply to the store in either audit'),
    })
    .describe('The rules that the trend rests on'),
  no_trend: z
    .enum(NO_TREND_REASONS)
    .nullable()
    .describe(
      'Why there is no trend: `too_little_judged`, less than half of what applies by both, or `measured_differently`: see `measure`; null where there is one',
    ),
  measure: z
    .object({
      engine: z
        .object({
          before: z.string().describe('The engine version of the earlier audit'),
          after: z.string().describe('The engine version of the later audit'),
        })
        .nullable()
        .describe('Both versions where they differ; null where they are the same'),
      checks_before: z.array(CheckName).describe('Checks that only the earlier audit made'),
      checks_after: z.array(CheckName).describe('Checks that only the later audit made'),
    })
    .nullable()
    .describe('How the two measured differently; null where they measured the same'),
  new: z.array(GapChange).describe('Gaps that the earlier audit judged, and did not have'),
  fixed: z.array(GapChange).describe('Gaps that are gone, and were judged again'),
  still_open: z.array(GapChange).describe('Gaps of both audits'),
  not_judged: z
    .array(GapChange)
    .describe('Gaps of the earlier audit that the later one could not judge, or did not ask for'),
  newly_judged: z
    .array(GapChange)
    .describe(
      'Gaps of the later audit that the earlier one could not judge, or did not ask for, so that they are not known to be new',
    ),
  not_seen: z
    .array(
      z.object({
        reason: z.string().describe('Why'),
        rules: z.int().min(1).describe('How many rules'),
      }),
    )
    .describe('What the earlier audit judged and the later one could not see, by the reason'),
})
export type AuditChanges = z.infer<typeof AuditChanges>
