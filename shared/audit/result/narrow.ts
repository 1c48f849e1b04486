import { isShownByWalk, isShownOnlyByWalk, needsPayment } from '../checks/checkout/judge-walk.ts'
import { rulesOf } from '../checks/index.ts'
import type { Evidence } from '../evidence.ts'
import { narrowReadiness } from '../readiness/readiness.ts'
import {
  gap,
  inOtherDialect,
  notApplicable,
  notLookedAt,
  type Outcome,
  pass,
  type Rule,
  skip,
} from '../rule.ts'
import { scoreOf } from '../score.ts'
import type { CheckName } from '../vocabulary.ts'
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
  const outcomes = rulesOf(checks).map((rule) => ({ rule, verdict: verdictIn(result, rule) }))
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

/**
 * What a rule said, as far as the score needs it; what a result does not mention does not apply.
 */
function verdictIn(result: AuditResult, rule: Rule): Outcome['verdict'] {
  const found = result.gaps.find(({ id }) => id === rule.gap)
  if (found !== undefined) return gap(found.detail)
  if (result.passed.includes(rule.passed)) return pass()
  const unknown = result.skipped.find(({ id }) => id === rule.id)
  if (unknown !== undefined) return skip(unknown.reason)
  const reason = 'the result does not mention it'
  if (isOfOtherDialect(result, rule)) return inOtherDialect(reason)
  return wasWalked(result, rule) ? notApplicable(reason) : notLookedAt(reason)
}

/**
 * Whether a rule that is not mentioned is of a dialect that the store does not speak, which shows
 * in that the result mentions no rule of it: no gap hides what it judges. What a walk shows as well
 * may be mentioned in any dialect, and shows nothing of that.
 */
function isOfOtherDialect(result: AuditResult, { dialect }: Rule): boolean {
  return (
    dialect !== undefined &&
    !rulesOf(result.checks).some(
      (each) => each.dialect === dialect && !isShownByWalk(each.gap) && isMentioned(result, each),
    )
  )
}

/** The part of a result that mentions rules. */
type Mentions = Pick<AuditResult, 'gaps' | 'passed' | 'skipped'>

const isMentioned = ({ gaps, passed, skipped }: Mentions, rule: Rule): boolean =>
  passed.includes(rule.passed) || [...gaps, ...skipped].some(({ id }) => id === rule.id)

/**
 * Whether a result has judged a walk, as far as these checks go: it mentions a rule that nothing
 * else judges.
 */
export const isWalked = (result: Mentions, checks: readonly CheckName[]): boolean =>
  rulesOf(checks).some((each) => isShownOnlyByWalk(each) && isMentioned(result, each))

/**
 * False for a rule that only a walk can judge, where no such walk was made. That shows in that the
 * result mentions no such rule: what was not looked for does not count as failed.
 */
function wasWalked(result: AuditResult, rule: Rule): boolean {
  if (!isShownOnlyByWalk(rule)) return true
  const paid = needsPayment(rule.gap ?? '')
  return rulesOf(result.checks).some(
    (each) =>
      isShownOnlyByWalk(each) && needsPayment(each.gap ?? '') === paid && isMentioned(result, each),
  )
}
