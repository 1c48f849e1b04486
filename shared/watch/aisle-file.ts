import * as z from 'zod'
import { CATEGORIES } from '../audit/score.ts'
import { CheckName, FAIL_ON } from '../audit/vocabulary.ts'
import { GAP_IDS } from '../audit/words.ts'
import { domainOfAddress } from '../web/address/domain.ts'
import { WatchChange } from './watch.ts'

/** How a gap counts in a run: not at all, as a warning, or as a failure. */
const ASSERTIONS = ['off', 'warn', 'error'] as const
const Assertion = z.enum(ASSERTIONS)

/** Gap ids are a closed list, so that editors complete them. */
const GapId = z.enum(GAP_IDS)
const Category = z.enum(CATEGORIES)
const LeastScore = z.int().min(0).max(100)

const StoreDomain = z.string().transform((typed, context) => {
  const read = domainOfAddress(typed)
  if ('domain' in read) return read.domain
  context.addIssue({ code: 'custom', message: `${read.problem} Write one such as shop.example.` })
  return z.NEVER
})

/** Reports each item that repeats an earlier one. */
function refuseRepeated<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  context: z.RefinementCtx,
): void {
  const known = new Set<string>()
  for (const [index, item] of items.entries()) {
    const name = nameOf(item)
    if (known.has(name)) {
      const message = `${name} is in the list already. Remove one of the two.`
      context.addIssue({ code: 'custom', path: [index], message })
    }
    known.add(name)
  }
}

const Ignored = z.strictObject({
  gap: GapId.describe('The gap that does not count'),
  domain: StoreDomain.optional().describe('Only in this store; left out: in each'),
  reason: z.string().trim().min(1).describe('Why it is ignored'),
  until: z.iso.date().describe('The last day on which it is ignored, in UTC, such as 2027-01-31'),
})
export type Ignored = z.infer<typeof Ignored>

/** How a store is watched: as `PATCH /api/watches/{domain}` takes it. */
const watched = WatchChange.omit({ checks: true, paused: true }).shape

/** A store whose watch differs from the rest of the file. */
const WatchOverride = z.strictObject({
  domain: StoreDomain.describe('One of domains'),
  ...watched,
})

/** The settings in `aisle.json`. Flags of the command win over it. */
export const AisleFile = z
  .strictObject({
    $schema: z.string().optional().describe('Where this schema is, for editors'),
    domains: z
      .array(StoreDomain)
      .min(1)
      .superRefine((domains, context) => refuseRepeated(domains, (name) => name, context))
      .optional()
      .describe('The stores that are audited where the command names none'),
    checks: z
      .array(CheckName)
      .min(1)
      .superRefine((checks, context) => refuseRepeated(checks, (name) => name, context))
      .optional()
      .describe('The checks to make; left out: all but acp'),
    fail_on: z
      .enum(FAIL_ON)
      .optional()
      .describe('Gaps of this severity, or worse, fail the run; with a baseline only new ones'),
    baseline: z
      .string()
      .min(1)
      .optional()
      .describe('An earlier result as JSON: a file next to this one, or an https address'),
    asserts: z
      .strictObject({
        gaps: z
          .partialRecord(GapId, Assertion)
          .optional()
          .describe('By gap: off leaves it out, warn never fails the run, error always does'),
        categories: z
          .partialRecord(Category, Assertion)
          .optional()
          .describe('The same for all gaps of a category that are not named themselves'),
      })
      .optional()
      .describe('Whether an open gap fails the run, regardless of its severity'),
    budgets: z
      .strictObject({
        score: LeastScore.optional().describe('The least score'),
        categories: z
          .partialRecord(Category, LeastScore)
          .optional()
          .describe('The least score of a category'),
      })
      .optional()
      .describe('Scores below which the run fails'),
    ignore: z
      .array(Ignored)
      .superRefine((ignored, context) =>
        refuseRepeated(
          ignored,
          ({ gap, domain }) => (domain === undefined ? gap : `${gap} of ${domain}`),
          context,
        ),
      )
      .optional()
      .describe('Gaps that do not count for a while'),
    audit: z
      .strictObject({
        agents: z.boolean().optional().describe('Also ask for pages in the names of AI agents'),
        deep: z.boolean().optional().describe('Read all of the catalog'),
        deadline: z
          .int()
          .min(1)
          .max(24 * 60)
          .optional()
          .describe('How many minutes `deep` may take'),
        walk: z
          .string()
          .min(1)
          .optional()
          .describe('A transcript of aisle walk, by which the checkout is judged as well'),
      })
      .optional()
      .describe('How each store is audited; for your own stores'),
    watch: z
      .strictObject({
        ...watched,
        overrides: z
          .array(WatchOverride)
          .superRefine((overrides, context) =>
            refuseRepeated(overrides, ({ domain }) => domain, context),
          )
          .optional()
          .describe(
            'What is different for single stores; what is left out there is as for the others',
          ),
      })
      .optional()
      .describe(
        'How each store is watched: `aisle watches apply` makes it so. What is left out stays as it is in a watch that is there, and is in a new one what `aisle watches add` makes it',
      ),
  })
  .superRefine(({ domains = [], watch }, context) => {
    for (const [index, { domain }] of (watch?.overrides ?? []).entries()) {
      if (domains.includes(domain)) continue
      context.addIssue({
        code: 'custom',
        path: ['watch', 'overrides', index, 'domain'],
        message: `${domain} is not one of domains. Add it there, or remove this.`,
      })
    }
  })
  .describe('What `aisle audit` and `aisle watches apply` do in this folder')
export type AisleFile = z.infer<typeof AisleFile>

/** Its JSON Schema, with which editors complete and check the file. */
export const aisleFileSchema = (): Record<string, unknown> => ({
  title: 'aisle.json',
  ...z.toJSONSchema(AisleFile, { io: 'input' }),
})
