import type { Rule, Verdict } from './rule.ts'
import { CAP_REASONS, type CapReason, type CheckName, type Severity } from './vocabulary.ts'
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
  // Another way to buy, which counts where it is asked for.
  pages: 'checkout',
}

/** The category of the breakdown that a check counts in. */
export const categoryOfCheck = (check: CheckName): Category =>
  THINGS[check === 'well_known' ? 'manifest' : THING_OF[check]].category

/** What the score needs of a rule. */
interface ScoredRule extends Pick<Rule, 'check' | 'severity' | 'reads' | 'caps'> {
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
 * The costs of a thing's last gaps, as a share of them all, and the share of its points that they
 * take together. They are all open only where the thing is missing: that it is there at all is
 * worth as much as a medium gap, and putting it right is worth the rest.
 */
const LAST = { costs: 0.45, points: 0.15 }

/** The gap of the rule whose pass shows that an agent can fill a cart. */
const NO_CART: GapId = 'checkout_dry_run_failed'

/**
 * Unspecified: the highest score while the reason holds. A grade says first whether agents get in,
 * can buy, and pay what the buyer was told: a C where they cannot get in or buy, no A where the
 * price or the order is wrong or no checkout was seen to work, and 100 where all was seen.
 * The scores from `from` to 100 are pressed together below `at`, so that each gap still shows. Each
 * further reason takes `step` more. Not where agents cannot buy at all: a store without a catalog
 * has one reason, and one with a broken catalog several, but no lower score.
 */
const CAPS: readonly { reasons: readonly CapReason[]; at: number; from: number; step: number }[] = [
  { reasons: ['kept_out', 'cannot_buy', 'critical_gap'], at: 59, from: 40, step: 0 },
  { reasons: ['wrong_price', 'wrong_order', 'checkout_not_judged'], at: 79, from: 60, step: 3 },
  { reasons: ['not_all_judged'], at: 99, from: 99, step: 0 },
]

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
  cap: Cap | null
  breakdown: Partial<Record<Category, number>>
  coverage: Judged & { breakdown: Partial<Record<Category, Judged>> }
  /** What closing a gap alone adds at least, by its id. */
  points: ReadonlyMap<string, GapPoints>
  /** By the id of a gap: why the score is capped while it is open, whichever cap holds it now. */
  caps: ReadonlyMap<string, CapReason>
  /** The score once these gaps are closed together, at least. */
  without: (gaps: readonly string[]) => number
}

interface Cap {
  /** The worst of its gaps. */
  reason: CapReason
  at: number
  /** The open gaps that cause it; empty where it is about what was not seen. */
  gaps: string[]
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
  const now = totalOf(all)
  const points = new Map<string, GapPoints>()
  for (const { state, rule } of all) {
    if (state !== 'gap' || rule.gap === null) continue
    const then = totalOf(closed(all, [rule.gap]))
    const gained = then.score - now.score
    const gainedUncapped = then.uncapped - now.uncapped
    points.set(rule.gap, {
      points: Math.max(gained, gainedUncapped),
      held_back: gained < gainedUncapped,
    })
  }
  const { score, exact, cap, breakdown } = now
  const without = (gaps: readonly string[]) => totalOf(closed(all, gaps)).score
  return { score, exact, cap, breakdown, coverage, points, caps: capsOf(all), without }
}

interface Counted {
  rule: ScoredRule
  state: 'pass' | 'gap' | 'lost' | 'unknown' | 'not_applicable'
  /** Why the score is capped while this is open; null where it is not. */
  caps: CapReason | null
  /** The open gaps that it is lost with. */
  hiddenBy: readonly string[]
}

/** What each rule counts as. */
function statesOf(outcomes: readonly ScoredOutcome[]): Counted[] {
  const hidden = hiddenRules(outcomes)
  return outcomes.map(({ rule, verdict }) => {
    const hiddenBy = hidden.get(rule)
    const critical = rule.severity === 'critical' ? 'critical_gap' : null
    // What is lost may be a critical gap: it must not lower the score when it shows. A wrong price
    // is worse than one that cannot be seen.
    if (hiddenBy !== undefined) return { rule, state: 'lost', caps: critical, hiddenBy }
    const state = verdict.kind === 'skip' ? 'unknown' : verdict.kind
    const own = verdict.kind === 'gap' ? (verdict.caps ?? rule.caps ?? critical) : null
    return { rule, state, caps: own, hiddenBy: [] }
  })
}

/**
 * With these gaps closed. What they hid may turn out wrong, so it still costs its points, but it no
 * longer caps the score.
 */
function closed(all: readonly Counted[], gaps: readonly string[]): Counted[] {
  return all.map((each) => {
    if (each.state === 'gap' && gaps.includes(each.rule.gap ?? '')) {
      return { ...each, state: 'pass', caps: null }
    }
    const isFreed = each.state === 'lost' && each.hiddenBy.every((gap) => gaps.includes(gap))
    return isFreed ? { ...each, caps: null } : each
  })
}

/**
 * The rules that cannot be judged because of an open gap, or of a rule that is lost itself, each
 * with the open gaps that this goes back to.
 */
function hiddenRules(outcomes: readonly ScoredOutcome[]): Map<ScoredRule, readonly string[]> {
  const lost = new Map<ScoredRule, readonly string[]>()
  /** The open gaps behind each gap that hides others. */
  const behind = new Map<string, readonly string[]>()
  for (const { rule, verdict } of outcomes) {
    if (verdict.kind === 'gap' && rule.gap !== null) behind.set(rule.gap, [rule.gap])
  }
  let before = -1
  while (before < lost.size) {
    before = lost.size
    for (const { rule, verdict } of outcomes) {
      if (lost.has(rule) || !canBeLost(verdict)) continue
      const causes = new Set((rule.lostWith ?? []).flatMap((gap) => behind.get(gap) ?? []))
      if (causes.size === 0) continue
      lost.set(rule, [...causes])
      if (rule.gap !== null) behind.set(rule.gap, [...causes])
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

function totalOf(
  all: readonly Counted[],
): Pick<Score, 'score' | 'exact' | 'cap' | 'breakdown'> & { uncapped: number } {
  const things = [...Map.groupBy(all, ({ rule }) => thingOf(rule))]
  const breakdown: Partial<Record<Category, number>> = {}
  let sum = 0
  let weights = 0
  // In one order, so that equal results are equal texts.
  for (const category of CATEGORIES) {
    const parts = things.flatMap(([thing, rules]) => {
      const { category: of, points } = THINGS[thing]
      const part = of === category ? partOf(rules, points) : null
      return part === null ? [] : [{ part, points }]
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
  const found = capOf(all)
  const score = found === null ? uncapped : wholePoints(found.under(exact) / 100)
  return { exact, uncapped, score, cap: score < uncapped ? (found?.cap ?? null) : null, breakdown }
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
 * up. Otherwise two high gaps cost their full price, and so does a last one of medium severity; the
 * others share what remains, the `LAST` of them less. Grows with `open`, and never grows when an
 * open rule no longer counts.
 */
function lossOf(open: number, whole: number, points: number): number {
  if (whole <= points) return (open * points) / whole
  const first = 2 * costOf('high', points)
  if (open <= first) return open
  const medium = costOf('medium', points)
  if (whole - open <= medium) return points - (whole - open)
  const last = Math.max(LAST.points * points, 1.5 * medium)
  const far = Math.max((1 - LAST.costs) * whole, points - last)
  const between = (from: [number, number], to: [number, number]) =>
    from[1] + ((open - from[0]) * (to[1] - from[1])) / (to[0] - from[0])
  return open < far
    ? between([first, first], [far, points - last])
    : between([far, points - last], [whole - medium, points - medium])
}

/** The open gaps that a rule caps the score by: itself, or those that hide it. */
const causesOf = ({ rule, hiddenBy }: Counted): readonly string[] =>
  hiddenBy.length > 0 ? hiddenBy : rule.gap === null ? [] : [rule.gap]

function capsOf(all: readonly Counted[]): Map<string, CapReason> {
  const caps = new Map<string, CapReason>()
  for (const reason of CAP_REASONS) {
    for (const each of all.filter(({ caps: its }) => its === reason)) {
      for (const gap of causesOf(each)) if (!caps.has(gap)) caps.set(gap, reason)
    }
  }
  return caps
}

/** The lowest cap that holds, and what it makes of an exact score; null where none does. */
function capOf(all: readonly Counted[]): { cap: Cap; under: (exact: number) => number } | null {
  const isAsked = all.some(({ rule }) => rule.check === 'checkout')
  const isSeen = all.some(({ rule, state }) => rule.gap === NO_CART && state === 'pass')
  const unseen: CapReason[] = [
    ...(isAsked && !isSeen ? (['checkout_not_judged'] as const) : []),
    ...(all.some(({ state }) => state === 'unknown') ? (['not_all_judged'] as const) : []),
  ]
  for (const { reasons, at: most, from, step } of CAPS) {
    const holding = all.filter(({ caps }) => caps !== null && reasons.includes(caps))
    const gaps = new Set(holding.flatMap(causesOf))
    const found = new Set([...holding.map(({ caps }) => caps), ...unseen])
    const reason = reasons.find((each) => found.has(each))
    if (reason === undefined) continue
    const causes = gaps.size + reasons.filter((each) => unseen.includes(each)).length
    const at = Math.max(from, most - step * (causes - 1))
    const under = (exact: number) =>
      exact <= from ? exact : from + ((exact - from) * (at - from)) / (100 - from)
    return { cap: { reason, at, gaps: [...gaps] }, under }
  }
  return null
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
