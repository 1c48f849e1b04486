import type { Rule, Verdict } from './rule.ts'
import type { CheckName, Severity } from './vocabulary.ts'
import type { GapId } from './words.ts'

/** The parts of `breakdown` (spec, Audit result). */
export const CATEGORIES = ['discoverability', 'catalog', 'checkout', 'attribution'] as const
export type Category = (typeof CATEGORIES)[number]

/**
 * Unspecified: each thing that a store can have is worth a fixed number of points, 100 in all,
 * however many rules judge it.
 */
export const THINGS = {
  access: { category: 'discoverability', points: 6 },
  manifest: { category: 'discoverability', points: 10 },
  markup: { category: 'discoverability', points: 18 },
  organization: { category: 'discoverability', points: 7 },
  catalog: { category: 'catalog', points: 24 },
  feed: { category: 'catalog', points: 10 },
  checkout: { category: 'checkout', points: 13 },
  // Without this check, which runs only when asked for, the checkout has all 19.
  acp: { category: 'checkout', points: 6 },
  snippet: { category: 'attribution', points: 6 },
} as const satisfies Record<string, { category: Category; points: number }>
export type Thing = keyof typeof THINGS

const THING_OF: Record<Exclude<CheckName, 'well_known'>, Thing> = {
  schema: 'markup',
  entity: 'organization',
  catalog: 'catalog',
  feed: 'feed',
  checkout: 'checkout',
  acp: 'acp',
  attribution: 'snippet',
}

/** The category of the breakdown that a check counts in. */
export const categoryOfCheck = (check: CheckName): Category =>
  THINGS[check === 'well_known' ? 'manifest' : THING_OF[check]].category

/** What the score needs of a rule. */
interface ScoredRule extends Pick<Rule, 'check' | 'severity' | 'reads'> {
  gap: string | null
  lostWith?: readonly string[]
}
type ScoredOutcome = { rule: ScoredRule; verdict: Verdict }

/**
 * Which thing a rule judges. Rules of `well_known` that do not read the manifest are about access.
 */
export function thingOf({ check, reads }: ScoredRule): Thing {
  if (check !== 'well_known') return THING_OF[check]
  return reads.includes('manifest') ? 'manifest' : 'access'
}

/**
 * What an open gap costs by its severity, as long as its thing has few of them: this share of the
 * thing's points, and at least `least` points, so that closing one always shows.
 */
const COST: Record<Severity, { share: number; least: number }> = {
  critical: { share: 0.25, least: 3 },
  high: { share: 0.2, least: 1.25 },
  medium: { share: 0.1, least: 1.1 },
  low: { share: 0.05, least: 1 },
}

/** In points, of a thing that is worth `points`. */
const costOf = (severity: Severity, points: number): number =>
  Math.max(COST[severity].share * points, COST[severity].least)

/** What the gap of a rule costs, in points with one decimal. */
export function costOfGap(rule: ScoredRule): number {
  const cost = costOf(rule.severity, THINGS[thingOf(rule)].points)
  return Math.round(cost * 10) / 10
}

/**
 * This share of a thing's points goes by the costs of its last gaps: of a missing thing the rest
 * cannot be judged.
 */
const LAST = 0.4

/** The gap of the rule whose pass shows that an agent can fill a cart. */
const NO_CART: GapId = 'checkout_dry_run_failed'

/** Why a score is not higher. */
export const CAP_REASONS = ['critical_gap', 'checkout_not_judged', 'not_all_judged'] as const
export type CapReason = (typeof CAP_REASONS)[number]

/**
 * Unspecified: the highest score while the reason holds. A store in which agents cannot find or buy
 * anything is at most a C. An A requires a checkout that was seen to work, and 100 that everything
 * was seen.
 */
const CAPS: Record<CapReason, number> = {
  critical_gap: 59,
  checkout_not_judged: 79,
  not_all_judged: 99,
}

/** Spec, Audit result: A = 80-100, B = 60-79, C = 40-59, D = 0-39. */
const GRADES = [
  { grade: 'A', from: 80 },
  { grade: 'B', from: 60 },
  { grade: 'C', from: 40 },
] as const

export type Grade = 'A' | 'B' | 'C' | 'D'

/** The grade of a score from 0 to 100. */
export const gradeOf = (score: number): Grade =>
  GRADES.find(({ from }) => score >= from)?.grade ?? 'D'

/** How many of the checks that apply to this store could be judged. */
interface Judged {
  judged: number
  applicable: number
}

export interface Score {
  score: number
  /** Before caps and rounding. */
  exact: number
  /** Set where the score would be higher without it. */
  cap: { reason: CapReason; at: number } | null
  breakdown: Partial<Record<Category, number>>
  coverage: Judged & { breakdown: Partial<Record<Category, Judged>> }
  /** What closing a gap alone adds at least, by its id. */
  points: ReadonlyMap<string, GapPoints>
}

interface GapPoints {
  points: number
  /** A cap keeps the score from showing all of them yet. */
  held_back: boolean
}

/**
 * The score from 0 to 100 and what explains it; null when no rule could be judged. What is unknown
 * or not applicable counts neither way, unless an open gap makes it impossible to judge: then it
 * counts as failed. So a missing thing gets no points, and a wrong one never less.
 */
export function scoreOf(outcomes: readonly ScoredOutcome[]): Score | null {
  // A rule that can never report a gap counts in nothing.
  const scored = outcomes.filter(({ rule }) => rule.gap !== null)
  const coverage = coverageOf(scored)
  if (coverage.judged === 0) return null
  const all = statesOf(scored)
  const byThing = Map.groupBy(all, ({ rule }) => thingOf(rule))
  const partWith = (thing: Thing, rules: readonly Counted[] = []) =>
    partOf(rules, THINGS[thing].points)
  const parts = new Map([...byThing].map(([thing, rules]) => [thing, partWith(thing, rules)]))
  const now = totalOf(all, parts)
  const points = new Map<string, GapPoints>()
  for (const [index, each] of all.entries()) {
    if (each.state !== 'gap' || each.rule.gap === null) continue
    const closed: Counted = { ...each, state: 'pass' }
    const thing = thingOf(each.rule)
    const rules = byThing.get(thing)?.map((one) => (one === each ? closed : one))
    // Of the other things nothing changes.
    const then = totalOf(all.with(index, closed), new Map(parts).set(thing, partWith(thing, rules)))
    const gained = then.score - now.score
    const gainedUncapped = then.uncapped - now.uncapped
    points.set(each.rule.gap, {
      points: Math.max(gained, gainedUncapped),
      held_back: gained < gainedUncapped,
    })
  }
  const { score, exact, cap, breakdown } = now
  return { score, exact, cap, breakdown, coverage, points }
}

interface Counted {
  rule: ScoredRule
  state: 'pass' | 'gap' | 'lost' | 'unknown' | 'not_applicable'
}

/** What each rule counts as. */
function statesOf(outcomes: readonly ScoredOutcome[]): Counted[] {
  const hidden = lostRules(outcomes)
  return outcomes.map(({ rule, verdict }) => {
    if (hidden.has(rule)) return { rule, state: 'lost' }
    return { rule, state: verdict.kind === 'skip' ? 'unknown' : verdict.kind }
  })
}

/** The rules that cannot be judged because of an open gap, or of a rule that is lost itself. */
function lostRules(outcomes: readonly ScoredOutcome[]): Set<ScoredRule> {
  const lost = new Set<ScoredRule>()
  const hiding = new Set<string>()
  for (const { rule, verdict } of outcomes) {
    if (verdict.kind === 'gap' && rule.gap !== null) hiding.add(rule.gap)
  }
  let before = -1
  while (before < lost.size) {
    before = lost.size
    for (const { rule, verdict } of outcomes) {
      if (!canBeLost(verdict)) continue
      if (!rule.lostWith?.some((gap) => hiding.has(gap))) continue
      lost.add(rule)
      if (rule.gap !== null) hiding.add(rule.gap)
    }
  }
  return lost
}

const canBeLost = (verdict: Verdict): boolean =>
  verdict.kind === 'skip' || (verdict.kind === 'not_applicable' && verdict.hideable)

function coverageOf(outcomes: readonly ScoredOutcome[]): Score['coverage'] {
  const breakdown: Partial<Record<Category, Judged>> = {}
  for (const category of CATEGORIES) {
    const part = judgedOf(
      outcomes.filter(({ rule }) => THINGS[thingOf(rule)].category === category),
    )
    if (part.applicable > 0) breakdown[category] = part
  }
  return { ...judgedOf(outcomes), breakdown }
}

const judgedOf = (outcomes: readonly ScoredOutcome[]): Judged => ({
  judged: outcomes.filter(({ verdict }) => verdict.kind === 'pass' || verdict.kind === 'gap')
    .length,
  applicable: outcomes.filter(({ verdict }) => verdict.kind !== 'not_applicable').length,
})

/** `shares`: what each thing has of its points, by `partOf`. */
function totalOf(
  all: readonly Counted[],
  shares: ReadonlyMap<Thing, number | null>,
): Pick<Score, 'score' | 'exact' | 'cap' | 'breakdown'> & { uncapped: number } {
  const breakdown: Partial<Record<Category, number>> = {}
  let sum = 0
  let weights = 0
  // In one order, so that equal results are equal texts.
  for (const category of CATEGORIES) {
    const parts = [...shares].flatMap(([thing, part]) => {
      const { category: of, points } = THINGS[thing]
      return part === null || of !== category ? [] : [{ part, points }]
    })
    if (parts.length === 0) continue
    const points = parts.reduce((total, each) => total + each.points, 0)
    const part = parts.reduce((total, each) => total + each.part * each.points, 0) / points
    breakdown[category] = wholePoints(part)
    const weight = POINTS.get(category) ?? 0
    sum += part * weight
    weights += weight
  }
  const exact = weights === 0 ? 0 : (100 * sum) / weights
  const uncapped = wholePoints(exact / 100)
  const reason = capOf(all)
  const isCapped = reason !== null && uncapped > CAPS[reason]
  return {
    exact,
    uncapped,
    score: isCapped ? CAPS[reason] : uncapped,
    cap: isCapped ? { reason, at: CAPS[reason] } : null,
    breakdown,
  }
}

/** The share of a thing's points that it has, 0 to 1; null when none of its rules counts. */
function partOf(all: readonly Counted[], points: number): number | null {
  let open = 0
  let whole = 0
  for (const { rule, state } of all) {
    if (state === 'unknown' || state === 'not_applicable') continue
    const cost = costOf(rule.severity, points)
    whole += cost
    if (state !== 'pass') open += cost
  }
  return whole === 0 ? null : 1 - lossOf(open, whole, points) / points
}

/**
 * What the open gaps of a thing cost together. If all costs fit into the thing's points they add
 * up. Otherwise the first two high gaps and the last ones cost their full price, and the rest share
 * what remains. Grows with `open`, and never grows when an open rule no longer counts.
 */
function lossOf(open: number, whole: number, points: number): number {
  if (whole <= points) return (open * points) / whole
  // Two of high severity, of any thing.
  const first = 2 * costOf('high', points)
  const last = points * LAST
  if (open <= first) return open
  if (whole - open <= last) return points - (whole - open)
  return first + ((open - first) * (points - first - last)) / (whole - first - last)
}

/** A lost critical rule may be a critical gap: it must not lower the score when it shows. */
function capOf(all: readonly Counted[]): CapReason | null {
  const isOpen = ({ state }: Counted) => state === 'gap' || state === 'lost'
  if (all.some((each) => each.rule.severity === 'critical' && isOpen(each))) return 'critical_gap'
  const isAsked = all.some(({ rule }) => rule.check === 'checkout')
  const isSeen = all.some(({ rule, state }) => rule.gap === NO_CART && state === 'pass')
  if (isAsked && !isSeen) return 'checkout_not_judged'
  return all.some(({ state }) => state === 'unknown') ? 'not_all_judged' : null
}

/** What a category is worth: the points of its things. */
const POINTS: ReadonlyMap<Category, number> = new Map(
  CATEGORIES.map((category) => {
    const things = Object.values(THINGS).filter((thing) => thing.category === category)
    return [category, things.reduce((sum, { points }) => sum + points, 0)]
  }),
)

/**
 * Rounded down, so that 100 means everything; sums of fractions may miss a whole number by a hair.
 */
const wholePoints = (part: number): number => Math.floor(part * 100 + 1e-9)
