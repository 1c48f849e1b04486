import { isShownByWalk, isShownOnlyByWalk, needsPayment } from '../checks/checkout/walk-rules.ts'
import { rulesOf } from '../checks/index.ts'
import type { Evidence } from '../evidence.ts'
import { narrowReadiness } from '../readiness/readiness.ts'
import {
  gap,
  inOtherDialect,
  notApplicable,
  notLookedAt,
  pass,
  type Rule,
  skip,
  type Verdict,
} from '../rule.ts'
import { scoreOf } from '../score.ts'
import type { CapReason, CheckName } from '../vocabulary.ts'
import { type AuditResult, NothingJudged, scoredParts } from './result.ts'

/**
 * What an audit by `checks` alone would have said of the same store at the same time: the part of
 * the result that is theirs, scored again. The result must cover them and be of this engine, whose
 * rules say which check a pass belongs to. Throws `NothingJudged` where that part has no score.
 */
export function narrowResult(result: AuditResult, checks: readonly CheckName[]): AuditResult {
  // As it is, where it was asked for the same.
  if (result.checks.join() === checks.join()) return result
  const skipped = result.skipped.filter(({ check }) => checks.includes(check))
  const verdictOf = verdictsIn(result)
  const outcomes = rulesOf(checks).map((rule) => ({ rule, verdict: verdictOf(rule) }))
  const passed = outcomes.flatMap(({ rule, verdict }) =>
    verdict.kind === 'pass' ? [rule.passed] : [],
  )
  // In the order of the rules, from which the points make the order of the result.
  const gaps = outcomes.flatMap(({ rule }) => result.gaps.find(({ id }) => id === rule.gap) ?? [])
  const score = scoreOf(outcomes)
  if (score === null) throw new NothingJudged(skipped)
  const notes = passed.flatMap((id) => {
    const note = result.passed_notes[id]
    return note === undefined ? [] : [[id, note]]
  })
  const { catalog_seen, ...others } = result
  const readsCatalog = reads(checks, 'catalog') && catalog_seen !== undefined
  return {
    ...others,
    ...scoredParts(score, gaps),
    passed,
    passed_notes: Object.fromEntries(notes),
    skipped,
    // Those checks would not have looked for any.
    product_pages: reads(checks, 'productPages') ? result.product_pages : [],
    readiness: narrowReadiness(result.readiness, checks),
    checks: [...checks],
    ...(readsCatalog && { catalog_seen }),
  }
}

const reads = (checks: readonly CheckName[], key: keyof Evidence): boolean =>
  rulesOf(checks).some((rule) => rule.reads.includes(key))

/** The part of a result that mentions rules. */
export interface Mentions {
  checks: readonly CheckName[]
  gaps: readonly { id: string; detail?: string | undefined; cap?: CapReason | undefined }[]
  passed: readonly string[]
  skipped: readonly { id: string; reason?: string | undefined }[]
}

/**
 * What each rule said, as far as the score needs it; what a result does not mention does not apply.
 */
export function verdictsIn(result: Mentions): (rule: Rule) => Verdict {
  const gaps = new Map(result.gaps.map((each) => [each.id, each]))
  const skipped = new Map(result.skipped.map(({ id, reason = '' }) => [id, reason]))
  const passed = new Set(result.passed)
  const mentioned = rulesOf(result.checks).filter(
    (each) => passed.has(each.passed) || gaps.has(each.id) || skipped.has(each.id),
  )
  // What a walk shows as well may be mentioned in any dialect, and shows nothing of that.
  const dialects = new Set(
    mentioned.flatMap(({ dialect, gap }) =>
      dialect === undefined || isShownByWalk(gap) ? [] : [dialect],
    ),
  )
  const walked = new Set(
    mentioned.filter(isShownOnlyByWalk).map(({ gap }) => needsPayment(gap ?? '')),
  )
  return (rule) => {
    const found = gaps.get(rule.gap ?? '')
    if (found !== undefined) {
      const { detail = '', cap } = found
      // That a gap is critical, or hides one that is, follows from the rules.
      return gap(detail, cap === 'critical_gap' ? undefined : cap)
    }
    if (passed.has(rule.passed)) return pass()
    const unknown = skipped.get(rule.id)
    if (unknown !== undefined) return skip(unknown)
    const reason = 'the result does not mention it'
    // No rule of its dialect is mentioned: the store does not speak it, so no gap hides the rule.
    if (rule.dialect !== undefined && !dialects.has(rule.dialect)) return inOtherDialect(reason)
    // What only a walk can judge, where none was made, was not looked for and has not failed.
    const isUnwalked = isShownOnlyByWalk(rule) && !walked.has(needsPayment(rule.gap ?? ''))
    return isUnwalked ? notLookedAt(reason) : notApplicable(reason)
  }
}

/**
 * Whether a result has judged a walk, as far as these checks go: it mentions a rule that nothing
 * else judges.
 */
export const isWalked = (
  { gaps, passed, skipped }: Omit<Mentions, 'checks'>,
  checks: readonly CheckName[],
): boolean =>
  rulesOf(checks).some(
    (each) =>
      isShownOnlyByWalk(each) &&
      (passed.includes(each.passed) || [...gaps, ...skipped].some(({ id }) => id === each.id)),
  )
