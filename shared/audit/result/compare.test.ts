import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rulesOf } from '../checks/index.ts'
import { gap, notApplicable, pass, type Rule, skip, type Verdict } from '../rule.ts'
import { CHECK_NAMES, type CheckName, DEFAULT_CHECKS } from '../vocabulary.ts'
import {
  type AuditComparison,
  compareAudits,
  comparedOf,
  judgedIn,
  littleJudged,
} from './compare.ts'
import { type AuditResult, ENGINE_VERSION, NO_LINKS, toResult } from './result.ts'

const AT = new Date('2026-11-21T10:00:00Z')
const UNREAD = 'HTTP 503'

/** An audit in which every rule passes, but for these gaps. */
function audited(
  checks: readonly CheckName[],
  verdicts: Record<string, Verdict> | ((rule: Rule) => Verdict),
): AuditResult {
  const of = (rule: Rule) =>
    typeof verdicts === 'function' ? verdicts(rule) : (verdicts[rule.id] ?? pass())
  const outcomes = rulesOf(checks).map((rule) => ({ rule, verdict: of(rule) }))
  return toResult('shop.example', checks, outcomes, AT, NO_LINKS)
}

const compare = (before: AuditResult, after: AuditResult): AuditComparison =>
  compareAudits(comparedOf(before), comparedOf(after))

const ids = (gaps: readonly { id: string }[]) => gaps.map(({ id }) => id)
const LISTS = ['new', 'fixed', 'still_open', 'not_judged', 'newly_judged'] as const
const listed = (compared: AuditComparison) =>
  Object.fromEntries(
    LISTS.flatMap((name) => (compared[name].length ? [[name, ids(compared[name])]] : [])),
  )

test('what changed: each list, and the score on what both judged', () => {
  const before = audited(['schema'], {
    product_schema_price_invalid: gap('-'),
    product_schema_gtin_invalid: gap('-'),
    product_schema_sku_spaces: gap('-'),
    product_schema_brand_missing: skip(UNREAD),
  })
  const after = audited(['schema'], {
    product_schema_gtin_invalid: gap('-'),
    product_schema_sku_spaces: skip(UNREAD),
    product_schema_brand_missing: gap('-'),
    product_schema_description_missing: gap('-'),
  })
  const compared = compare(before, after)
  expect(listed(compared)).toEqual({
    fixed: ['product_schema_price_invalid'],
    new: ['product_schema_description_missing'],
    still_open: ['product_schema_gtin_invalid'],
    not_judged: ['product_schema_sku_spaces'],
    newly_judged: ['product_schema_brand_missing'],
  })
  const { judged, applicable } = compared.compared
  expect(applicable - judged).toBe(2)
  expect(compared.not_seen).toEqual([{ reason: UNREAD, rules: 1 }])
  // A rule of severity high is worth more than one of medium.
  expect(compared.change).toBeGreaterThan(0)
})

test('where both judged the same, the change is the difference of the scores', () => {
  const before = audited(DEFAULT_CHECKS, { feed_missing: gap('-') })
  const after = audited(DEFAULT_CHECKS, {})
  expect(compare(before, after)).toMatchObject({
    change: after.score - before.score,
    no_trend: null,
  })
})

test('what a gap keeps from being judged has failed with it', () => {
  const [hidden] = rulesOf(['feed']).filter(({ lostWith }) => lostWith?.includes('feed_missing'))
  const id = hidden?.id ?? ''
  const missing = audited(['feed'], { feed_missing: gap('-'), [id]: skip('no feed') })
  const whole = audited(['feed'], { [id]: gap('-') })
  const made = compare(missing, whole)
  expect(made.change).toBe(whole.score - missing.score)
  expect(listed(made)).toEqual({ fixed: ['feed_missing'], newly_judged: [id] })
  expect(compare(whole, missing).not_seen).toEqual([])
})

test('a gap whose rule no longer applies is not fixed, and one whose rule now does is new', () => {
  const open = audited(['schema'], { product_schema_gtin_invalid: gap('-') })
  const without = audited(['schema'], { product_schema_gtin_invalid: notApplicable('no GTIN') })
  expect(listed(compare(open, without))).toEqual({ not_judged: ['product_schema_gtin_invalid'] })
  expect(listed(compare(without, open))).toEqual({ new: ['product_schema_gtin_invalid'] })
})

test('an audit that judged little of what applies shows no trend', () => {
  const rules = rulesOf(DEFAULT_CHECKS)
  const before = audited(DEFAULT_CHECKS, { product_schema_price_invalid: gap('-') })
  const after = audited(DEFAULT_CHECKS, (rule) => (rules.indexOf(rule) < 7 ? pass() : skip(UNREAD)))
  for (const [one, other] of [
    [before, after],
    [after, before],
    [after, after],
  ] as const) {
    const { change, no_trend, compared } = compare(one, other)
    expect([change, no_trend]).toEqual([null, 'too_little_judged'])
    expect(compared.judged).toBeLessThanOrEqual(7)
  }
  expect(littleJudged(judgedIn(after))).not.toBeNull()
  expect(littleJudged(judgedIn(before))).toBeNull()
})

test.each<[string, { engine_version?: string; checks?: CheckName[] }]>([
  ['another engine', { engine_version: '0' }],
  ['other checks', { checks: ['feed', 'acp'] }],
])('scores by %s are not compared', (_, over) => {
  const one = audited(['schema', 'feed'], {})
  const other = { ...audited(over.checks ?? ['schema', 'feed'], {}), ...over }
  const compared = compare(one, other)
  expect([compared.change, compared.no_trend]).toEqual([null, 'measured_differently'])
  expect(compared.measure).toEqual(
    over.checks === undefined
      ? { engine: { before: ENGINE_VERSION, after: '0' }, checks_before: [], checks_after: [] }
      : { engine: null, checks_before: ['schema'], checks_after: ['acp'] },
  )
})

const RULES = rulesOf(CHECK_NAMES)
const KINDS = [pass(), pass(), pass(), gap('wrong'), skip('it timed out'), notApplicable('-')]
const eachRule = (most: number) =>
  fc.array(fc.nat(most), { minLength: RULES.length, maxLength: RULES.length })

test('less seen is never a trend, and never a new or a fixed gap', () => {
  const CASE = fc.record({
    was: eachRule(KINDS.length - 1),
    is: eachRule(KINDS.length - 1),
    chances: eachRule(99),
    hidden: fc.constantFrom(2, 10, 30, 60),
    isBefore: fc.boolean(),
  })
  fc.assert(
    fc.property(CASE, ({ was, is, chances, hidden, isBefore }) => {
      const whole = (kinds: readonly number[]) => (rule: Rule) => {
        const n = RULES.indexOf(rule)
        // Something is always judged, so that there is a result.
        return (n === 0 ? undefined : KINDS[kinds[n] ?? 0]) ?? pass()
      }
      const less = (kinds: readonly number[]) => (rule: Rule) => {
        const n = RULES.indexOf(rule)
        const verdict = whole(kinds)(rule)
        const isHidden = n > 0 && (chances[n] ?? 0) < hidden && verdict.kind !== 'not_applicable'
        return isHidden ? skip(UNREAD) : verdict
      }
      const [before, after] = [was, is].map((kinds) => audited(CHECK_NAMES, whole(kinds)))
      const [dimBefore, dimAfter] = [was, is].map((kinds) => audited(CHECK_NAMES, less(kinds)))
      if (!before || !after || !dimBefore || !dimAfter) return
      const seen = compare(before, after)
      const dim = isBefore ? compare(dimBefore, after) : compare(before, dimAfter)
      expect(ids(seen.new)).toEqual(expect.arrayContaining(ids(dim.new)))
      expect(ids(seen.fixed)).toEqual(expect.arrayContaining(ids(dim.fixed)))
      // A store that did not change has no trend, however little of it was seen.
      const same = isBefore ? compare(dimBefore, before) : compare(before, dimBefore)
      expect([same.change ?? 0, same.new, same.fixed]).toEqual([0, [], []])
      // What rises has a gap that was seen to be closed; what falls, one that was seen to open.
      if ((dim.change ?? 0) > 0) expect(dim.fixed).not.toEqual([])
      if ((dim.change ?? 0) < 0) expect(dim.new).not.toEqual([])
    }),
  )
})
