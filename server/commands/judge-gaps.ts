import { aboutTrend } from '../../shared/audit/result/about-trend.ts'
import {
  type AuditComparison,
  compareAudits,
  comparedOf,
} from '../../shared/audit/result/compare.ts'
import type { AuditResult, Gap } from '../../shared/audit/result/result.ts'
import { CATEGORIES, categoryOfCheck } from '../../shared/audit/score.ts'
import { type FailOn, severityRank } from '../../shared/audit/vocabulary.ts'
import { isGap } from '../../shared/audit/words.ts'
import { checkNamed } from '../../shared/view/audit/check-names.ts'
import type { AisleFile, Ignored } from '../../shared/watch/aisle-file.ts'
import { counted } from '../../shared/web/text/english-count.ts'
import { levelOf } from './formats/levels.ts'
import type { ReportedFinding, Subject } from './formats/report.ts'

/** The limits of a run for a store. */
export interface RunDemands {
  /** Null: not given. */
  failOn: FailOn | null
  failUnder: number | null
  asserts: NonNullable<AisleFile['asserts']>
  /** By category. */
  budgets: NonNullable<NonNullable<AisleFile['budgets']>['categories']>
  ignore: readonly Ignored[]
}

/** What a result is measured by. `today` is a day in UTC: `2026-11-23`. */
export interface Measure {
  demands: RunDemands
  /** An earlier result of the domain; `none` if the baseline has none, null without a baseline. */
  baseline: AuditResult | 'none' | null
  today: string
}

/** The outcome of an audit by the run's limits: what counts, and why the run fails. */
export function judgeGaps(
  result: AuditResult,
  { demands, baseline, today }: Measure,
): Pick<Subject, 'findings' | 'passed' | 'unseen' | 'since' | 'failures' | 'remarks'> {
  const since =
    baseline === null || baseline === 'none'
      ? null
      : compareAudits(comparedOf(baseline), comparedOf(result))
  const sinceOf = (id: string): GapSince => {
    if (baseline === null) return null
    if (since === null || since.new.some((gap) => gap.id === id)) return 'new'
    return since.newly_judged.some((gap) => gap.id === id) ? 'not_judged_before' : 'known'
  }
  const findings = result.gaps.flatMap((gap) => {
    const finding = findingOf(gap, result.domain, sinceOf(gap.id), { demands, today })
    return finding === null ? [] : [finding]
  })
  return {
    findings,
    passed: result.passed.map((id) => ({ id: idOf(id), title: checkNamed(id).words })),
    unseen: result.skipped.map(({ id, reason }) => ({
      id: idOf(id),
      title: checkNamed(id).words,
      reason,
    })),
    since:
      since === null || typeof baseline === 'string' || baseline === null
        ? null
        : {
            at: baseline.checked_at,
            fixed: since.fixed.map(({ label }) => label),
            open: since.still_open.length,
          },
    failures: [
      ...scoreFailures(result, demands),
      ...gapFailures(findings, demands, baseline !== null),
    ],
    remarks: [
      ...(since === null ? [] : remarksOn(since)),
      ...(baseline === 'none'
        ? [`The baseline has no result of ${result.domain}: all its gaps are new.`]
        : []),
      ...endedIgnores(result, demands.ignore, today),
    ],
  }
}

/** The id of the rule's gap: it stays the same whether the rule passes or not. */
const idOf = (id: string): string => checkNamed(id).gap ?? id

/** What the baseline says of a gap; null without one. */
type GapSince = 'new' | 'known' | 'not_judged_before' | null

/** `mustNotBe`: aisle.json calls it an error. */
type JudgedGap = ReportedFinding & { mustNotBe: boolean }

function findingOf(
  gap: Gap,
  domain: string,
  since: GapSince,
  { demands: { asserts, ignore }, today }: Pick<Measure, 'demands' | 'today'>,
): JudgedGap | null {
  const asserted = assertionOf(gap, asserts)
  if (asserted === 'off') return null
  const ignored = ignore.find((each) => isFor(each, gap.id, domain) && today <= each.until)
  const base = {
    id: gap.id,
    which: null,
    title: checkNamed(gap.id).words,
    problem: gap.label,
    detail: gap.detail,
    fix: gap.fix,
    severity: gap.severity,
    level: levelOf(gap.severity),
    isNew: since === null ? null : since === 'new',
    docs: gap.docs_url,
    mustNotBe: asserted === 'error',
  }
  if (ignored !== undefined) {
    const why = `Ignored until ${ignored.until}: ${ignored.reason}`
    return { ...base, state: 'ignored', why }
  }
  if (asserted === 'warn') {
    return { ...base, level: 'warning', state: 'warned', why: 'This never fails a run.' }
  }
  if (since === 'known') return { ...base, state: 'known', why: 'The baseline has it as well.' }
  // Unspecified: what the baseline could not judge is not known to be new, and fails no run.
  if (since === 'not_judged_before') {
    const why = 'The baseline could not judge this, so it is not known to be new.'
    return { ...base, level: 'warning', state: 'warned', why }
  }
  return { ...base, ...(asserted === 'error' && { level: 'error' }), state: 'open', why: null }
}

const assertionOf = ({ id, check }: Gap, { gaps = {}, categories = {} }: RunDemands['asserts']) =>
  (isGap(id) ? gaps[id] : undefined) ?? categories[categoryOfCheck(check)] ?? null

const isFor = (ignored: Ignored, gap: string, domain: string): boolean =>
  ignored.gap === gap && (ignored.domain === undefined || ignored.domain === domain)

// Unspecified: a limit for a category in which nothing could be judged is not met.
function scoreFailures(
  { score, breakdown }: AuditResult,
  { failUnder, budgets }: RunDemands,
): string[] {
  const below = (name: string, is: number | undefined, least: number | undefined): string[] => {
    if (least === undefined || (is !== undefined && is >= least)) return []
    return is === undefined
      ? [`${name} could not be judged, and has to be at least ${least}.`]
      : [`${name} is ${is}, and has to be at least ${least}.`]
  }
  return [
    ...below('The score', score, failUnder ?? undefined),
    ...CATEGORIES.flatMap((each) => below(`The score of ${each}`, breakdown[each], budgets[each])),
  ]
}

// Unspecified: with a baseline and no --fail-on, any new gap fails the run: that is what a baseline
// is for. `none` only shows what is new.
function gapFailures(
  findings: readonly JudgedGap[],
  { failOn }: RunDemands,
  hasBaseline: boolean,
): string[] {
  const from = failOn ?? (hasBaseline ? 'low' : 'none')
  const open = findings.filter(({ state }) => state === 'open')
  const isSevere = ({ severity }: ReportedFinding) =>
    from !== 'none' && severity !== null && severityRank(severity) <= severityRank(from)
  const severe = open.filter(isSevere)
  const asserted = open.filter((each) => !isSevere(each) && each.mustNotBe)
  const kind = hasBaseline ? 'new gap' : 'gap'
  const sentences = (these: readonly ReportedFinding[], what: string): string[] =>
    these.length === 0
      ? []
      : [`${counted(these.length, kind)} ${what}: ${these.map(({ id }) => id).join(', ')}.`]
  return [
    ...sentences(
      severe,
      from === 'critical' ? 'of severity critical' : `of severity ${from} or worse`,
    ),
    ...sentences(asserted, 'that aisle.json calls an error'),
  ]
}

/** A gap that was ignored until a day that is over, and is still open: it counts again. */
const endedIgnores = ({ gaps, domain }: AuditResult, ignore: readonly Ignored[], today: string) =>
  ignore
    .filter((each) => each.until < today && gaps.some(({ id }) => isFor(each, id, domain)))
    .map(
      ({ gap, until, reason }) => `${gap} was ignored until ${until} and counts again (${reason}).`,
    )

function remarksOn(since: AuditComparison): string[] {
  const { measure } = since
  if (measure === null) {
    const about = aboutTrend(since)
    return about === null ? [] : [about]
  }
  if (measure.engine !== null) {
    return [
      `The baseline is of engine ${measure.engine.before}, this result of ${measure.engine.after}: what its rules did not judge does not count as new.`,
    ]
  }
  return ['The baseline is of other checks: what they did not judge does not count as new.']
}
