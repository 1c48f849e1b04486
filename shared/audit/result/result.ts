import * as z from 'zod'
import type { Page } from '../../markup/page.ts'
import { Domain } from '../../web/address/domain.ts'
import { SignedAs } from '../../web/signed-as.ts'
import { SeenWith } from '../../web/site-access.ts'
import type { ProductPageSeen } from '../evidence.ts'
import { firstToClose } from '../gap/first-to-close.ts'
import { splitNoProtocol } from '../gap/no-protocol.ts'
import { SHOP_PLATFORMS } from '../platforms/signs.ts'
import { Readiness } from '../readiness/groups.ts'
import type { Outcome, Tool } from '../rule.ts'
import { gradeOf, type Score, scoreOf } from '../score.ts'
import { CAP_REASONS, CHECK_NAMES, CheckName, Severity, worstFirst } from '../vocabulary.ts'
import { NoResult } from './no-result.ts'

/**
 * Body of `POST /api/audit` (spec, Audit request). `acp` is accepted because a go-live example of
 * the spec sends it.
 */
export const AuditRequest = z.strictObject({
  domain: Domain,
  checks: z
    .array(CheckName)
    .min(1, `Name at least one of ${CHECK_NAMES.join(', ')}, or leave checks out.`)
    .optional()
    .describe('The checks to make. Left out: all but `acp`'),
  dry_run: z
    .boolean()
    .optional()
    .describe(
      'True: the newest stored result that covers the checks, and no request to the domain. With a key that does not cover it: of those that such keys asked for',
    ),
  // Unspecified: `agents` asks for the home page and a product page as each documented AI agent as
  // well. A key that names the domain does so unless `agents` is false, one for `*` only if it is
  // true, and any other key is refused with 403.
  agents: z
    .boolean()
    .optional()
    .describe(
      'Whether to ask for pages as AI agents do as well. Left out: where the key names the domain. True needs a key that covers it',
    ),
  // Unspecified: with `walk` the checkout is judged by whole purchases as well, up to the payment.
  // One of the last day counts; otherwise one is made first, and the answer takes as long. A key
  // that names the domain has one of the last day counted unless `walk` is false, one for `*` only
  // if it is true, and any other key is refused with 403.
  walk: z
    .boolean()
    .optional()
    .describe(
      'True: whole purchases are made first, unless there is a walk of the last day. False: none counts. Left out: one of the last day counts where the key names the domain. True needs a key that covers it',
    ),
})
export type AuditRequest = z.infer<typeof AuditRequest>

/** Spec, Audit result, gap item. `fix_url` is null where no tool helps. */
export const Gap = z.object({
  id: z.string().describe('The id of the gap'),
  check: CheckName.describe('The check that it belongs to'),
  severity: Severity.describe('How bad it is'),
  label: z.string().describe('What is wrong, in a few words'),
  detail: z.string().describe('What was found and where, and what was expected'),
  // Unspecified: in addition to `fix_url` a gap has `fix`: what to do, in words, for clients that
  // show no link.
  fix: z.string().describe('What to do'),
  fix_url: z.string().nullable().describe('The tool that fixes it; null where none does'),
  // Unspecified: a gap has `docs_url`: the page that explains it, with an example.
  docs_url: z.string().nullable().describe('The page that explains it'),
  // Unspecified: a gap of single product pages or products has `pages` and `products`, so that it
  // can be joined with what they brought.
  pages: z
    .array(z.string())
    .optional()
    .describe(
      'Addresses of the product pages that it was found on; left out where it is not of single pages',
    ),
  products: z
    .array(z.string())
    .optional()
    .describe(
      'Ids of the products of the catalog that have it; left out where it is not of single products',
    ),
  // Unspecified: a gap has `points`: what the score gains at least when it alone is closed, or,
  // with `held_back`, what it gains once the cap on the score is gone. A gap that the extension has
  // seen on its page alone has neither.
  points: z
    .int()
    .min(0)
    .optional()
    .describe('What the score gains at least when this gap alone is closed'),
  held_back: z
    .boolean()
    .optional()
    .describe('True where `points` count only once the cap on the score is gone'),
  // Unspecified: a gap has `cap` where it caps the score while it is open, also where it only hides
  // what does.
  cap: z
    .enum(CAP_REASONS)
    .optional()
    .describe('Why the score is capped while this gap is open; left out where it is not'),
})
export type Gap = z.infer<typeof Gap>

/** A rule that could not be judged, by the id of its gap or, without one, of its pass. */
export const Skipped = z.object({
  id: z
    .string()
    .describe('The id of the gap that may be there or, of a rule without one, of its pass'),
  check: CheckName.describe('The check that it belongs to'),
  reason: z.string().describe('Why it could not be judged'),
})

/** A page that was judged as a product page. */
const JudgedPage = z.object({
  url: z.string().describe('The address of the page'),
  found_by: z.string().describe('What led to it, such as `sitemap`'),
  because: z
    .array(z.string())
    .describe('Why it was taken for one, as parts of a sentence, the strongest first'),
})
type JudgedPage = z.infer<typeof JudgedPage>

/** The product pages in the evidence that could be read. */
export const judgedPages = (
  seen: readonly ProductPageSeen<Pick<Page, 'url'>>[] = [],
): JudgedPage[] =>
  seen.flatMap(({ page, found_by, because = [] }) =>
    page === null ? [] : [{ url: page.url, found_by, because: [...because] }],
  )
/** How much of the catalog was read. */
export const CatalogShare = z.object({
  products: z.int().min(0).describe('How many products were read'),
  of: z
    .int()
    .min(0)
    .nullable()
    .describe('How many there are in all; null where the store does not say'),
  pages: z.int().min(0).describe('How many pages were read'),
  stopped: z
    .string()
    .optional()
    .describe('Why the reading of a whole catalog ended before its end'),
})
export type CatalogShare = z.infer<typeof CatalogShare>

/** The software that made the store, as far as the audit could tell. */
export const PlatformSeen = z.object({
  id: z.enum(SHOP_PLATFORMS).describe('The platform'),
  name: z.string().describe('Its name'),
  seen_by: z
    .array(z.string())
    .describe('What shows it, as parts of a sentence, such as `the header X-ShopId`'),
})
export type PlatformSeen = z.infer<typeof PlatformSeen>

/** Of the checks that apply to the store, how many could be judged. */
const Judged = z.object({
  judged: z.int().min(0).describe('How many were judged'),
  applicable: z.int().min(0).describe('How many apply to the store'),
})

/** The parts of `breakdown`, each of which may be left out. */
const perCategory = <T extends z.ZodType>(part: T) =>
  z.object({
    discoverability: part.optional().describe('Whether agents find and may read the store'),
    catalog: part.optional().describe('Whether they understand what it sells'),
    checkout: part.optional().describe('Whether they can buy'),
    attribution: part.optional().describe('Whether what they bring is counted'),
  })

// Unspecified: a category in which nothing could be judged is left out of `breakdown`, as where
// only some checks were asked for: a number would be made up.
/** Answer of `POST /api/audit` (spec, Audit result). */
export const AuditResult = z.object({
  domain: z.string().describe('Domain audited'),
  score: z.int().min(0).max(100).describe('0 to 100, higher is better'),
  grade: z.enum(['A', 'B', 'C', 'D']).describe('A = 80-100, B = 60-79, C = 40-59, D = 0-39'),
  checked_at: z.iso.datetime().describe('When the audit was made, ISO 8601 in UTC'),
  gaps: z.array(Gap).describe('What keeps agents from the store, worst first'),
  breakdown: perCategory(z.int().min(0).max(100)).describe(
    'Scores by category, 0 to 100; one in which nothing could be judged is left out',
  ),
  // Unspecified: `coverage` says how much of what applies to the store could be judged, in all and
  // by category.
  coverage: Judged.extend({
    breakdown: perCategory(Judged).describe('The same by category'),
  }).describe('Of the checks that apply to the store, how many could be judged'),
  // Unspecified: `cap` says what keeps the score from being higher, with the most that it can be
  // meanwhile and the gaps that cause it; null where nothing does.
  cap: z
    .object({
      reason: z.enum(CAP_REASONS).describe('What holds the score'),
      at: z.int().min(0).max(100).describe('The most that the score can be meanwhile'),
      gaps: z
        .array(z.string())
        .describe('Ids of the open gaps that cause it; empty where it is about what was not seen'),
    })
    .nullable()
    .describe('What keeps the score from being higher; null where nothing does'),
  // Unspecified: `first_steps` names at most three gaps to close first, and the score that closing
  // them together gives at least: points of single gaps do not add up. That a store speaks no agent
  // protocol is a decision, not a step: its three gaps are named only where there is no other.
  first_steps: z
    .object({
      gaps: z.array(z.string()).describe('Ids of the gaps to close first, in that order'),
      scores: z
        .array(z.int().min(0).max(100))
        .describe('The score once each of them is closed and those before it, at least'),
      score: z.int().min(0).max(100).describe('The score once they are all closed, at least'),
    })
    .nullable()
    .describe('What to close first, and what that gives; null where there is no gap'),
  passed: z.array(z.string()).describe('Ids of what is right'),
  // Unspecified: `passed_notes` holds the evidence behind a pass that claims more than its name
  // says.
  passed_notes: z
    .record(z.string(), z.string())
    .describe('By id of `passed`: the evidence behind it, where it is not obvious'),
  // Unspecified: `skipped` lists what could not be judged and why, so that its absence is not read
  // as a pass.
  skipped: z.array(Skipped).describe('What could not be judged, and why'),
  // Unspecified: `product_pages` lists the pages that were judged as product pages, with how each
  // was found and why it was taken for one.
  product_pages: z.array(JudgedPage).describe('The pages that were judged as product pages'),
  // Unspecified: `readiness` says what Google's and ChatGPT's own programs need of a store that is
  // on its way there, and what of it was seen. It never counts.
  readiness: z
    .array(Readiness)
    .describe('What the programs of AI surfaces need, and what of it was seen; it never counts'),
  checks: z.array(CheckName).describe('The checks that were made'),
  engine_version: z
    .string()
    .describe('The version of the rules: scores of two versions do not compare'),
  // Unspecified: `catalog_seen` says how many products of the catalog were read, of how many by the
  // store's own count, so that a verdict on a sample is not read as one on all. Left out where no
  // catalog was read.
  catalog_seen: CatalogShare.optional().describe('How much of the catalog was read'),
  // Unspecified: `platform` names the software that made the store, and what showed it, so that
  // what to do can be said for that software. It never counts. Left out where none was recognised.
  platform: PlatformSeen.optional().describe('The software that made the store'),
  // Unspecified: `signed_as` says as whom requests were signed, and what that changed where the
  // same was asked for without. Left out where nothing was compared.
  signed_as: SignedAs.optional().describe(
    'As whom requests were signed, and what that changed. Left out: nothing was signed and compared',
  ),
  // Unspecified: `seen_with` says what the owner of the domain gave for it and what of that was
  // sent, so that what is shown to others is not taken for it. Left out where nothing is given.
  seen_with: SeenWith.optional().describe(
    'What the owner gave for the domain, such as request headers, and what of it was sent',
  ),
})
export type AuditResult = z.infer<typeof AuditResult>

/**
 * Increase it with every change that can affect a score: stored results of another engine version
 * are not served, because old and new scores must not be compared.
 */
export const ENGINE_VERSION = '7'

/** Where the links of a gap lead; null where there is nothing to open. */
export interface GapLinks {
  fix: (tool: Tool, domain: string) => string | null
  docs: (gap: string) => string | null
  /**
   * Where the snippet is served, for the tag in a fix: the spec's `{cdn_url}` where it is not
   * known.
   */
  cdn: string
}

/** For a result that is read where no service is at hand. */
export const NO_LINKS: GapLinks = {
  fix: () => null,
  docs: () => null,
  cdn: '{cdn_url}',
}

/** No rule could be judged, so that there is no score. */
export class NothingJudged extends NoResult {
  override name = 'NothingJudged'
  /** Why, each reason once. */
  readonly reasons: readonly string[]

  constructor(skipped: AuditResult['skipped']) {
    const reasons = [...new Set(skipped.map(({ reason }) => reason))]
    super(
      'nothing_judged',
      [
        'Nothing could be judged, so there is no score.',
        ...reasons.slice(0, 5).map((reason) => `${reason}.`),
        'Try again later, or ask for other checks.',
      ].join(' '),
    )
    this.reasons = reasons
  }
}

/** What a result says in addition to its verdicts. */
interface SeenBeside {
  pages?: readonly JudgedPage[]
  readiness?: readonly Readiness[]
  catalogSeen?: CatalogShare | null
  platform?: PlatformSeen | null
  signedAs?: SignedAs | undefined
  seenWith?: SeenWith | undefined
}

/**
 * The result of an audit from its verdicts. Gaps worst first; within a severity those that cost the
 * most points, then in the order of the checks and of their rules. What does not apply is not
 * mentioned. Throws `NothingJudged` where there is no score.
 */
export function toResult(
  domain: string,
  checks: readonly CheckName[],
  outcomes: readonly Outcome[],
  checkedAt: Date,
  links: GapLinks,
  {
    pages = [],
    readiness = [],
    catalogSeen = null,
    platform = null,
    signedAs,
    seenWith,
  }: SeenBeside = {},
): AuditResult {
  const gaps: Gap[] = []
  const passed: string[] = []
  const passed_notes: Record<string, string> = {}
  const skipped: AuditResult['skipped'] = []
  for (const { rule: each, verdict } of outcomes) {
    const { check, severity } = each
    // A rule for another kind of store would only puzzle the reader.
    if (verdict.kind === 'not_applicable') continue
    if (verdict.kind === 'skip') {
      skipped.push({ id: each.id, check, reason: verdict.reason })
      continue
    }
    if (verdict.kind === 'pass') {
      passed.push(each.passed)
      if (verdict.note !== undefined) passed_notes[each.passed] = verdict.note
      continue
    }
    if (each.gap === null) continue
    gaps.push({
      id: each.gap,
      check,
      severity,
      label: each.label,
      detail: verdict.detail,
      fix: each.fix.replaceAll(NO_LINKS.cdn, links.cdn),
      fix_url: each.tool === null ? null : links.fix(each.tool, domain),
      docs_url: links.docs(each.gap),
      ...(verdict.pages !== undefined && { pages: [...verdict.pages] }),
      ...(verdict.products !== undefined && { products: [...verdict.products] }),
    })
  }
  const score = scoreOf(outcomes)
  if (score === null) throw new NothingJudged(skipped)
  const parts = scoredParts(score, gaps)
  // In the order of the schema, so that a stored result is the same text.
  return {
    domain,
    score: parts.score,
    grade: parts.grade,
    checked_at: checkedAt.toISOString(),
    gaps: parts.gaps,
    breakdown: parts.breakdown,
    coverage: parts.coverage,
    cap: parts.cap,
    first_steps: parts.first_steps,
    passed,
    passed_notes,
    skipped,
    product_pages: [...pages],
    readiness: [...readiness],
    checks: [...checks],
    engine_version: ENGINE_VERSION,
    ...(catalogSeen !== null && { catalog_seen: catalogSeen }),
    ...(platform !== null && { platform }),
    ...(signedAs !== undefined && { signed_as: signedAs }),
    ...(seenWith !== undefined && { seen_with: seenWith }),
  }
}

/** How many gaps are named as the ones to close first. */
const FIRST_STEPS = 3

/** What of a result follows from its score. `gaps` come back in order, each with its points. */
export function scoredParts(
  { score, cap, breakdown, coverage, points, caps, without }: Score,
  gaps: readonly Gap[],
): Pick<
  AuditResult,
  'score' | 'grade' | 'cap' | 'first_steps' | 'breakdown' | 'coverage' | 'gaps'
> {
  const ranked = gaps.map(({ cap: _, ...gap }) => {
    const caused = caps.get(gap.id)
    return { ...gap, ...points.get(gap.id), ...(caused !== undefined && { cap: caused }) }
  })
  ranked.sort(worstFirst)
  const counted = ranked.filter(({ id }) => points.has(id))
  const apart = splitNoProtocol(counted)?.rest ?? []
  const first = (apart.length > 0 ? apart : counted).toSorted(firstToClose).slice(0, FIRST_STEPS)
  const ids = first.map(({ id }) => id)
  const scores = ids.map((_, at) => without(ids.slice(0, at + 1)))
  const together = scores.at(-1)
  const first_steps = together === undefined ? null : { gaps: ids, scores, score: together }
  return { score, grade: gradeOf(score), cap, first_steps, breakdown, coverage, gaps: ranked }
}
