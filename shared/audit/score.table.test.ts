import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { rulesOf } from './checks/index.ts'
import { gap, inOtherDialect, notApplicable, type Outcome, pass, type Rule, skip } from './rule.ts'
import { gradeOf, type Score, scoreOf, THINGS, thingOf } from './score.ts'
import { CHECK_NAMES, type CheckName, DEFAULT_CHECKS, SEVERITIES } from './vocabulary.ts'

test.each([
  [100, 'A'],
  [80, 'A'],
  [79, 'B'],
  [60, 'B'],
  [59, 'C'],
  [40, 'C'],
  [39, 'D'],
  [0, 'D'],
] as const)('%i is grade %s', (score, grade) => expect(gradeOf(score)).toBe(grade))

const VERDICTS = {
  pass: pass(),
  gap: gap('wrong'),
  skip: skip('it timed out'),
  none: notApplicable('-'),
}
type Kind = keyof typeof VERDICTS

const isOfficial = (rule: Rule) => /^(ucp|feed_openai)_/.test(rule.gap ?? '')
/**
 * In a store of the specification's dialect, with a feed for Google; other rules say nothing there.
 */
const outcome = (rule: Rule, kind: Kind): Outcome => ({
  rule,
  verdict: isOfficial(rule) ? inOtherDialect('-') : VERDICTS[kind],
})

const scored = (outcomes: readonly Outcome[]): Score => {
  const score = scoreOf(outcomes)
  if (score === null) throw new Error('Nothing was judged.')
  return score
}

const allPass = (checks: readonly CheckName[]) =>
  rulesOf(checks).map((rule) => outcome(rule, 'pass'))
const changed = (outcomes: readonly Outcome[], kinds: Record<string, Kind>) =>
  outcomes.map((each) => {
    const kind = kinds[each.rule.gap ?? '']
    return kind === undefined ? each : outcome(each.rule, kind)
  })

const RULES = rulesOf(CHECK_NAMES)
/** Rules hide and cap each other in more ways than the usual number of examples shows. */
const RUNS = { numRuns: inject('change') === null ? 1000 : 100 }

/** What outcomes are made of: of some checks, from nearly right to nearly all wrong. */
const CASE = fc.record({
  checks: fc.subarray([...CHECK_NAMES], { minLength: 1 }),
  kinds: fc.array(fc.nat(999), { minLength: RULES.length, maxLength: RULES.length }),
  gaps: fc.constantFrom(0, 10, 40, 200, 600),
  unseen: fc.constantFrom(0, 10, 100, 400),
})
type Case = typeof CASE extends fc.Arbitrary<infer T> ? T : never

function outcomesOf({ checks, kinds, gaps, unseen }: Case): Outcome[] {
  const outcomes = RULES.flatMap((rule, index) => {
    if (!checks.includes(rule.check)) return []
    const at = kinds[index] ?? 0
    if (at < gaps && rule.gap !== null) return [outcome(rule, 'gap')]
    return [outcome(rule, at < gaps + unseen ? (at % 2 === 0 ? 'skip' : 'none') : 'pass')]
  })
  fc.pre(scoreOf(outcomes) !== null)
  return outcomes
}

const STOPS = ['kept_out', 'cannot_buy', 'critical_gap']
const MISLEADS = ['wrong_price', 'wrong_order']

/** Whether a gap caps the score that did not before: it was hidden. */
const hasNewCap = (was: Score, is: Score): boolean =>
  [...is.caps].some(([gap, reason]) => was.caps.get(gap) !== reason)

const openIn = (outcomes: readonly Outcome[]) =>
  outcomes.filter(({ verdict }) => verdict.kind === 'gap')

/** By their gaps; of the last outcomes alone, since properties make new ones each time. */
let indexed: { of: readonly Outcome[]; byGap: ReadonlyMap<string | null, Outcome> } | undefined
function outcomeWith(outcomes: readonly Outcome[], id: string): Outcome | undefined {
  if (indexed?.of !== outcomes) {
    indexed = { of: outcomes, byGap: new Map(outcomes.map((each) => [each.rule.gap, each])) }
  }
  return indexed.byGap.get(id)
}

/**
 * Written anew, so that score.ts does not judge itself. Each rule of a way is asked once: `seen`.
 */
function isHidden(outcomes: readonly Outcome[], rule: Rule, seen = new Set<Rule>()): boolean {
  return (rule.lostWith ?? []).some((id) => {
    const hiding = outcomeWith(outcomes, id)
    if (hiding === undefined || seen.has(hiding.rule)) return false
    seen.add(hiding.rule)
    if (hiding.verdict.kind === 'gap') return true
    return isSilent(hiding) && isHidden(outcomes, hiding.rule, seen)
  })
}
const isSilent = ({ verdict }: Outcome) =>
  verdict.kind === 'skip' || (verdict.kind === 'not_applicable' && verdict.hideable)
const isLost = (outcomes: readonly Outcome[], each: Outcome) =>
  isSilent(each) && isHidden(outcomes, each.rule)

/** Gaps are closed, one or several, and what they hid turns out to be anything. */
const CLOSING = fc.record({
  case: CASE,
  alone: fc.boolean(),
  picks: fc.array(fc.nat(99), { minLength: RULES.length, maxLength: RULES.length }),
})

function closingOf(given: typeof CLOSING extends fc.Arbitrary<infer T> ? T : never) {
  const before = outcomesOf(given.case)
  const open = openIn(before)
  const first = open[(given.picks[0] ?? 0) % open.length]
  fc.pre(first !== undefined)
  const closed = open.filter(
    (each, index) => each === first || (!given.alone && (given.picks[index] ?? 0) % 2 === 0),
  )
  const after = before.map((each, index) => {
    if (closed.includes(each)) return outcome(each.rule, 'pass')
    const turned = (['pass', 'gap', 'skip', 'none'] as const)[(given.picks[index] ?? 0) % 4]
    return isLost(before, each) ? outcome(each.rule, turned ?? 'pass') : each
  })
  return { before, after, closed }
}

describe('the score, over thousands of outcomes', () => {
  test('is 100 exactly when every applicable rule passed', () => {
    fc.assert(
      fc.property(CASE, (given) => {
        const outcomes = outcomesOf(given)
        const applies = outcomes.filter(
          (each) =>
            each.rule.gap !== null &&
            (each.verdict.kind !== 'not_applicable' || isUnknown(outcomes, each)),
        )
        const isSeen =
          !outcomes.some(({ rule }) => rule.check === 'checkout') ||
          applies.some(({ rule }) => rule.passed === 'checkout_dry_run')
        const isRight = isSeen && applies.every(({ verdict }) => verdict.kind === 'pass')
        expect(scored(outcomes).score === 100).toBe(isRight)
      }),
      RUNS,
    )
  })

  test('is never lowered by closing gaps, and is raised by it without a cap', () => {
    fc.assert(
      fc.property(CLOSING, (given) => {
        const { before, after, closed } = closingOf(given)
        const [was, is] = [scored(before), scored(after)]
        if (!hasNewCap(was, is)) expect(is.score).toBeGreaterThanOrEqual(was.score)
        for (const [category, part] of Object.entries(was.breakdown)) {
          const now = is.breakdown[category as keyof Score['breakdown']]
          expect(now).toBeGreaterThanOrEqual(part)
        }
        expect(closed.length).toBeGreaterThan(0)
        expect(is.exact).toBeGreaterThan(was.exact)
      }),
      RUNS,
    )
  })

  test('gains at least the points of a gap that is closed alone', () => {
    fc.assert(
      fc.property(CLOSING, (given) => {
        const {
          before,
          after,
          closed: [each],
        } = closingOf({ ...given, alone: true })
        const was = scored(before)
        const of = was.points.get(each?.rule.gap ?? '')
        if (of === undefined) throw new Error('The gap has no points.')
        const is = scored(after)
        // What it hid may be a cap of its own.
        fc.pre(!hasNewCap(was, is))
        if (!of.held_back) expect(is.score).toBeGreaterThanOrEqual(was.score + of.points)
        else expect(was.score + of.points).toBeGreaterThan(was.without([each?.rule.gap ?? '']))
      }),
      RUNS,
    )
  })

  test('keeps its caps, and names the open gaps that cause the one that holds it', () => {
    fc.assert(
      fc.property(CASE, (given) => {
        const outcomes = outcomesOf(given)
        const { score, cap } = scored(outcomes)
        const isOpen = (each: Outcome) =>
          each.verdict.kind === 'gap' || (each.rule.gap !== null && isLost(outcomes, each))
        const stops = outcomes.some(
          (each) =>
            (each.rule.severity === 'critical' && isOpen(each)) ||
            (each.verdict.kind === 'gap' && STOPS.includes(each.rule.caps ?? '')),
        )
        const misleads = outcomes.some(
          ({ rule, verdict }) => verdict.kind === 'gap' && MISLEADS.includes(rule.caps ?? ''),
        )
        const checkout = outcomes.find(({ rule }) => rule.passed === 'checkout_dry_run')
        const isUnseen = checkout !== undefined && checkout.verdict.kind !== 'pass'
        const [most, least] = stops
          ? [59, 40]
          : misleads || isUnseen
            ? [79, 60]
            : outcomes.some((each) => each.rule.gap !== null && isUnknown(outcomes, each))
              ? [99, 99]
              : [100, 100]
        expect(score).toBeLessThanOrEqual(most)
        if (cap === null) return
        expect(score).toBeLessThanOrEqual(cap.at)
        expect(score).toBeGreaterThanOrEqual(least)
        const open = openIn(outcomes).map(({ rule }) => rule.gap)
        expect(open).toEqual(expect.arrayContaining(cap.gaps))
        expect(cap.gaps.length > 0).toBe(stops || misleads)
      }),
      RUNS,
    )
  })

  test('within a thing a gap of more severity is never worth less than one of less', () => {
    fc.assert(
      fc.property(CASE, (given) => {
        const { points } = scored(outcomesOf(given))
        const gained = (each: Outcome) => points.get(each.rule.gap ?? '')?.points ?? 0
        const open = openIn(outcomesOf(given)).filter(({ rule }) => (rule.caps ?? null) === null)
        for (const some of Map.groupBy(open, ({ rule }) => thingOf(rule)).values()) {
          const bySeverity = SEVERITIES.map((severity) =>
            some.filter(({ rule }) => rule.severity === severity).map(gained),
          ).filter((list) => list.length > 0)
          for (const [index, list] of bySeverity.entries()) {
            const below = bySeverity[index + 1]
            if (below !== undefined) {
              expect(Math.min(...list)).toBeGreaterThanOrEqual(Math.max(...below))
            }
          }
        }
      }),
      RUNS,
    )
  })

  test('what a few gaps gain together is what it gains when they are closed', () => {
    fc.assert(
      fc.property(CASE, fc.nat(9), (given, many) => {
        const outcomes = outcomesOf(given)
        const was = scored(outcomes)
        const picked = openIn(outcomes).slice(0, many)
        const is = scored(
          outcomes.map((each) => (picked.includes(each) ? outcome(each.rule, 'pass') : each)),
        )
        const promised = was.without(picked.map(({ rule }) => rule.gap ?? ''))
        expect(promised).toBeGreaterThanOrEqual(was.score)
        expect(is.score).toBeGreaterThanOrEqual(promised)
      }),
      RUNS,
    )
  })

  test('never falls when what is missing is added, however wrong', () => {
    fc.assert(
      fc.property(fc.nat(MISSING.length - 1), CASE, (which, given) => {
        const { gap: id, rules } = MISSING[which] ?? MISSING[0]!
        const outcomes = outcomesOf(given)
        fc.pre(outcomes.some(({ rule }) => rule.gap === id))
        const missing = outcomes.map((each) => {
          if (each.rule.gap === id) return outcome(each.rule, 'gap')
          return rules.has(each.rule) ? outcome(each.rule, 'skip') : each
        })
        // Whatever it hides may be wrong; the rule that missed it passes or cannot tell.
        const wrong = missing.map((each) => {
          if (each.rule.gap === id) return outcome(each.rule, 'pass')
          return rules.has(each.rule) && each.rule.gap !== null ? outcome(each.rule, 'gap') : each
        })
        const was = scoreOf(missing)
        const is = scoreOf(wrong)
        // A wrong price caps the score, and one that is missing does not.
        if (was !== null && is !== null) expect(is.exact).toBeGreaterThanOrEqual(was.exact)
      }),
      RUNS,
    )
  })
})

const isUnknown = (outcomes: readonly Outcome[], each: Outcome) =>
  each.verdict.kind === 'skip' || isLost(outcomes, each)

/** The gaps that say that a thing is missing, with the rules that are lost with each. */
const MISSING = [
  'well_known_missing',
  'catalog_unreachable',
  'checkout_unreachable',
  'product_schema_missing',
  'organization_missing',
  'feed_missing',
  'dark_traffic_untracked',
].map((id) => {
  const right = RULES.map((rule) => outcome(rule, rule.gap === id ? 'gap' : 'skip'))
  return {
    gap: id,
    rules: new Set(RULES.filter((rule) => rule.gap !== id && isHidden(right, rule))),
  }
})

describe('the points of things', () => {
  const POINTS = Object.values(THINGS).reduce((sum, { points }) => sum + points, 0)
  test('are 100 in all', () => expect(POINTS).toBe(100))

  test('a few gaps of each thing are worth a whole point each, and closing them shows', () => {
    const right = allPass(CHECK_NAMES)
    const gaps = Map.groupBy(
      right.filter(({ rule, verdict }) => {
        const isCounted = verdict.kind === 'pass' && rule.gap !== null
        return isCounted && rule.severity !== 'critical' && rule.caps === undefined
      }),
      ({ rule }) => thingOf(rule),
    )
    const PICKS = fc.tuple(...[...gaps.values()].map((some) => fc.subarray(some, { maxLength: 2 })))
    fc.assert(
      fc.property(PICKS, fc.nat(), (picked, chance) => {
        const open = picked.flat()
        fc.pre(open.length > 0)
        const ids = open.map(({ rule }) => rule.gap ?? '')
        const before = changed(right, Object.fromEntries(ids.map((id) => [id, 'gap'])))
        const { score, points } = scored(before)
        for (const id of ids) expect(points.get(id)?.points).toBeGreaterThanOrEqual(1)
        const closed = ids.filter((_, index) => (chance >> index) % 2 === 0)
        const after = changed(before, Object.fromEntries(closed.map((id) => [id, 'pass'])))
        expect(scored(after).score).toBeGreaterThanOrEqual(score + closed.length)
      }),
      RUNS,
    )
  })

  test.each(MISSING)(
    '$gap is worth a whole point at least, beside all that it hides',
    (missing) => {
      const outcomes = allPass(CHECK_NAMES).map((each) => {
        if (each.rule.gap === missing.gap) return outcome(each.rule, 'gap')
        return missing.rules.has(each.rule) ? outcome(each.rule, 'skip') : each
      })
      expect(scored(outcomes).points.get(missing.gap)?.points).toBeGreaterThanOrEqual(1)
    },
  )

  test('a rule of another dialect is never lost', () => {
    const right = allPass(DEFAULT_CHECKS)
    const points = scored(changed(right, { well_known_invalid: 'gap' })).points
    expect(points.get('well_known_invalid')?.points).toBe(
      scored(
        changed(
          right.filter(({ rule }) => !isOfficial(rule)),
          { well_known_invalid: 'gap' },
        ),
      ).points.get('well_known_invalid')?.points,
    )
  })
})

describe('one case each', () => {
  const right = allPass(DEFAULT_CHECKS)

  test('everything right', () => {
    const { score, cap, breakdown, coverage } = scored(right)
    expect({ score, cap, breakdown }).toEqual({
      score: 100,
      cap: null,
      breakdown: { discoverability: 100, catalog: 100, checkout: 100, attribution: 100 },
    })
    const count = right.filter(({ rule, verdict }) => rule.gap !== null && verdict.kind === 'pass')
    expect(coverage).toMatchObject({ judged: count.length, applicable: count.length })
    expect(coverage.breakdown.attribution).toEqual({ judged: 5, applicable: 5 })
  })

  test('nothing judged is no score', () => {
    expect(scoreOf([])).toBeNull()
    expect(scoreOf(RULES.map((rule) => outcome(rule, 'skip')))).toBeNull()
    const free = RULES.filter(({ gap: id }) => id === null).map((rule) => outcome(rule, 'pass'))
    expect(free.length).toBeGreaterThan(0)
    expect(scoreOf(free)).toBeNull()
  })

  test('a category in which nothing was judged is left out, and counts neither way', () => {
    const unseen = right.map((each) =>
      each.rule.check === 'attribution' ? outcome(each.rule, 'skip') : each,
    )
    const { score, breakdown, coverage, cap } = scored(unseen)
    expect(breakdown).toEqual({ discoverability: 100, catalog: 100, checkout: 100 })
    expect(coverage.breakdown.attribution).toEqual({ judged: 0, applicable: 5 })
    expect({ score, cap }).toEqual({
      score: 99,
      cap: { reason: 'not_all_judged', at: 99, gaps: [] },
    })
  })

  test('a cap holds back what a gap below it is worth, and says so', () => {
    const two = changed(right, { catalog_cached_too_long: 'gap', acp_discovery_invalid: 'gap' })
    expect(scored(two).points.get('catalog_cached_too_long')).toEqual({
      points: 3,
      held_back: false,
    })
    const { score, cap, points } = scored(changed(two, { https_missing: 'gap' }))
    const by = { reason: 'critical_gap', at: 59, gaps: ['https_missing'] }
    expect({ score, cap }).toEqual({ score: 57, cap: by })
    expect(points.get('catalog_cached_too_long')).toEqual({ points: 3, held_back: true })
    expect(points.get('https_missing')).toEqual({ points: 40, held_back: false })
  })

  test('a cap that takes nothing away is not named', () => {
    const { score, cap } = scored(
      changed(right, { product_schema_brand_missing: 'gap', catalog_cached_too_long: 'skip' }),
    )
    expect({ score, cap }).toEqual({ score: 99, cap: null })
  })

  test('where all that was judged is wrong there are no points, however few rules it is', () => {
    const outcomes = right.filter(({ rule, verdict }) => rule.gap && verdict.kind === 'pass')
    for (const { rule } of outcomes) expect(scored([outcome(rule, 'gap')]).exact).toBeCloseTo(0)
  })

  test('what a gap hides may be critical, and caps as if it were open', () => {
    const { cap } = scored(
      changed(right, { checkout_redirected: 'gap', checkout_dry_run_failed: 'skip' }),
    )
    expect(cap).toEqual({ reason: 'critical_gap', at: 59, gaps: ['checkout_redirected'] })
  })

  test('without a checkout that was seen to work there is no A', () => {
    const unseen = changed(right, { checkout_dry_run_failed: 'skip' })
    const { score, cap } = scored(unseen)
    expect({ score, cap, grade: gradeOf(score) }).toEqual({
      score: 79,
      cap: { reason: 'checkout_not_judged', at: 79, gaps: [] },
      grade: 'B',
    })
  })

  test('an audit that was not asked about the checkout has no cap for it', () =>
    expect(scored(allPass(['schema'])).score).toBe(100))

  test('a gap of more severity costs more', () => {
    const { points } = scored(
      changed(right, { catalog_empty: 'gap', catalog_description_brief: 'gap' }),
    )
    expect(points.get('catalog_empty')?.points).toBeGreaterThan(
      points.get('catalog_description_brief')?.points ?? 0,
    )
  })
})
