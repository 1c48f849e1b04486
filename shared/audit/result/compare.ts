import { rulesOf } from '../checks/index.ts'
import { gap, notLookedAt, pass, type Rule } from '../rule.ts'
import { scoreOf } from '../score.ts'
import type { CheckName } from '../vocabulary.ts'
import { findCheckWords } from '../words.ts'
import { type Mentions, verdictsIn } from './narrow.ts'
import type { AuditResult, Gap } from './result.ts'

/** A gap in a comparison. */
export type ComparedGap = Pick<Gap, 'id' | 'check' | 'label' | 'severity' | 'points'>

/** What is known of an audit that is compared. */
export interface ComparedAudit
  extends Pick<AuditResult, 'checked_at' | 'score' | 'checks' | 'engine_version' | 'passed'> {
  gaps: readonly ComparedGap[]
  /** What could not be judged: a gap among them is not fixed, it is unknown. */
  skipped: readonly { id: string; reason?: string | undefined }[]
}

/** Why two audits show no trend. */
export const NO_TREND_REASONS = ['measured_differently', 'too_little_judged'] as const

/** How the score changed, as far as two audits show it. */
export interface Trend {
  /** Points; null where there is no trend. */
  change: number | null
  /** Of the rules that apply in either audit, how many both judged. */
  compared: { judged: number; applicable: number }
  /** Why there is no trend; null where there is one. */
  no_trend: (typeof NO_TREND_REASONS)[number] | null
}

/** What changed, in the words of the API. */
export interface GapChanges extends Trend {
  fixed: ComparedGap[]
  /** Gaps that the earlier audit judged, and did not have. */
  new: ComparedGap[]
  /** As the later audit has them. */
  still_open: ComparedGap[]
  /** Open before, and not judged this time. */
  not_judged: ComparedGap[]
  /** Open now, and not judged before: not known to be new. */
  newly_judged: ComparedGap[]
  /** What was judged before and not this time, by the reason, that of most rules first. */
  not_seen: { reason: string; rules: number }[]
}

export interface AuditComparison extends GapChanges {
  /** Null where both measured the same: only then is there a change. */
  measure: MeasureDifference | null
}

/** How two audits measured differently, so that their scores say nothing of each other. */
interface MeasureDifference {
  /** Null where both are of one version. */
  engine: { before: string; after: string } | null
  /** Checks that only one of them made. */
  checks_before: AuditResult['checks']
  checks_after: AuditResult['checks']
}

/** What of a result is compared. */
export const comparedOf = (result: AuditResult): ComparedAudit => ({
  checked_at: result.checked_at,
  score: result.score,
  checks: result.checks,
  engine_version: result.engine_version,
  gaps: result.gaps.map(({ id, check, label, severity, points }) => ({
    id,
    check,
    label,
    severity,
    ...(points !== undefined && { points }),
  })),
  skipped: result.skipped.map(({ id, reason }) => ({ id, reason })),
  passed: result.passed,
})

/** A score, and what it was made of (`judgedIn`). */
export interface JudgedScore {
  score: number
  judged: string
}

/** The verdicts of rules, one letter each. */
const LETTERS = { pass: 'p', gap: 'g', skip: 'u', hideable: 'n', not_applicable: 'x' } as const

/**
 * What an audit judged, as a short text that can be kept with its score: the engine, the checks and
 * the verdict of each of their rules.
 */
export function judgedIn(audit: Mentions & Pick<AuditResult, 'engine_version'>): string {
  const checks = audit.checks.toSorted()
  const verdictOf = verdictsIn(audit)
  const letters = rulesOf(checks).map((rule) => {
    const verdict = verdictOf(rule)
    return LETTERS[
      verdict.kind === 'not_applicable' && verdict.hideable ? 'hideable' : verdict.kind
    ]
  })
  return `${audit.engine_version} ${checks.join()} ${letters.join('')}`
}

/** The engine and the checks: only scores of the same measure can be compared. */
export const measureOf = (judged: string): string => judged.slice(0, judged.lastIndexOf(' '))

// Unspecified: there is a trend where both audits judged at least half of the rules that apply in
// either. A rule that an open gap makes impossible to judge counts as judged, as in the score.
const LEAST_SHARE = 0.5

/**
 * How the score of a store changed from one audit to a later one: both are scored again on the
 * rules that both judged, so that less seen is never more points. Where both judged the same it is
 * the difference of the two scores. The only place that decides whether there is a trend.
 */
export function compareScores(before: JudgedScore, after: JudgedScore): Trend {
  const none = { change: null, compared: { judged: 0, applicable: 0 } }
  const measure = measureOf(before.judged)
  if (measure !== measureOf(after.judged)) return { ...none, no_trend: 'measured_differently' }
  const rules = rulesOf(checksIn(measure))
  const [was, is] = [lettersIn(before.judged), lettersIn(after.judged)]
  // Another build of the same version, with other rules.
  if (was.length !== rules.length || is.length !== rules.length) {
    return { ...none, no_trend: 'measured_differently' }
  }
  const [lostBefore, lostAfter] = [lostIn(rules, was), lostIn(rules, is)]
  const newlyLost = lostIn(rules, is, was)
  const foundAgain = lostIn(rules, was, is)
  const isBoth = (n: number): boolean =>
    (isJudged(was[n]) && isJudged(is[n])) ||
    (lostBefore.has(n) && lostAfter.has(n)) ||
    (newlyLost.has(n) && isJudged(was[n])) ||
    (foundAgain.has(n) && isJudged(is[n]))
  const applies = (n: number): boolean =>
    [was[n], is[n]].some((letter) => isJudged(letter) || letter === LETTERS.skip) ||
    lostBefore.has(n) ||
    lostAfter.has(n)
  const counted = [...rules.keys()].filter((n) => rules[n]?.gap !== null)
  const both = counted.filter(isBoth)
  const compared = { judged: both.length, applicable: counted.filter(applies).length }
  if (both.length === 0 || both.length < LEAST_SHARE * compared.applicable) {
    return { change: null, compared, no_trend: 'too_little_judged' }
  }
  const isAlike = counted.every((n) => isBoth(n) || was[n] === is[n])
  const change = isAlike
    ? after.score - before.score
    : scoreOn(rules, both, is) - scoreOn(rules, both, was)
  return { change, compared, no_trend: null }
}

/** How little an audit judged, where that is too little for any trend; else null. */
export function littleJudged(judged: string | null): Trend['compared'] | null {
  if (judged === null) return null
  const { compared, no_trend } = compareScores({ score: 0, judged }, { score: 0, judged })
  return no_trend === 'too_little_judged' ? compared : null
}

const checksIn = (measure: string): CheckName[] =>
  // Written by `judgedIn`; what is not a check has no rules.
  measure.slice(measure.indexOf(' ') + 1).split(',') as CheckName[]

const lettersIn = (judged: string): string => judged.slice(judged.lastIndexOf(' ') + 1)

const isJudged = (letter: string | undefined): boolean =>
  letter === LETTERS.pass || letter === LETTERS.gap

/**
 * The rules, by number, that an open gap makes impossible to judge. With `other`: those that a gap
 * does that the other audit saw closed. An older gap explains nothing: the rule was judged in spite
 * of it.
 */
function lostIn(rules: readonly Rule[], letters: string, other?: string): Set<number> {
  const hiding = new Set<string | null>()
  for (const [n, rule] of rules.entries()) {
    const isOpen = letters[n] === LETTERS.gap
    if (isOpen && (other === undefined || other[n] === LETTERS.pass)) hiding.add(rule.gap)
  }
  const lost = new Set<number>()
  for (let found = -1; found < lost.size; ) {
    found = lost.size
    for (const [n, { gap, lostWith = [] }] of rules.entries()) {
      const canBeLost = letters[n] === LETTERS.skip || letters[n] === LETTERS.hideable
      if (!canBeLost || lost.has(n) || !lostWith.some((id) => hiding.has(id))) continue
      lost.add(n)
      if (gap !== null) hiding.add(gap)
    }
  }
  return lost
}

/** The score on these rules alone. One that is lost counts as failed. */
function scoreOn(rules: readonly Rule[], counted: readonly number[], letters: string): number {
  const among = new Set(counted)
  const outcomes = rules.map((rule, n) => {
    if (!among.has(n)) return { rule, verdict: notLookedAt('only one audit judged it') }
    return { rule, verdict: letters[n] === LETTERS.pass ? pass() : gap('') }
  })
  return scoreOf(outcomes)?.score ?? 0
}

/**
 * What changed from one audit of a domain to a later one, as far as both judged it. A gap that is
 * gone is fixed only if the later audit could judge it, and one that came up is new only if the
 * earlier one could.
 */
export function compareAudits(before: ComparedAudit, after: ComparedAudit): AuditComparison {
  const open = new Set(after.gaps.map(({ id }) => id))
  const known = new Set(before.gaps.map(({ id }) => id))
  const gone = before.gaps.filter(({ id }) => !open.has(id))
  const fresh = after.gaps.filter(({ id }) => !known.has(id))
  const wasClosed = closedIn(before, after.engine_version)
  const scored = (audit: ComparedAudit) => ({ score: audit.score, judged: judgedIn(audit) })
  return {
    ...compareScores(scored(before), scored(after)),
    fixed: gone.filter((gap) => hasPassed(gap, after)),
    not_judged: gone.filter((gap) => !hasPassed(gap, after)),
    new: fresh.filter(wasClosed),
    newly_judged: fresh.filter((gap) => !wasClosed(gap)),
    still_open: after.gaps.filter(({ id }) => known.has(id)),
    not_seen: notSeen(before, after),
    measure: measureDifference(before, after),
  }
}

/** A rule that no longer applies is neither among what passed nor among what was skipped. */
function hasPassed(
  { id, check }: ComparedGap,
  { checks, skipped, passed }: ComparedAudit,
): boolean {
  if (!checks.includes(check) || skipped.some((each) => each.id === id)) return false
  const rule = findCheckWords(id)
  // Which pass stands for a gap that this version does not know is not known either.
  return rule === null || passed.includes(rule.passed)
}

/**
 * Whether an audit is known not to have had a gap: its rule passed, or did not apply to the store
 * and no gap that is open, or may be, hid it. What did not apply by another engine is not known.
 */
function closedIn(audit: ComparedAudit, engineVersion: string): (gap: ComparedGap) => boolean {
  const rules = rulesOf(audit.checks)
  const letters = lettersIn(judgedIn(audit))
  const lost = lostIn(rules, letters.replaceAll(LETTERS.skip, LETTERS.gap))
  const isSameEngine = audit.engine_version === engineVersion
  return (compared) => {
    if (hasPassed(compared, audit)) return true
    const at = rules.findIndex(({ gap }) => gap === compared.id)
    return isSameEngine && letters[at] === LETTERS.hideable && !lost.has(at)
  }
}

/** What was judged before and could not be now, but for what an open gap hides. */
function notSeen(before: ComparedAudit, after: ComparedAudit): GapChanges['not_seen'] {
  const rules = rulesOf(after.checks)
  const letters = lettersIn(judgedIn(after))
  const lost = lostIn(rules, letters)
  const [verdictBefore, verdictAfter] = [verdictsIn(before), verdictsIn(after)]
  const reasons = rules.flatMap((rule, n) => {
    const { kind } = verdictBefore(rule)
    const now = verdictAfter(rule)
    const wasJudged = rule.gap !== null && (kind === 'pass' || kind === 'gap')
    return wasJudged && now.kind === 'skip' && !lost.has(n) ? [now.reason] : []
  })
  return [...Map.groupBy(reasons, (reason) => reason)]
    .map(([reason, each]) => ({ reason, rules: each.length }))
    .toSorted((a, b) => b.rules - a.rules)
}

function measureDifference(before: ComparedAudit, after: ComparedAudit): MeasureDifference | null {
  const isSame = before.engine_version === after.engine_version
  const checks_before = before.checks.filter((check) => !after.checks.includes(check))
  const checks_after = after.checks.filter((check) => !before.checks.includes(check))
  if (isSame && checks_before.length + checks_after.length === 0) return null
  return {
    engine: isSame ? null : { before: before.engine_version, after: after.engine_version },
    checks_before,
    checks_after,
  }
}

/** The trend since an earlier audit, and when that was made. */
export interface TrendSince extends Trend {
  checked_at: string
}

/**
 * Audits of a domain, newest first, each with its trend since the newest earlier one of the same
 * measure, or else the newest earlier one; null for the first. `compares`: with the newest of all.
 */
export function withTrends<Run extends JudgedScore & { checked_at: string }>(
  runs: readonly Run[],
): (Run & { trend: TrendSince | null; compares: boolean })[] {
  return runs.map((run, n) => {
    const earlier = runs.slice(n + 1)
    const measure = measureOf(run.judged)
    const before = earlier.find(({ judged }) => measureOf(judged) === measure) ?? earlier[0]
    const trend = before && { ...compareScores(before, run), checked_at: before.checked_at }
    const compares = compareScores(run, runs[0] ?? run).no_trend === null
    return { ...run, trend: trend ?? null, compares }
  })
}
