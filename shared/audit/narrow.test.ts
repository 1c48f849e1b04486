import { expect, test } from 'vitest'
import { CHECKS, rulesOf } from './checks/index.ts'
import { narrowResult } from './narrow.ts'
import { NO_LINKS, NothingJudged, toResult } from './result.ts'
import { gap, inOtherDialect, notApplicable, type Outcome, pass, skip } from './rule.ts'
import { CHECK_NAMES, type CheckName } from './vocabulary.ts'

const AT = new Date('2026-11-20T10:00:00Z')

test('a pass that could never have been a gap is no score, as in the result itself', () => {
  const free = CHECKS.feed.filter(({ gap }) => gap === null)
  const outcomes = free.map((rule) => ({ rule, verdict: pass() }))
  const make = (checks: CheckName[], extra: Outcome[]) =>
    toResult('shop.example', checks, [...extra, ...outcomes], AT, NO_LINKS)
  expect(() => make(['feed'], [])).toThrow(NothingJudged)
  const [schema] = CHECKS.schema.map((rule) => ({ rule, verdict: pass() }))
  const both = make(['schema', 'feed'], schema === undefined ? [] : [schema])
  expect(() => narrowResult(both, ['feed'])).toThrow(NothingJudged)
})

test('the name of a pass belongs to one rule, so that it tells the check', () => {
  const passed = CHECK_NAMES.flatMap((check) => CHECKS[check].map((rule) => rule.passed))
  expect(new Set(passed).size).toBe(passed.length)
})

test('a part of a result is what an audit by these checks alone says', () => {
  const outcomes = rulesOf(CHECK_NAMES).map((rule, index) => ({
    rule,
    verdict: [gap('wrong'), pass(), pass(), skip('it timed out'), notApplicable('-')][index % 5]!,
  }))
  const whole = toResult('shop.example', CHECK_NAMES, outcomes, AT, NO_LINKS)
  for (const check of CHECK_NAMES) {
    const alone = outcomes.filter(({ rule }) => rule.check === check)
    const direct = toResult('shop.example', [check], alone, AT, NO_LINKS)
    expect(narrowResult(whole, [check])).toEqual(direct)
  }
})

const OF_OFFICIAL = /^ucp_/
const OF_SPECIFICATION =
  /^(?:checkout_(?:not_https|unreachable|redirected|expires_late|undeclared)|catalog_undeclared|well_known_(?:domain_mismatch|generated_at))$/

test.each([
  ['well_known_missing', OF_OFFICIAL],
  ['well_known_invalid', OF_SPECIFICATION],
])('%s hides nothing in a dialect that is not spoken, in a part either', (wrong, elsewhere) => {
  const outcomes = rulesOf(CHECK_NAMES).map((rule) => {
    const id = rule.gap ?? ''
    const verdict = elsewhere.test(id) ? inOtherDialect('-') : id === wrong ? gap('wrong') : pass()
    return { rule, verdict }
  })
  const whole = toResult('shop.example', CHECK_NAMES, outcomes, AT, NO_LINKS)
  const checks: CheckName[] = ['well_known', 'checkout']
  const alone = outcomes.filter(({ rule }) => checks.includes(rule.check))
  const direct = toResult('shop.example', checks, alone, AT, NO_LINKS)
  expect(narrowResult(whole, checks)).toEqual(direct)
})
