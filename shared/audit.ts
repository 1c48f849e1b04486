import * as z from 'zod'
import { Domain } from './domain.ts'
import type { Evidence } from './evidence.ts'
import { gradeOf, type Scored, scoreOf } from './score.ts'

/** The checks of the spec; `acp` runs only when asked for by name. */
export const DEFAULT_CHECKS = [
  'well_known',
  'catalog',
  'checkout',
  'schema',
  'feed',
  'attribution',
  'entity',
] as const
export const CHECK_NAMES = [...DEFAULT_CHECKS, 'acp'] as const
export const CheckName = z.enum(CHECK_NAMES)
export type CheckName = z.infer<typeof CheckName>

export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const
export const Severity = z.enum(SEVERITIES)
export type Severity = z.infer<typeof Severity>

/** Pass and gap count in the score; skip says what could not be judged, and does not count. */
export type Verdict =
  | { kind: 'pass'; note?: string }
  | { kind: 'gap'; detail: string }
  | { kind: 'skip'; reason: string; applies?: false }

/** `note` names the evidence of a pass that is not obvious. */
export const pass = (note?: string): Verdict =>
  note === undefined ? { kind: 'pass' } : { kind: 'pass', note }
/** `detail` names the raw value, where it stands and what was expected. */
export const gap = (detail: string): Verdict => ({ kind: 'gap', detail })
export const skip = (reason: string): Verdict => ({ kind: 'skip', reason })
/** The rule does not apply to this kind of store, so the result does not mention it. */
export const notApplicable = (reason: string): Verdict => ({
  kind: 'skip',
  reason,
  applies: false,
})

/** The tools that a gap's `fix_url` opens. */
export type Tool = 'manifest' | 'schema' | 'snippet' | 'validate'

export interface RuleText<K extends keyof Evidence> {
  /** The gap's id. Null for a rule that can pass or skip, but never reports a gap. */
  gap: string | null
  /** The id listed under `passed`. */
  passed: string
  check: CheckName
  severity: Severity
  label: string
  /** What to do, as an instruction to the person who runs the store. */
  fix: string
  tool: Tool | null
  /** What the rule rests on: a section of the spec, a standard, a vendor's documentation. */
  authority: string
  reads: readonly K[]
  /** Pure and total: any evidence gives a verdict. */
  audit: (evidence: Pick<Evidence, K>) => Verdict
}

export interface Rule extends Omit<RuleText<keyof Evidence>, 'audit'> {
  /** Skips when a key that the rule reads was not gathered. */
  judge: (evidence: Partial<Evidence>) => Verdict
}

export function rule<K extends keyof Evidence>({ audit, ...text }: RuleText<K>): Rule {
  const holds = (evidence: Partial<Evidence>): evidence is Pick<Evidence, K> =>
    text.reads.every((key) => evidence[key] !== undefined)
  return {
    ...text,
    judge: (evidence) =>
      holds(evidence)
        ? audit(evidence)
        : skip(`needs ${text.reads.join(', ')}, which was not collected`),
  }
}

export interface Outcome {
  rule: Rule
  verdict: Verdict
}

/**
 * Runs every rule over the evidence. A rule that throws on hostile input loses only its own
 * verdict.
 */
export function runRules(rules: readonly Rule[], evidence: Partial<Evidence>): Outcome[] {
  return rules.map((each) => {
    try {
      return { rule: each, verdict: each.judge(evidence) }
    } catch (error) {
      return { rule: each, verdict: skip(`could not be judged: ${String(error)}`) }
    }
  })
}

export const AuditRequest = z.strictObject({
  domain: Domain,
  checks: z
    .array(CheckName)
    .min(1, `Name at least one of ${CHECK_NAMES.join(', ')}, or leave checks out.`)
    .optional(),
  dry_run: z.boolean().optional(),
})
export type AuditRequest = z.infer<typeof AuditRequest>

export const Gap = z.object({
  id: z.string(),
  check: CheckName,
  severity: Severity,
  label: z.string(),
  detail: z.string(),
  // Unspecified: what to do, in words, beside the link: an API client shows it without a browser.
  fix: z.string(),
  fix_url: z.string().nullable(),
  // Unspecified: the page that explains this gap, with an example.
  docs_url: z.string().nullable(),
})
export type Gap = z.infer<typeof Gap>

export const Skipped = z.object({ id: z.string(), check: CheckName, reason: z.string() })

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
  // Unspecified: the evidence behind a pass that claims more than its name says.
  passed_notes: z.record(z.string(), z.string()),
  // What could not be judged, listed so that its absence is not read as a pass.
  skipped: z.array(Skipped),
  checks: z.array(CheckName),
  engine_version: z.string(),
})
export type AuditResult = z.infer<typeof AuditResult>

/**
 * Increase it with every change that can affect a score: stored results of another engine version
 * are not served.
 */
export const ENGINE_VERSION = '3'

/** Where the links of a gap lead; null where there is nothing to open. */
export interface GapLinks {
  fix: (tool: Tool, domain: string) => string | null
  docs: (gap: string) => string | null
}

/** For a result that is read where no service is at hand. */
export const NO_LINKS: GapLinks = { fix: () => null, docs: () => null }

const rank = (severity: Severity) => SEVERITIES.indexOf(severity)

/** Gaps worst first; within a severity in the order of the checks and of their rules. */
export function toResult(
  domain: string,
  checks: readonly CheckName[],
  outcomes: readonly Outcome[],
  checkedAt: Date,
  links: GapLinks,
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
      if (applies !== false) skipped.push({ id: each.gap ?? each.passed, check, reason })
      continue
    }
    if (verdict.kind === 'pass') {
      passed.push(each.passed)
      if (verdict.note !== undefined) passed_notes[each.passed] = verdict.note
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
  gaps.sort((a, b) => rank(a.severity) - rank(b.severity))
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
    checks: [...checks],
    engine_version: ENGINE_VERSION,
  }
}
