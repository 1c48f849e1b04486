import * as z from 'zod'
import { Domain } from '../web/domain.ts'
import type { ProductPageSeen } from './evidence.ts'
import type { Outcome, Tool } from './rule.ts'
import { gradeOf, type Scored, scoreOf } from './score.ts'
import { CHECK_NAMES, CheckName, Severity, severityRank } from './vocabulary.ts'

/**
 * Body of `POST /api/audit` (spec, Audit request). `acp` is accepted because a go-live example of
 * the spec sends it.
 */
export const AuditRequest = z.strictObject({
  domain: Domain,
  checks: z
    .array(CheckName)
    .min(1, `Name at least one of ${CHECK_NAMES.join(', ')}, or leave checks out.`)
    .optional(),
  dry_run: z.boolean().optional(),
  // Unspecified: `agents` asks for the home page and a product page as each documented AI agent as
  // well. A key that names the domain does so unless `agents` is false, one for `*` only if it is
  // true, and any other key is refused with 403.
  agents: z.boolean().optional(),
})
export type AuditRequest = z.infer<typeof AuditRequest>

/** Spec, Audit result, gap item. `fix_url` is null where no tool helps. */
export const Gap = z.object({
  id: z.string(),
  check: CheckName,
  severity: Severity,
  label: z.string(),
  detail: z.string(),
  // Unspecified: a gap has `fix` beside `fix_url`: what to do, in words, for clients that show no
  // link.
  fix: z.string(),
  fix_url: z.string().nullable(),
  // Unspecified: a gap has `docs_url`: the page that explains it, with an example.
  docs_url: z.string().nullable(),
})
export type Gap = z.infer<typeof Gap>

/** A rule that could not be judged, by the id of its gap or, without one, of its pass. */
export const Skipped = z.object({ id: z.string(), check: CheckName, reason: z.string() })

/** A page that was judged as a product page. */
export const JudgedPage = z.object({
  url: z.string(),
  found_by: z.string(),
  /** Why it was taken for one, as parts of a sentence, the strongest first. */
  because: z.array(z.string()),
})
export type JudgedPage = z.infer<typeof JudgedPage>

/** The product pages in the evidence that could be read. */
export const judgedPages = (seen: readonly ProductPageSeen[] = []): JudgedPage[] =>
  seen.flatMap(({ page, found_by, because = [] }) =>
    page === null ? [] : [{ url: page.url, found_by, because: [...because] }],
  )

/**
 * Answer of `POST /api/audit` (spec, Audit result). A category in which nothing could be judged is
 * left out of `breakdown`.
 */
export const AuditResult = z.object({
  domain: z.string(),
  score: z.int().min(0).max(100),
  grade: z.enum(['A', 'B', 'C', 'D']),
  checked_at: z.iso.datetime(),
  gaps: z.array(Gap),
  breakdown: z.object({
    discoverability: z.int().optional(),
    catalog: z.int().optional(),
    checkout: z.int().optional(),
    attribution: z.int().optional(),
  }),
  passed: z.array(z.string()),
  // Unspecified: `passed_notes` holds the evidence behind a pass that claims more than its name
  // says.
  passed_notes: z.record(z.string(), z.string()),
  // Unspecified: `skipped` lists what could not be judged and why, so that its absence is not read
  // as a pass.
  skipped: z.array(Skipped),
  // Unspecified: `product_pages` lists the pages that were judged as product pages, with how each
  // was found and why it was taken for one.
  product_pages: z.array(JudgedPage),
  checks: z.array(CheckName),
  engine_version: z.string(),
})
export type AuditResult = z.infer<typeof AuditResult>

/**
 * Increase it with every change that can affect a score: stored results of another engine version
 * are not served, because old and new scores must not be compared.
 */
export const ENGINE_VERSION = '5'

/** Where the links of a gap lead; null where there is nothing to open. */
export interface GapLinks {
  fix: (tool: Tool, domain: string) => string | null
  docs: (gap: string) => string | null
}

/** For a result that is read where no service is at hand. */
export const NO_LINKS: GapLinks = { fix: () => null, docs: () => null }

/**
 * The result of an audit from its verdicts. Gaps worst first; within a severity in the order of the
 * checks and of their rules. Skips count neither for nor against the score; those that do not apply
 * are not mentioned.
 */
export function toResult(
  domain: string,
  checks: readonly CheckName[],
  outcomes: readonly Outcome[],
  checkedAt: Date,
  links: GapLinks,
  productPages: readonly JudgedPage[] = [],
): AuditResult {
  const gaps: Gap[] = []
  const passed: string[] = []
  const passed_notes: Record<string, string> = {}
  const skipped: AuditResult['skipped'] = []
  const scored: Scored[] = []
  for (const { rule: each, verdict } of outcomes) {
    const { check, severity } = each
    if (verdict.kind === 'skip') {
      const { reason, applies } = verdict
      // A rule for another kind of store would only puzzle the reader.
      if (applies !== false) skipped.push({ id: each.gap ?? each.passed, check, reason })
      continue
    }
    if (verdict.kind === 'pass') {
      passed.push(each.passed)
      if (verdict.note !== undefined) passed_notes[each.passed] = verdict.note
      // A pass that could never have been a gap must not raise the score.
      if (each.gap !== null) scored.push({ check, severity, open: false })
      continue
    }
    if (each.gap === null) continue
    scored.push({ check, severity, open: true })
    gaps.push({
      id: each.gap,
      check,
      severity,
      label: each.label,
      detail: verdict.detail,
      fix: each.fix,
      fix_url: each.tool === null ? null : links.fix(each.tool, domain),
      docs_url: links.docs(each.gap),
    })
  }
  gaps.sort((a, b) => severityRank(a.severity) - severityRank(b.severity))
  const { score, breakdown } = scoreOf(scored)
  return {
    domain,
    score,
    grade: gradeOf(score),
    checked_at: checkedAt.toISOString(),
    gaps,
    breakdown,
    passed,
    passed_notes,
    skipped,
    product_pages: [...productPages],
    checks: [...checks],
    engine_version: ENGINE_VERSION,
  }
}
