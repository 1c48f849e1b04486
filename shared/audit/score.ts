import type { CheckName, Severity } from './vocabulary.ts'

/** The parts of `breakdown` (spec, Audit result). */
const CATEGORIES = ['discoverability', 'catalog', 'checkout', 'attribution'] as const
export type Category = (typeof CATEGORIES)[number]

/**
 * What each part weighs in the score, in percent. Unspecified: being found and being able to buy
 * weigh most (30 each), the catalog 25, measuring 15.
 */
const CATEGORY_WEIGHT: Record<Category, number> = {
  discoverability: 30,
  catalog: 25,
  checkout: 30,
  attribution: 15,
}

/** The part that each check counts for. */
const CATEGORY_OF: Record<CheckName, Category> = {
  well_known: 'discoverability',
  schema: 'discoverability',
  entity: 'discoverability',
  catalog: 'catalog',
  feed: 'catalog',
  checkout: 'checkout',
  acp: 'checkout',
  attribution: 'attribution',
}

/**
 * Unspecified: an open gap takes 100, 30, 12 or 4 off the 100 of its category, by its severity: a
 * critical one leaves nothing.
 */
const GAP_COST: Record<Severity, number> = { critical: 100, high: 30, medium: 12, low: 4 }

/**
 * Unspecified: a store in which agents cannot find or buy anything has at most 59, a C, however good
 * the rest is.
 */
const CRITICAL_CAP = 59

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

/** A verdict that counts: skips are left out before they come here. */
export interface Scored {
  check: CheckName
  severity: Severity
  open: boolean
}

/**
 * Score 0 to 100 and its parts: the weighted mean of the categories that could be judged. Each
 * begins at 100 and loses the cost of its open gaps. Rounded down, so that 100 means no gap at all.
 */
export function scoreOf(scored: readonly Scored[]): {
  score: number
  breakdown: Partial<Record<Category, number>>
} {
  const left = new Map<Category, number>()
  for (const { check, severity, open } of scored) {
    const category = CATEGORY_OF[check]
    const before = left.get(category) ?? 100
    left.set(category, Math.max(0, before - (open ? GAP_COST[severity] : 0)))
  }
  // In one order, so that equal results are equal texts.
  const breakdown: Partial<Record<Category, number>> = {}
  let sum = 0
  let weights = 0
  for (const category of CATEGORIES) {
    const part = left.get(category)
    if (part === undefined) continue
    breakdown[category] = part
    sum += part * CATEGORY_WEIGHT[category]
    weights += CATEGORY_WEIGHT[category]
  }
  const mean = weights === 0 ? 0 : Math.floor(sum / weights)
  // The mean alone could give a B to a store that agents cannot buy from.
  const blocked = scored.some(({ open, severity }) => open && severity === 'critical')
  return { score: blocked ? Math.min(mean, CRITICAL_CAP) : mean, breakdown }
}
